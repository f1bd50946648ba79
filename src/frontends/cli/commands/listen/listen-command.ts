import { countOf } from "../../../../core/model/words.ts";
import { Option } from "commander";
import { type Diagnostic, DiagnosticsError, warningOf, noteOf } from "../../../../core/model/diagnostic.ts";
import { type JsonObject, jsonText } from "../../../../output/json/escaped-json.ts";
import type { CallerOptions } from "../../../../service/api/caller.ts";
import { isLoopback } from "../../../../service/api/service-path.ts";
import { FORWARD_TIMEOUT_MS, type ForwardTarget } from "./forward-event.ts";
import { type Listener, startListener } from "./listener.ts";
import { type ReceiveOptions, receiveEvents, saveEvent } from "./receive-events.ts";
import type { ReceivedEvent } from "./received-event.ts";
import type { CommandContext, ExitCode } from "../../command-context.ts";
import { namedPath, resolvePath } from "../../../../operations/configuration/named-file.ts";
import {
  emailMask,
  eventJson,
  eventLine,
  headingLine,
  type EventCounts,
  countEvent,
  NO_EVENTS,
  summaryText,
} from "./event-lines.ts";
import { forwardTargets, missingPath } from "./forward-targets.ts";
import { assertRegistrable, registerWebhook, type Registration, type TemporaryWebhook } from "./temporary-webhook.ts";
import { REFERENCE_FORMS, revealReferences } from "./secret-references.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import { type CommandOptions, collect, parsePort, withConfig } from "../../program/command-options.ts";
import { printDiagnostics } from "../../screen/print-diagnostics.ts";
import { type ListenHints, cannotListen } from "../../program/cannot-listen.ts";
import { withService } from "../../../../operations/service/connection.ts";
import { lazyWeb } from "../../../../operations/service/lazy-web.ts";

interface ListenOptions extends CommandOptions {
  readonly port: number;
  readonly host: string;
  readonly secret: readonly string[];
  readonly forward: readonly string[];
  readonly save?: string;
  /** True without a URL. */
  readonly register?: string | true;
  readonly type?: string;
  readonly campaign?: string;
}

export const definition: CommandDefinition<ListenOptions> = {
  description:
    "receives events, checks their secret, shows them and forwards them; listen replay sends saved ones again",
  example: {
    lines: [
      "outreach listen --secret env:CRM_HOOK_SECRET --forward 3000",
      "outreach listen --forward emailsReplied=http://localhost:3000/replies",
    ],
  },
  declare: (command) =>
    withConfig(
      command
        .addOption(
          new Option("--port <number>", "the port to listen on; 0 for any free one").default(4020).argParser(parsePort),
        )
        .option("--host <host>", "the address to listen on", "127.0.0.1")
        .option("--secret <reference>", `an accepted secret, as ${REFERENCE_FORMS}; repeatable`, collect, [])
        .option(
          "--forward <receiver>",
          "send the events to a URL, or to a port of this machine; TYPE=URL for one event type; repeatable",
          collect,
          [],
        )
        .option("--save <dir>", "save each event, without its secret, as a file in this folder")
        .option(
          "--register [url]",
          "create a webhook at the service that leads here, through the tunnel at this URL, and remove it at the end",
        )
        .option("--type <event-type>", "only events of this type; with --register")
        .option("--campaign <campaign-id>", "only events of this campaign; with --register"),
    ),
  run: (context, { options }) => {
    if (options.register !== undefined)
      return withService(context, options, (caller) => listen(context, options, caller));
    assertNoFilter(options);
    return listen(context, options, null);
  },
};

