import { type Shape, anyAttributes, anyFlag, anyNumber, anyOf, anyText, anyValue, fields, isRecord, listOf, maybe, oneOf, orNull } from "../model/shape.ts";

const texts = listOf(anyText);

/** A `Diagnostic`. Its ways out are rendered by their kind: only texts, lists of texts and flags are in them. */
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
    fields({ file: anyText, line: maybe(anyNumber), column: maybe(anyNumber), text: maybe(anyText), caret: maybe(anyNumber), construct: maybe(anyText) }),
  ),
  count: maybe(anyNumber),
});

const LISTS = ["addresses", "ids", "candidates"];

function wayShape(way: unknown): boolean {
  if (!isRecord(way) || !anyText(way["kind"])) return false;
  return Object.entries(way).every(([name, value]) =>
    LISTS.includes(name) ? listOf(orNull(anyText))(value) : orNull(anyOf(anyText, anyFlag, anyNumber))(value),
  );
}

const reason = fields({
  attribute: orNull(anyText),
  why: oneOf("config", "drift", "secret", "lookup", "requested"),
  lookup: maybe(anyText),
  unobserved: maybe(anyFlag),
});
const step = { address: anyText, type: anyText, provider: anyText, because: listOf(reason), masked: texts, movedFrom: maybe(anyText) };
const [before, after, returned] = [anyAttributes, anyAttributes, anyAttributes];

const STEPS: { readonly [action: string]: Shape } = Object.assign(Object.create(null) as object, {
  create: fields({ ...step, after }),
  replace: fields({ ...step, order: oneOf("delete-first", "create-first"), id: anyText, before, after, imported: maybe(anyAttributes) }),
  "update-state": fields({ ...step, id: orNull(anyText), before, after, returned }),
  delete: fields({ ...step, id: anyText, before }),
  forget: fields({ ...step, before }),
  adopt: fields({ ...step, id: orNull(anyText), after, returned }),
  keep: fields({ ...step, id: orNull(anyText), before }),
});

const anyStep: Shape = (value) => isRecord(value) && anyText(value["action"]) && (STEPS[value["action"] as string]?.(value) ?? false);
const side = orNull(fields({ value: anyValue }));

/** A `Plan`. */
export const planShape: Shape = fields({
  format: oneOf(1),
  steps: listOf(anyStep),
  drift: listOf(fields({ address: anyText, type: anyText, before, after: orNull(anyAttributes), changed: texts, masked: texts })),
  outputs: listOf(fields({ name: anyText, before: side, after: side, sensitive: anyFlag })),
  checks: maybe(listOf(fields({ name: anyText, severity: oneOf("warning", "error"), status: oneOf("pass", "fail", "unknown"), messages: texts }))),
  diagnostics: listOf(diagnosticShape),
  undecided: listOf(
    fields({ address: orNull(anyText), type: anyText, sent: anyText, cause: anyText, why: anyText, candidates: texts, ways: listOf(wayShape) }),
  ),
});

/** The `PlanOptions`. */
export const choicesShape: Shape = fields({
  destroy: anyFlag,
  refreshOnly: anyFlag,
  importsOnly: anyFlag,
  targets: texts,
  replace: texts,
  adopt: anyFlag,
  assumeDone: anyFlag,
  allowDeletes: anyFlag,
  allowReplaces: anyFlag,
  allowRecreate: anyFlag,
  allowIrreversible: anyFlag,
  allowLookupChange: anyFlag,
  approval: oneOf("typed", "none", "saved", "open"),
  guarded: anyFlag,
});
