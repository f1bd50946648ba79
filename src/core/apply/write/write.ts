import { NEVER_ABORTED } from "../../model/async.ts";
import type { AnyResource, LiveObject, WriteOutcome } from "../../model/definition.ts";
import type { RecordedInstance } from "../../model/instance.ts";
import { type Attributes, isSecretDigest } from "../../model/value.ts";
import { unmanagedDuplicateDiagnostic } from "../../plan/diagnostics.ts";
import { isWatched } from "../../plan/irreversible-records.ts";
import { type Unlisted, missingFrom } from "../../plan/missing.ts";
import type { JournalFact } from "../../state/journal-event.ts";
import { renewIntent, storeIntent, withoutUnknown } from "./store-intent.ts";
import {
  afterLostAnswer,
  createdByEarlier,
  notProvenGone,
  notRecorded,
  oldOneLeft,
  oldOneStays,
  unconfirmedDiagnostic,
  undecidedDiagnostic,
} from "./outcome-diagnostics.ts";
import { deposing, recordOf, withoutDeposed } from "./record.ts";
import { type FoundEarlier, settleEarlierRejection } from "./rejected-create.ts";
import { blockedByHolder } from "./exclusive-holder.ts";
import { type Sending, type SentOutcome, retryRule, send, sendCreate } from "./send-create.ts";
import { type Creation, type WriteContext, type WriteResult } from "./write-context.ts";

/** The single create of every frontend: refuses to duplicate an unmanaged object, stores the intent, sends, and stores the outcome. */
export async function createOne(
  definition: AnyResource,
  creation: Creation,
  context: WriteContext,
): Promise<WriteResult> {
  const earlier = await settleEarlierRejection(definition, creation, context);
  if (earlier) return recordEarlier(definition, { creation, earlier }, context);
  const duplicates = await findDuplicates(definition, creation, context);
  if (duplicates.length > 0)
    return { kind: "failed", diagnostic: unmanagedDuplicateDiagnostic(definition, creation, duplicates) };
  const blocked = await blockedByHolder(definition, { creation }, context);
  if (blocked) return { kind: "failed", diagnostic: blocked };
  return withSlots(1, context, async (client) => {
    const intentSeq = await storeIntent(definition, { op: "create", creation }, context);
    return recordCreateOutcome(definition, creation, { context, intentSeq, client });
  });
}

/** Records the object that an earlier create of the same has made. */
async function recordEarlier(
  definition: AnyResource,
  { creation, earlier: { object, lost } }: { readonly creation: Creation; readonly earlier: FoundEarlier },
  context: WriteContext,
): Promise<WriteResult> {
  const intentSeq = await storeIntent(definition, { op: "create", creation }, context);
  context.live.added(object);
  context.answered?.();
  const outcome = { kind: "done", id: object.id, returned: object.attributes, lost } as const;
  const record = await storeCreated(definition, { creation, outcome, as: "done" }, { context, intentSeq });
  return { kind: "done", record, warnings: [createdByEarlier(definition, object.id)] };
}

/**
 * The single delete of every frontend. An object is gone when the service deletes it now, or when it reports that it does not
 * exist and by the list it counts as missing: two independent answers, so the evidence of a list that may be truncated is enough.
 */
export async function deleteOne(
  definition: AnyResource,
  instance: RecordedInstance,
  context: WriteContext,
): Promise<WriteResult> {
  return deleteAs(definition, { instance, object: instance, record: null }, context);
}

/** Deletes an older object of an instance; the current one stays. */
export async function deleteDeposed(
  definition: AnyResource,
  { instance, id }: { readonly instance: RecordedInstance; readonly id: string },
  context: WriteContext,
): Promise<WriteResult> {
  const object = instance.deposed?.find((old) => old.id === id) ?? { id, attributes: {} };
  return deleteAs(definition, { instance, object, record: withoutDeposed(instance, id) }, context);
}

