import { type Diagnostic, DiagnosticsError } from "../../core/model/diagnostic.ts";
import { shellWord } from "../../core/model/shell-word.ts";
import { canonicalJson } from "../../core/model/value.ts";
import { countOf } from "../../core/model/words.ts";
import type { Guard } from "../../core/model/guard.ts";
import { costOf } from "../../core/plan/plan-cost.ts";
import { type Plan, countSteps, hasChanges } from "../../core/plan/plan.ts";
import { keyName } from "../../core/secrets/key-name.ts";
import { digest } from "../../core/state/checksum.ts";
import type { OpenState } from "../../core/state/open-state.ts";
import { type Applied, apply } from "../../operations/apply.ts";
import { loadConfiguration } from "../../operations/configuration/load-configuration.ts";
import { openedBefore } from "../../operations/configuration/read-configuration.ts";
import type { OperationContext } from "../../operations/context.ts";
import { BUG, failureOf } from "../../operations/known-failure.ts";
import { type OpenRun, type RunOptions, withFirstSalt, withOpenRun } from "../../operations/open-run.ts";
import { type Planned, plan } from "../../operations/plan.ts";
import { recheckPlanned } from "../../operations/recheck.ts";
import { decodePlan, encodePlan } from "../../operations/saved-plan/saved-plan.ts";
import { withSavedPlan } from "../../operations/saved-plan/with-saved-plan.ts";
import { assertNotShrunk } from "../configuration/lost-teams.ts";
import { keptOutputs } from "../configuration/kept-outputs.ts";
import { type ReadOptions, type FleetRead, readFleetConfiguration } from "../configuration/read-fleet-configuration.ts";
import type { FleetStore } from "../database/pg-fleet-store.ts";
import { FleetUnavailable } from "../fleet-store.ts";
import type { Auto, RemovedTeam, RunFacts, TeamResult, TeamWork } from "../team-work.ts";
import { changeShape, createsOnly, removedIds } from "./change-shape.ts";
import { type Done, type Ended, teamResult } from "./team-result.ts";
import { type TeamRun, type SharedByRuns, type TeamContext, withTeamRun, openShared } from "./team-run.ts";
import { maskedError } from "./masked-error.ts";
import { notifyTeam } from "./notify-team.ts";
import { guardReason, holdReason, withRemovals } from "./waiting-reasons.ts";
import { watchAnswers } from "./watch-answers.ts";
import { OPERATION, watchState } from "./watch-state.ts";

/** A team, and what one run of it needs. */
export interface TeamTask extends RunFacts {
  /** With the configuration that was read. */
  readonly context: TeamContext;
  readonly shared: SharedByRuns;
  readonly options: ReadOptions;
  readonly team: string;
  readonly signal: AbortSignal;
  readonly fleet: FleetFacts;
}

/** What a run asks the fleet's database. */
type FleetFacts = Pick<FleetStore, "keepNotices" | "removedTeams" | "sentNotices" | "teamNames">;

/** What a configuration can ask for, however much of it. */
const ASKED_FOR: readonly Guard[] = ["deletes", "replaces", "irreversible"];
/** What a person may find to be right: also webhooks that seem to be missing, and a name that finds another campaign. Another service is never allowed. */
const APPROVED: readonly Guard[] = [...ASKED_FOR, "recreate", "lookup-change", "shrink"];
const ALLOWED = { none: [], safe: [], all: ASKED_FOR, person: APPROVED } as const;

/** Plans as `outreach apply --auto-approve` does, and applies the plan, or saves it. */
export function reconcileTeam(team: TeamTask, auto: Auto): Promise<TeamResult> {
  return inRun(team, ({ context }, done, options) =>
    withOpenRun(context, options, async (opened) => {
      if (opened.open.version === null) await assertNotRenamed(team, opened);
      return planAndAct(
        {
          run: await withFirstSalt(opened),
          done,
          config: team.options.config,
          hold: team.hold,
          adopts: team.adopts ?? false,
        },
        team.hold === null && team.adopts !== true ? auto : "none",
      );
    }),
  );
}

