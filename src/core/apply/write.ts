import { type Diagnostic, DiagnosticsError } from "../model/diagnostic.ts";
import type { AnyResource, LiveObject, WriteOutcome } from "../model/definition.ts";
import type { RecordedInstance } from "../model/instance.ts";
import type { Clock } from "../model/ports.ts";
import { type Attributes, type Value, hasUnknown, isSecretDigest, isUnknown } from "../model/value.ts";
import { unmanagedTwinDiagnostic } from "../plan/diagnostics.ts";
import { isTwin } from "../plan/observe.ts";
import type { Intent, Journal } from "../state/journal-event.ts";
import type { LiveList } from "./live-list.ts";

/** Write access to the service: a client is good for as many requests as were reserved of the rate limit, back to back. */
export interface WriteAccess {
  /** Waits until `count` requests may be sent at once. */
  reserve(count: number, signal: AbortSignal): Promise<{ readonly client: unknown; release(): void }>;
}

/** The ids that were live before the first write of a run, as the journal holds them. */
export type Baseline = (signal: AbortSignal) => Promise<{ readonly listed: number | null; readonly serverDate: string }>;

/** Stores the live ids in the journal once, when the first create needs them. */
export function openBaseline(live: LiveList, journal: Journal): Baseline {
  let stored: ReturnType<Baseline> | null = null;
  return (signal) => {
    stored ??= live.get(signal).then(async ({ objects, serverDate }) => {
      const [listed = null] = await journal.begin([{ kind: "listed", ids: objects.map(({ id }) => id) }], signal);
      return { listed, serverDate };
    });
    stored.catch(() => (stored = null));
    return stored;
  };
}

export interface WriteContext {
  readonly access: WriteAccess;
  /** The live list of the type that is written. */
  readonly live: LiveList;
  readonly journal: Journal;
  readonly baseline: Baseline;
  readonly clock: Clock;
  /** Whether an id belongs to an object that this configuration manages. */
  readonly isManaged: (id: string) => boolean;
  readonly signal: AbortSignal;
}

/** One create, as planned: `attributes` go into plan, state and journal (secrets as digests in the reconciler), `secrets` to the service. */
export interface Creation {
  readonly address: string | null;
  readonly provider: string;
  readonly attributes: Attributes;
  /** Attributes made from sensitive variables. */
  readonly masked?: readonly string[];
  /** The values that `attributes` holds as digests, or not at all (write-only), by attribute. */
  readonly secrets: { readonly [attribute: string]: string };
  /** Whether an identical unmanaged object may be live already. */
  readonly allowTwin: boolean;
}

/** What became of a write. Only `undecided` leaves open whether the service carried it out; then nothing more is sent. */
export type WriteResult =
  | { readonly kind: "done"; readonly record: RecordedInstance | null; readonly warnings: readonly Diagnostic[] }
  | { readonly kind: "failed"; readonly diagnostic: Diagnostic; /** A replace that got as far as the delete. */ readonly gone?: true }
  | { readonly kind: "undecided"; readonly diagnostic: Diagnostic };

/** The single create of every door: refuses to double an unmanaged twin, stores the intent, sends, stores what came of it. */
export async function createOne(definition: AnyResource, creation: Creation, context: WriteContext): Promise<WriteResult> {
  const twin = await findTwin(definition, creation, context);
  if (twin) return { kind: "failed", diagnostic: unmanagedTwinDiagnostic(definition, creation, [twin]) };
  return withSlots(1, context, async (client) => {
    const of = await begin(definition, { op: "create", id: null, creation, ...creation }, context);
    return settleCreate(definition, creation, { context, of, client });
  });
}

/** The single delete of every door. Gone is what the service deletes now, or says is unknown while a complete list is without it. */
export async function deleteOne(definition: AnyResource, instance: RecordedInstance, context: WriteContext): Promise<WriteResult> {
  return withSlots(1, context, async (client) => {
    const of = await begin(definition, { op: "delete", creation: null, ...instance }, context);
    const result = await sendDelete(definition, instance, { context, of, client });
    if (result.kind === "done") await context.journal.settle([{ kind: "done", of, record: null }]);
    return result;
  });
}

