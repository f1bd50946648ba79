import type { AnyResource } from "../../model/definition.ts";
import type { RecordedInstance } from "../../model/instance.ts";
import { type Attributes, hasUnknown, isUnknown } from "../../model/value.ts";
import type { Intent } from "../../state/journal-event.ts";
import type { Creation, WriteContext } from "./write-context.ts";

/** A write to begin. */
export type IntendedWrite =
  | { readonly op: "create"; readonly creation: Creation }
  | { readonly op: "delete"; readonly instance: RecordedInstance; readonly id: string | null }
  | {
      readonly op: "replace";
      readonly order: NonNullable<Intent["order"]>;
      readonly instance: RecordedInstance;
      readonly creation: Creation;
    };

/** Stores the intent of a write ahead of its turn. */
export async function storeIntentAhead(
  definition: AnyResource,
  write: IntendedWrite,
  context: WriteContext,
): Promise<number> {
  const [intentSeq] = await context.journal.begin([await intentOf(definition, write, context)], context.signal);
  if (intentSeq === undefined) throw new Error("the journal did not number an intent");
  return intentSeq;
}

/** Stores the intent, if that has not happened ahead, right before its request: nothing is sent earlier. */
export async function storeIntent(
  definition: AnyResource,
  write: IntendedWrite,
  context: WriteContext,
): Promise<number> {
  const intentSeq = context.intentSeq ?? (await storeIntentAhead(definition, write, context));
  await renewIntent(intentSeq, context, context.signal);
  return intentSeq;
}

/** Makes sure, right before each request of a write, that its intent still stands; stores it again where it is too old. If it cannot, nothing is sent, and the intent ends. */
export async function renewIntent(intentSeq: number, { journal }: WriteContext, signal: AbortSignal): Promise<void> {
  try {
    await journal.beforeRequest(intentSeq, signal);
  } catch (error) {
    await journal.record([{ kind: "failed", of: intentSeq, code: "not_sent" }]).catch(() => undefined);
    throw error;
  }
}

async function intentOf(
  definition: AnyResource,
  write: IntendedWrite,
  { baseline, clock, signal }: WriteContext,
): Promise<Intent> {
  const { op } = write;
  const creation = op === "delete" ? null : write.creation;
  const { address, provider } = op === "delete" ? write.instance : write.creation;
  const id = op === "create" ? null : op === "delete" ? write.id : write.instance.id;
  const planned = creation === null ? null : withoutUnknown(definition, creation.attributes);
  const key = planned === null ? {} : keyIn(definition, planned);
  const { listed, serverDate } =
    planned !== null && definition.list ? await baseline(signal) : { listed: null, serverDate: "" };
  const { masked, lookups, details, mark } = creation ?? {};
  return {
    kind: "intent",
    op,
    address,
    type: definition.type,
    provider,
    id,
    key,
    planned,
    listed,
    serverDate,
    sentAtMs: clock.now(),
    ...(op === "replace" ? { order: write.order } : {}),
    ...(masked?.length ? { masked } : {}),
    ...(lookups ? { lookups } : {}),
    ...(details ? { details } : {}),
    ...(mark === undefined ? {} : { mark }),
  };
}

/** The attributes by which a list shows an object with these values. */
export function keyIn({ identity }: AnyResource, planned: Attributes): Attributes {
  return Object.fromEntries(identity.map((name) => [name, planned[name] ?? null]));
}

/** The values that are known before the create; computed ones are null until the service has answered. */
export function withoutUnknown(definition: AnyResource, attributes: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => {
      if (!hasUnknown(value)) return [name, value];
      if (isUnknown(value) && definition.schema[name]?.mode === "computed") return [name, null];
      throw new Error(`${definition.type}: ${name} is still unknown at apply`);
    }),
  );
}
