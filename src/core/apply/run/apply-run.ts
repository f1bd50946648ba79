import { getOrMake } from "../../model/maps.ts";
import type { OutputValue } from "../../model/declaration.ts";
import {
  type AnyResource,
  type Catalog,
  type LiveListing,
  type LiveObject,
  resourceOf,
} from "../../model/definition.ts";
import { type Diagnostic, DiagnosticsError, hasErrors, errorOf } from "../../model/diagnostic.ts";
import { type RecordedInstance, managedIds } from "../../model/instance.ts";
import { canonicalJson, hasUnknown } from "../../model/value.ts";
import { type Plan, type PlanCounts, type Step, hasChanges, isRemoval } from "../../plan/plan.ts";
import { type UndecidedWrite, undecidedWriteDiagnostic } from "../../plan/undecided.ts";
import type { PendingIntent } from "../../state/journal-event.ts";
import { type OpenState, foldInto, withDocument } from "../../state/open-state.ts";
import { assertOneRecord } from "../../state/one-record.ts";
import { openRunJournal } from "../../state/run-journal.ts";
import type { StateStore } from "../../state/state-store.ts";
import { type StepsOutcome, type Pass, applyPlan } from "./apply-plan.ts";
import { summarized } from "./apply-diagnostics.ts";
import type { WriteStep } from "./apply-context.ts";
import type { Progress } from "./progress.ts";
import { type StateDocument, lastChange } from "../../state/document.ts";
import { hasNewEvidence, withFindings } from "../live/list-records.ts";
import { managing } from "../live/live-list.ts";
import { isWatched } from "../../plan/irreversible-records.ts";
import { hasOutcome, planResource } from "../../plan/resource.ts";
import { withoutUnknown } from "../write/store-intent.ts";
import { leftOpenAtTheEnd } from "../write/outcome-diagnostics.ts";
import { openMarks } from "../write/marks.ts";
import { listOf, wantedIn } from "./plan-run.ts";
import { isUnsettled, recordFirstListed } from "./record-first-listed.ts";
import { isAgreed } from "./record-steps.ts";
import { recover } from "../recovery/recovery.ts";
import { storeResults, storeResultsOfFailed } from "./store-results.ts";
import type { PlannedRun, RunPorts } from "./run-ports.ts";
import { type WriteContext, openBaseline, openLostCreates } from "../write/write-context.ts";

export interface ApplyRequest {
  readonly open: OpenState;
  readonly planned: PlannedRun;
  /** Time has passed since the plan was made: the lists are read again and must give the same plan. */
  readonly asked: boolean;
  /** A person has approved this plan: unconfirmed writes may be sent again. */
  readonly approved: boolean;
  readonly report: (progress: Progress) => void;
  /** Aborted: start nothing more. What is in flight is finished. */
  readonly stop: AbortSignal;
  /** Aborted: the time of the run is over. Begin nothing more, as after `stop`, which is no interruption. */
  readonly within?: AbortSignal;
}

const NOTHING: PlanCounts = { import: 0, add: 0, change: 0, destroy: 0, forget: 0 };
/** How often a run looks for what is undecided, and sends it again. */
const MAX_ROUNDS = 2;

/** What a run did about what waited. */
export interface Rechecked {
  /** How many were sent. */
  readonly sent: number;
  /** How many of them are done now. */
  readonly done: number;
}

export interface AppliedRun extends StepsOutcome {
  readonly interrupted: boolean;
  /** How many changes of the plan the time of the run was too short for. */
  readonly left: number;
  /** Null where nothing was due. */
  readonly rechecked: Rechecked | null;
  /** How many irreversible writes of the plan were about something that does not exist: those that wait now, and those that count as done. */
  readonly notFound: { readonly waiting: number; readonly accepted: number };
  /** The outputs that are recorded now. */
  readonly outputs: readonly OutputValue[];
}