/** A delete and then a create as one record, back to back: both requests are reserved before the first is sent. */
export async function replaceOne(
  definition: AnyResource,
  { instance, creation }: { readonly instance: RecordedInstance; readonly creation: Creation },
  context: WriteContext,
): Promise<WriteResult> {
  const twin = await findTwin(definition, creation, context);
  if (twin) return { kind: "failed", diagnostic: unmanagedTwinDiagnostic(definition, creation, [twin]) };
  return withSlots(2, context, async (client) => {
    const of = await begin(definition, { op: "replace", id: instance.id, creation, ...creation }, context);
    const sending = { context, of, client };
    const deleted = await sendDelete(definition, instance, sending);
    if (deleted.kind !== "done") return deleted;
    await context.journal.settle([{ kind: "deleted", of }]);
    const created = await settleCreate(definition, creation, sending);
    return created.kind === "failed" ? { ...created, gone: true } : created;
  });
}

async function withSlots(count: number, { access, signal }: WriteContext, write: (client: unknown) => Promise<WriteResult>): Promise<WriteResult> {
  const slots = await access.reserve(count, signal);
  try {
    return await write(slots.client);
  } finally {
    slots.release();
  }
}

/** A write in flight is never cut off from outside: its own time-out bounds it, and its answer is wanted. */
const UNINTERRUPTED = new AbortController().signal;

interface Sending {
  readonly context: WriteContext;
  /** The intent's sequence number. */
  readonly of: number;
  readonly client: unknown;
}

/** Refuses before anything is sent what could only fail half-way. */
async function findTwin(definition: AnyResource, creation: Creation, { live, isManaged, signal }: WriteContext): Promise<LiveObject | undefined> {
  for (const [name, value] of Object.entries(creation.attributes)) {
    if (isSecretDigest(value) && creation.secrets[name] === undefined) throw new Error(`${definition.type}: the value of ${name} is not at hand`);
  }
  if (creation.allowTwin || !definition.list) return undefined;
  const { objects } = await live.get(signal);
  return objects.find((object) => !isManaged(object.id) && isTwin(definition, creation.attributes, object));
}

type Beginning = Pick<Intent, "op" | "id" | "address" | "provider"> & { readonly creation: Creation | null };

async function begin(definition: AnyResource, { op, id, creation, address, provider }: Beginning, context: WriteContext): Promise<number> {
  const planned = creation === null ? null : withoutUnknown(definition, creation.attributes);
  const key = planned === null ? {} : Object.fromEntries(definition.identity.map((name) => [name, planned[name] ?? null]));
  const before = planned !== null && definition.list ? await context.baseline(context.signal) : { listed: null, serverDate: "" };
  const [of] = await context.journal.begin(
    [{ kind: "intent", op, address, type: definition.type, provider, id, key, planned, ...before, sentAtMs: context.clock.now() }],
    context.signal,
  );
  if (of === undefined) throw new Error("the journal did not number an intent");
  return of;
}

async function settleCreate(definition: AnyResource, creation: Creation, { context, of, client }: Sending): Promise<WriteResult> {
  const planned = withoutUnknown(definition, creation.attributes);
  const outcome = await send(() => definition.create({ ...planned, ...creation.secrets }, { client, signal: UNINTERRUPTED }));
  if (outcome.kind === "refused") {
    await context.journal.settle([{ kind: "failed", of, code: outcome.diagnostic.code }]);
    return { kind: "failed", diagnostic: outcome.diagnostic };
  }
  if (outcome.kind === "unsure") return undecided(definition, outcome, { context, of });
  const record = recordOf(definition, { creation, planned, outcome, nowMs: context.clock.now() });
  await context.journal.settle([{ kind: "done", of, record }]).catch((error: unknown) => {
    throw notRecorded(definition, record, error);
  });
  if (outcome.id !== null) context.live.added({ id: outcome.id, attributes: outcome.returned });
  return { kind: "done", record, warnings: outcome.warnings ?? [] };
}

