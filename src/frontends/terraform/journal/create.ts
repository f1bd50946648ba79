import { type Decision, type Seen, sameDesired } from "../../../core/apply/recovery/decide-creates.ts";
import { recordOf } from "../../../core/apply/write/record.ts";
import { lookalikes } from "../../../core/apply/recovery/lost-creates.ts";
import { type Creation, type WriteResult, createOne } from "../../../core/apply/write/write.ts";
import type { AnyResource, LiveObject } from "../../../core/model/definition.ts";
import { type Diagnostic, DiagnosticsError } from "../../../core/model/diagnostic.ts";
import type { RecordedInstance } from "../../../core/model/instance.ts";
import { identityKey } from "../../../core/plan/identity.ts";
import { hasOutcome } from "../../../core/plan/resource.ts";
import type { Journal } from "../../../core/state/journal-event.ts";
import type { UndecidedCreate } from "../private-state.ts";
import { type JournaledCreate, journalOf, lookedFor } from "./journaled-create.ts";
import type { Journals } from "./journals.ts";
import { undecidedOf } from "./undecided.ts";
import * as words from "./wording.ts";
import type { Writing } from "./writing.ts";

/** What a create has come to. */
export type Created =
  | { readonly kind: "made"; readonly record: RecordedInstance; readonly diagnostics: readonly Diagnostic[] }
  /** Nothing of it is there. */
  | { readonly kind: "refused"; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: "undecided"; readonly undecided: UndecidedCreate; readonly diagnostics: readonly Diagnostic[] };

/**
 * Creates an object, at most once: what an earlier process has created, and Terraform never recorded, is returned instead;
 * what was sent before without an answer is looked for first, and nothing is sent while that is open.
 */
export async function createOnce(definition: AnyResource, creation: Creation, writing: Writing): Promise<Created> {
  const { journals, lanes } = writing;
  journals.begins();
  await journals.takeOver();
  const { damaged } = await journals.obstacles();
  if (damaged.length > 0) throw new DiagnosticsError(damaged);
  const lane = await lanes.laneOf(creation.attributes);
  const leave = await lanes.enter(lane);
  try {
    await refuseForeign(definition, lane, writing);
    await waitForLiving(definition, lane, writing);
    const key = identityKey(definition, creation.attributes);
    const twice = givenTwice(definition, creation, writing.given.get(key)) ?? (await keptTwice(definition, { creation, key }, writing));
    if (twice) return twice;
    const created = (await resolveEarlier(definition, { creation, lane }, writing)) ?? (await send(definition, { creation, lane }, writing));
    if (created.kind === "made") writing.given.set(key, created.record);
    return created;
  } finally {
    leave();
  }
}

/** The same is declared at another address. What cannot happen twice is done there for both. */
function givenTwice(definition: AnyResource, { allowDuplicate }: Creation, given: RecordedInstance | undefined): Created | null {
  if (!given) return null;
  const { irreversible } = definition;
  if (irreversible) return hasOutcome(given.attributes, irreversible.gone) ? null : { kind: "made", record: given, diagnostics: [] };
  return allowDuplicate || given.id === null ? null : { kind: "refused", diagnostics: [words.declaredTwice(definition, given.id)] };
}

/** The same is in Terraform's state, and stays there: managed, it is no duplicate that would stop the create. */
async function keptTwice(
  definition: AnyResource,
  { creation, key }: { readonly creation: Creation; readonly key: string },
  { staying, live, context }: Writing,
): Promise<Created | null> {
  if (creation.allowDuplicate || staying.size === 0 || !definition.list) return null;
  const kept = (await live.duplicates(creation.attributes, context.signal)).find(({ id }) => staying.get(id) === key);
  return kept ? { kind: "refused", diagnostics: [words.declaredTwice(definition, kept.id)] } : null;
}

interface Wanted {
  readonly creation: Creation;
  readonly lane: string;
}

/** The same was sent with another key of maybe the same team: this key's list proves nothing. */
async function refuseForeign(definition: AnyResource, lane: string, { journals, lanes }: Writing): Promise<void> {
  const { foreign } = await journals.obstacles();
  if (foreign.length === 0) return;
  const here = await journals.scope();
  for (const { path, scope, creates } of foreign) {
    if (scope !== null && (scope.workspace !== here.workspace || scope.baseUrl !== here.baseUrl)) continue;
    for (const create of creates) {
      const { outcome, intent } = create;
      if (outcome.kind !== "open" || intent.type !== definition.type || (await lanes.laneOf(intent.key)) !== lane) continue;
      throw new DiagnosticsError([words.undecidedWithAnotherKey(definition, create, path)]);
    }
  }
}