/** Carries out an approved plan, and resolves what it leaves undecided. Everything that was sent is stored when it returns or throws. */
export async function applyRun(store: StateStore, request: ApplyRequest, ports: RunPorts): Promise<AppliedRun> {
  const planned = request.asked ? await stillTheSame(request.planned) : request.planned;
  const { plan } = planned;
  assertOneRecord(ports.catalog, planned.document.instances);
  if (!hasChanges(plan) && !planned.mustBeStored && request.open.journal === null && !agrees(planned)) {
    const { outputs } = planned.document;
    // A plan without changes has seen every recorded object: from now on the state belongs to this service and key.
    const service = planned.document.service && serviceOf(planned, ports);
    const { instances } = planned.document;
    const hasNews =
      hasNewEvidence(request.open.document, planned.document) || instances !== request.open.document.instances;
    const isStored = request.open.keyChange || (service && (hasNews || isAnother(planned.document.service, service)));
    const open = withDocument(request.open, { ...planned.document, service });
    const now = isStored ? await foldInto(store, open, ports.signal) : open;
    const { rechecked, diagnostics, interrupted } = await recheck(
      store,
      { open: now, planned, request, isAlone: !isStored },
      ports,
    );
    const undecided = plan.undecided.length > 0;
    return {
      counts: NOTHING,
      diagnostics,
      undecided,
      interrupted,
      left: 0,
      outputs,
      rechecked,
      notFound: { waiting: 0, accepted: 0 },
    };
  }
  const begun = await begin(store, { ...request, planned }, ports);
  const before = new Set(begun.pending.map(({ intent }) => intent.seq));
  const isOwn = ({ intent }: PendingIntent): boolean => !before.has(intent.seq);
  let { open, applied } = await carryOut(store, { open: begun, steps: plan.steps, planned, request }, ports);
  let { steps } = plan;
  // What an earlier run has left open is decided again: what was created since may be it, or is evidence that it was not carried out.
  const isWorthLooking = (): boolean =>
    open.pending.some(isOwn) || (open.pending.length > 0 && applied.counts.add > 0 && planned.coversAll);
  for (let round = 0; round < MAX_ROUNDS && isWorthLooking() && !request.stop.aborted; round++) {
    const left = open.pending.length;
    const resolved = await resolveOpenWrites(
      store,
      { open, steps, planned, isOwn, waiting: applied.waiting, said: applied.diagnostics },
      ports,
    );
    const rest = await carryOut(
      store,
      {
        open: resolved.open,
        steps: resolved.again,
        planned,
        request,
        said: [...applied.diagnostics, ...resolved.diagnostics],
      },
      ports,
    );
    open = rest.open;
    applied = joined(applied, resolved, rest.applied);
    steps = [...steps, ...resolved.again];
    if (open.pending.length === left && !open.pending.some(isOwn) && rest.applied.counts.add === 0) break;
  }
  const { counts, undecided } = applied;
  const left = request.stop.aborted ? 0 : applied.skipped;
  const ownPending = open.pending.filter(isOwn);
  // A saved plan is used up, however little of it there was time for.
  if (left > 0 && lastChange(open.document).serial === lastChange(request.open.document).serial)
    open = await foldInto(store, open, ports.signal);
  const looked = await recheck(store, { open, planned, request, isAlone: false }, ports);
  const interrupted = (applied.skipped > 0 && left === 0) || looked.interrupted;
  const failures = interrupted || left > 0 ? [] : planned.failuresOf(looked.open.document.instances);
  return {
    counts,
    diagnostics: [...summarized(stillOpen(applied, ownPending)), ...looked.diagnostics, ...failures],
    undecided: undecided || open.pending.length > ownPending.length,
    interrupted,
    left,
    outputs: looked.open.document.outputs,
    rechecked: looked.rechecked,
    notFound: notFound(steps, open.document, ports),
  };
}

function notFound(steps: readonly Step[], { instances }: StateDocument, { catalog }: RunPorts): AppliedRun["notFound"] {
  const sent = new Set(steps.flatMap(({ action, address }) => (action === "create" ? [address] : [])));
  const gone = instances.filter(({ address, type, attributes }) => {
    const { irreversible } = resourceOf(catalog, type);
    return irreversible !== undefined && sent.has(address) && hasOutcome(attributes, irreversible.gone);
  });
  const waiting = gone.filter(({ type, attributes }) => isWatched(resourceOf(catalog, type), attributes)).length;
  return { waiting, accepted: gone.length - waiting };
}

interface Looked {
  readonly open: OpenState;
  readonly rechecked: Rechecked | null;
  readonly diagnostics: readonly Diagnostic[];
  readonly interrupted: boolean;
}

/**
 * Looks for what waits and is due, which fails nothing: a problem is a warning, and a service that does not answer ends it. The
 * request that was refused rests as long as one that found nothing. `isAlone`: this run has changed nothing else.
 */
