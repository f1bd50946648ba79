import { jsonText } from "../../output/json-text.ts";
import { planJson } from "../../output/plan-json.ts";
import { planText } from "../../output/plan-text.ts";
import { stateJson } from "../../output/state-json.ts";
import { stateText } from "../../output/state-text.ts";
import type { StatePathOptions } from "./options.ts";
import { learnPlan } from "./personal-data.ts";
import { modeOf } from "./plan.ts";
import { readPlan } from "./plan-file.ts";
import { readRecords } from "./records.ts";
import type { ExitCode, Terminal } from "./terminal.ts";

export interface ShowOptions extends StatePathOptions {
  readonly json: boolean;
}

/** Prints a saved plan, or the state, for people or as Terraform's JSON. Needs neither the service nor a key. */
export async function showCommand(terminal: Terminal, planFile: string | undefined, options: ShowOptions): Promise<ExitCode> {
  const { catalog, paint, version } = terminal;
  if (planFile === undefined) {
    const { document } = (await readRecords(terminal, options)).open;
    terminal.out(options.json ? `${jsonText(stateJson(document, { catalog, version }))}\n` : stateText(document, { catalog, paint }));
    return 0;
  }
  const { plan, choices, variables, outputs, salt } = await readPlan(terminal, planFile);
  learnPlan(terminal, salt, plan);
  const mode = modeOf(choices);
  terminal.out(options.json ? `${jsonText(planJson(plan, { catalog, version, mode, variables, outputs }))}\n` : planText(plan, { catalog, paint, mode }));
  return 0;
}