const POLL_MS = 250;
/** A process that Terraform has left behind ends when its last create has; one beside this one lives on. */
const LEAVING_MS = 2000;
/** By then a process that was left behind has ended, come what may. */
const LONGEST_MS = 75_000;

/** Another process may still be at the same: one that Terraform has left behind, as it was killed. What comes of it is waited for. */
async function waitForLiving(definition: AnyResource, lane: string, { journals, lanes, live, earlier, context }: Writing): Promise<void> {
  const { clock, signal } = context;
  let waitedMs = 0;
  let idleMs = 0;
  for (; ; waitedMs += POLL_MS) {
    const now = await journals.catchUp();
    if (now.isMore) earlier.refill();
    const same: JournaledCreate[] = [];
    for (const create of now.living) {
      const { intent, outcome } = create;
      if ((outcome.kind !== "open" && outcome.kind !== "made") || intent.type !== definition.type) continue;
      if ((await lanes.laneOf(intent.key)) === lane) same.push(create);
    }
    const busy = new Set(now.living.flatMap((create) => (create.outcome.kind === "open" ? [journalOf(create)] : [])));
    idleMs = same.some((create) => busy.has(journalOf(create))) ? 0 : idleMs + POLL_MS;
    if (same.length === 0 || idleMs > LEAVING_MS) break;
    if (waitedMs >= LONGEST_MS) {
      const open = same.find(({ outcome }) => outcome.kind === "open");
      if (!open) break;
      throw new DiagnosticsError([words.earlierUndecided(definition, open, { why: "The process that has sent it still runs", candidates: [] })]);
    }
    await clock.sleep(POLL_MS, signal);
  }
  if (waitedMs > 0 && definition.list) await live.again(signal);
}

/** What earlier processes have begun that looks the same in the list: null when it leaves nothing in the way. */
async function resolveEarlier(definition: AnyResource, wanted: Wanted, writing: Writing): Promise<Created | null> {
  const { earlier } = writing;
  for (const one of await earlier.in(wanted.lane)) {
    const isSameKey = identityKey(definition, one.intent.key) === identityKey(definition, wanted.creation.attributes);
    if (one.outcome.kind === "made") {
      const taken = isSameKey ? await takeMade(definition, { one, record: one.outcome.record, wasOrderly: one.outcome.wasOrderly, wanted }, writing) : null;
      if (taken) return taken;
      continue;
    }
    const settled = definition.irreversible
      ? await confirmNothing(definition, { one, wanted }, writing)
      : await lookForEarlier(definition, { one, isSameKey, wanted }, writing);
    if (settled) return settled;
  }
  return null;
}

/** An earlier process has made such an object, and no call has shown that Terraform has it. */
async function takeMade(
  definition: AnyResource,
  given: { readonly one: JournaledCreate; readonly record: RecordedInstance; readonly wasOrderly: boolean; readonly wanted: Wanted },
  { earlier, live, recovery, context, journals, isKnown, made }: Writing,
): Promise<Created | null> {
  const { one, record, wasOrderly, wanted } = given;
  const { id } = record;
  const pass = (): null => {
    earlier.drop(wanted.lane, one);
    return null;
  };
  if (isKnown(record.attributes)) return pass();
  if (definition.irreversible || id === null) {
    earlier.drop(wanted.lane, one);
    journals.handOver(one.name);
    return { kind: "made", record, diagnostics: [words.takenInstead(definition, null)] };
  }
  if (!(await live.find(id, context.signal))) {
    const { index, complete } = await recovery.lookAfter(record.recordedAtMs);
    if (!index.byId.has(id)) return complete ? pass() : { kind: "refused", diagnostics: [words.madeAndNotListed(definition, id)] };
  }
  if (wanted.creation.allowDuplicate || wasOrderly) return { kind: "refused", diagnostics: [words.madeBefore(definition, id, "maybe-managed")] };
  if (!sameDesired(definition, one.intent, desiredOf(wanted))) return { kind: "refused", diagnostics: [words.madeBefore(definition, id, "other-desired")] };
  earlier.drop(wanted.lane, one);
  journals.handOver(one.name);
  made(id);
  return {
    kind: "made",
    record,
    diagnostics: [words.takenInstead(definition, id), ...(await duplicatesExcept(definition, { id, wanted }, { live, context }))],
  };
}