async function sendDelete(definition: AnyResource, instance: RecordedInstance, { context, of, client }: Sending): Promise<WriteResult> {
  const { id } = instance;
  const remove = definition.delete;
  if (id === null || !remove) throw new Error(`${definition.type} without an id or a delete cannot be deleted`);
  const outcome = await send(() => remove(id, { client, signal: UNINTERRUPTED }));
  if (outcome.kind === "unsure") return undecided(definition, outcome, { context, of });
  if (outcome.kind === "refused") {
    const gone = outcome.gone === true && (await isGone(id, context));
    if (!gone) {
      await context.journal.settle([{ kind: "failed", of, code: outcome.diagnostic.code }]);
      return { kind: "failed", diagnostic: outcome.diagnostic };
    }
  }
  context.live.removed(id);
  return { kind: "done", record: null, warnings: [] };
}

/** The service has said that there is no such object: without a list that shows it, that is a refusal, not an open outcome. */
async function isGone(id: string, { live }: WriteContext): Promise<boolean> {
  const listing = await live.again(UNINTERRUPTED).catch(() => null);
  return listing !== null && listing.complete && !listing.objects.some((object) => object.id === id);
}

/** An exception in the middle of a request says nothing about what the service did. */
async function send(request: () => Promise<WriteOutcome>): Promise<WriteOutcome> {
  try {
    return await request();
  } catch (error) {
    return { kind: "unsure", cause: error instanceof Error ? error.message : "the request ended without an answer", answered: false };
  }
}

async function undecided(
  definition: AnyResource,
  { cause, answered }: Extract<WriteOutcome, { kind: "unsure" }>,
  { context, of }: Pick<Sending, "context" | "of">,
): Promise<WriteResult> {
  await context.journal.settle([{ kind: "undecided", of, cause, answered }]);
  return { kind: "undecided", diagnostic: undecidedDiagnostic(definition.noun, cause) };
}

interface Recording {
  readonly creation: Creation;
  readonly planned: Attributes;
  readonly outcome: Extract<WriteOutcome, { kind: "done" }>;
  readonly nowMs: number;
}

function recordOf(definition: AnyResource, { creation, planned, outcome, nowMs }: Recording): RecordedInstance {
  const attributes: Record<string, Value> = { ...planned };
  for (const [name, attribute] of Object.entries(definition.schema)) {
    if (attribute.mode === "computed") attributes[name] = outcome.returned[name] ?? null;
  }
  return {
    address: creation.address ?? "",
    type: definition.type,
    provider: creation.provider,
    schemaVersion: definition.version,
    id: outcome.id,
    attributes,
    returned: outcome.returned,
    unobserved: [],
    assumed: [],
    recordedAtMs: nowMs,
    ...(creation.masked && creation.masked.length > 0 ? { masked: creation.masked } : {}),
  };
}

/** The values that are known before the create; computed ones are null until the service has answered. */
function withoutUnknown(definition: AnyResource, attributes: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => {
      if (!hasUnknown(value)) return [name, value];
      if (isUnknown(value) && definition.schema[name]?.mode === "computed") return [name, null];
      throw new Error(`${definition.type}: ${name} is still unknown at apply`);
    }),
  );
}

function undecidedDiagnostic(noun: string, cause: string): Diagnostic {
  return {
    code: "outcome_undecided",
    severity: "error",
    summary: "The outcome of a write is undecided",
    detail: `The service may or may not have carried it out: ${cause}. Nothing more is sent before that is settled: a ${noun} could be doubled.`,
  };
}

/** The object is there, but no file tells so: its id must at least be seen. */
function notRecorded({ noun }: AnyResource, { address, id }: RecordedInstance, error: unknown): DiagnosticsError {
  return new DiagnosticsError([
    {
      code: "outcome_not_recorded",
      severity: "error",
      summary: "An outcome could not be recorded",
      detail: `The ${noun} ${String(id)} was created, but the journal could not be written: ${error instanceof Error ? error.message : String(error)}. Nothing more was sent.`,
      hint: `Make room on the disk, then run: outreach import '${address}' ${String(id)}`,
      address,
    },
  ]);
}