async function recheck(
  store: StateStore,
  {
    open,
    planned,
    request,
    isAlone,
  }: {
    readonly open: OpenState;
    readonly planned: PlannedRun;
    readonly request: ApplyRequest;
    readonly isAlone: boolean;
  },
  ports: RunPorts,
): Promise<Looked> {
  const { stop, within } = request;
  const due = planned.isApplied ? (planned.plan.waiting?.now ?? []) : [];
  if (due.length === 0 || stop.aborted || within?.aborted)
    return { open, rechecked: null, diagnostics: [], interrupted: false };
  const declared = new Map(planned.declarations.map((declaration) => [declaration.address, declaration]));
  const steps = due.flatMap((address): readonly Step[] => {
    const declaration = declared.get(address);
    if (!declaration) return [];
    const { type, provider, masked, attributes } = declaration;
    const change = planResource(resourceOf(ports.catalog, type), { desired: attributes, prior: null });
    return change.action === "create"
      ? [{ address, type, provider, masked, because: [], action: "create", after: change.after, again: "recheck" }]
      : [];
  });
  const silence = new AbortController();
  const signal = AbortSignal.any([stop, silence.signal, ...(within ? [within] : [])]);
  const since = lastChange(request.open.document);
  if (isAlone && request.open.unfinished) await store.journal?.remove();
  const refused = new Set<string>();
  const finish = (document: StateDocument): StateDocument => {
    const nowMs = ports.clock.now();
    const rested = document.instances.map((instance) =>
      refused.has(instance.address) ? { ...instance, sentAtMs: nowMs } : instance,
    );
    const { serial, journalSeq } = document;
    return {
      ...document,
      instances: rested,
      ...(isAlone ? { rechecked: { serial: serial + 1, journalSeq, since } } : {}),
    };
  };
  const before = new Map(open.document.instances.map((instance) => [instance.address, instance]));
  const { open: now, applied } = await carryOut(
    store,
    {
      open,
      steps,
      planned,
      request: { ...request, stop: signal, report: () => undefined },
      silent: () => silence.abort(),
      refused,
      finish,
    },
    ports,
  );
  const after = new Map(now.document.instances.map((instance) => [instance.address, instance]));
  const sent = steps.filter(({ address }) => after.get(address) !== before.get(address));
  const done = sent.filter(({ type, address }) => isDone(resourceOf(ports.catalog, type), after.get(address)));
  return {
    open: now,
    rechecked: { sent: sent.length, done: done.length },
    diagnostics: summarized(
      applied.diagnostics.map((one) => (one.severity === "error" ? { ...one, severity: "warning" } : one)),
    ),
    interrupted: stop.aborted,
  };
}

function isDone({ irreversible }: AnyResource, instance: RecordedInstance | undefined): boolean {
  if (!irreversible || !instance) return false;
  return (
    !hasOutcome(instance.attributes, irreversible.gone) && !hasOutcome(instance.attributes, irreversible.unconfirmed)
  );
}

/** Whether an apply of a plan without changes agrees on what was only imported. */
function agrees({ plan, document, isApplied }: PlannedRun): boolean {
  const instances = new Map(document.instances.map((instance) => [instance.address, instance]));
  return plan.steps.some((step) => isAgreed(step, { instances, isApplied }));
}

interface Current {
  readonly open: OpenState;
  readonly steps: readonly Step[];
  readonly planned: PlannedRun;
  /** What the run has to report so far. */
  readonly said?: readonly Diagnostic[];
  readonly silent?: () => void;
  /** Gets the addresses whose request was refused. */
  readonly refused?: Set<string>;
  /** The last change of the document before it is stored. */
  readonly finish?: (document: StateDocument) => StateDocument;
}

/** Stores the service and what recovery has resolved, before anything is sent. */
async function begin(store: StateStore, { open, planned }: ApplyRequest, ports: RunPorts): Promise<OpenState> {
  const service = serviceOf(planned, ports);
  const document = { ...planned.document, service };
  if (
    open.version !== null &&
    open.journal === null &&
    open.restored === null &&
    !planned.mustBeStored &&
    !isAnother(open.document.service, service)
  ) {
    if (open.unfinished) await store.journal?.remove();
    return withDocument(open, document);
  }
  return foldInto(store, withDocument(open, document), ports.signal);
}

type Service = OpenState["document"]["service"];

function serviceOf({ keyFingerprint }: PlannedRun, { service: { baseUrl } }: RunPorts): Service {
  return { baseUrl, keyFingerprint };
}

function isAnother(before: Service, now: Service): boolean {
  return canonicalJson(before) !== canonicalJson(now);
}