/** Receives events until an interrupt, or until nothing reads the output. With a caller, registers a temporary webhook for that time. */
async function listen(
  context: CommandContext,
  options: ListenOptions,
  caller: CallerOptions | null,
): Promise<ExitCode> {
  // A table on a terminal, and JSON elsewhere.
  const isJson = (context.streams.stdout as { readonly isTTY?: boolean }).isTTY !== true;
  const receiving = await receiveOptions(context, options);
  const registration = registrationOf(context, options, receiving.secrets);
  if (caller) assertRegistrable(context, caller, registration, options.port);
  const stop = AbortSignal.any([context.stop, lostOutput(context)]);
  let counts: EventCounts = NO_EVENTS;
  const print = printer(context, isJson);
  const warnOfPath = pathWarner(context);
  const report = (received: ReceivedEvent): void => {
    counts = countEvent(counts, received);
    print(received);
    warnOfPath(received);
  };
  const secrets = caller ? [...new Set([...receiving.secrets, registration.secret])] : receiving.secrets;
  const web = await lazyWeb(context)();
  const receive = receiveEvents(
    { ...receiving, secrets, report },
    { send: (...request) => web.send(...request), clock: context.clock },
  );
  const listener = await startListener({ host: options.host, port: options.port, receive }).catch((error: unknown) => {
    throw cannotListen(error, options, LISTEN_HINTS);
  });
  const announce = announcer(context, isJson);
  let webhook: TemporaryWebhook | null = null;
  let problem: Diagnostic | null = null;
  try {
    assertNoLoop(listener, receiving.forward);
    announce({ kind: "listening", url: listener.url }, `Listening on ${listener.url}. Press Ctrl-C to stop.`);
    warn(context, listener, options);
    if (caller) {
      webhook = await registerWebhook(context, caller, { ...registration, listenerUrl: listener.url });
      const { id, targetUrl } = webhook;
      announce(
        { kind: "registered", id, targetUrl },
        `Registered ${id}, which leads to ${targetUrl}. It is removed when outreach listen ends.`,
      );
    }
    if (!isJson) context.out(`\n${headingLine(context.paint)}`);
    if (!stop.aborted) await new Promise((resolve) => stop.addEventListener("abort", resolve, { once: true }));
  } finally {
    // Before the listener closes, so that it still answers events that arrive.
    problem = webhook && (await webhook.remove());
    await finish(context, listener);
    if (problem) printDiagnostics(context, [problem]);
    else if (webhook) announce({ kind: "removed", id: webhook.id }, `\nRemoved ${webhook.id}.`);
  }
  announce({ kind: "summary", ...counts }, `${webhook ? "" : "\n"}${summaryText(counts)}`);
  return problem ? 1 : 0;
}

async function receiveOptions(
  context: CommandContext,
  options: ListenOptions,
): Promise<Omit<ReceiveOptions, "report">> {
  const forward = forwardTargets(options.forward);
  const secrets = await revealReferences(context, options.secret);
  const timeoutMs = FORWARD_TIMEOUT_MS;
  if (options.save === undefined) return { secrets, forward, timeoutMs, save: null };
  const folder = (await namedPath(context, options.save)) ?? resolvePath(context.folder, options.save);
  if ((await context.files.kind(folder)) === "file") throw notAFolder(options.save);
  await context.files.makeFolder(folder);
  return { secrets, forward, timeoutMs, save: (saved) => saveEvent(context.files, folder, saved) };
}

/** Without a given secret, the webhook gets a random one. A receiver that events are forwarded to knows only the given ones. */
function registrationOf(
  context: CommandContext,
  { register, type, campaign }: ListenOptions,
  secrets: readonly string[],
): Registration {
  const secret = secrets[0] ?? Buffer.from(context.random.bytes(SECRET_BYTES)).toString("base64url");
  context.redactor.add(secret);
  return {
    publicUrl: typeof register === "string" ? register : null,
    type: type ?? null,
    campaignId: campaign ?? null,
    secret,
  };
}

const SECRET_BYTES = 32;

/** Prints what happens to the listener itself. */
function announcer({ out }: CommandContext, isJson: boolean): (json: JsonObject, text: string) => void {
  return (json, text) => out(isJson ? `${jsonText(json)}\n` : `${text}\n`);
}

