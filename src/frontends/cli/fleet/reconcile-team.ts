import { countOf } from "../../../core/model/words.ts";
import { type Diagnostic, DiagnosticsError } from "../../../core/model/diagnostic.ts";
import type { PlanOptions as PlanChoices } from "../../../core/plan/plan-context.ts";
import { shellWord } from "../../../core/model/shell-word.ts";
import { canonicalJson } from "../../../core/model/value.ts";
import { type Plan, countSteps, hasChanges } from "../../../core/plan/plan.ts";
import { digest } from "../../../core/state/checksum.ts";
import type { OpenState } from "../../../core/state/open-state.ts";
import { keyName } from "../../../core/secrets/key-name.ts";
import { type FleetStore, FleetUnavailable } from "../../../fleet/fleet-store.ts";
import type { Auto, RemovedTeam, RunFacts, TeamResult } from "../../../fleet/team-work.ts";
import type { CommandContext, ExitCode } from "../command-context.ts";
import { DEFAULT_PLANNING, type PlanningOptions } from "../program/options.ts";
import { learnState } from "../screen/personal-data.ts";
import { failureDiagnostics, unexpectedFailure } from "../screen/print-diagnostics.ts";
import { applySaved } from "../session/apply-saved-plan.ts";
import { carryOut } from "../session/plan-and-apply.ts";
import { planAndShow, planRequest } from "../session/plan-and-show.ts";
import { decodePlan, encodePlan } from "../session/saved-plan.ts";
import { type Session, withSession } from "../session/session.ts";
import type { ReadOptions } from "./read-fleet.ts";
import { type Run, type SharedByRuns, withRun } from "./run-context.ts";
import { statePlace } from "../configuration/shown-settings.ts";
import { watchAnswers } from "./watch-answers.ts";
import { OPERATION, watchState } from "./watch-state.ts";
import { type Ended, type Shown, keepingView, shownResult } from "./run-result.ts";

/** A team, and what its runs need. */
export interface TeamRun extends RunFacts {
  /** With the configuration that was read. */
  readonly context: CommandContext;
  readonly shared: SharedByRuns;
  readonly options: ReadOptions;
  readonly team: string;
  readonly signal: AbortSignal;
  readonly fleet: Pick<FleetStore, "removedTeams">;
}

/** What a configuration can ask for, however much of it. */
const ASKED_FOR = { allowDeletes: true, allowReplaces: true, allowUnsubscribes: true } as const;
/** What a person may find to be right: also webhooks that seem to be missing, and a name that finds another campaign. Another service is never allowed. */
const APPROVED = { ...ASKED_FOR, allowRecreate: true, allowCampaignChange: true } as const;
const ALLOWED = { none: {}, safe: {}, all: ASKED_FOR, person: APPROVED } as const;

/** Plans as `outreach apply --auto-approve` does, and applies the plan, or saves it. */
export function reconcileTeam(team: TeamRun, auto: Auto): Promise<TeamResult> {
  return inRun(team, (run, shown) =>
    withSession(run.context, optionsOf(team), { operation: OPERATION }, async (opened) => {
      if (opened.open.version === null) await assertNotRenamed(team, opened);
      const session = await withFirstSalt(run, opened);
      return planAndAct({ run, shown, session, options: optionsOf(team) }, auto);
    }),
  );
}

/**
 * Before the first state, every run of every process gets the same salt: otherwise each would make another plan of the same content, since salted hashes
 * tell emails apart. Only somebody with the API key can compute it.
 */
async function withFirstSalt({ context }: Run, session: Session): Promise<Session> {
  const { open, ports, loaded } = session;
  if (open.version !== null) return session;
  const document = { ...open.document, salt: await ports.fingerprint(statePlace(loaded), ports.service.apiKey) };
  learnState(context, document);
  return { ...session, open: { ...open, document } };
}

/** Applies a plan that a person has approved, as `outreach apply FILE` does. */
export function applyApproved(team: TeamRun, bytes: Uint8Array): Promise<TeamResult> {
  return inRun(team, async ({ context }, { view }) => {
    const options = optionsOf(team);
    const names = { path: "the approved plan", again: "The next run of the team makes a new plan." };
    const read = await decodePlan(context, bytes, { ...options, ...names, runKeyCommand: true });
    // The values of variables are those of the configuration in force, as everything else of it.
    const exitCode = await applySaved(context, read, { options, variables: {}, operation: OPERATION, view });
    return {
      outcome: ENDS[exitCode],
      drifted: read.saved.plan.drift.length,
      holds: { keyName: null, webhooks: webhooksAfter(context, read.saved.plan.steps) },
    };
  });
}

const ENDS: { readonly [code in ExitCode]: TeamResult["outcome"] } = { 0: "applied", 1: "failed", 2: "failed", 3: "undecided" };

function optionsOf({ options, team }: TeamRun): PlanningOptions {
  return { ...DEFAULT_PLANNING, ...options, team: [team], showEmails: false, lock: true, lockTimeout: 0 };
}

/**
 * Throws where a team without a state has the key of one that left the configuration with live webhooks: under a new name, it would create all of them a
 * second time.
 */
