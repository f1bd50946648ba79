import { FORMATS, type FormatName } from "../../../output/formats.ts";
import type { StatePathOptions } from "../program/options.ts";
import { learnPlan } from "../screen/personal-data.ts";
import { readPlan } from "../session/plan-file.ts";
import { readRecords } from "../session/records.ts";
import type { ExitCode, CommandContext } from "../command-context.ts";
import { modeOf } from "./plan.ts";

export interface ShowOptions extends StatePathOptions {
  readonly format: FormatName;
}

/** Prints a saved plan, or the state, in the format that was asked for. Needs neither the service nor a key. */
export async function showCommand(context: CommandContext, planFile: string | undefined, { format: name, ...options }: ShowOptions): Promise<ExitCode> {
  const format = await FORMATS[name].load();
  const given = { ...context, nowMs: context.clock.now() };
  if (planFile === undefined) {
    context.out(format.state((await readRecords(context, options)).open.document, given));
    return 0;
  }
  const { plan, choices, variables, outputs, salt } = await readPlan(context, planFile);
  learnPlan(context, salt, plan);
  context.out(format.plan(plan, { mode: modeOf(choices), variables, outputs }, given));
  return 0;
}