async function deleteAs(
  definition: AnyResource,
  {
    instance,
    object,
    record,
  }: { readonly instance: RecordedInstance; readonly object: Unlisted; readonly record: RecordedInstance | null },
  context: WriteContext,
): Promise<WriteResult> {
  return withSlots(1, context, async (client) => {
    const intentSeq = await storeIntent(definition, { op: "delete", instance, id: object.id }, context);
    const deleted = await sendDelete(definition, { object, address: instance.address }, { context, intentSeq, client });
    if (deleted.kind !== "gone") return deleted;
    context.answered?.();
    await context.journal.record([{ kind: "done", of: intentSeq, record, returned: deleted.returned }]);
    return { kind: "done", record, warnings: [] };
  });
}

export interface Replacement {
  readonly instance: RecordedInstance;
  readonly creation: Creation;
  /** The delete when absent. */
  readonly order?: "delete-first" | "create-first";
  /** Called once the first half is carried out, with the id of the object that exists then. */
  readonly onHalf?: (id: string | null) => void;
}

/** A delete and a create as one record, back to back: both requests are reserved before the first is sent. */
export async function replaceOne(
  definition: AnyResource,
  { instance, creation, order = "delete-first", onHalf }: Replacement,
  context: WriteContext,
): Promise<WriteResult> {
  await settleEarlierRejection(definition, creation, context);
  const own = new Set(deposing(instance).map(({ id }) => id));
  const duplicates = await findDuplicates(definition, creation, {
    ...context,
    isManaged: (id) => own.has(id) || context.isManaged(id),
  });
  if (duplicates.length > 0)
    return { kind: "failed", diagnostic: unmanagedDuplicateDiagnostic(definition, creation, duplicates) };
  const blocked = await blockedByHolder(
    definition,
    { creation, ...(order === "delete-first" ? { deletes: instance.id } : {}) },
    context,
  );
  if (blocked)
    return { kind: "failed", diagnostic: order === "create-first" ? oldOneStays(blocked, instance) : blocked };
  return withSlots(2, context, async (client) => {
    const intentSeq = await storeIntent(definition, { op: "replace", order, instance, creation }, context);
    const sending = { context, intentSeq, client };
    if (order === "create-first")
      return createThenDelete(definition, { instance, creation, ...(onHalf ? { onHalf } : {}) }, sending);
    return deleteThenCreate(definition, { instance, creation, ...(onHalf ? { onHalf } : {}) }, sending);
  });
}

async function deleteThenCreate(
  definition: AnyResource,
  { instance, creation, onHalf }: Replacement,
  { context, intentSeq, client }: Sending,
): Promise<WriteResult> {
  const { clock, journal } = context;
  const sentMs = clock.monotonicMs();
  let answeredMs = sentMs;
  const answered = (): void => {
    answeredMs = clock.monotonicMs();
    context.answered?.();
  };
  const deleted = await sendDelete(
    definition,
    { object: instance, address: instance.address },
    { context, intentSeq, client },
  );
  if (deleted.kind !== "gone") return deleted;
  await journal.record([{ kind: "deleted", of: intentSeq, atMs: clock.now(), returned: deleted.returned }]);
  onHalf?.(null);
  await renewIntent(intentSeq, context, NEVER_ABORTED);
  const created = await recordCreateOutcome(definition, creation, {
    context: { ...context, answered },
    intentSeq,
    client,
    replaces: "gone",
  });
  if (created.kind === "failed" || created.kind === "undecided") return { ...created, gone: true };
  return created.kind === "done" && !deleted.before ? { ...created, gapMs: answeredMs - sentMs } : created;
}

