import { GUARDS } from "../model/guard.ts";
import { PLAIN_OPTIONS } from "./plan-context.ts";
import {
  type Shape,
  anyAttributes,
  anyFlag,
  anyNumber,
  anyOf,
  anyText,
  anyValue,
  fields,
  isRecord,
  listOf,
  maybe,
  oneOf,
  orNull,
  recordOf,
} from "../model/shape.ts";
import type { WayOut } from "../model/way-out.ts";

const texts = listOf(anyText);

/** A `Diagnostic`. Its ways out are rendered by their kind. */
export const diagnosticShape: Shape = fields({
  code: anyText,
  severity: oneOf("error", "warning", "note"),
  summary: anyText,
  detail: anyText,
  hint: maybe(anyText),
  ways: maybe(listOf(wayShape)),
  unknown: maybe(anyText),
  cause: maybe(anyText),
  address: maybe(anyText),
  path: maybe(listOf(anyOf(anyText, anyNumber))),
  written: maybe(fields({ text: anyText, offset: anyNumber })),
  place: maybe(
    fields({
      file: anyText,
      line: maybe(anyNumber),
      column: maybe(anyNumber),
      text: maybe(anyText),
      caret: maybe(anyNumber),
      construct: maybe(anyText),
    }),
  ),
  count: maybe(anyNumber),
});

const guardShape = oneOf(...GUARDS);
const [orText, target] = [orNull(anyText), { address: orNull(anyText), type: anyText }];
const NOTHING_MORE = fields({});

/** The fields of each way out that its text has: a plan from elsewhere may have any. */
const WAYS: { readonly [kind in WayOut["kind"]]: Shape } = {
  import: fields({ ...target, ids: texts }),
  "adopt-certain": NOTHING_MORE,
  "allow-duplicate": fields({ addresses: listOf(orText) }),
  distinguish: fields({ ...target, attribute: anyText }),
  "set-exclusive": NOTHING_MORE,
  "delete-first": fields({ attribute: anyText }),
  "delete-foreign": fields({ id: anyText }),
  "remove-elsewhere": NOTHING_MORE,
  adopt: fields({ address: orText, id: anyText }),
  retry: fields(target),
  forget: fields({ address: orText }),
  "delete-late": fields({ address: orText, id: anyText }),
  dismiss: fields({ address: orText }),
  allow: fields({
    guard: guardShape,
    limit: orText,
  }),
  approve: NOTHING_MORE,
  move: fields({ from: anyText, to: anyText }),
  "declare-moved": fields({ from: anyText, to: anyText }),
  "remove-record": fields(target),
  target: fields({ addresses: texts }),
  exclude: fields({ addresses: texts }),
  untarget: NOTHING_MORE,
  replace: fields(target),
  keep: fields({ address: anyText }),
  "edit-state": NOTHING_MORE,
  "use-address": fields({ address: anyText }),
  "list-records": NOTHING_MORE,
  "list-live": NOTHING_MORE,
  "choose-state": NOTHING_MORE,
  "name-configuration": NOTHING_MORE,
  "replace-state": fields({ file: anyText, isForced: anyFlag }),
  "migrate-state": fields({ from: anyText }),
  "overwrite-state": NOTHING_MORE,
  "push-state": fields({ file: anyText }),
  "wait-for-lock": NOTHING_MORE,
  unlock: fields({ id: anyText, state: maybe(anyText) }),
  "release-creates": fields({ id: anyText }),
  "set-variable": fields({ name: orText, sensitive: anyFlag }),
  "set-attribute": fields({ ...target, attribute: anyText, value: anyOf(anyText, anyFlag), purpose: maybe(anyText) }),
  "fan-out": fields({ attribute: orText }),
  "check-list": NOTHING_MORE,
  "check-key": NOTHING_MORE,
  "write-address": fields({ isKeyed: anyFlag }),
  "use-terraform": NOTHING_MORE,
  plan: NOTHING_MORE,
  apply: NOTHING_MORE,
};

function wayShape(way: unknown): boolean {
  if (!isRecord(way) || typeof way["kind"] !== "string" || !Object.hasOwn(WAYS, way["kind"])) return false;
  return WAYS[way["kind"] as WayOut["kind"]](way);
}

const reason = fields({
  attribute: orNull(anyText),
  why: oneOf("config", "drift", "secret", "lookup", "requested"),
  lookup: maybe(anyText),
  unobserved: maybe(anyFlag),
});
const step = {
  address: anyText,
  type: anyText,
  provider: anyText,
  because: listOf(reason),
  masked: texts,
  movedFrom: maybe(anyText),
};
const [before, after, returned] = [anyAttributes, anyAttributes, anyAttributes];

const STEPS: { readonly [action: string]: Shape } = Object.assign(Object.create(null) as object, {
  create: fields({ ...step, after, again: maybe(oneOf("unconfirmed", "reassert")) }),
  replace: fields({
    ...step,
    order: oneOf("delete-first", "create-first"),
    id: anyText,
    before,
    after,
    imported: maybe(anyAttributes),
  }),
  "update-state": fields({ ...step, id: orNull(anyText), before, after, returned }),
  delete: fields({
    ...step,
    id: anyText,
    before,
    deposed: maybe(anyFlag),
    removal: maybe(fields({ reason: anyText })),
  }),
  forget: fields({ ...step, before, released: maybe(anyFlag), gone: maybe(anyFlag) }),
  adopt: fields({ ...step, id: orNull(anyText), after, returned }),
  keep: fields({ ...step, id: orNull(anyText), before, undeclared: maybe(anyFlag) }),
});

const anyStep: Shape = (value) =>
  isRecord(value) && anyText(value["action"]) && (STEPS[value["action"] as string]?.(value) ?? false);
const side = orNull(fields({ value: anyValue }));

/** A `Plan`. */
export const planShape: Shape = fields({
  format: oneOf(1),
  waiting: maybe(fields({ count: anyNumber, due: anyNumber, now: texts, nextAtMs: orNull(anyNumber) })),
  names: maybe(recordOf(anyText)),
  cost: maybe(
    fields({ requests: anyNumber, leastMs: anyNumber, limit: fields({ requests: anyNumber, windowMs: anyNumber }) }),
  ),
  consequence: maybe(anyText),
  steps: listOf(anyStep),
  drift: listOf(
    fields({ address: anyText, type: anyText, before, after: orNull(anyAttributes), changed: texts, masked: texts }),
  ),
  outputs: listOf(fields({ name: anyText, before: side, after: side, sensitive: anyFlag })),
  checks: maybe(
    listOf(
      fields({
        name: anyText,
        severity: oneOf("warning", "error"),
        status: oneOf("pass", "fail", "unknown"),
        messages: texts,
      }),
    ),
  ),
  diagnostics: listOf(diagnosticShape),
  undecided: listOf(
    fields({
      address: orNull(anyText),
      type: anyText,
      sent: anyText,
      cause: anyText,
      why: anyText,
      candidates: texts,
      ways: listOf(wayShape),
    }),
  ),
});

/** The `PlanOptions`: those that are no list are flags, but for the approval. */
export const choicesShape: Shape = fields({
  ...Object.fromEntries(
    Object.entries(PLAIN_OPTIONS).map(([name, plain]) => [name, Array.isArray(plain) ? texts : anyFlag]),
  ),
  allow: listOf(guardShape),
  atMs: anyNumber,
  rechecks: oneOf("due", "all"),
  approval: oneOf("typed", "none", "saved", "open"),
});