function warn(context: CommandContext, { url }: Listener, { host, secret, register, forward }: ListenOptions): void {
  const isPrivate = isLoopback(new URL(url)) && host !== "0.0.0.0" && host !== "::";
  const withoutSecret = register === undefined ? [notVerified()] : forward.length > 0 ? [secretUnknown()] : [];
  const warnings = [...(isPrivate ? [] : [reachable(host)]), ...(secret.length > 0 ? [] : withoutSecret)];
  if (warnings.length > 0) printDiagnostics(context, warnings);
}

/** Answers the deliveries that have arrived. Their receivers may take a while. */
async function finish({ err }: CommandContext, listener: Listener): Promise<void> {
  const count = listener.working();
  if (count > 0) err(`Waiting for ${countOf(count, "delivery", "deliveries")}. Press Ctrl-C again to quit now.\n`);
  await listener.close();
}

/** Prints each delivery as soon as it is answered. */
function printer(context: CommandContext, isJson: boolean): (received: ReceivedEvent) => void {
  const style = { paint: context.paint, mask: emailMask(context) };
  return (received) => context.out(isJson ? eventJson(received, style) : eventLine(received, style));
}

/** Warns once of each receiver whose path seems to be missing. */
function pathWarner(context: CommandContext): (received: ReceivedEvent) => void {
  const warned = new Set<string>();
  return ({ forwards }) => {
    for (const forwarded of forwards) {
      const warning = missingPath("--forward", forwarded);
      if (warning && !warned.has(forwarded.url)) printDiagnostics(context, [warning]);
      if (warning) warned.add(forwarded.url);
    }
  };
}

/** Aborted when nothing reads the output, as after `outreach listen | head`. */
function lostOutput({ streams: { stdout } }: CommandContext): AbortSignal {
  const lost = new AbortController();
  stdout.once("error", () => lost.abort());
  stdout.once("close", () => lost.abort());
  return lost.signal;
}

/** Every event would come back again and again. */
function assertNoLoop({ url }: Listener, targets: readonly ForwardTarget[]): void {
  const { port } = new URL(url);
  if (!targets.some((target) => isLoopback(target.url) && target.url.port === port)) return;
  throw DiagnosticsError.of("listen_loop", "The listener would forward to itself", {
    detail: `--forward names port ${port}, on which the listener receives events.`,
    hint: "Pass the port of your receiver to --forward, or another port to --port.",
  });
}

function assertNoFilter({ type, campaign }: ListenOptions): void {
  if (type === undefined && campaign === undefined) return;
  throw DiagnosticsError.of("option_alone", "Conflicting options", {
    detail: "--type and --campaign are about the webhook that --register creates.",
    hint: "Add --register, or leave them out.",
  });
}

function notAFolder(save: string): DiagnosticsError {
  return DiagnosticsError.of("listen_save_folder", "Cannot save events", {
    detail: `--save needs a folder, and ${save} is a file.`,
    hint: "Name another one, as in --save events.",
  });
}

function reachable(host: string): Diagnostic {
  return warningOf("listen_reachable", "Other machines can reach the listener", {
    detail: `The listener accepts connections on ${host}: anyone who reaches this machine can send it events.`,
    hint: "Pass --secret to refuse events of other senders. To receive events from the internet, use a tunnel to 127.0.0.1.",
  });
}

function notVerified(): Diagnostic {
  return noteOf("events_not_verified", "The events are not verified", {
    detail: "Without --secret, the listener accepts events from any sender.",
    hint: "Pass the webhook's secret, as in --secret env:CRM_HOOK_SECRET.",
  });
}

function secretUnknown(): Diagnostic {
  return noteOf("secret_unknown", "The receivers do not know the secret", {
    detail: "Without --secret, --register chooses a random secret. A receiver that verifies events rejects them.",
    hint: "Pass the secret of the receivers, as in --secret env:CRM_HOOK_SECRET.",
  });
}

const LISTEN_HINTS: ListenHints = {
  otherPort: "Choose another port with --port, or any free one with --port 0.",
  otherHost: "Leave out --host to listen on 127.0.0.1.",
};
