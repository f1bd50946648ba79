import type { NotifyTarget } from "../../core/config/block.ts";
import { type Diagnostic, DiagnosticsError, errorText, warningOf } from "../../core/model/diagnostic.ts";
import { isoTime } from "../../core/model/iso-time.ts";
import type { Notice } from "../../core/model/notice.ts";
import { visible } from "../../core/model/visible.ts";
import { noAnswerClause, WebFailure } from "../../core/model/web.ts";
import { runCommand } from "../../core/secrets/command-output.ts";
import { configurationName } from "../../operations/configuration/configuration-name.ts";
import type { LoadedConfiguration } from "../../operations/configuration/load-configuration.ts";
import { settingText } from "../../operations/configuration/setting-text.ts";
import { noticeUrl } from "../../operations/configuration/notify-problems.ts";
import { commandPorts, revealOnce } from "../../operations/configuration/reveal-secrets.ts";
import type { OperationContext } from "../../operations/context.ts";
import { lazyWeb } from "../../operations/service/lazy-web.ts";
import { BODIES, type Message, messageOf } from "./notice-message.ts";

/** When each finding was sent, by target and key, in milliseconds since the epoch. */
export type SentNotices = { readonly [targetAndKey: string]: number };

/** What was sent, and what could not be. */
export interface NoticesResult {
  readonly warnings: readonly Diagnostic[];
  /** The findings that persist, and when each was sent to each target. */
  readonly sent: SentNotices;
}

interface NoticesToSend {
  /** The path of the configuration. */
  readonly config: string;
  readonly notices: readonly Notice[];
  readonly before: SentNotices;
}

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

/**
 * Sends a run's findings to the targets of the section `notify`. Sends none that a target got less than its `remind` ago. Never
 * throws for a target: what goes wrong is a warning, and changes nothing about the run.
 */
export async function sendNotices(
  context: OperationContext,
  loaded: LoadedConfiguration,
  { config, notices, before }: NoticesToSend,
): Promise<NoticesResult> {
  const { notify = [], team = null } = loaded.configuration;
  const about = {
    configuration: configurationName(context, config),
    team,
    at: isoTime(context.clock.now()),
  };
  const shown = (text: string): string => visible(context.personal.maskLine(context.redactor.redact(text)));
  const messages = new Map(
    notices.map((notice) => messageOf(notice, { ...about, shown })).map((message) => [message.key, message]),
  );
  const results = await Promise.all(
    notify.map((target) => sendTo(target, [...messages.values()], { context, loaded, before })),
  );
  return {
    warnings: results.flatMap(({ warnings }) => warnings),
    sent: Object.assign({}, ...results.map(({ sent }) => sent)) as SentNotices,
  };
}

interface Sending {
  readonly context: OperationContext;
  readonly loaded: LoadedConfiguration;
  readonly before: SentNotices;
}

async function sendTo(target: NotifyTarget, messages: readonly Message[], sending: Sending): Promise<NoticesResult> {
  const { name, events, remindMs } = target;
  const nowMs = sending.context.clock.now();
  const warnings: Diagnostic[] = [];
  const sent: { [targetAndKey: string]: number } = {};
  for (const message of messages) {
    if (events !== null && !events.includes(message.event)) continue;
    const id = `${name} ${message.key}`;
    const atMs = sending.before[id] ?? null;
    if (atMs !== null && nowMs - atMs < remindMs) {
      sent[id] = atMs;
      continue;
    }
    const problem = await problemOf(target, message, sending);
    if (problem === null) sent[id] = nowMs;
    else warnings.push(notSent(name, problem));
  }
  return { warnings, sent };
}

/** Without its place: the line may hold the URL. */
function notSent(name: string, problem: string): Diagnostic {
  return warningOf("notification_failed", "A notification was not sent", {
    detail: `notify.${name}: ${problem}`,
    hint: "The result of the run stays as it is.",
  });
}

/** Null: it was sent. */
async function problemOf(target: NotifyTarget, message: Message, sending: Sending): Promise<string | null> {
  try {
    return await (target.url === null ? run(target, message, sending) : post(target, message, sending));
  } catch (error) {
    const [first] = error instanceof DiagnosticsError ? error.diagnostics : [];
    return first?.detail ?? `${error instanceof WebFailure ? noAnswerClause(error) : errorText(error)}.`;
  }
}

async function post(
  { url: setting, format }: NotifyTarget,
  message: Message,
  { context, loaded }: Sending,
): Promise<string | null> {
  const text = setting?.kind === "secret" ? await secretText(setting.source, context, loaded) : textOf(setting, loaded);
  const url = noticeUrl(text);
  if ("problem" in url) return url.problem;
  const body = Buffer.from(JSON.stringify(BODIES[format](message)));
  const headers = { "content-type": "application/json", "user-agent": `outreach-as-code/${context.version}` };
  const web = await lazyWeb(context, { maxResponseBytes: MAX_ANSWER_BYTES })();
  const { status } = await web.send(
    { method: "POST", url: url.url, headers, body, timeoutMs: TIMEOUT_MS },
    context.stop,
  );
  return status >= 200 && status < 300 ? null : `its receiver answered ${String(status)}.`;
}

async function run({ command }: NotifyTarget, message: Message, { context, loaded }: Sending): Promise<string | null> {
  const words = command.map((word) => textOf(word, loaded));
  const ports = { ...commandPorts(context, loaded), input: Buffer.from(`${JSON.stringify(message)}\n`) };
  const problem = await runCommand(words, ports, TIMEOUT_MS);
  return problem?.detail ?? null;
}

async function secretText(
  source: Parameters<ReturnType<typeof revealOnce>>[0],
  context: OperationContext,
  loaded: LoadedConfiguration,
): Promise<string> {
  const revealed = await revealOnce(context, loaded)(source);
  if ("value" in revealed) return revealed.value;
  throw DiagnosticsError.of("secret_unavailable", "A secret is not available", revealed);
}

/** Its mistakes have a place where the configuration is checked. */
function textOf(setting: NotifyTarget["url"], loaded: LoadedConfiguration): string {
  if (setting === null) return "";
  const { value, diagnostics } = settingText(setting, loaded, () => undefined);
  if (value === null) throw new DiagnosticsError(diagnostics);
  return value;
}
