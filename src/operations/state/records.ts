import { type Diagnostic, DiagnosticsError, errorOf, noteOf, warningOf } from "../../core/model/diagnostic.ts";
import type { Plan } from "../../core/plan/plan.ts";
import { expandAddress } from "../../core/secrets/personal-mask.ts";
import type { StateDocument } from "../../core/state/document.ts";
import { assertOneRecord } from "../../core/state/one-record.ts";
import { type OpenState, foldInto, pendingDiagnostics, readState } from "../../core/state/open-state.ts";
import type { StateStore } from "../../core/state/state-store.ts";
import type { OperationOptions } from "../options.ts";
import { learnState } from "../personal-data.ts";
import { failureOf } from "../known-failure.ts";
import { isMissingInCi } from "./state-in-ci.ts";
import { lockHolder, openStoreAlone } from "./state-place.ts";
import type { OperationContext, Ports } from "../context.ts";

/** A state that was opened without the service and without the rest of the configuration. */
export interface Records {
  readonly store: StateStore;
  readonly open: OpenState;
}

/** The store of a command that needs nothing else of the configuration. Throws where it cannot be used. */
export async function openReadyStore(context: OperationContext, options: OperationOptions): Promise<StateStore> {
  const store = await openStoreAlone(context, options);
  await store.assertReady(context.stop);
  return store;
}

/** The current state, with the journal folded in in memory. Throws `state_missing` without a state. */
export async function readRecords(context: OperationContext, options: OperationOptions): Promise<Records> {
  return readFrom(context, await openReadyStore(context, options));
}

/** The current state under the lock, for `work` to change it. `operation` names this run to others that wait for the lock. */
export async function changeRecords<T>(
  context: OperationContext,
  options: OperationOptions,
  operation: string,
  work: (records: Records) => Promise<T>,
): Promise<T> {
  const store = await openReadyStore(context, options);
  return locked(context, { store, options, operation }, async () => work(await readFrom(context, store)));
}

/** Does the work under the lock. Its signal is aborted when the run is interrupted, and when the lock is lost. */
export async function locked<T>(
  context: OperationContext,
  {
    store,
    options,
    operation,
  }: { readonly store: StateStore; readonly options: OperationOptions; readonly operation: string },
  work: (stop: AbortSignal) => Promise<T>,
): Promise<T> {
  const { lock: locks = true, lockTimeoutMs: timeoutMs = 0 } = options;
  const waits = (holder: string): void =>
    context.notify({ kind: "waiting-for-lock", state: store.name, holder, timeoutMs });
  const lock = locks ? await store.lock(lockHolder(context, operation), timeoutMs, context.stop, waits) : null;
  let failure: unknown = null;
  try {
    const done = await work(lock ? AbortSignal.any([context.stop, lock.lost]) : context.stop);
    lock?.lost.throwIfAborted();
    return done;
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    await lock?.release().catch((error: unknown) => {
      throw both(failure, error, context.stop.aborted);
    });
  }
}

/** A lock that could not be released hides no failure before that. */
function both(failure: unknown, release: unknown, isInterrupted: boolean): unknown {
  const [before, after] = [failure, release].map((error) => (error === null ? null : failureOf(error)));
  if (!before || !after) return failure === null || isInterrupted ? release : failure;
  return new DiagnosticsError([...before.diagnostics, ...after.diagnostics], {
    undecided: before.status === "undecided",
    cause: failure,
  });
}

/** Stores a changed document, with the journal folded in, and removes the journal. */
export async function storeRecords(
  context: OperationContext,
  { store, open }: Records,
  document: StateDocument,
): Promise<void> {
  assertOneRecord(context.catalog, document.instances);
  await foldInto(store, { ...open, document }, context.stop);
}

/** The recorded addresses that users mean: each may be typed in masked form. */
export function meantAddresses(
  { personal }: OperationContext,
  { open }: Records,
  typed: readonly string[],
): readonly string[] {
  const { instances } = open.document;
  const recorded = [...instances, ...open.pending.map(({ intent }) => intent)].flatMap(({ address }) =>
    address === null ? [] : [address],
  );
  return typed.map((text) => expandAddress(text, recorded, personal));
}

/** Throws for addresses with an undecided write: their records may still change. */
export function assertDecided({ open }: Records, concerns: (address: string) => boolean): void {
  const pending = open.pending.filter(({ intent }) => intent.address !== null && concerns(intent.address));
  if (pending.length === 0) return;
  throw new DiagnosticsError(pendingDiagnostics(pending, "Nothing was changed."), { undecided: true });
}

async function readFrom(context: OperationContext, store: StateStore): Promise<Records> {
  const open = await readState(store, context.random, context.stop);
  if (open.version === null) throw new DiagnosticsError([noState(store)]);
  learnState(context, open.document);
  return { store, open };
}

/**
 * Nothing to compare with the service. On a server, and where a job of a CI has lost its state, that is an error: a green check would hide a wrong place. On
 * this machine it is how every project begins.
 */
export function nothingCompared(context: Ports, { store, open }: Records): readonly Diagnostic[] {
  if (open.version !== null) return [];
  const { detail, ...missing } = noState(store);
  const compared = {
    ...missing,
    detail: `${detail} drift compares the state with the service, so it compared nothing.`,
  };
  if (!isMissingInCi(context, { store, open }))
    return [store.isOnThisMachine ? { ...compared, severity: "warning" } : compared];
  const hint =
    "This runs in a CI, so each job may have a disk of its own. Set OUTREACH_STATE to the place where the apply keeps the state.";
  return [{ ...compared, hint, ways: [] }];
}

/** What a plan says first where no state exists: a warning where that is the likely reason of what the plan has found. */
export function withoutState(
  { store, open, diagnostics: said }: Records & Pick<Plan, "diagnostics">,
  { diagnostics }: Plan,
): readonly Diagnostic[] {
  if (open.version !== null) return [];
  if (diagnostics.some(({ code }) => code === "unmanaged_duplicate")) {
    return [
      warningOf("state_missing", "No state exists at this place", {
        detail: `The state ${store.name} does not exist, but objects that this configuration declares are live. If it was applied before, its state is in another place.`,
        hint: `${store.isOnThisMachine ? "If a state should exist, run the command in the folder of the last apply." : COMPARE_PLACES} Otherwise decide as the messages below say.`,
        ways: store.isOnThisMachine ? [{ kind: "choose-state" }] : [],
      }),
    ];
  }
  if (said.some(({ code }) => NAMING_THE_PLACE.has(code))) return [];
  const detail = `The state ${store.name} does not exist: outreach manages nothing yet.`;
  return [
    noteOf("state_missing", "No state exists yet", {
      detail,
      ...(store.isOnThisMachine ? {} : { hint: COMPARE_PLACES }),
    }),
  ];
}

/** A state is missing: by its place, why that may be, and what to do. */
export function noState({ name, isOnThisMachine }: StateStore): Diagnostic {
  return errorOf("state_missing", "No state was found", {
    detail: `The state ${name} does not exist: nothing was applied with it yet, or it is in another place.`,
    hint: isOnThisMachine ? "Run the command in the folder of the last apply." : COMPARE_PLACES,
    ways: isOnThisMachine ? [{ kind: "choose-state" }] : [],
  });
}

/** Warnings that a state is missing, with its place. */
const NAMING_THE_PLACE: ReadonlySet<string> = new Set(["state_lost", "state_next_to_folder"]);

const COMPARE_PLACES =
  "If a state should exist, compare this place with the one of the last apply. A typo in OUTREACH_STATE, --state or the section state names another state.";
