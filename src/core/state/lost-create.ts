import type { RecordedInstance } from "../model/instance.ts";
import type { Attributes } from "../model/value.ts";

/**
 * The record of a create that may have been sent, and whose object no list showed, once that write is resolved: independent of its
 * address. The same for a known object that was given up because a list lacked it: it may appear again.
 */
export interface LostCreate {
  readonly type: string;
  /** The id of the object, where it was recorded before. Absent for a create that was given up. */
  readonly id?: string;
  /** Its address, for messages; null where none is known. */
  readonly address: string | null;
  /** The attributes by which the list shows it, as in its intent. */
  readonly key: Attributes;
  /** The values of the new object, as in its intent. */
  readonly planned: Attributes;
  readonly provider: string;
  /** The ids of objects with this key that existed before it was sent, and of those with its mark that were recorded since. */
  readonly preIds: readonly string[];
  /** When it was sent, or given up: milliseconds since the epoch, by the local clock. */
  readonly sentAtMs: number;
  /** The mark that its object carries: nothing else comes from it. `serverDate` is that of its intent. */
  readonly mark?: string;
  readonly serverDate?: string;
  /** An object was taken for its outcome. If that one is somebody else's, the real one may still appear. */
  readonly found?: true;
  /**
   * The service rejected it, and may have carried it out anyway. `serverDate`: of the list before it, which may
   * have been truncated (`partial`). After a `conflict`, no object is its outcome.
   */
  readonly rejected?: { readonly serverDate: string; readonly partial?: true; readonly conflict?: true };
  /** The object to delete before it was sent. If the service carries out a later delete of it, the earlier one never was, and no create was sent. */
  readonly replaces?: string;
}

/** The records, of which an object with their mark is no late outcome once it was recorded: also when it is released later, and then somebody else's. */
export function withRecorded(
  lostCreates: readonly LostCreate[],
  instances: readonly Pick<RecordedInstance, "id" | "mark">[],
): readonly LostCreate[] {
  if (!lostCreates.some(({ id, mark }) => id === undefined && mark !== undefined)) return lostCreates;
  return lostCreates.map((lostCreate) => {
    const { id: known, mark, preIds } = lostCreate;
    const ids = instances.flatMap(({ id, mark: own }) =>
      id !== null && own === mark && !preIds.includes(id) ? [id] : [],
    );
    return known !== undefined || mark === undefined || ids.length === 0
      ? lostCreate
      : { ...lostCreate, preIds: [...preIds, ...new Set(ids)], found: true };
  });
}
