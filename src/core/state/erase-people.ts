import { formatAddress, recordedAddress } from "../model/address.ts";
import type { RecordedInstance } from "../model/instance.ts";
import type { Attributes, Value } from "../model/value.ts";
import { keyedDigest } from "./checksum.ts";
import type { StateDocument } from "./document.ts";

const PREFIX = "erased:";
const MARK_DIGITS = 32;

/** What stands in the place of a person in this state: the same for the same person, and computable only with the key. */
export function erasureMark(key: string, person: string): string {
  return PREFIX + keyedDigest(key, person).slice(0, MARK_DIGITS);
}

/** The hash of a mark, short enough to be read out. */
export function shortMark(mark: string): string {
  return mark.slice(PREFIX.length, PREFIX.length + 8);
}

export interface Erasing {
  /** The mark of each person. */
  readonly marks: ReadonlyMap<string, string>;
  /** The person that a record is about; null where it is about nobody. */
  readonly personOf: (instance: RecordedInstance) => string | null;
  /** What stays of the record's values, or null where nothing is known to be done. Its identity has `mark` in the place of the person. */
  readonly done: (instance: RecordedInstance, mark: string) => DoneRecord | null;
  /** A text with marks in the place of people. */
  readonly replace: (text: string) => string;
}

interface DoneRecord {
  readonly identity: readonly string[];
  readonly attributes: Attributes;
  readonly erased: NonNullable<RecordedInstance["erased"]>;
}

/** What of one person was recorded. */
export interface PersonRecords {
  /** Records of what is done: they stay, under the mark. */
  done: number;
  /** Records of what was not found, or not confirmed: they are removed. */
  waiting: number;
  /** Records under the mark, of an earlier erasure. */
  before: number;
}

export interface ErasedDocument {
  readonly document: StateDocument;
  readonly isChanged: boolean;
  readonly people: ReadonlyMap<string, PersonRecords>;
  /** How many outputs contained one of the people. */
  readonly outputs: number;
}

/**
 * The document without some people. What is done stays known under a keyed hash, and is declared by nothing; what waits is
 * removed. The records of objects that others see stay as they are.
 */
export function erasePeople(
  document: StateDocument,
  erasureKey: string,
  { marks, personOf, done, replace }: Erasing,
): ErasedDocument {
  const people = new Map(
    [...marks.values()].map((mark): [string, PersonRecords] => [mark, { done: 0, waiting: 0, before: 0 }]),
  );
  const erased = new Map<string, RecordedInstance>();
  const kept: RecordedInstance[] = [];
  for (const instance of document.instances) {
    const person = personOf(instance);
    const counts = people.get((instance.erased ? person : marks.get(person ?? "")) ?? "");
    const mark = instance.erased ? null : marks.get(person ?? "");
    if (counts && instance.erased) counts.before++;
    if (mark === null || mark === undefined || !counts) {
      kept.push(instance);
      continue;
    }
    const stays = done(instance, mark);
    counts[stays ? "done" : "waiting"]++;
    if (stays) {
      const record = erasedRecord(instance, stays);
      erased.set(record.address, record);
    }
  }
  const outputs = document.outputs.map((output) => ({ ...output, value: replacedIn(output.value, replace) }));
  const changedOutputs = outputs.filter(
    ({ value }, index) => JSON.stringify(value) !== JSON.stringify(document.outputs[index]?.value),
  ).length;
  const isChanged = kept.length < document.instances.length || changedOutputs > 0;
  // An earlier erasure has the same record.
  const instances = [
    ...new Map([...erased, ...kept.map((instance) => [instance.address, instance] as const)]).values(),
  ];
  return {
    document: isChanged ? { ...document, erasureKey, instances, outputs } : document,
    isChanged,
    people,
    outputs: changedOutputs,
  };
}

/** Nothing but what tells that it was done, and when: ids of the service lead to the person, and so may free text. */
function erasedRecord(
  { address, type, provider, schemaVersion, recordedAtMs, sentAtMs, doneAtMs, settled }: RecordedInstance,
  { identity, attributes, erased }: DoneRecord,
): RecordedInstance {
  return {
    address: formatAddress({ ...recordedAddress(address), key: identity.join("/") }),
    type,
    provider,
    schemaVersion,
    id: null,
    attributes,
    returned: {},
    unobserved: [],
    assumed: [],
    recordedAtMs,
    ...(sentAtMs === undefined ? {} : { sentAtMs }),
    ...(doneAtMs === undefined ? {} : { doneAtMs }),
    ...(settled ? { settled } : {}),
    undeclared: true,
    erased,
  };
}

function replacedIn(value: Value, replace: (text: string) => string): Value {
  if (typeof value === "string") return replace(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return (value as readonly Value[]).map((item) => replacedIn(item, replace));
  return Object.fromEntries(
    Object.entries(value as { readonly [name: string]: Value }).map(([name, item]) => [
      replace(name),
      replacedIn(item, replace),
    ]),
  );
}
