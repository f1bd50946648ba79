import { DiagnosticsError, warningOf } from "../../../core/model/diagnostic.ts";
import { shellWord } from "../../../core/model/shell-word.ts";
import { resolvePath } from "../../../operations/configuration/named-file.ts";
import { openConfiguration } from "../../../operations/configuration/read-configuration.ts";
import { failureOf } from "../../../operations/known-failure.ts";
import { unreadable } from "../../../operations/saved-plan/saved-plan.ts";
import type { ShownTeams, TeamPlan, TeamsFormat } from "../../../output/content/team-plans.ts";
import type { CommandContext } from "../command-context.ts";
import type { CommandOptions } from "../program/command-options.ts";
import { printDiagnostics } from "../screen/print-diagnostics.ts";
import { readPlan, teamPlanFile } from "./plan-file.ts";
import { documentContext, shownPlan } from "./show-documents.ts";

/** The plans of several teams, which are in a folder, as one document for stdout. */
export async function teamsDocument(
  context: CommandContext,
  format: TeamsFormat,
  folder: string,
  options: CommandOptions,
): Promise<string> {
  const { plans, shown } = await teamsIn(context, folder, options);
  return format.teams(plans, { ...shown, stage: null, run: { commit: null, run: null } }, documentContext(context));
}

interface TeamsIn {
  readonly plans: readonly TeamPlan[];
  readonly shown: Pick<ShownTeams, "configuration" | "unplanned">;
}

/** The plans of several teams, which are in a folder. */
export async function teamsIn(context: CommandContext, folder: string, options: CommandOptions): Promise<TeamsIn> {
  const read = await plansIn(context, folder, options);
  const configuration = configurationOf(read, folder);
  const declared = await declaredTeams(context, options);
  const isNamed = (team: string): boolean => options.team.length === 0 || options.team.includes(team);
  // A folder that is used again still has the plan of a team that is gone, which no apply takes.
  const plans = read.filter(
    ({ team }) => isNamed(team) && (declared === null || declared.length === 0 || declared.includes(team)),
  );
  const unplanned = declared && declared.filter((team) => isNamed(team) && !plans.some((one) => one.team === team));
  return { plans, shown: { configuration, unplanned } };
}

/** The names of the declared teams; null, with a warning, where the configuration cannot be read. */
async function declaredTeams(context: CommandContext, { config }: CommandOptions): Promise<readonly string[] | null> {
  const read = await openConfiguration(context, { config, runsCommands: false }).catch((error: unknown) => {
    const known = failureOf(error);
    if (!known) throw error;
    return { value: null, diagnostics: known.diagnostics };
  });
  const names = (read.value?.teams ?? []).map((team) => team.name);
  const why = read.diagnostics.find(({ severity }) => severity === "error");
  if ((names.length > 0 && why?.path?.[0] !== "teams_from") || !why) return names;
  printDiagnostics(context, [
    warningOf("teams_unknown", "Teams without a plan are not named", {
      detail: `The configuration ${config} cannot be read, so its teams are not known. ${why.summary}: ${why.detail}`,
      hint: "Run the command where the configuration is, or pass -c PATH.",
    }),
  ]);
  return null;
}

/** The plans in a folder, by the names of their teams. */
async function plansIn(
  context: CommandContext,
  folder: string,
  options: CommandOptions,
): Promise<readonly (TeamPlan & { readonly configuration: string })[]> {
  const names = await context.files.list(resolvePath(context.folder, folder));
  const teams = names.flatMap((name) => (name.endsWith(".plan") ? [name.slice(0, -".plan".length)] : [])).toSorted();
  if (teams.length === 0)
    throw unreadable(
      `The folder ${folder} has no saved plan.`,
      `Make the plans of all teams: outreach plan ${context.given}--out ${shellWord(folder)}`,
    );
  const plans = [];
  for (const team of teams) {
    const path = teamPlanFile(folder, team);
    const { saved } = await readPlan(context, path, { ...options, team: [team] });
    if (saved.team !== team)
      throw unreadable(
        `${path} is not the plan of the team ${team}.`,
        "Leave the files as outreach plan has saved them.",
      );
    plans.push({
      team,
      plan: saved.plan,
      shown: shownPlan(context, { saved, path, team: options.team }),
      configuration: saved.configuration.replace(/#[^#]*$/, ""),
    });
  }
  return plans;
}

/** Plans of several configurations would replace each other's comments. */
function configurationOf(plans: readonly { readonly configuration: string }[], folder: string): string {
  const [name = "", other] = new Set(plans.map(({ configuration }) => configuration));
  if (other === undefined) return name;
  throw DiagnosticsError.of("plan_of_another_place", "Saved plans of several configurations", {
    detail: `${folder} has plans of ${name} and of ${other}.`,
    hint: "Save the plans of each configuration in a folder of its own.",
  });
}
