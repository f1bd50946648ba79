import { DiagnosticsError } from "../../core/model/diagnostic.ts";
import { canonicalJson } from "../../core/model/value.ts";
import { visible } from "../../core/model/visible.ts";
import { notEncrypted } from "../../core/state/encryption/encryption-errors.ts";
import type { Ports, SettledConfiguration } from "../context.ts";
import { baseUrlOf } from "../configuration/base-url.ts";
import { configurationName, placeName } from "../configuration/configuration-name.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import { shownService, shownState } from "../configuration/shown-settings.ts";
import type { OperationOptions } from "../options.ts";
import { stateNamed } from "../state/state-place.ts";
import { type ReadPlan, type SavedPlan, givenVariables } from "./saved-plan.ts";
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

interface OfJob {
  readonly options: OperationOptions;
  readonly loaded: LoadedConfiguration;
  /** The values of variables that the configuration was loaded with in addition to those of the job. */
  readonly ofPlan: ReadonlyMap<string, { readonly value: string }>;
}

/**
 * Throws where the plan is in plain text although the configuration encrypts plans, is of another team, or has values of variables
 * that differ from those of the job or change where state and service are or how they are reached.
 */
export function assertOfJob(
  context: Ports,
  { saved, isEncrypted }: ReadPlan,
  { options, loaded, ofPlan }: OfJob,
): void {
  const job = { ...loaded, ...loaded.ofJob() };
  const { main = null, fallback = null } = soundEncryption(job) ?? {};
  if (main && fallback !== "plain" && !isEncrypted)
    throw new DiagnosticsError([notEncrypted("plan", "the saved plan")]);
  const { team } = job.configuration;
  if (team !== saved.team) throw ofAnother("team", { plan: saved.team ?? "none", job: team ?? "none" });
  const ofJob = givenVariables(job);
  const other = [...ofPlan].find(
    ([name]) => Object.hasOwn(ofJob, name) && canonicalJson(ofJob[name]) !== canonicalJson(saved.variables[name]),
  );
  if (other) throw ofAnother(`variable ${other[0]}`, { plan: other[1].value, job: canonicalJson(ofJob[other[0]]) });
  if (settingsText(context, options, loaded) !== settingsText(context, options, job))
    throw decidedByVariables([...ofPlan.keys()]);
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
function settingsText(context: Ports, options: OperationOptions, loaded: SettledConfiguration): string {
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
