import { jsonText } from "../../../output/json-text.ts";
import { planJson } from "../../../output/plan-json.ts";
import { planText } from "../../../output/plan-text.ts";
import { stateJson } from "../../../output/state-json.ts";
import { stateText } from "../../../output/state-text.ts";
import type { StatePathOptions } from "../program/options.ts";
import { learnPlan } from "../screen/personal-data.ts";
import { modeOf } from "./plan.ts";
import { readPlan } from "../session/plan-file.ts";
import { readRecords } from "../session/records.ts";
import type { ExitCode, CommandContext } from "../command-context.ts";

export interface ShowOptions extends StatePathOptions {
  readonly json: boolean;
}

/** Prints a saved plan, or the state, for people or as Terraform's JSON. Needs neither the service nor a key. */
export async function showCommand(context: CommandContext, planFile: string | undefined, options: ShowOptions): Promise<ExitCode> {
  const { catalog, paint, version } = context;
  if (planFile === undefined) {
    const { document } = (await readRecords(context, options)).open;
    context.out(options.json ? `${jsonText(stateJson(document, { catalog, version }))}\n` : stateText(document, { catalog, paint }));
    return 0;
  }
  const { plan, choices, variables, outputs, salt } = await readPlan(context, planFile);
  learnPlan(context, salt, plan);
  const mode = modeOf(choices);
  context.out(options.json ? `${jsonText(planJson(plan, { catalog, version, mode, variables, outputs }))}\n` : planText(plan, { catalog, paint, mode }));
  return 0;
}