async function createThenDelete(
  definition: AnyResource,
  { instance, creation, onHalf }: Replacement,
  sending: Sending,
): Promise<WriteResult> {
  const { context, intentSeq } = sending;
  const outcome = await sendCreate(definition, creation, { ...sending, replaces: "kept" });
  if (outcome.kind === "refused") {
    await context.journal.record([failed(intentSeq, outcome)]);
    return { kind: "failed", diagnostic: oldOneStays(outcome.diagnostic, instance) };
  }
  if (outcome.kind === "unsure") return undecided(definition, { ...outcome, half: "create" }, sending);
  const created = await storeCreated(
    definition,
    { creation: { ...creation, deposed: deposing(instance) }, outcome, as: "created" },
    sending,
  );
  onHalf?.(created.id);
  await renewIntent(intentSeq, context, NEVER_ABORTED);
  const deleted = await sendDelete(definition, { object: instance, address: instance.address }, sending);
  if (deleted.kind === "undecided") return { ...deleted, created };
  if (deleted.kind === "failed")
    return { ...deleted, diagnostic: oldOneLeft(definition, deleted.diagnostic, String(instance.id)), created };
  const record = withoutDeposed(created, String(instance.id));
  await context.journal.record([{ kind: "done", of: intentSeq, record, returned: deleted.returned }]);
  return { kind: "done", record, warnings: outcome.warnings ?? [] };
}

async function withSlots(
  count: number,
  { access, signal }: WriteContext,
  write: (client: unknown) => Promise<WriteResult>,
): Promise<WriteResult> {
  const slots = await access.reserve(count, signal);
  try {
    return await write(slots.client);
  } finally {
    slots.release();
  }
}

/** Finds what blocks a create before anything is sent. */
async function findDuplicates(
  definition: AnyResource,
  creation: Creation,
  { live, isManaged, signal }: WriteContext,
): Promise<readonly LiveObject[]> {
  for (const [name, value] of Object.entries(creation.attributes)) {
    if (isSecretDigest(value) && creation.secrets[name] === undefined)
      throw new Error(`${definition.type}: the value of ${name} is missing`);
  }
  if (creation.allowDuplicate || !definition.list) return [];
  return (await live.duplicates(creation.attributes, signal)).filter(({ id }) => !isManaged(id));
}

async function recordCreateOutcome(
  definition: AnyResource,
  creation: Creation,
  sending: Sending,
): Promise<WriteResult> {
  const { context, intentSeq } = sending;
  const { irreversible } = definition;
  const outcome = await sendCreate(definition, creation, sending);
  context.answered?.();
  if (irreversible && outcome.attempted && outcome.kind === "refused")
    return {
      ...(await unconfirmed(
        definition,
        { creation, irreversible, cause: afterLostAnswer(outcome.diagnostic) },
        sending,
      )),
      refused: true,
    };
  if (outcome.kind === "unsure")
    return irreversible
      ? unconfirmed(definition, { creation, irreversible, cause: outcome.cause }, sending)
      : undecided(definition, { ...outcome, half: "create" }, sending);
  if (outcome.kind === "done") {
    const record = await storeCreated(definition, { creation, outcome, as: "done" }, sending);
    return { kind: "done", record, warnings: outcome.warnings ?? [] };
  }
  await context.journal.record([failed(intentSeq, outcome)]);
  return { kind: "failed", diagnostic: outcome.diagnostic };
}

function failed(intentSeq: number, { diagnostic, lost }: Extract<SentOutcome, { kind: "refused" }>): JournalFact {
  return { kind: "failed", of: intentSeq, code: diagnostic.code, ...(lost ? { lost } : {}) };
}

interface Created {
  readonly creation: Creation;
  readonly outcome: Extract<SentOutcome, { kind: "done" }>;
  readonly as: "created" | "done";
}