async function assertNotRenamed({ fleet, team }: TeamRun, { ports: { service } }: Session): Promise<void> {
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
function webhooksAfter(context: CommandContext, steps: Plan["steps"]): number {
  return webhooksIn(
    context,
    steps.filter(({ action }) => action !== "delete" && action !== "forget"),
  );
}

/** What cannot be listed, as an unsubscription, does not live on. */
function webhooksIn({ catalog: { resources } }: CommandContext, those: readonly { readonly type: string }[]): number {
  const listed = new Set(resources.filter(({ list }) => list !== undefined).map(({ type }) => type));
  return those.filter(({ type }) => listed.has(type)).length;
}

interface Acting {
  readonly run: Run;
  readonly shown: Shown;
  readonly session: Session;
  readonly options: PlanningOptions;
}

async function planAndAct(acting: Acting, auto: Auto): Promise<Ended> {
  const { run, shown, session } = acting;
  const { planned, choices } = await plan(acting, { allowedBy: auto, approval: auto === "none" ? "saved" : "none" });
  if (!planned) return onlyGuarded(shown.diagnostics) ? planForApproval(acting) : { outcome: outcomeOfErrors(shown.diagnostics) };
  const isChanged = hasChanges(planned.plan);
  if (isChanged && auto === "none") return waiting(acting, { planned, choices });
  const exitCode = await carryOut(run.context, session, { view: shown.view, planned, asked: false, approved: false, destroy: false });
  return {
    outcome: exitCode === 0 && !isChanged ? "unchanged" : ENDS[exitCode],
    holds: { keyName: keyName(session.ports.service), webhooks: webhooksAfter(run.context, planned.plan.steps) },
  };
}

type Planned = Awaited<ReturnType<typeof planAndShow>>;

async function plan(
  { run: { context }, shown: { view }, session, options }: Acting,
  { allowedBy, approval }: { readonly allowedBy: keyof typeof ALLOWED; readonly approval: PlanChoices["approval"] },
): Promise<{ readonly planned: Planned; readonly choices: PlanChoices }> {
  const request = planRequest(context, session, { ...options, ...ALLOWED[allowedBy] }, { approval, withSecrets: true });
  return { planned: await planAndShow(context, session, { view, request, allowLocalState: false }), choices: request.options };
}

/** A plan that only the guards have stopped waits for a person, with the reasons as warnings. */
async function planForApproval(acting: Acting): Promise<Ended> {
  const { run, shown } = acting;
  const reasons = shown.diagnostics.filter(isGuard).map((one): Diagnostic => ({ ...one, severity: "warning", hint: APPROVE, ways: [] }));
  shown.diagnostics = [];
  run.forget();
  const { planned, choices } = await plan(acting, { allowedBy: "person", approval: "saved" });
  if (!planned) return { outcome: outcomeOfErrors(shown.diagnostics) };
  shown.diagnostics = [...reasons, ...shown.diagnostics];
  return waiting(acting, { planned, choices });
}

const APPROVE = "Look at the plan. Approve it if this is intended.";

async function waiting(
  { run: { context }, session, options }: Acting,
  { planned, choices }: { readonly planned: NonNullable<Planned>; readonly choices: PlanChoices },
): Promise<Ended> {
  if (planned.plan.undecided.length > 0) return { outcome: "undecided" };
  const bytes = await encodePlan(context, { session, planned, choices, options: { ...options, secrets: true } });
  const webhooks = webhooksIn(context, session.open.document.instances);
  const holds = { keyName: keyName(session.ports.service), webhooks };
  return { outcome: "waiting", counts: countSteps(planned.plan.steps), holds, saved: { bytes, digest: planDigest(planned.plan, session.open) } };
}

/** Under the state's salt: others could guess the emails of leads. */
function planDigest({ steps, outputs }: Plan, { document: { salt } }: OpenState): string {
  return digest(salt + canonicalJson([steps, outputs]));
}

/** What a person may allow. */
function isGuard({ severity, ways = [] }: Diagnostic): boolean {
  return severity === "error" && ways.some((way) => way.kind === "allow" && way.guard !== "service-change");
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
  // Without its lock, a run can decide nothing: the next one looks for what this one has announced in the state.
  return outcomes.includes("interrupted") ? "interrupted" : (outcomes[0] ?? "failed");
}

/** Turns what goes wrong into a result. Throws only the reason of the signal, and the error of the database. */
async function inRun({ context, shared, team, signal, seen, hangsAfterMs }: TeamRun, work: (run: Run, shown: Shown) => Promise<Ended>): Promise<TeamResult> {
  const watch = watchState(team, seen);
  const answers = watchAnswers(shared, { clock: context.clock, hangsAfterMs, signal });
  return withRun({ ...context, watchStore: watch.watchStore }, { shared: answers.shared, team, signal: answers.signal }, async (run) => {
    const shown = await keepingView(run);
    const resultOf = (ended: Ended): TeamResult => {
      const isOlder = shown.diagnostics.some(({ code }) => code === "state_older");
      return { ...shownResult(run, shown, ended), seen: watch.seen(), needsPerson: isOlder || watch.isLeft() };
    };
    try {
      const ended = await work(run, shown);
      if (ended.outcome === "failed") signal.throwIfAborted();
      return resultOf(ended);
    } catch (error) {
      if (error instanceof FleetUnavailable) throw error;
      signal.throwIfAborted();
      const { diagnostics, exit } = failureDiagnostics(error) ?? unexpectedFailure(run.context, error);
      shown.diagnostics = [...shown.diagnostics, ...diagnostics];
      const isUndecided = error instanceof DiagnosticsError && exit === 3;
      const outcome = outcomeOfErrors(diagnostics);
      return resultOf({ outcome: isUndecided && outcome !== "interrupted" ? "undecided" : outcome });
    }
  }).finally(answers.end);
}
