import {
  type Shape,
  anyAttributes,
  anyFlag,
  anyNumber,
  anyText,
  anyWord,
  anyTime,
  anyValue,
  fields,
  listOf,
  maybe,
  oneOf,
  orNull,
  recordOf,
} from "../model/shape.ts";

const texts = listOf(anyText);

/** A `RecordedInstance`. */
export const recordShape: Shape = fields({
  address: anyText,
  type: anyText,
  provider: anyText,
  schemaVersion: anyNumber,
  id: orNull(anyText),
  attributes: anyAttributes,
  returned: anyAttributes,
  unobserved: texts,
  assumed: texts,
  recordedAtMs: maybe(anyTime),
  masked: maybe(texts),
  lookups: maybe(recordOf(anyText)),
  deposed: maybe(listOf(fields({ id: anyText, attributes: anyAttributes, returned: anyAttributes }))),
  unlisted: maybe(anyFlag),
  unapplied: maybe(anyFlag),
  undeclared: maybe(anyFlag),
  sentAtMs: maybe(anyTime),
  doneAtMs: maybe(anyTime),
  details: maybe(recordOf(anyText)),
  mark: maybe(anyText),
});

const lostCreateShape: Shape = fields({
  type: anyText,
  id: maybe(anyText),
  address: orNull(anyText),
  key: anyAttributes,
  planned: anyAttributes,
  provider: anyText,
  preIds: texts,
  sentAtMs: anyTime,
  replaces: maybe(anyText),
  mark: maybe(anyText),
  serverDate: maybe(anyText),
  rejected: maybe(fields({ serverDate: anyText })),
});

/** A `JournalEvent`. */
export const eventShape: Shape = (event) =>
  fields({ seq: anyNumber, kind: anyText })(event) &&
  (KINDS[(event as { readonly kind: string }).kind] ?? never)(event);

const never: Shape = () => false;
const moves = fields({ address: anyText, record: orNull(recordShape) });

const KINDS: { readonly [kind: string]: Shape } = Object.assign(Object.create(null) as object, {
  intent: fields({
    op: oneOf("create", "delete", "replace"),
    order: maybe(oneOf("delete-first", "create-first")),
    address: orNull(anyText),
    type: anyText,
    provider: anyText,
    id: orNull(anyText),
    key: anyAttributes,
    planned: orNull(anyAttributes),
    listed: orNull(anyNumber),
    serverDate: anyText,
    sentAtMs: anyTime,
    masked: maybe(texts),
    lookups: maybe(recordOf(anyText)),
    details: maybe(recordOf(anyText)),
    mark: maybe(anyText),
  }),
  listed: fields({ ids: texts }),
  recorded: moves,
  moved: fields({ records: listOf(moves) }),
  deleted: fields({ of: anyNumber, atMs: maybe(anyTime), returned: maybe(anyAttributes) }),
  created: fields({ of: anyNumber, record: recordShape, atMs: maybe(anyTime), lost: maybe(lostCreateShape) }),
  done: fields({
    of: anyNumber,
    record: orNull(recordShape),
    returned: maybe(anyAttributes),
    lookalikes: maybe(texts),
    lost: maybe(lostCreateShape),
  }),
  failed: fields({ of: anyNumber, code: anyText, lost: maybe(lostCreateShape) }),
  undecided: fields({ of: anyNumber, cause: anyText, answered: anyFlag, atMs: maybe(anyTime) }),
});

/** A `JournalHeader` of any version. */
export const headerShape: Shape = fields({
  journal: anyNumber,
  lineage: anyWord,
  baseSerial: anyNumber,
  baseSeq: anyNumber,
});

export const outputShape: Shape = fields({ name: anyText, value: anyValue, sensitive: anyFlag });

/** The parts of a `StateDocument` besides its instances and its names. */
export const STATE_PARTS: { readonly [name: string]: Shape } = {
  serial: anyNumber,
  service: orNull(fields({ baseUrl: anyText, keyFingerprint: anyText })),
  outputs: listOf(outputShape),
  lostCreates: listOf(lostCreateShape),
  replacing: maybe(texts),
  pending: listOf(eventShape),
  journalSeq: anyNumber,
  run: maybe(anyText),
  rechecked: maybe(
    fields({ serial: anyNumber, journalSeq: anyNumber, since: fields({ serial: anyNumber, journalSeq: anyNumber }) }),
  ),
  sender: maybe(
    fields({ host: anyText, bootId: anyText, pidNamespace: orNull(anyText), pid: anyNumber, startedAt: anyText }),
  ),
  lists: maybe(
    listOf(
      fields({
        baseUrl: anyText,
        keyFingerprint: anyText,
        type: anyText,
        longest: maybe(fields({ length: anyNumber, atMs: anyTime })),
        contradictedAtMs: maybe(anyTime),
        unchanged: maybe(fields({ length: anyNumber, atMs: anyTime, by: anyNumber })),
        paging: maybe(anyText),
      }),
    ),
  ),
};