async function storeCreated(
  definition: AnyResource,
  { creation, outcome, as }: Created,
  { context, intentSeq }: Pick<Sending, "context" | "intentSeq">,
): Promise<RecordedInstance> {
  const { id, returned, lost } = outcome;
  const nowMs = context.clock.now();
  const made = recordOf(
    definition,
    { ...creation, planned: withoutUnknown(definition, creation.attributes) },
    { id, returned, nowMs },
  );
  const record = definition.list && !lost?.found ? { ...made, unlisted: true as const } : made;
  const fact: JournalFact = {
    kind: as,
    of: intentSeq,
    record,
    ...(as === "created" ? { atMs: nowMs } : {}),
    ...(lost ? { lost } : {}),
  };
  await context.journal.record([fact]).catch((error: unknown) => {
    throw notRecorded(definition, record, error);
  });
  return record;
}

async function unconfirmed(
  definition: AnyResource,
  {
    creation,
    irreversible,
    cause,
  }: {
    readonly creation: Creation;
    readonly irreversible: NonNullable<AnyResource["irreversible"]>;
    readonly cause: string;
  },
  { context, intentSeq }: Sending,
): Promise<Extract<WriteResult, { kind: "unconfirmed" }>> {
  const wanted = { ...creation, planned: withoutUnknown(definition, creation.attributes) };
  const record = recordOf(definition, wanted, {
    id: null,
    returned: irreversible.unconfirmed,
    nowMs: context.clock.now(),
  });
  await context.journal.record([{ kind: "done", of: intentSeq, record }]);
  return {
    kind: "unconfirmed",
    record,
    diagnostic: unconfirmedDiagnostic(definition, {
      address: creation.address,
      cause,
      isWatched: isWatched(definition, creation.attributes),
    }),
  };
}

type Deleted =
  | {
      readonly kind: "gone";
      readonly returned: Attributes;
      /** Whether it was gone before this delete. */ readonly before: boolean;
    }
  | Extract<WriteResult, { kind: "failed" | "undecided" }>;

async function sendDelete(
  definition: AnyResource,
  { object, address }: { readonly object: Unlisted; readonly address: string },
  { context, intentSeq, client }: Sending,
): Promise<Deleted> {
  const remove = definition.delete;
  const { id } = object;
  if (id === null || !remove) throw new Error(`${definition.type} without an id or a delete cannot be deleted`);
  const retry = retryRule({ context, intentSeq });
  const outcome = await send(() => remove(id, { client, signal: NEVER_ABORTED, retry }));
  if (outcome.kind === "unsure") return undecided(definition, { ...outcome, half: "delete" }, { context, intentSeq });
  const isGoneBefore = outcome.kind === "refused" && outcome.gone === true;
  if (outcome.kind === "refused" && !(isGoneBefore && (await isGone(definition, object, context)))) {
    await context.journal.record([{ kind: "failed", of: intentSeq, code: outcome.diagnostic.code }]);
    return {
      kind: "failed",
      diagnostic: isGoneBefore ? notProvenGone(definition, outcome.diagnostic, address) : outcome.diagnostic,
    };
  }
  context.live.removed(id);
  return {
    kind: "gone",
    returned: outcome.kind === "done" ? outcome.returned : {},
    before: outcome.kind === "refused",
  };
}

/** The service reports that there is no such object. Unless the list agrees, that is a refusal, not an open outcome. */
async function isGone(definition: AnyResource, object: Unlisted, { live }: WriteContext): Promise<boolean> {
  const listing = await live.again(NEVER_ABORTED, { confirm: true }).catch(() => null);
  return (
    listing !== null &&
    !listing.objects.some(({ id }) => id === object.id) &&
    missingFrom(definition, listing, [object])(object)
  );
}

async function undecided(
  definition: AnyResource,
  { cause, answered, half }: Extract<WriteOutcome, { kind: "unsure" }> & { readonly half: "create" | "delete" },
  { context, intentSeq }: Pick<Sending, "context" | "intentSeq">,
): Promise<Extract<WriteResult, { kind: "undecided" }>> {
  await context.journal.record([{ kind: "undecided", of: intentSeq, cause, answered, atMs: context.clock.now() }]);
  return { kind: "undecided", cause, diagnostic: undecidedDiagnostic(definition, { half, cause }) };
}
