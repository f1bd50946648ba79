import type { NotifyTarget } from "../../core/config/block.ts";
import { type Diagnostic, DiagnosticsError, errorText, warningOf } from "../../core/model/diagnostic.ts";
import { isoTime } from "../../core/model/iso-time.ts";
import type { Notice } from "../../core/model/notice.ts";
import { parseUrl } from "../../core/model/parse-url.ts";
import { visible } from "../../core/model/visible.ts";
import { commandOutput } from "../../core/secrets/command-output.ts";
import { configurationName } from "../configuration/configuration-name.ts";
import { hasConfiguration, type LoadedConfiguration, loadSection, settingText } from "../configuration/load-configuration.ts";
import { hiddenFromCommands, revealOnce } from "../configuration/reveal-secrets.ts";
import type { OperationContext } from "../context.ts";
import { failureOf } from "../known-failure.ts";
import type { ConfigurationOptions } from "../options.ts";
import { lazyWeb } from "../service/lazy-web.ts";
import { BODIES, jobPage, type Message, messageOf } from "./message.ts";

/** Remembers what was sent. Absent: every run sends what it has found. */
export interface NoticeMemory {
  /** Of what was found for a target, the keys that are to be sent now: those that are new, or were sent `remindMs` ago. They count as sent. */
  claim(target: string, keys: readonly string[], remindMs: number): Promise<readonly string[]>;
  /** It was not sent after all. */
  release(target: string, key: string): Promise<void>;
}

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

/**
 * Tells the targets of the section `notify` what a run has found. Throws only the error of `memory`: what goes wrong is a warning, and changes nothing
 * about the run.
 */
export async function sendNotices(
  context: OperationContext,
  options: ConfigurationOptions,
  { notices, memory = null }: { readonly notices: readonly Notice[]; readonly memory?: NoticeMemory | null },
): Promise<readonly Diagnostic[]> {
  if (context.stop.aborted || (notices.length === 0 && memory === null)) return [];
  const loaded = await loadTargets(context, options);
  if (!("configuration" in loaded)) return loaded;
  const { notify = [], team = null } = loaded.configuration;
  const about = { configuration: configurationName(context, options.config), team, at: isoTime(context.clock.now()), job: jobPage(context.environment) };
  const shown = (text: string): string => visible(context.personal.maskLine(context.redactor.redact(text)));
  const messages = notices.map((notice) => messageOf(notice, { ...about, shown }));
  const sent = await Promise.all(notify.map((target) => sendTo(target, messages, { context, loaded, memory })));
  return sent.flat();
}

async function loadTargets(context: OperationContext, options: ConfigurationOptions): Promise<LoadedConfiguration | readonly Diagnostic[]> {
  try {
    return (await hasConfiguration(context, options)) ? (await loadSection(context, options, "notify")).value : [];
  } catch (error) {
    // The run itself reports a configuration that cannot be read.
    if (failureOf(error)) return [];
    throw error;
  }
}

interface Sending {
  readonly context: OperationContext;
  readonly loaded: LoadedConfiguration;
  readonly memory: NoticeMemory | null;
}

async function sendTo(target: NotifyTarget, messages: readonly Message[], sending: Sending): Promise<readonly Diagnostic[]> {
  const { memory } = sending;
  const wanted = messages.filter(({ event }) => target.events === null || target.events.includes(event));
  const keys = wanted.map(({ key }) => key);
  const isNew = memory ? new Set(await memory.claim(target.name, keys, target.remindMs)) : null;
  const due = [...new Map(wanted.map((message) => [message.key, message])).values()].filter(({ key }) => isNew?.has(key) !== false);
  const warnings: Diagnostic[] = [];
  for (const message of due) {
    const problem = await problemOf(target, message, sending);
    if (problem === null) continue;
    await memory?.release(target.name, message.key);
    warnings.push(
      warningOf("notification_failed", "A notification was not sent", {
        detail: `notify.${target.name}: ${problem}`,
        // Without its place: the line may hold the URL.
        hint: "The result of the run stays as it is.",
      }),
    );
  }
  return warnings;
}

/** Null: it was sent. */
async function problemOf(target: NotifyTarget, message: Message, sending: Sending): Promise<string | null> {
  try {
    return await (target.url === null ? run(target, message, sending) : post(target, message, sending));
  } catch (error) {
    const [first] = error instanceof DiagnosticsError ? error.diagnostics : [];
    return first?.detail ?? `${errorText(error)}.`;
  }
}

async function post({ url: setting, format, locate }: NotifyTarget, message: Message, { context, loaded }: Sending): Promise<string | null> {
  const text = setting?.kind === "secret" ? await secretText(setting.source, context, loaded) : textOf(setting, loaded, locate);
  const url = parseUrl(text);
  if (url === null) return "its url is not a URL.";
  const body = Buffer.from(JSON.stringify(BODIES[format](message)));
  const headers = { "content-type": "application/json", "user-agent": `outreach-as-code/${context.version}` };
  const web = await lazyWeb(context, { maxResponseBytes: MAX_ANSWER_BYTES })();
  const { status } = await web.send({ method: "POST", url, headers, body, timeoutMs: TIMEOUT_MS }, context.stop);
  return status >= 200 && status < 300 ? null : `its receiver answered ${String(status)}.`;
}

async function run({ command, locate }: NotifyTarget, message: Message, { context, loaded }: Sending): Promise<string | null> {
  const words = command.map((word) => textOf(word, loaded, locate));
  const ports = {
    environment: context.environment,
    folder: loaded.configuration.folder,
    hiddenFromCommands: hiddenFromCommands(context, loaded),
    signal: context.stop,
    input: Buffer.from(`${JSON.stringify(message)}\n`),
  };
  const output = await commandOutput(words, ports, { bytes: MAX_ANSWER_BYTES, words: "1 MB", hint: "", timeoutMs: TIMEOUT_MS });
  return "bytes" in output ? null : output.detail;
}

async function secretText(source: Parameters<ReturnType<typeof revealOnce>>[0], context: OperationContext, loaded: LoadedConfiguration): Promise<string> {
  const revealed = await revealOnce(context, loaded)(source);
  if ("value" in revealed) return revealed.value;
  throw DiagnosticsError.of("secret_unavailable", "A secret is not available", revealed);
}

function textOf(setting: NotifyTarget["url"], loaded: LoadedConfiguration, locate: NotifyTarget["locate"]): string {
  if (setting === null) return "";
  const { value, diagnostics } = settingText(setting, loaded, (written) => locate(["url"], written));
  if (value === null) throw new DiagnosticsError(diagnostics);
  return value;
}