/** Applies a plan that a person has approved, as `outreach apply FILE` does. */
export function applyApproved(team: TeamTask, bytes: Uint8Array): Promise<TeamResult> {
  return inRun(team, async ({ context }, done, options) => {
    const names = { path: "the approved plan", again: "The next run of the team makes a new plan." };
    const read = await decodePlan(context, bytes, { ...options, ...names, runKeyCommand: true });
    // The values of variables are those of the configuration in force, as everything else of it.
    return withSavedPlan(
      context,
      read,
      { ...options, variables: {} },
      async (run, { planned, diagnostics, status }) => {
        done.diagnostics = diagnostics;
        const applied =
          status === "failed" ? null : await apply(run, planned, { approval: "saved", report: () => undefined });
        if (applied) add(done, applied);
        return {
          outcome: applied ? ENDS[applied.status] : "failed",
          drifted: read.saved.plan.drift.length,
          holds: { keyName: null, webhooks: webhooksAfter(context, read.saved.plan.steps) },
        };
      },
    );
  });
}

const ENDS = { complete: "applied", incomplete: "failed", interrupted: "failed", undecided: "undecided" } as const;

function add(done: Done, applied: Applied): void {
  done.applied = applied;
  done.diagnostics = [...done.diagnostics, ...applied.diagnostics];
}

/**
 * Throws where a team without a state has the key of one that left the configuration with live webhooks: under a new name, it would create all of them a
 * second time.
 */
async function assertNotRenamed({ fleet, team }: TeamTask, { ports: { service } }: OpenRun): Promise<void> {
  const [before] = await fleet.removedTeams(keyName(service));
  if (before) throw new DiagnosticsError([renamed(team, before)]);
}

function renamed(team: string, { name, webhooks, place }: RemovedTeam): Diagnostic {
  const [named, from] = [shellWord(team), place === null ? "PLACE_OF_ITS_STATE" : shellWord(place)];
  return {
    code: "fleet_team_renamed",
    severity: "error",
    summary: "A removed team has webhooks with this key",
    detail: `${team} has no state yet. ${name}, which is no longer in the configuration, had the same API key, and its state records ${countOf(webhooks, "live webhook")}. If ${team} is its new name, a run would create them a second time. Nothing was sent.`,
    hint: `Move the state to the new name: outreach init --migrate-state --from ${from} --team ${named}\nOr, to keep its webhooks and create others, apply once by hand: outreach apply --team ${named}`,
  };
}

/** How many webhooks the team has once these steps are done. What failed of a create may be there, too. */
function webhooksAfter(context: OperationContext, steps: Plan["steps"]): number {
  return webhooksIn(
    context,
    steps.filter(({ action }) => action !== "delete" && action !== "forget"),
  );
}

/** What cannot be listed, as an unsubscription, does not live on. */
function webhooksIn({ catalog: { resources } }: OperationContext, those: readonly { readonly type: string }[]): number {
  const listed = new Set(resources.filter(({ list }) => list !== undefined).map(({ type }) => type));
  return those.filter(({ type }) => listed.has(type)).length;
}

interface Acting {
  readonly run: OpenRun;
  readonly done: Done;
  readonly config: string;
  /** Why nothing may be applied now. */
  readonly hold: string | null;
  readonly adopts: boolean;
}

async function planAndAct(acting: Acting, auto: Auto): Promise<Ended> {
  const { run, done } = acting;
  const planned = await planTeam(acting, { allowedBy: auto, approval: auto === "none" ? "saved" : "none" });
  if (planned.status === "failed")
    return onlyGuarded(done.diagnostics) ? planForApproval(acting) : { outcome: outcomeOfErrors(done.diagnostics) };
  const isChanged = hasChanges(planned.plan);
  if (isChanged && auto === "none")
    return waiting(acting, planned, acting.hold === null ? [] : [holdReason(acting.hold)]);
  const applied = await apply(run, planned, { approval: "none", report: () => undefined });
  add(done, applied);
  return {
    outcome: applied.status === "complete" && !isChanged ? "unchanged" : ENDS[applied.status],
    holds: { keyName: keyName(run.ports.service), webhooks: webhooksAfter(run.context, planned.plan.steps) },
  };
}

