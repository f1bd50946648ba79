import { DiagnosticsError } from "../../core/model/diagnostic.ts";
import { canonicalJson } from "../../core/model/value.ts";
import { visible } from "../../core/model/visible.ts";
import { notEncrypted } from "../../core/state/encryption/encryption-errors.ts";
import type { OperationContext, Ports } from "../context.ts";
import { baseUrlOf } from "../configuration/base-url.ts";
import { configurationName, placeName } from "../configuration/configuration-name.ts";
import { type LoadedConfiguration, loadSection } from "../configuration/load-configuration.ts";
import { shownService, shownState } from "../configuration/shown-settings.ts";
import type { OperationOptions } from "../options.ts";
import { stateNamed } from "../state/state-place.ts";
import { type ReadPlan, type SavedPlan, givenVariables, literalText } from "./saved-plan.ts";
import type { OpenRun } from "../open-run.ts";
import { soundEncryption } from "../state/state-encryption.ts";

/*
 * What a saved plan says about places must equal what the command line, the environment and the configuration of the apply
 * say. Otherwise a file could choose which programs run, where credentials go, and what is changed.
 */

/** Throws `plan_of_another_place` for a plan of another configuration. Reads nothing. */
export function assertConfiguration(
  context: Ports,
  { configuration, team }: SavedPlan,
  { config }: OperationOptions,
): void {
  const name = configurationName(context, config, team);
  if (name !== configuration) throw ofAnother("configuration", { plan: configuration, job: name });
}

/**
 * Throws where the plan is in plain text although the configuration encrypts plans, is of another team, or has values of variables
 * that differ from those of the job or change where state and service are or how they are reached.
 */
export async function assertOfJob(
  context: OperationContext,
  { saved, isEncrypted }: ReadPlan,
  { options, variables }: { readonly options: OperationOptions; readonly variables: SavedPlan["variables"] },
): Promise<void> {
  const { value: job } = await loadSection(context, options, "service", "state");
  const { main = null, fallback = null } = soundEncryption(job) ?? {};
  if (main && fallback !== "plain" && !isEncrypted)
    throw new DiagnosticsError([notEncrypted("plan", "the saved plan")]);
  const { team } = job.configuration;
  if (team !== saved.team) throw ofAnother("team", { plan: saved.team ?? "none", job: team ?? "none" });
  const ofPlan = Object.entries(variables).map(
    ([name, value]) => [name, typeof value === "string" ? value : literalText(value)] as const,
  );
  const ofJob = givenVariables(job);
  const other = ofPlan.find(
    ([name]) => Object.hasOwn(ofJob, name) && canonicalJson(ofJob[name]) !== canonicalJson(variables[name]),
  );
  if (other) throw ofAnother(`variable ${other[0]}`, { plan: other[1], job: canonicalJson(ofJob[other[0]]) });
  if (ofPlan.length === 0) return;
  const { value: both } = await loadSection(
    context,
    { ...options, var: [...ofPlan.map((pair) => pair.join("=")), ...options.var] },
    "service",
    "state",
  );
  if (settingsText(context, options, both) !== settingsText(context, options, job))
    throw decidedByVariables(ofPlan.map(([name]) => name));
}

/** Throws `plan_of_another_place` for a plan for another service or another state, before that state is asked for anything. */
export function assertPlaces(
  context: Ports,
  saved: SavedPlan,
  { loaded, store }: Pick<OpenRun, "loaded" | "store">,
): void {
  const baseUrl = baseUrlOf(context, loaded).value?.replace(/\/+$/, "");
  if (baseUrl !== undefined && baseUrl !== saved.baseUrl)
    throw ofAnother("base URL", { plan: saved.baseUrl, job: baseUrl });
  const place = placeName(context, store);
  if (place !== saved.state) throw ofAnother("state", { plan: saved.state, job: place });
}

/** What decides where service and state are, and how they are reached. A state that is named outside takes only its encryption from the configuration. */
function settingsText(context: Ports, options: OperationOptions, loaded: LoadedConfiguration): string {
  const state = shownState(loaded);
  return canonicalJson([
    shownService(context, loaded),
    stateNamed(context, options) ? state.settings["encryption"] : state,
  ]);
}

/** A plan may say anything. */
const MAX_SHOWN = 300;

function ofAnother(what: string, said: { readonly plan: string; readonly job: string }): DiagnosticsError {
  return DiagnosticsError.of("plan_of_another_place", "Saved plan is for something else", {
    detail: `The ${what} of the saved plan is ${visible(said.plan.slice(0, MAX_SHOWN))}, but this command uses ${said.job}. Nothing was read there or sent.`,
    hint: "If you trust the file, run apply as you ran plan: with the same -c, --team, --state and --var, the same environment, and in the same folder. Otherwise make a new plan.",
  });
}

function decidedByVariables(names: readonly string[]): DiagnosticsError {
  return DiagnosticsError.of("plan_of_another_place", "Saved plan is for something else", {
    detail: `The state or the service is another one with the variables of the saved plan (${names.join(", ")}) than without them. Nothing was read there or sent.`,
    hint: "If you trust the file, pass the same --var and --var-file to apply as to plan. Otherwise make a new plan.",
  });
}
