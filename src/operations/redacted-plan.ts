import type { PlannedRun } from "../core/apply/run/run-ports.ts";
import type { Diagnostic } from "../core/model/diagnostic.ts";
import { type Catalog, resourceOf } from "../core/model/definition.ts";
import { type Attributes, type Value, UNKNOWN, hasUnknown, identical, isUnknown } from "../core/model/value.ts";
import { MASK, withoutPath } from "../core/secrets/redactor.ts";
import type { Drift, OutputChange, Plan, Step } from "../core/plan/plan.ts";

export type Redact = (text: string) => string;

/**
 * A planned run without the secrets that it knows: others read what it prints, saves and stores. Outputs, data, names and messages have a
 * mask in place of each. Steps keep the values that an apply compares, and mask them where they are shown.
 */
export function redactedRun(
  planned: PlannedRun,
  {
    catalog,
    redact,
    withSecrets,
  }: { readonly catalog: Catalog; readonly redact: Redact; readonly withSecrets: boolean },
): PlannedRun {
  const { plan, data } = planned;
  const { checks, names } = plan;
  return {
    ...planned,
    plan: {
      ...plan,
      steps: plan.steps.map((step) => withMasks(step, catalog, redact)),
      drift: plan.drift.map((one) => withMasks(one, catalog, redact)),
      outputs: plan.outputs.flatMap((change) => redactedChange(change, redact, withSecrets)),
      diagnostics: redactedDiagnostics(plan.diagnostics, redact),
      ...(checks
        ? { checks: checks.map((check) => ({ ...check, messages: check.messages.map((one) => redact(one)) })) }
        : {}),
      ...(names ? { names: redactedValue(names, redact) as typeof names } : {}),
    },
    data: data.map((one) => ({ ...one, attributes: redactedValue(one.attributes, redact) as Attributes })),
    outputsOf: (instances) =>
      planned.outputsOf(instances).map((output) => ({ ...output, value: redactedValue(output.value, redact) })),
    failuresOf: (instances) => redactedDiagnostics(planned.failuresOf(instances), redact),
    again: async () => redactedRun(await planned.again(), { catalog, redact, withSecrets }),
  };
}

export function redactedDiagnostics(found: readonly Diagnostic[], redact: Redact): readonly Diagnostic[] {
  return found.map((one) => {
    const { summary, detail, hint, place } = one;
    return {
      ...one,
      summary: redact(summary),
      detail: redact(detail),
      ...(hint === undefined ? {} : { hint: redact(hint) }),
      ...(place?.text === undefined ? {} : { place: { ...place, text: redact(place.text) } }),
    };
  });
}

/** Every text in a value, at any depth. */
export function redactedValue(value: Value, redact: Redact): Value {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return (value as readonly Value[]).map((one) => redactedValue(one, redact));
  if (typeof value !== "object" || value === null || isUnknown(value)) return value;
  return Object.fromEntries(
    Object.entries(value as Attributes).map(([name, inner]) => [name, redactedValue(inner, redact)]),
  );
}

/** Nothing for a change of what is redacted: the recorded value is redacted, too. Without secrets, a mask may stand for any text. */
function redactedChange(change: OutputChange, redact: Redact, withSecrets: boolean): readonly OutputChange[] {
  const [before, after] = [change.before, change.after].map(
    (side) => side && { value: redactedValue(side.value, redact) },
  ) as [OutputChange["before"], OutputChange["after"]];
  const isSame =
    before && after && (identical(before.value, after.value) || (!withSecrets && fits(before.value, after.value)));
  const differed = change.before && change.after && !identical(change.before.value, change.after.value);
  return isSame && differed ? [] : [{ ...change, before, after }];
}

/** Whether a value can be the one that a redacted value was made from. */
function fits(redacted: Value, value: Value): boolean {
  const [text, found] = [JSON.stringify(redacted), JSON.stringify(value)];
  const parts = text.split(MASK);
  const [first = "", last = ""] = [parts[0], parts.at(-1)];
  if (parts.length === 1 || !found.startsWith(first)) return false;
  const end = parts.slice(1, -1).reduce((at, part) => {
    const next = at < 0 ? -1 : found.indexOf(part, at);
    return next < 0 ? -1 : next + part.length;
  }, first.length);
  return end >= 0 && found.length - last.length >= end && found.endsWith(last);
}

/** People have no URLs, and there may be very many of them. */
function withMasks<T extends Step | Drift>(change: T, catalog: Catalog, redact: Redact): T {
  if (!resourceOf(catalog, change.type).list) return change;
  const sides = [
    "before" in change ? change.before : null,
    "after" in change ? change.after : null,
    "returned" in change ? change.returned : null,
  ];
  const found = sides.flatMap((side) =>
    Object.entries(side ?? {}).flatMap(([name, value]) =>
      typeof value === "string" && redact(value) !== value ? [name] : [],
    ),
  );
  const masked = new Set([...change.masked, ...found]);
  return masked.size === change.masked.length ? change : { ...change, masked: [...masked] };
}

/** A plan that is never applied: without the values that it masks where it is shown, and in its addresses. */
export function shownOnly(plan: Plan, redact: Redact): Plan {
  return {
    ...plan,
    steps: plan.steps.map((step) => shownChange(step, redact)),
    drift: plan.drift.map((one) => shownChange(one, redact)),
    outputs: plan.outputs.map((one) => (one.sensitive ? hiddenChange(one) : one)),
    diagnostics: plan.diagnostics.map((one) =>
      one.address === undefined ? one : { ...one, address: redact(one.address) },
    ),
  };
}

const SIDES: ReadonlySet<string> = new Set(["before", "after", "returned", "imported"]);

function shownChange<T extends Step | Drift>(change: T, redact: Redact): T {
  const shown = (side: Attributes): Attributes =>
    Object.fromEntries(
      Object.entries(side).map(([name, value]) => [
        name,
        redactedValue(change.masked.includes(name) && typeof value === "string" ? withoutPath(value) : value, redact),
      ]),
    );
  const sides = Object.entries(change).flatMap(([name, side]) =>
    SIDES.has(name) && side ? [[name, shown(side as Attributes)] as const] : [],
  );
  return { ...change, address: redact(change.address), ...Object.fromEntries(sides) };
}

function hiddenChange(change: OutputChange): OutputChange {
  const hidden = (side: OutputChange["before"]) =>
    side && { value: side.value === null ? null : hasUnknown(side.value) ? UNKNOWN : MASK };
  return { ...change, before: hidden(change.before), after: hidden(change.after) };
}