async function planTeam(
  { run, done, adopts }: Acting,
  { allowedBy, approval }: { readonly allowedBy: keyof typeof ALLOWED; readonly approval: "none" | "saved" },
): Promise<Planned> {
  const planned = await plan(run, { allow: ALLOWED[allowedBy], adopt: adopts, approval });
  done.planned = planned;
  done.diagnostics = planned.diagnostics
    .filter((one) => !isFirstRun(one))
    .toSorted((one, other) => Number(one.severity === "error") - Number(other.severity === "error"));
  return planned;
}

/** A plan that only the guards have stopped waits for a person, with the reasons as warnings. */
async function planForApproval(acting: Acting): Promise<Ended> {
  const { done } = acting;
  const reasons = done.diagnostics.filter(isGuard).map(guardReason);
  const planned = await planTeam(acting, { allowedBy: "person", approval: "saved" });
  if (planned.status === "failed") return { outcome: outcomeOfErrors(done.diagnostics) };
  return waiting(acting, planned, reasons);
}

async function waiting(
  { run, done, config }: Acting,
  planned: Planned,
  because: readonly Diagnostic[],
): Promise<Ended> {
  const { context, open, ports } = run;
  const removals = removedIds(planned.plan);
  const reasons = withRemovals(because, removals);
  done.diagnostics = [...reasons, ...done.diagnostics];
  if (planned.plan.undecided.length > 0) return { outcome: "undecided" };
  const due = planned.plan.waiting?.now.length ?? 0;
  // What was approved before does not wait for this plan.
  if (due > 0) done.diagnostics = [...done.diagnostics, ...(await recheckPlanned(run, planned)).diagnostics];
  const { cost } = planned.plan;
  const later =
    due > 0 && cost
      ? { ...planned, plan: { ...planned.plan, cost: costOf(cost.requests - due, cost.limit) } }
      : planned;
  done.planned = later;
  const bytes = await encodePlan({ run, planned: later, config });
  const holds = { keyName: keyName(ports.service), webhooks: webhooksIn(context, open.document.instances) };
  const shape = changeShape(
    planned.plan,
    reasons.map(({ code }) => code),
  );
  return {
    outcome: "waiting",
    counts: countSteps(planned.plan.steps),
    holds,
    saved: {
      bytes,
      digest: planDigest(planned.plan, open),
      shape,
      createsOnly: createsOnly(planned.plan, context.catalog),
      removals,
    },
  };
}

/** Under the state's salt: others could guess the emails of leads. */
function planDigest({ steps, outputs }: Plan, { document: { salt } }: OpenState): string {
  return digest(salt + canonicalJson([steps, outputs]));
}

/** What a person may allow. */
function isGuard({ severity, ways = [] }: Diagnostic): boolean {
  return (
    severity === "error" &&
    ways.some((way) => way.kind === "approve" || (way.kind === "allow" && way.guard !== "service-change"))
  );
}

/** Each team begins without a state. */
function isFirstRun({ code, severity }: Diagnostic): boolean {
  return code === "state_missing" && severity === "note";
}

function onlyGuarded(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.every((one) => one.severity !== "error" || isGuard(one));
}

/** Errors that say more than that the run has failed. */
const OUTCOMES: { readonly [code: string]: TeamResult["outcome"] | undefined } = {
  lock_lost: "interrupted",
  outcome_pending: "undecided",
  plan_changed: "outdated",
  plan_file_unreadable: "outdated",
  plan_not_encrypted: "outdated",
  plan_of_another_place: "outdated",
  plan_outdated: "outdated",
  plan_stale: "outdated",
  state_locked: "busy",
};

