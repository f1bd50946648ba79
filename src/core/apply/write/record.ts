import type { AnyResource } from "../../model/definition.ts";
import type { DeposedObject, RecordedInstance } from "../../model/instance.ts";
import type { Attributes, Value } from "../../model/value.ts";
import { hasOutcome } from "../../plan/resource.ts";

/** What a record holds that the service does not tell. */
export interface Wanted extends Partial<Pick<RecordedInstance, "masked" | "lookups" | "deposed" | "details" | "mark">> {
  readonly address: string | null;
  readonly provider: string;
  /** The known values; secrets are digests. */
  readonly planned: Attributes;
  /** The record of the same irreversible write, where it was sent before. */
  readonly earlier?: RecordedInstance;
}

/** The record of an object that was created: as planned, with what the service has computed filled in. */
export function recordOf(
  definition: AnyResource,
  {
    address,
    provider,
    planned,
    masked = [],
    lookups = {},
    deposed = [],
    earlier,
    details = earlier?.details,
    mark,
  }: Wanted,
  { id, returned, nowMs }: { readonly id: string | null; readonly returned: Attributes; readonly nowMs: number },
): RecordedInstance {
  const attributes: Record<string, Value> = { ...planned };
  for (const [name, { mode }] of Object.entries(definition.schema)) {
    if (mode === "computed") attributes[name] = returned[name] ?? null;
  }
  return {
    address: address ?? "",
    type: definition.type,
    provider,
    schemaVersion: definition.version,
    id,
    attributes,
    returned,
    unobserved: [],
    assumed: [],
    ...(earlier ? timesOfRepeated(definition, { earlier, attributes, nowMs }) : { recordedAtMs: nowMs }),
    ...(masked.length > 0 ? { masked } : {}),
    ...(Object.keys(lookups).length > 0 ? { lookups } : {}),
    ...(deposed.length > 0 ? { deposed } : {}),
    // A list that no longer says it does not change what it said.
    ...(details ? { details } : {}),
    ...(mark === undefined ? {} : { mark }),
  };
}

/** A write that is sent again keeps the time of its first request, and the first time at which it was found to be done. */
function timesOfRepeated(
  { irreversible }: AnyResource,
  {
    earlier,
    attributes,
    nowMs,
  }: { readonly earlier: RecordedInstance; readonly attributes: Attributes; readonly nowMs: number },
): Pick<RecordedInstance, "recordedAtMs" | "sentAtMs" | "doneAtMs"> {
  const isDone = ({ attributes: of }: Pick<RecordedInstance, "attributes">): boolean =>
    irreversible !== undefined && !hasOutcome(of, irreversible.gone) && !hasOutcome(of, irreversible.unconfirmed);
  const doneAtMs =
    earlier.doneAtMs ?? (isDone(earlier) ? earlier.recordedAtMs : isDone({ attributes }) ? nowMs : undefined);
  return { recordedAtMs: earlier.recordedAtMs, sentAtMs: nowMs, ...(doneAtMs === undefined ? {} : { doneAtMs }) };
}

/** The older objects of an address once its current one has been replaced too. */
export function deposing({ id, attributes, returned, deposed = [] }: RecordedInstance): readonly DeposedObject[] {
  return id === null ? deposed : [...deposed, { id, attributes, returned }];
}

/** The record without one of its older objects. */
export function withoutDeposed({ deposed = [], ...record }: RecordedInstance, id: string): RecordedInstance {
  const left = deposed.filter((old) => old.id !== id);
  return left.length > 0 ? { ...record, deposed: left } : record;
}
