import { type Diagnostic, DiagnosticsError, errorOf } from "../../../../core/model/diagnostic.ts";
import { countOf } from "../../../../core/model/words.ts";
import { visible } from "../../../../core/model/visible.ts";
import { isAccepted, type Replayed, replayEvents, replayedFiles } from "./replay-events.ts";
import { textOf } from "./received-event.ts";
import type { CommandContext } from "../../command-context.ts";
import { resolvePath } from "../../../../operations/configuration/named-file.ts";
import { forwardsText } from "./event-lines.ts";
import { missingPath, receiverUrl } from "./forward-targets.ts";
import { REFERENCE_FORMS, revealReferences } from "./secret-references.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import { printDiagnostics } from "../../screen/print-diagnostics.ts";
import { lazyWeb } from "../../../../operations/service/lazy-web.ts";

interface ReplayOptions {
  readonly to: string;
  readonly secret?: string;
}

/** Exits with 1 if a receiver does not accept one of the events. */
export const definition: CommandDefinition<ReplayOptions, readonly [files: readonly string[]]> = {
  description: "sends saved events to a receiver again, in order",
  example: { lines: ["outreach listen replay events --to http://localhost:3000/hooks --secret env:CRM_HOOK_SECRET"] },
  declare: (command) =>
    command
      .argument("<file...>", "saved events, or folders of them")
      .requiredOption("--to <url>", "the receiver: a URL, or a port of this machine")
      .option("--secret <reference>", `the secret to put into the events, as ${REFERENCE_FORMS}`),
  run: async (context, { options, operands: [given] }) => {
    const to = receiverUrl("--to", options.to);
    if ("problem" in to) throw new DiagnosticsError([to.problem]);
    const [secret = null] = await revealReferences(context, options.secret === undefined ? [] : [options.secret]);
    const { files, folder, clock, stop } = context;
    const paths = await pathsOf(context, given);
    const { send } = await lazyWeb(context)();
    const [counts, warnings] = [{ accepted: 0, failed: 0 }, new Map<string, Diagnostic>()];
    for await (const replayed of replayEvents(paths, { url: to.url, secret }, { files, send, clock, signal: stop })) {
      counts[isAccepted(replayed.status) ? "accepted" : "failed"]++;
      context.out(replayedLine(replayed, folder));
      const [warning] = replayed.forwards.flatMap((one) => missingPath("--to", one) ?? []);
      if (warning) warnings.set(warning.code, warning);
    }
    context.out(`${String(counts.accepted)} of ${countOf(paths.length, "event was", "events were")} accepted.\n`);
    if (counts.accepted === paths.length) return 0;
    printDiagnostics(context, [...warnings.values(), notAccepted(paths.length - counts.accepted - counts.failed)]);
    return 1;
  },
};

/** The files to send. Throws diagnostics if there are none. */
async function pathsOf({ files, folder }: CommandContext, given: readonly string[]): Promise<readonly string[]> {
  const named = await replayedFiles(
    files,
    given.map((file) => resolvePath(folder, file)),
  );
  if (named.length > 0) return named;
  throw DiagnosticsError.of("replay_failed", "No saved events", {
    detail: `${given.join(", ")}: there are no .json files.`,
    hint: "Save events first: outreach listen --save DIR",
  });
}

function notAccepted(unsent: number): Diagnostic {
  const rest = unsent === 0 ? "" : ` The last ${String(unsent)} were not sent, because you stopped the command.`;
  return errorOf("replay_failed", "Not every event was accepted", {
    detail: `The lines above show which.${rest}`,
    hint: "Fix the receiver or the files, and replay these files again.",
  });
}

function replayedLine(replayed: Replayed, folder: string): string {
  const { savedAs: file, event, problem } = replayed;
  const name = file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file;
  const outcome = problem === null ? forwardsText(replayed) : visible(problem);
  return `${[visible(name), visible(textOf(event, "type")).slice(0, 100), outcome].filter((part) => part !== "").join("  ")}\n`;
}
