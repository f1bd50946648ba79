import { withOpenRun } from "../../../operations/open-run.ts";
import { recheck } from "../../../operations/recheck.ts";
import { jsonText } from "../../../output/json/escaped-json.ts";
import type { CommandContext, ExitCode } from "../command-context.ts";
import { exitCodeOf } from "../exit-code.ts";
import type { CommandDefinition } from "../program/command-definition.ts";
import { type CommandOptions, withMaxDuration, withState } from "../program/command-options.ts";
import { printDiagnostics } from "../screen/print-diagnostics.ts";

interface RecheckCommandOptions extends CommandOptions {
  readonly all: boolean;
  readonly maxDurationMs: number | null;
}

export const definition: CommandDefinition<RecheckCommandOptions> = {
  description: "looks for watched leads that were not found, and unsubscribes those that are there now",
  example: { purpose: "in a scheduled job", lines: ["outreach recheck", "outreach recheck --all --max-duration 30m"] },
  declare: (command) =>
    withMaxDuration(
      withState(command).option(
        "--all",
        "look for all that wait, also those that are not due, without limits.recheck",
        false,
      ),
      "stop",
    ).option("--json", "print one JSON object: sent, done", false),
  forTeams: { json: "document" },
  run: (context, { options }) => recheckAndShow(context, options),
};

async function recheckAndShow(
  context: CommandContext,
  { all, maxDurationMs, json, ...options }: RecheckCommandOptions,
): Promise<ExitCode> {
  return withOpenRun(context, { ...options, operation: "recheck" }, async (run) => {
    const { rechecked, diagnostics, status } = await recheck(run, { all, maxDurationMs });
    const { sent, done } = rechecked ?? { sent: 0, done: 0 };
    const text = `Recheck ${status === "interrupted" ? "interrupted" : "complete"}: ${String(sent)} sent, ${String(done)} unsubscribed.`;
    printDiagnostics(context, diagnostics);
    context.summarize(text);
    context.out(json ? `${jsonText({ sent, done }, { indented: true })}\n` : `${text}\n`);
    return exitCodeOf(status);
  });
}