async function carryOut(
  store: StateStore,
  {
    open,
    steps,
    planned,
    request,
    said = [],
    silent,
    refused,
    finish = (document) => document,
  }: Current & { readonly request: ApplyRequest },
  ports: RunPorts,
): Promise<{ readonly open: OpenState; readonly applied: Pass }> {
  const { instances } = open.document;
  const { catalog, clock, access, listingDelayMs, waiting } = ports;
  const journal = openRunJournal(store, open, ports);
  const { report, approved, within } = request;
  const stop = within ? AbortSignal.any([request.stop, within]) : request.stop;
  const managed = managedIds(instances);
  const lost = openLostCreates(open.document);
  const shared = { access, journal, lost, listingDelayMs, clock, signal: stop, waiting };
  const contexts = new Map<string, WriteContext>();
  const isManaged = (id: string): boolean => managed.has(id);
  const contextOf = (type: string): WriteContext => {
    const live = managing(listOf(planned.live, type), managed);
    return {
      ...shared,
      live,
      baseline: openBaseline(resourceOf(catalog, type), live, journal),
      exclusive: ports.service.exclusive === true,
      isManaged,
    };
  };
  const secretsOf = (address: string) => planned.secrets.get(address) ?? {};
  const { declarations } = planned;
  const applied = await applyPlan(
    { steps },
    {
      catalog,
      instances,
      declarations,
      secretsOf,
      markOf: openMarks(open.document, { catalog, random: ports.random, marks: ports.service.mark === true }),
      write: (type) => getOrMake(contexts, type, () => contextOf(type)),
      journal,
      clock,
      report,
      silent,
      stop,
      approved,
      isApplied: planned.isApplied,
      pending: open.pending,
    },
  ).catch(async (error: unknown) => {
    // What a journal holds is folded in by the next run.
    if (store.journal) throw error;
    const { open: left, hasFacts } = await journal.end();
    if (!hasFacts) throw error;
    return storeResultsOfFailed(store, left, { failure: error, ports });
  });
  const ended = await journal.end();
  const document =
    applied.unresolved.length > 0 ? ended.open.document : await withEndOfRun(ended.open.document, planned, ports);
  for (const { address, severity } of applied.diagnostics)
    if (address !== undefined && severity === "error") refused?.add(address);
  const outputs = planned.outputsOf(document.instances).filter(({ value }) => !hasUnknown(value));
  if (!ended.hasFacts && canonicalJson(outputs) === canonicalJson(document.outputs)) return { open, applied };
  return {
    open: await storeResults(
      store,
      { ...ended.open, document: finish({ ...document, outputs }) },
      { ports, said: [...said, ...applied.diagnostics] },
    ),
    applied,
  };
}

/**
 * The document with what a last list shows, if anything was created: its length is evidence for later runs, and so is what it
 * does not show. A value that differs from the one that was sent may be old, and is left to the next plan. A list that cannot
 * be read proves nothing: the run has done its work.
 */
async function withEndOfRun(
  document: StateDocument,
  { live, keyFingerprint }: PlannedRun,
  ports: RunPorts,
): Promise<StateDocument> {
  const { catalog, service, clock, signal } = ports;
  const created = new Map(
    document.instances.filter(({ unlisted }) => unlisted).map((instance) => [instance.id, instance]),
  );
  const types = new Set([...created.values()].map(({ type }) => type));
  const listings = new Map<string, LiveListing>();
  for (const [type, list] of live) {
    const listing = types.has(type) && !signal.aborted ? await list.shown(signal, new Set()).catch(() => null) : null;
    const isSettled = (object: LiveObject): boolean => {
      const instance = created.get(object.id);
      return instance !== undefined && !isUnsettled(resourceOf(catalog, type), instance, object);
    };
    if (listing) listings.set(type, { ...listing, objects: listing.objects.filter(isSettled) });
  }
  const findings = new Map([...live].map(([type, list]) => [type, list.findings()]));
  const first = recordFirstListed(document, { catalog, listings });
  return withFindings(first.document, { baseUrl: service.baseUrl, keyFingerprint }, { findings, nowMs: clock.now() });
}

interface Resolved {
  readonly open: OpenState;
  /** The steps that were not carried out and are still needed. */
  readonly again: readonly Step[];
  readonly counts: PlanCounts;
  readonly diagnostics: readonly Diagnostic[];
  readonly undecided: readonly UndecidedWrite[];
}

interface Left extends Current {
  /** Whether this run has sent it; the others were left by earlier runs. */
  readonly isOwn: (pending: PendingIntent) => boolean;
  /** The addresses that did not start because of undecided writes. */
  readonly waiting: readonly string[];
}

