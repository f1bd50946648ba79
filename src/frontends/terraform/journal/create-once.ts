import type { Decision, TwoLists } from "../../../core/apply/recovery/decide-creates.ts";
import { createOne } from "../../../core/apply/write/write.ts";
import type { Creation, WriteResult } from "../../../core/apply/write/write-context.ts";
import type { AnyResource, LiveObject } from "../../../core/model/definition.ts";
import { DiagnosticsError } from "../../../core/model/diagnostic.ts";
import type { RecordedInstance } from "../../../core/model/instance.ts";
import { identityKey } from "../../../core/plan/identity.ts";
import { hasOutcome } from "../../../core/plan/resource.ts";
import type { Journal } from "../../../core/state/journal-event.ts";
import * as words from "./create-messages.ts";
import { declaredTwice } from "./duplicate-messages.ts";
import { type Created, type Wanted, foundFor, resolveEarlier } from "./earlier-creates.ts";
import {
  OUTLIVES_TERRAFORM_MS,
  sentByUnknownOwner,
  isDecidedElsewhere,
  isBegunElsewhere,
  journalNotWritten,
  notGivenUp,
} from "./journal-problems.ts";
import { type KnownCreate, isOpen, isOurs, isUnsettled } from "./known-creates.ts";
import type { Writing } from "./write-queues.ts";

/**
 * Creates an object at most once. If an earlier process created it and Terraform never recorded that, it returns that object.
 * If an earlier create got no answer, it looks for its object first, and sends nothing while that outcome is open.
 */
export async function createOnce(definition: AnyResource, creation: Creation, writing: Writing): Promise<Created> {
  const { journal, queues } = writing;
  await journal.prepare();
  const queue = await queues.queueOf(creation.attributes);
  const leave = await queues.enter(queue);
  try {
    for (let round = 1; ; round++) {
      try {
        return await createInTurn(definition, { creation, queue }, writing);
      } catch (error) {
        if (!isBegunElsewhere(error) || round === MAX_ROUNDS) throw error;
      }
    }
  } finally {
    leave();
  }
}

/** How often a process that runs in parallel may begin the same first. */
const MAX_ROUNDS = 5;

/** Throws an error that `isBegunElsewhere` knows if another process began the same since this one last looked. */
async function createInTurn(definition: AnyResource, { creation, queue }: Wanted, writing: Writing): Promise<Created> {
  await refuseForeign(definition, queue, writing);
  const seen = await waitForLiving(definition, queue, writing);
  const key = identityKey(definition, creation.attributes);
  const twice =
    returnedTwice(definition, creation, writing.returned.get(key)) ??
    (await keptTwice(definition, { creation, key }, writing));
  if (twice) return twice;
  const created =
    (await resolveEarlier(definition, { creation, queue }, writing)) ??
    (await send(definition, { creation, queue, seen }, writing));
  if (created.kind === "made") writing.returned.set(key, created.record);
  return created;
}

/** Another address declares the same. An irreversible write counts for both. */
function returnedTwice(
  definition: AnyResource,
  { allowDuplicate }: Creation,
  returned: RecordedInstance | undefined,
): Created | null {
  if (!returned) return null;
  const { irreversible } = definition;
  if (irreversible)
    return hasOutcome(returned.attributes, irreversible.gone)
      ? null
      : { kind: "made", record: returned, diagnostics: [] };
  return allowDuplicate || returned.id === null
    ? null
    : { kind: "refused", diagnostics: [declaredTwice(definition, returned.id)] };
}

/** Terraform manages the same object already and keeps it. The check for unmanaged duplicates would not see it. */
async function keptTwice(
  definition: AnyResource,
  { creation, key }: { readonly creation: Creation; readonly key: string },
  { staying, live, context }: Writing,
): Promise<Created | null> {
  if (creation.allowDuplicate || staying.size === 0 || !definition.list) return null;
  const kept = (await live.duplicates(creation.attributes, context.signal)).find(({ id }) => staying.get(id) === key);
  return kept ? { kind: "refused", diagnostics: [declaredTwice(definition, kept.id)] } : null;
}

/** An earlier run sent the same with another key, maybe of the same team. This key's list proves nothing about it. */
async function refuseForeign(definition: AnyResource, queue: string, { journal, queues }: Writing): Promise<void> {
  const { otherScopes } = await journal.known();
  const { workspace, baseUrl } = await journal.scope();
  const ofOtherKeys = otherScopes.filter(({ scope }) => scope.workspace === workspace && scope.baseUrl === baseUrl);
  const first = ofOtherKeys.flatMap(({ creates }) => creates).find(await queues.membersOf(queue));
  if (first) throw new DiagnosticsError([words.undecidedWithAnotherKey(definition, first, journal.name)]);
}

const POLL_MS = 250;
/** A process that outlives its Terraform ends with its last create. One that runs in parallel goes on. */
const OWNER_IDLE_MS = 2000;

