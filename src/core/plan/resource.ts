import type { Attribute } from "../model/attribute.ts";
import type { AnyResource } from "../model/definition.ts";
import type { Prior } from "../model/instance.ts";
import { sameMeaning } from "./same-meaning.ts";
import { type Attributes, UNKNOWN, type Value, identical } from "../model/value.ts";

/** What one resource needs. `because` names the attributes that force a replace; `changed` those that are only recorded. */
export type Change =
  | { readonly action: "create"; readonly after: Attributes }
  | { readonly action: "replace"; readonly before: Attributes; readonly after: Attributes; readonly because: readonly string[] }
  | { readonly action: "record"; readonly before: Attributes; readonly after: Attributes; readonly changed: readonly string[] }
  | { readonly action: "keep"; readonly before: Attributes }
  | { readonly action: "delete" | "forget"; readonly before: Attributes };

/**
 * The one planner of every door: the YAML reconciler and Terraform's PlanResourceChange both call it.
 *
 * `desired` are the configured values (an absent attribute is null), `prior` what is recorded with what is live folded
 * in; at least one of them is there. It compares and never normalises. A value that differs replaces, unless the prior
 * one was never observed, or means the same, or the attribute is a setting of ours: then it is recorded without a request.
 * Secrets are compared as they come: digests in the reconciler, values in Terraform.
 */
export function planResource(definition: AnyResource, { desired, prior }: { readonly desired: Attributes | null; readonly prior: Prior | null }): Change {
  if (desired === null) {
    if (prior === null) throw new Error("a resource that is neither declared nor recorded has no plan");
    return { action: definition.destroy, before: prior.attributes };
  }
  if (prior === null) return { action: "create", after: planned(definition, desired, null) };
  const because = retriedBy(definition, desired, prior);
  const changed: string[] = [];
  for (const [name, attribute] of Object.entries(definition.schema)) {
    const effect = effectOf(name, attribute, desired, prior);
    if (effect === "replace") because.push(name);
    if (effect === "record") changed.push(name);
  }
  const before = prior.attributes;
  if (because.length > 0) return { action: "replace", before, after: planned(definition, desired, null), because };
  if (changed.length > 0) return { action: "record", before, after: planned(definition, desired, prior), changed };
  return { action: "keep", before };
}

/** The setting by which what is recorded as not there is now asked for again. */
function retriedBy({ oneWay }: AnyResource, desired: Attributes, { attributes }: Prior): string[] {
  if (!oneWay?.retry || !hasOutcome(attributes, oneWay.gone)) return [];
  const { attribute, value } = oneWay.retry;
  return desired[attribute] === value && attributes[attribute] !== value ? [attribute] : [];
}

/** Whether these attributes say that this is what became of it. */
export function hasOutcome(attributes: Attributes, outcome: Attributes): boolean {
  return Object.entries(outcome).every(([name, value]) => identical(attributes[name] ?? null, value));
}

function effectOf(name: string, attribute: Attribute, desired: Attributes, prior: Prior): "none" | "record" | "replace" {
  if (attribute.mode === "computed" || attribute.writeOnly) return "none";
  const wanted = desired[name] ?? attribute.default ?? null;
  const had = prior.attributes[name] ?? null;
  if (identical(wanted, had)) return "none";
  if (attribute.onChange === "record") return "record";
  if (prior.unobserved.includes(name)) return "record";
  if (sameMeaning(attribute, wanted, had)) return "record";
  return "replace";
}

/** The values after the change. Computed ones are kept from `prior`, or unknown; write-only ones are null. */
function planned(definition: AnyResource, desired: Attributes, prior: Prior | null): Attributes {
  const after: Record<string, Value> = {};
  for (const [name, attribute] of Object.entries(definition.schema)) {
    if (attribute.writeOnly) after[name] = null;
    else if (attribute.mode === "computed") after[name] = prior === null ? UNKNOWN : (prior.attributes[name] ?? null);
    else after[name] = desired[name] ?? attribute.default ?? null;
  }
  return after;
}