/** Looks for the writes that are undecided, and stores what it finds. */
async function resolveOpenWrites(
  store: StateStore,
  { open, steps, planned, isOwn, waiting, said = [] }: Left,
  ports: RunPorts,
): Promise<Resolved> {
  const { pending } = open;
  const { document, diagnostics, undecided, deferred } = await recover(open, {
    ...ports,
    live: (type) => listOf(planned.live, type),
    isWanted: wantedIn(planned.declarations),
  });
  const outputs = planned.outputsOf(document.instances).filter(({ value }) => !hasUnknown(value));
  const stored = await storeResults(store, withDocument(open, { ...document, outputs }), {
    ports,
    said: [...said, ...diagnostics, ...undecided.map(undecidedWriteDiagnostic)],
  });
  const before = new Map(open.document.instances.map((instance) => [instance.address, instance]));
  const instances = new Map(document.instances.map((instance) => [instance.address, instance]));
  const own = undecided.filter(({ address }) => pending.some((one) => isOwn(one) && one.intent.address === address));
  const isOpen = new Set(undecided.map(({ address }) => address));
  const left = await removalsLeft(steps, planned);
  const outcomes = pending.flatMap((one) => {
    const { address } = one.intent;
    const now = instances.get(address ?? "");
    const step = isOwn(one)
      ? steps.findLast((of): of is WriteStep => isStepOf(of, one))
      : stepLeft(one, { steps, planned, now, catalog: ports.catalog });
    if (!step || isOpen.has(address)) return [];
    return [
      deferred.has(one.intent.seq)
        ? { again: step, added: 0, destroyed: 0 }
        : outcomeOf(step, one, { before: before.get(step.address), now, left }),
    ];
  });
  // The last step of an address is the one that did not start; older objects of it were deleted before.
  const isPending = new Set(pending.map(({ intent }) => intent.address));
  const waited = waiting.flatMap((address) =>
    isPending.has(address)
      ? []
      : steps.filter((step) => step.address === address && step.action !== "delete").slice(-1),
  );
  return {
    open: stored,
    again: [...outcomes.flatMap(({ again }) => (again ? [again] : [])), ...waited],
    counts: outcomes.reduce(
      (counts, { added, destroyed }) => ({ ...counts, add: counts.add + added, destroy: counts.destroy + destroyed }),
      NOTHING,
    ),
    diagnostics,
    undecided: own,
  };
}

function isStepOf(step: Step, { intent }: PendingIntent): boolean {
  return (
    step.address === intent.address && step.action === intent.op && (step.action === "create" || step.id === intent.id)
  );
}

/**
 * The step that creates the object of a write that an earlier run has left open: the plan has one where only the length of the
 * list speaks against it, and none where it was undecided. Then the same is created that the earlier plan has shown.
 */
function stepLeft(
  { intent: { address, op, planned: sent } }: PendingIntent,
  given: {
    readonly steps: readonly Step[];
    readonly planned: PlannedRun;
    readonly now: RecordedInstance | undefined;
    readonly catalog: Catalog;
  },
): WriteStep | undefined {
  const { steps, planned, now, catalog } = given;
  const step = steps.findLast(
    (one) => one.address === address && (one.action === "create" || one.action === "replace"),
  );
  if (step?.action === "create" || step?.action === "replace") return step;
  const declaration = planned.declarations.find((one) => one.address === address);
  if (!declaration || now || op === "delete") return undefined;
  const { type, provider, masked, attributes } = declaration;
  const definition = resourceOf(catalog, type);
  const change = planResource(definition, { desired: attributes, prior: null });
  if (change.action !== "create" || canonicalJson(withoutUnknown(definition, change.after)) !== canonicalJson(sent))
    return undefined;
  return { address: declaration.address, type, provider, masked, because: [], action: "create", after: change.after };
}

interface Outcome {
  readonly again: Step | null;
  readonly added: number;
  readonly destroyed: number;
}

interface Records {
  readonly before: RecordedInstance | undefined;
  readonly now: RecordedInstance | undefined;
  /** What nothing records, and is still live. */
  readonly left: ReadonlySet<string>;
}

/** The live objects, where a removal has a step: no record tells what became of it. */
async function removalsLeft(steps: readonly Step[], { live }: PlannedRun): Promise<ReadonlySet<string>> {
  const types = [...new Set(steps.filter(isRemoval).map(({ type }) => type))];
  const lists = await Promise.all(types.map((type) => listOf(live, type).known()));
  return new Set(lists.flatMap((list) => list?.objects.map(({ id }) => id) ?? []));
}