function outcomeOfErrors(diagnostics: readonly Diagnostic[]): TeamResult["outcome"] {
  const outcomes = diagnostics.flatMap(({ severity, code }) => (severity === "error" ? (OUTCOMES[code] ?? []) : []));
  // Without its lock, a run can decide nothing: the next one looks for what this one has stored in the state.
  return (["interrupted", "outdated"] as const).find((one) => outcomes.includes(one)) ?? outcomes[0] ?? "failed";
}

type Work = (run: TeamRun, done: Done, options: RunOptions) => Promise<Ended>;

/** Turns what goes wrong into a result. Throws only the reason of the signal, and the error of the database. */
async function inRun(task: TeamTask, work: Work): Promise<TeamResult> {
  const { context, shared, team, signal, seen, hangsAfterMs } = task;
  const watch = watchState(team, seen);
  const answers = watchAnswers(shared, { clock: context.clock, hangsAfterMs, signal });
  return withTeamRun(
    { ...context, watchStore: watch.watchStore },
    { shared: answers.shared, team, signal: answers.signal },
    async (run) => {
      const done: Done = { loaded: null, diagnostics: [], planned: null, applied: null };
      const resultOf = async (ended: Ended): Promise<TeamResult> => {
        done.diagnostics = [...done.diagnostics, ...(await notifyTeam(run, { ...task, done, ended }))];
        const isOlder = done.diagnostics.some(({ code }) => code === "state_older");
        return { ...teamResult(run, done, ended), seen: watch.seen(), needsPerson: isOlder || watch.isLeft() };
      };
      try {
        const options = { ...task.options, team: [team] };
        const loaded = await loadConfiguration(run.context, options, { runsLists: true });
        done.loaded = loaded.value;
        const ended = await work(run, done, { ...options, loaded, operation: OPERATION });
        if (ended.outcome === "failed") signal.throwIfAborted();
        return await resultOf(ended);
      } catch (error) {
        if (error instanceof FleetUnavailable) throw error;
        signal.throwIfAborted();
        const known = failureOf(error);
        if (!known) run.printStack(error);
        const { diagnostics, status } = known ?? { diagnostics: [BUG], status: "failed" };
        done.diagnostics = [...done.diagnostics, ...diagnostics];
        const outcome = outcomeOfErrors(diagnostics);
        return resultOf({ outcome: status === "undecided" && outcome !== "interrupted" ? "undecided" : outcome });
      }
    },
  ).finally(answers.end);
}

/** Plans and applies the teams of a configuration as `outreach apply` does, any number at once, for as long as the process lives. */
export function openTeamWork(context: TeamContext, options: ReadOptions, fleet: FleetFacts): TeamWork {
  const shared = openShared(context);
  context.saveMemory?.();
  const outputs = keptOutputs(context.clock);
  let current: FleetRead | null = null;
  const taskOf = (team: string, signal: AbortSignal, facts: RunFacts): TeamTask => {
    if (!current) throw new Error("no configuration was read");
    const read = { ...context, configurations: openedBefore(options, current.read) };
    return { context: read, shared, options, fleet, team, signal, ...facts };
  };
  return {
    read: (signal) =>
      withTeamRun(context, { shared, team: null, signal }, async (run) => {
        try {
          const reading = { ...run.context, secrets: { ...run.context.secrets, printed: outputs() } };
          const again = await current?.again(reading);
          const read = again ?? (await readFleetConfiguration(reading, options, signal));
          if (!again && read.read.value.teamsFrom) assertNotShrunk(read.read.value, await fleet.teamNames());
          current = read;
          return read.configuration;
        } catch (error) {
          signal.throwIfAborted();
          throw maskedError(run, error);
        }
      }),
    reconcile: (team, auto, signal, facts) => reconcileTeam(taskOf(team, signal, facts), auto),
    applyPlan: (team, bytes, signal, facts) => applyApproved(taskOf(team, signal, facts), bytes),
  };
}
