import type { CallerOptions } from "../../../service/api/caller.ts";
import type { CommandContext } from "../command-context.ts";
import { printDiagnostics } from "../screen/print-diagnostics.ts";
import { type ListenerWebhook, leftoverLines, leftoverWarning, leftovers, readListenerWebhooks } from "./leftover-webhooks.ts";
import { removeWebhook } from "./temporary-webhook.ts";

/** Offers to remove the temporary webhooks that earlier listeners have left. Where nothing may be asked, and where a listener may still run, it only warns. */
export async function offerLeftovers(context: CommandContext, caller: CallerOptions): Promise<void> {
  const left = leftovers(await readListenerWebhooks(context, caller));
  const ended = left.filter(({ listener }) => listener === "ended");
  const isRemoved = await removed(context, caller, ended);
  const warning = leftoverWarning(isRemoved ? left.filter((one) => !ended.includes(one)) : left, context.given);
  if (warning) printDiagnostics(context, [warning]);
}

async function removed(context: CommandContext, caller: CallerOptions, ended: readonly ListenerWebhook[]): Promise<boolean> {
  const { ask, paint, out } = context;
  if (ended.length === 0 || !ask) return false;
  const lines = leftoverLines(ended).map((line) => `  ${line}\n`);
  const question = paint("bold", `Remove ${ended.length === 1 ? "this temporary webhook" : "these temporary webhooks"} of earlier listeners?`);
  const answer = await ask({ text: `\n${question}\n${lines.join("")}  Only 'yes' will be accepted to confirm.\n\n`, prompt: "  Enter a value: " });
  if (answer !== "yes") return false;
  for (const { id } of ended) {
    const problem = await removeWebhook(context, caller, id);
    if (problem) printDiagnostics(context, [problem]);
    else out(`Removed ${id}.\n`);
  }
  return true;
}
