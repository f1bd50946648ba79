import { type Diagnostic, DiagnosticsError, errorOf } from "../../../../core/model/diagnostic.ts";
import { jsonText } from "../../../../output/json/escaped-json.ts";
import { visible } from "../../../../core/model/visible.ts";
import { failedFiles, isAccepted, type Replayed, replayEvents, replayedFiles } from "../../../listen/replay-events.ts";
import { textOf } from "../../../listen/received-event.ts";
import type { CommandContext } from "../../command-context.ts";
import { resolvePath } from "../../../../operations/configuration/named-file.ts";
import { emailMask, eventJson, forwardsText } from "../../events/event-lines.ts";
import { eventTypeProblem, missingPath, receiverUrl } from "../../events/forward-targets.ts";
import { REFERENCE_FORMS, revealReferences } from "../../events/secret-references.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import { collect } from "../../program/command-options.ts";
import { printDiagnostics } from "../../screen/print-diagnostics.ts";
import { lazyWeb } from "../../../../operations/service/lazy-web.ts";

interface ReplayOptions {
  readonly to: string;
  readonly secret?: string;
  readonly type: readonly string[];
  readonly failed?: string;
  readonly json: boolean;
}

/** Exits with 1 if a receiver does not accept one of the events. */
export const listenReplayCommand: CommandDefinition<ReplayOptions, readonly [files: readonly string[]]> = {
  name: "replay",
  description: "sends saved events to a receiver again, in order",
  example: { lines: ["outreach listen replay events --to http://localhost:3000/hooks --secret env:CRM_HOOK_SECRET"] },
  declare: (command) =>
    command
      .argument("[file...]", "saved events, or folders of them")
      .requiredOption("--to <url>", "the receiver: a URL, or a port of this machine")
      .option("--secret <reference>", `the secret to put into the events, as ${REFERENCE_FORMS}`)
      .option("--type <event-type>", "only events of this type; repeatable", collect, [])
      .option("--failed <file>", "only events that failed, by the JSON lines of listen or listen replay in this file")
      .option("--json", "print JSON lines", false),
  run: async (context, { options, operands: [given] }) => {
    const to = receiverUrl("--to", options.to);
    const problems = [
      ...("problem" in to ? [to.problem] : []),
      ...options.type.flatMap((type) => eventTypeProblem("--type", type) ?? []),
    ];
    if ("problem" in to || problems.length > 0) throw new DiagnosticsError(problems);
    const [secret = null] = await revealReferences(context, options.secret === undefined ? [] : [options.secret]);
    const { files, folder, clock, stop } = context;
    const paths = await pathsOf(context, given, options.failed);
    const { send } = await lazyWeb(context)();
    const [counts, warnings] = [{ accepted: 0, failed: 0, otherType: 0 }, new Map<string, Diagnostic>()];
    const replaying = { url: to.url, secret, types: options.type };
    const style = { paint: context.paint, mask: emailMask(context) };
    for await (const replayed of replayEvents(paths, replaying, { files, send, clock, signal: stop })) {
      counts[replayed === null ? "otherType" : isAccepted(replayed.status) ? "accepted" : "failed"]++;
      if (replayed === null) continue;
      context.out(options.json ? eventJson(replayed, style) : replayedLine(replayed, folder));
      const [warning] = replayed.forwards.flatMap((one) => missingPath("--to", one) ?? []);
      if (warning) warnings.set(warning.code, warning);
    }
    const chosen = paths.length - counts.otherType;
    const unsent = chosen - counts.accepted - counts.failed;
    context.out(
      options.json
        ? `${jsonText({ kind: "summary", ...counts, unsent })}\n`
        : `${summaryText(counts.accepted, chosen, counts.otherType)}\n`,
    );
    if (counts.accepted === chosen) return 0;
    printDiagnostics(context, [...warnings.values(), notAccepted(unsent)]);
    return 1;
  },
};

/** The files to send. Throws diagnostics if there are none, unless nothing has failed. */
async function pathsOf(
  { files, folder }: CommandContext,
  given: readonly string[],
  failed: string | undefined,
): Promise<readonly string[]> {
  if (given.length === 0 && failed === undefined) throw new DiagnosticsError([NOTHING_NAMED]);
  const named = await replayedFiles(
    files,
    given.map((file) => resolvePath(folder, file)),
  );
  if (given.length > 0 && named.length === 0)
    throw DiagnosticsError.of("replay_failed", "No saved events", {
      detail: `${given.join(", ")}: there are no .json files.`,
      hint: "Save events first: outreach listen --save DIR",
    });
  if (failed === undefined) return named;
  const lines = await files.read(resolvePath(folder, failed), { followLinks: true });
  if (lines === null) throw noLines(failed);
  const paths = failedFiles(new TextDecoder().decode(lines));
  return given.length === 0 ? paths : paths.filter((file) => named.includes(file));
}

function summaryText(accepted: number, chosen: number, otherType: number): string {
  const rest =
    otherType === 0 ? "" : ` ${String(otherType)} of other types ${otherType === 1 ? "was" : "were"} left out.`;
  return `${String(accepted)} of ${String(chosen)} ${chosen === 1 ? "event was" : "events were"} accepted.${rest}`;
}

const NOTHING_NAMED: Diagnostic = errorOf("command_line", "Missing files", {
  detail: "listen replay needs saved events: files or folders, or --failed.",
  hint: "Name them, as in: outreach listen replay events --to 3000",
});

function noLines(file: string): DiagnosticsError {
  return DiagnosticsError.of("replay_failed", "No such file", {
    detail: `--failed names ${file}, which does not exist.`,
    hint: "Keep the lines of a replay first: outreach listen replay events --to 3000 --json > replayed.jsonl",
  });
}

function notAccepted(unsent: number): Diagnostic {
  const rest = unsent === 0 ? "" : ` The last ${String(unsent)} were not sent, because you stopped the command.`;
  return errorOf("replay_failed", "Not every event was accepted", {
    detail: `The lines above show which.${rest}`,
    hint: "Fix the receiver or the files, and replay these files again. To replay only those that failed, keep the lines of --json, and pass their file to --failed.",
  });
}

function replayedLine(replayed: Replayed, folder: string): string {
  const { savedAs: file, event, problem } = replayed;
  const name = file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file;
  const outcome = problem === null ? forwardsText(replayed) : visible(problem);
  return `${[visible(name), visible(textOf(event, "type")).slice(0, 100), outcome].filter((part) => part !== "").join("  ")}\n`;
}