/** The outcome of a step, by the records of its address before and after recovery, in addition to what the run has counted. */
function outcomeOf(step: WriteStep, { created, deleted }: PendingIntent, { before, now, left }: Records): Outcome {
  switch (step.action) {
    case "create": {
      // A missing object that the run creates again is still recorded with its old id.
      const isMade = now !== undefined && now.id !== before?.id;
      return isMade ? { again: null, added: 1, destroyed: 0 } : { again: step, added: 0, destroyed: 0 };
    }
    case "delete": {
      const isThere = isRemoval(step)
        ? left.has(step.id)
        : step.deposed
          ? now?.deposed?.some(({ id }) => id === step.id)
          : now?.id === step.id;
      return isThere ? { again: step, added: 0, destroyed: 0 } : { again: null, added: 0, destroyed: 1 };
    }
    case "replace": {
      const { again, added, destroyed } = outcomeOfReplace(step, now);
      return { again, added: created ? 0 : added, destroyed: deleted ? 0 : destroyed };
    }
  }
}

function outcomeOfReplace(
  step: Step & { readonly action: "replace" },
  instance: RecordedInstance | undefined,
): Outcome {
  const { address, type, provider, because, masked, after, before, id } = step;
  if (instance === undefined)
    return { again: { address, type, provider, because, masked, action: "create", after }, added: 0, destroyed: 1 };
  if (instance.id === id) return { again: step, added: 0, destroyed: 0 };
  const isDeposed = instance.deposed?.some((object) => object.id === id);
  if (!isDeposed) return { again: null, added: 1, destroyed: 1 };
  return {
    again: { address, type, provider, because: [], masked, action: "delete", id, before, deposed: true },
    added: 1,
    destroyed: 0,
  };
}

/** The diagnostics from the list replace the provisional ones. */
function joined(before: Pass, { counts, diagnostics, undecided }: Resolved, rest: Pass): Pass {
  const isAnswered = new Set(before.provisional);
  const stillUndecided = undecided.map(undecidedWriteDiagnostic);
  const needsResolve = before.needsResolve || rest.needsResolve;
  return {
    counts: sum(sum(before.counts, counts), rest.counts),
    diagnostics: [
      ...before.diagnostics.filter((one) => !isAnswered.has(one)),
      ...diagnostics,
      ...stillUndecided,
      ...rest.diagnostics,
    ],
    unresolved: rest.unresolved,
    provisional: [...stillUndecided, ...rest.provisional],
    needsResolve,
    undecided: needsResolve || undecided.length > 0 || rest.undecided,
    waiting: rest.waiting,
    skipped: before.skipped + rest.skipped,
  };
}

/** The diagnostics, with the ways out of the writes whose outcome the run could not find out. */
function stillOpen({ diagnostics, unresolved }: Pass, pending: readonly PendingIntent[]): readonly Diagnostic[] {
  const isUnresolved = new Set(unresolved);
  return diagnostics.map((diagnostic) => {
    const open = isUnresolved.has(diagnostic)
      ? pending.find(({ intent }) => intent.address === diagnostic.address)
      : undefined;
    return open ? { ...diagnostic, ...leftOpenAtTheEnd(open) } : diagnostic;
  });
}

function sum(a: PlanCounts, b: PlanCounts): PlanCounts {
  return {
    import: a.import + b.import,
    add: a.add + b.add,
    change: a.change + b.change,
    destroy: a.destroy + b.destroy,
    forget: a.forget + b.forget,
  };
}

async function stillTheSame(planned: PlannedRun): Promise<PlannedRun> {
  const now = await planned.again();
  if (samePlan(now.plan, planned.plan)) return now;
  throw new DiagnosticsError([
    ...now.plan.diagnostics.filter(({ severity }) => severity === "error"),
    errorOf("plan_outdated", "The plan is out of date", {
      detail: "The service changed while the plan waited for approval, and a new plan would differ. Nothing was done.",
      hint: "Run the command again and look at the new plan.",
    }),
  ]);
}

/** Whether a new plan is the approved one, to the letter. What it keeps as it is may have another outcome by now: a recheck is no change. */
export function samePlan(now: Plan, approved: Plan): boolean {
  const changes = ({ steps, outputs }: typeof approved): string =>
    canonicalJson([steps.filter(({ action, movedFrom }) => action !== "keep" || movedFrom !== undefined), outputs]);
  return !hasErrors(now.diagnostics) && changes(now) === changes(approved);
}