/** Nothing can look it up, and it must not be sent again unasked. */
async function confirmNothing(
  definition: AnyResource,
  { one, wanted }: { readonly one: JournaledCreate; readonly wanted: Wanted },
  { journals, context, earlier }: Writing,
): Promise<Created | null> {
  const { irreversible } = definition;
  if (!irreversible) return null;
  const { intent, outcome } = one;
  const cause = (outcome.kind === "open" ? outcome.cause : null) ?? "an earlier run sent it, and ended before the answer was stored";
  const record = recordOf(
    definition,
    { ...intent, planned: intent.planned ?? {} },
    { id: null, returned: irreversible.unconfirmed, nowMs: context.clock.now() },
  );
  await journals.recordCreate(one.name, { kind: "done", record });
  earlier.drop(wanted.lane, one);
  journals.handOver(one.name);
  return { kind: "made", record, diagnostics: [words.unconfirmed(definition, cause)] };
}

async function lookForEarlier(
  definition: AnyResource,
  { one, isSameKey, wanted }: { readonly one: JournaledCreate; readonly isSameKey: boolean; readonly wanted: Wanted },
  writing: Writing,
): Promise<Created | null> {
  const { recovery, journals, earlier } = writing;
  const { decision, seen } = await recovery.decide(lookedFor(one));
  if (decision.kind === "open") return { kind: "refused", diagnostics: [words.earlierUndecided(definition, one, decision)] };
  // It stays in the way until what became of it is stored.
  if (decision.kind === "none") {
    await journals.recordCreate(one.name, { kind: "given_up" });
    earlier.drop(wanted.lane, one);
    return null;
  }
  const record = await storeFound(definition, { one, object: decision.object, seen }, writing);
  earlier.put(wanted.lane, { ...one, outcome: { kind: "made", record, wasOrderly: false, wasMissed: false } });
  if (!isSameKey) return null;
  const { id } = decision.object;
  if (!sameDesired(definition, one.intent, desiredOf(wanted))) return { kind: "refused", diagnostics: [words.madeBefore(definition, id, "other-desired")] };
  earlier.drop(wanted.lane, one);
  journals.handOver(one.name);
  return { kind: "made", record, diagnostics: [words.takenInstead(definition, id), ...(await duplicatesExcept(definition, { id, wanted }, writing))] };
}

/** What would have stopped a create stops no record, but is said: as the old one of a replace, where Terraform has lost its state. */
async function duplicatesExcept(
  definition: AnyResource,
  { id, wanted: { creation } }: { readonly id: string; readonly wanted: Wanted },
  { live, context }: Pick<Writing, "live" | "context">,
): Promise<readonly Diagnostic[]> {
  if (creation.allowDuplicate) return [];
  const duplicates = (await live.duplicates(creation.attributes, context.signal)).filter(
    (duplicate) => duplicate.id !== id && !context.isManaged(duplicate.id),
  );
  return duplicates.map((duplicate) => words.duplicateExists(definition, id, duplicate.id));
}

/** Somebody else may have made the same just then: should a second one turn up, that is told from what is there now. */
export async function storeFound(
  definition: AnyResource,
  { one, object, seen }: { readonly one: Pick<JournaledCreate, "name" | "intent">; readonly object: LiveObject; readonly seen: Seen | null },
  { journals, context }: Writing,
): Promise<RecordedInstance> {
  const { intent, name } = one;
  const { id, attributes: returned } = object;
  const record = recordOf(definition, { ...intent, planned: intent.planned ?? {} }, { id, returned, nowMs: context.clock.now() });
  await journals.recordCreate(name, { kind: "done", record, lookalikes: seen ? lookalikes(intent, seen.index) : [id] });
  return record;
}

