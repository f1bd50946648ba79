import { type Diagnostic, DiagnosticsError } from "../../../../core/model/diagnostic.ts";
import { visible } from "../../../../output/text/visible.ts";
import { type Replayed, replayEvents, replayedFiles } from "../../../listen/replay-events.ts";
import type { CommandContext, ExitCode } from "../../command-context.ts";
import { resolvePath } from "../../configuration/named-file.ts";
import { receiverUrl } from "../../events/forward-targets.ts";
import { REFERENCE_FORMS, revealReferences } from "../../events/secret-references.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import { printDiagnostics } from "../../screen/print-diagnostics.ts";
import { lazyWeb } from "../../session/lazy-web.ts";

interface ReplayOptions {
  readonly to: string;
  readonly secret?: string;
}

export const listenReplayCommand: CommandDefinition<ReplayOptions, readonly [files: readonly string[]]> = {
  name: "replay",
  description: "sends saved events to a receiver again, in order",
  example: { lines: ["outreach listen replay events --to http://localhost:3000/hooks --secret env:CRM_HOOK_SECRET"] },
  declare: (command) =>
    command
      .argument("<file...>", "saved events, or folders of them")
      .requiredOption("--to <url>", "the receiver: a URL, or a port of this machine")
      .option("--secret <reference>", `the secret to put into the events, as ${REFERENCE_FORMS}`),
  run: (context, { options, operands: [files] }) => replay(context, files, options),
};

/** Exits with 1 if a receiver does not accept one of the events. */
async function replay(context: CommandContext, given: readonly string[], options: ReplayOptions): Promise<ExitCode> {
  const to = receiverUrl("--to", options.to);
  if ("problem" in to) throw new DiagnosticsError([to.problem]);
  const [secret = null] = await revealReferences(context, options.secret === undefined ? [] : [options.secret]);
  const { files, folder, clock, stop } = context;
  const paths = await replayedFiles(
    files,
    given.map((file) => resolvePath(folder, file)),
  );
  if (paths.length === 0) throw new DiagnosticsError([noEvents(given)]);
  const { send } = await lazyWeb(context)();
  let [sent, failed] = [0, 0];
  for await (const replayed of replayEvents(paths, { url: to.url, secret }, { files, send, clock, signal: stop })) {
    const isAccepted = replayed.status !== null && replayed.status >= 200 && replayed.status < 300;
    sent++;
    failed += Number(!isAccepted);
    context.out(replayedLine(replayed, folder));
  }
  const accepted = sent - failed;
  context.out(`${String(accepted)} of ${String(paths.length)} ${paths.length === 1 ? "event was" : "events were"} accepted.\n`);
  if (accepted === paths.length) return 0;
  printDiagnostics(context, [notAccepted(paths.length - sent)]);
  return 1;
}

function notAccepted(unsent: number): Diagnostic {
  const rest = unsent === 0 ? "" : ` The last ${String(unsent)} were not sent, because you stopped the command.`;
  return {
    code: "replay_failed",
    severity: "error",
    summary: "Not every event was accepted",
    detail: `The lines above show which.${rest}`,
    hint: "Fix the receiver or the files, and replay these files again.",
  };
}

function noEvents(given: readonly string[]): Diagnostic {
  return {
    code: "replay_failed",
    severity: "error",
    summary: "No saved events",
    detail: `${given.join(", ")}: there are no .json files.`,
    hint: "Save events first: outreach listen --save DIR",
  };
}

function replayedLine({ file, type, status, problem, durationMs }: Replayed, folder: string): string {
  const name = file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file;
  const outcome = status === null ? visible(problem ?? "") : `${String(status)} (${String(durationMs)} ms)`;
  return `${[visible(name), visible(type).slice(0, 100), outcome].filter((part) => part !== "").join("  ")}\n`;
}