/** Waits for a process that is still creating the same, because its Terraform was killed. Returns the names of all creates that it has seen. */
async function waitForLiving(
  definition: AnyResource,
  queue: string,
  { journal, queues, live, context }: Writing,
): Promise<ReadonlySet<string>> {
  const { clock, signal } = context;
  const isInQueue = await queues.membersOf(queue);
  let seen: readonly KnownCreate[];
  let waitedMs = 0;
  let idleMs = 0;
  for (; ; waitedMs += POLL_MS) {
    seen = (await journal.reread()).creates;
    const living = seen.filter((one) => !isOurs(one));
    const same = living.filter((one) => isUnsettled(one) && isInQueue(one));
    const old = same.find(
      ({ unknownOwner, intent }) =>
        unknownOwner && (waitedMs >= OUTLIVES_TERRAFORM_MS || clock.now() - intent.sentAtMs >= OUTLIVES_TERRAFORM_MS),
    );
    if (old?.unknownOwner)
      throw new DiagnosticsError([
        sentByUnknownOwner(definition, { ...old, unknownOwner: old.unknownOwner }, journal.name),
      ]);
    const busy = new Set(living.flatMap((one) => (isOpen(one) ? [one.process] : [])));
    idleMs = same.some(({ process }) => busy.has(process)) ? 0 : idleMs + POLL_MS;
    if (same.length === 0 || idleMs > OWNER_IDLE_MS) break;
    if (waitedMs >= OUTLIVES_TERRAFORM_MS) {
      const open = same.find(isOpen);
      if (!open) break;
      throw new DiagnosticsError([
        words.earlierUndecided(definition, open, { why: "The process that sent it is still running", candidates: [] }),
      ]);
    }
    await clock.sleep(POLL_MS, signal);
  }
  if (waitedMs > 0 && definition.list) await live.again(signal);
  return new Set(seen.map(({ name }) => name));
}

interface Sending extends Wanted {
  /** The creates of other processes that do not stop it. */
  readonly seen: ReadonlySet<string>;
}

/** Sends it. If the outcome is open, looks for the object, and sends it once more if it certainly does not exist. */
async function send(definition: AnyResource, wanted: Sending, writing: Writing): Promise<Created> {
  const first = await attempt(definition, wanted, writing);
  if (first.kind !== "open") return first;
  const { create, cause } = first;
  const { decision, seen } = await writing.recovery.decide(create);
  if (decision.kind === "open") return leaveOpen(definition, { create, cause, open: decision });
  if (decision.kind === "found") return foundNow(definition, { create, cause, object: decision.object, seen }, writing);
  try {
    await writing.journal.settle(create.name, null);
  } catch (error) {
    return leaveOpen(definition, { create, cause, open: { why: notGivenUp(error), candidates: [] } });
  }
  const second = await attempt(definition, wanted, writing);
  if (second.kind === "open") {
    const open = { why: "It was sent twice, and neither answer arrived", candidates: [] };
    return leaveOpen(definition, { create: second.create, cause: second.cause, open });
  }
  return { ...second, diagnostics: [...second.diagnostics, words.sentTwice(definition, cause)] };
}

/** The object was found. A failed write to the journal must not lose it. */
async function foundNow(
  definition: AnyResource,
  given: {
    readonly create: KnownCreate;
    readonly cause: string;
    readonly object: LiveObject;
    readonly seen: TwoLists | null;
  },
  writing: Writing,
): Promise<Created> {
  const { create, cause, object } = given;
  const found = foundFor(definition, given, writing);
  const made = {
    kind: "made",
    record: found.record,
    diagnostics: [words.foundInList(definition, object.id, cause)],
  } as const;
  try {
    await writing.journal.settle(create.name, found);
    return made;
  } catch (error) {
    const open = {
      why: `${object.id} looks like it, but another process has recorded its outcome`,
      candidates: [object],
    };
    if (isDecidedElsewhere(error)) return leaveOpen(definition, { create, cause, open });
    return { ...made, diagnostics: [...made.diagnostics, journalNotWritten(writing.journal.name, error)] };
  }
}

function leaveOpen(
  definition: AnyResource,
  {
    create,
    cause,
    open,
  }: {
    readonly create: KnownCreate;
    readonly cause: string;
    readonly open: Omit<Extract<Decision, { kind: "open" }>, "kind">;
  },
): Created {
  return { kind: "undecided", name: create.name, diagnostics: [words.leftUndecided(definition, cause, open)] };
}

type Attempt = Created | { readonly kind: "open"; readonly create: KnownCreate; readonly cause: string };

async function attempt(
  definition: AnyResource,
  { creation, queue, seen }: Sending,
  { context, journal, queues, made }: Writing,
): Promise<Attempt> {
  const isInQueue = await queues.membersOf(queue);
  let result: WriteResult;
  let name: string | null = null;
  const noting: Journal = {
    ...journal,
    begin: async (facts, signal) => {
      const numbers = await journal.begin(
        facts,
        signal,
        (other, create) => !seen.has(other) && isUnsettled(create) && isInQueue(create),
      );
      if (numbers[0] !== undefined) name = journal.nameOf(numbers[0]);
      return numbers;
    },
  };
  const begun = async () => (await journal.known()).creates.find((create) => create.name === name);
  try {
    result = await createOne(definition, creation, { ...context, journal: noting });
  } catch (error) {
    // Once the intent is stored, the request may have been sent. From then on, a failure is an outcome, not an exception.
    const create = await begun();
    if (!create || !isOpen(create)) throw error;
    return { kind: "open", create, cause: error instanceof Error ? error.message : String(error) };
  }
  switch (result.kind) {
    case "done":
      if (!result.record) throw new Error("a create recorded nothing");
      if (result.record.id !== null) made(result.record.id);
      return { kind: "made", record: result.record, diagnostics: result.warnings };
    case "failed":
      return { kind: "refused", diagnostics: [result.diagnostic] };
    case "unconfirmed":
      return { kind: "made", record: result.record, diagnostics: [{ ...result.diagnostic, severity: "warning" }] };
    case "undecided": {
      const create = await begun();
      if (!create) throw new Error("the journal has no open create");
      return { kind: "open", create, cause: result.cause };
    }
  }
}
