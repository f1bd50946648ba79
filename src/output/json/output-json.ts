import type { OutputValue } from "../../core/model/declaration.ts";
import { type Value, hasUnknown } from "../../core/model/value.ts";
import type { OutputChange, Plan } from "../../core/plan/plan.ts";
import type { Json, JsonObject } from "./escaped-json.ts";
import { SENSITIVE, knownJson, typeJson, unknownMask } from "./json-value.ts";
import { byName } from "../../core/model/address.ts";

/** An output after the plan. */
type OutputRow = OutputChange & { readonly action: "create" | "update" | "delete" | "no-op" };

/** Changed outputs and unchanged ones, sorted by name. */
export function outputRows({ outputs }: Pick<Plan, "outputs">, recorded: readonly OutputValue[]): readonly OutputRow[] {
  const changed = new Set(outputs.map(({ name }) => name));
  const kept = recorded.flatMap(({ name, value, sensitive }): readonly OutputRow[] =>
    changed.has(name) ? [] : [{ name, sensitive, before: { value }, after: { value }, action: "no-op" }],
  );
  return [...outputs.map((output) => ({ ...output, action: actionOf(output) })), ...kept].toSorted(byName);
}

function actionOf({ before, after }: OutputChange): OutputRow["action"] {
  if (before === null) return "create";
  return after === null ? "delete" : "update";
}

/** An output under `output_changes`. */
export function outputChangeJson({ action, before, after, sensitive }: OutputRow): JsonObject {
  const unknown = after === null || !hasUnknown(after.value) ? false : unknownMask(after.value);
  return {
    actions: [action],
    before: before === null ? null : shownJson(before.value, sensitive),
    ...(unknown === true ? {} : { after: after === null ? null : shownJson(after.value, sensitive) }),
    after_unknown: unknown,
    before_sensitive: sensitive,
    after_sensitive: sensitive,
  };
}

/** Output values in the form that a state lists them. An unknown one has neither value nor type. */
export function outputValuesJson(rows: readonly OutputRow[], side: "before" | "after"): JsonObject {
  const entries = rows.flatMap((row) => {
    const at = row[side];
    return at === null ? [] : [[row.name, outputJson({ ...row, value: at.value })] as const];
  });
  return entries.length === 0 ? {} : { outputs: Object.fromEntries(entries) };
}

function outputJson({ value, sensitive }: OutputValue): JsonObject {
  if (hasUnknown(value)) return { sensitive };
  const shown = shownJson(value, sensitive);
  return { sensitive, type: typeJson(shown), value: shown };
}

function shownJson(value: Value, sensitive: boolean): Json {
  return sensitive && value !== null ? SENSITIVE : knownJson(value);
}