/** Sends it; what is left open is looked for, and sent once more when it is certainly not there. */
async function send(definition: AnyResource, wanted: Wanted, writing: Writing): Promise<Created> {
  const first = await attempt(definition, wanted, writing);
  if (first.kind !== "open") return first;
  const { create, cause } = first;
  const { decision, seen } = await writing.recovery.decide(lookedFor(create));
  if (decision.kind === "open") return leaveOpen(definition, { wanted, create, cause, open: decision }, writing);
  if (decision.kind === "found") return foundNow(definition, { create, cause, object: decision.object, seen }, writing);
  try {
    await writing.journals.recordCreate(create.name, { kind: "given_up" });
  } catch (error) {
    return leaveOpen(definition, { wanted, create, cause, open: { why: words.notGivenUp(error), candidates: [] } }, writing);
  }
  const second = await attempt(definition, wanted, writing);
  if (second.kind === "open") {
    const open = { why: "It was sent twice, and neither answer told", candidates: [] };
    return leaveOpen(definition, { wanted, create: second.create, cause: second.cause, open }, writing);
  }
  return { ...second, diagnostics: [...second.diagnostics, words.sentTwice(definition, cause)] };
}

/** The answer is as good as one: a journal that cannot be written must not lose it. */
async function foundNow(
  definition: AnyResource,
  { create, cause, object, seen }: { readonly create: JournaledCreate; readonly cause: string; readonly object: LiveObject; readonly seen: Seen | null },
  writing: Writing,
): Promise<Created> {
  const diagnostics = [words.foundInList(definition, object.id, cause)];
  try {
    return { kind: "made", record: await storeFound(definition, { one: create, object, seen }, writing), diagnostics };
  } catch (error) {
    const { intent } = create;
    const given = { id: object.id, returned: object.attributes, nowMs: writing.context.clock.now() };
    const record = recordOf(definition, { ...intent, planned: intent.planned ?? {} }, given);
    return { kind: "made", record, diagnostics: [...diagnostics, words.journalNotWritten(writing.journals.folder, error)] };
  }
}

async function leaveOpen(
  definition: AnyResource,
  given: {
    readonly wanted: Wanted;
    readonly create: JournaledCreate;
    readonly cause: string;
    readonly open: Omit<Extract<Decision, { kind: "open" }>, "kind">;
  },
  { earlier, live, context }: Writing,
): Promise<Created> {
  const { wanted, create, cause, open } = given;
  earlier.put(wanted.lane, create);
  const undecided = await undecidedOf(definition, { ...create, cause }, { live, signal: context.signal });
  return { kind: "undecided", undecided, diagnostics: [words.leftUndecided(definition, cause, open)] };
}

type Attempt = Created | { readonly kind: "open"; readonly create: JournaledCreate; readonly cause: string };

async function attempt(definition: AnyResource, { creation }: Wanted, { context, journals, made }: Writing): Promise<Attempt> {
  let result: WriteResult;
  const { journal, begun } = watched(journals);
  try {
    result = await createOne(definition, creation, { ...context, journal });
  } catch (error) {
    // Where its intent is stored the request may have gone out: what comes after that is a result, not an exception.
    const create = begun();
    if (create?.outcome.kind !== "open") throw error;
    return { kind: "open", create, cause: error instanceof Error ? error.message : String(error) };
  }
  switch (result.kind) {
    case "done":
      if (!result.record) throw new Error("a create has recorded nothing");
      if (result.record.id !== null) made(result.record.id);
      return { kind: "made", record: result.record, diagnostics: result.warnings };
    case "failed":
      return { kind: "refused", diagnostics: [result.diagnostic] };
    case "unconfirmed":
      return { kind: "made", record: result.record, diagnostics: [{ ...result.diagnostic, severity: "warning" }] };
    case "undecided": {
      const create = begun();
      if (!create) throw new Error("the journal does not tell of an open create");
      return { kind: "open", create, cause: result.cause };
    }
  }
}

/** A journal that tells which create was begun in it. Another may look the same, and be open as its outcome could not be stored. */
function watched(journals: Journals): { readonly journal: Journal; readonly begun: () => JournaledCreate | undefined } {
  let names: readonly string[] = [];
  const journal: Journal = {
    begin: async (facts, signal) => {
      const numbers = await journals.begin(facts, signal);
      names = numbers.map((number) => `#${String(number)}`);
      return numbers;
    },
    record: (facts) => journals.record(facts),
  };
  return { journal, begun: () => journals.begun().find(({ name }) => names.some((end) => name.endsWith(end))) };
}

function desiredOf({ creation }: Wanted): { readonly provider: string; readonly planned: Creation["attributes"] } {
  return { provider: creation.provider, planned: creation.attributes };
}
