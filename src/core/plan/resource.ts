import { type Attribute, sameMeaning } from "../model/attribute.ts";
import type { Declaration } from "../model/declaration.ts";
import type { AnyResource } from "../model/definition.ts";
import type { Prior, RecordedInstance } from "../model/instance.ts";
import { type Attributes, identical, UNKNOWN, type Value } from "../model/value.ts";

/** The change of one resource. `because` names the attributes that force a replace; `changed` those that only change the state. */
export type Change =
  | { readonly action: "create"; readonly after: Attributes }
  | {
      readonly action: "replace";
      readonly before: Attributes;
      readonly after: Attributes;
      readonly because: readonly string[];
    }
  | {
      readonly action: "update-state";
      readonly before: Attributes;
      readonly after: Attributes;
      readonly changed: readonly string[];
    }
  | { readonly action: "keep"; readonly before: Attributes }
  | { readonly action: "delete" | "forget"; readonly before: Attributes };

/**
 * The one planner of every frontend: the YAML reconciler and Terraform's PlanResourceChange both call it.
 *
 * `desired` are the configured values (an absent attribute is null), `prior` the recorded values with the live ones folded
 * in; at least one of them is given. It compares and never normalises. A value that differs replaces, unless it may be
 * recorded at an import, or means the same, or the attribute is a setting of ours: then it is recorded without a request.
 * What an irreversible write was sent for is not recorded again in another writing, but sent again if it was not found.
 * Secrets are compared as they come: digests in the reconciler, values in Terraform.
 */
export function planResource(
  definition: AnyResource,
  { desired, prior }: { readonly desired: Attributes | null; readonly prior: Prior | null },
): Change {
  if (desired === null) {
    if (prior === null) throw new Error("a resource that is neither declared nor recorded has no plan");
    return { action: definition.destroy, before: prior.attributes };
  }
  if (prior === null) return { action: "create", after: planned(definition, desired, null) };
  const because: string[] = [];
  const changed: string[] = [];
  for (const [name, attribute] of Object.entries(definition.schema)) {
    const effect = effectOf(definition, { name, attribute }, desired, prior);
    if (effect === "replace") because.push(name);
    if (effect === "record") changed.push(name);
  }
  const before = prior.attributes;
  if (because.length > 0) return { action: "replace", before, after: planned(definition, desired, null), because };
  if (changed.length > 0)
    return { action: "update-state", before, after: planned(definition, desired, prior), changed };
  return { action: "keep", before };
}

/** Whether these attributes hold this outcome. */
export function hasOutcome(attributes: Attributes, outcome: Attributes): boolean {
  return Object.keys(outcome).every((name) => identical(attributes[name] ?? null, outcome[name] ?? null));
}

interface NamedAttribute {
  readonly name: string;
  readonly attribute: Attribute;
}

function effectOf(
  definition: AnyResource,
  { name, attribute }: NamedAttribute,
  desired: Attributes,
  prior: Prior,
): "none" | "record" | "replace" {
  if (attribute.mode === "computed" || attribute.writeOnly) return "none";
  const wanted = desired[name] ?? attribute.default ?? null;
  const had = prior.attributes[name] ?? null;
  if (identical(wanted, had)) return "none";
  if (attribute.onChange === "record") return "record";
  if (prior.recordable.includes(name)) return "record";
  if (!sameMeaning(attribute, wanted, had)) return "replace";
  if (!isSentOnce(definition, name)) return "record";
  return definition.irreversible && hasOutcome(prior.attributes, definition.irreversible.gone) ? "replace" : "none";
}

/** Whether an irreversible write is sent once for all values of the attribute that mean the same: what is done keeps the one that was sent. */
function isSentOnce({ irreversible, identity }: AnyResource, name: string): boolean {
  return irreversible !== undefined && identity.includes(name);
}

/** The values after the change. Computed ones are kept from `prior`, or unknown; write-only ones are null. */
function planned(definition: AnyResource, desired: Attributes, prior: Prior | null): Attributes {
  const after: Record<string, Value> = {};
  // Without entries, which would be made for every object of a large configuration.
  for (const name of Object.keys(definition.schema)) {
    const attribute = definition.schema[name];
    if (!attribute) continue;
    if (attribute.writeOnly) after[name] = null;
    else if (attribute.mode === "computed") after[name] = prior === null ? UNKNOWN : (prior.attributes[name] ?? null);
    else if (prior !== null && isSentOnce(definition, name)) after[name] = prior.attributes[name] ?? null;
    else after[name] = desired[name] ?? attribute.default ?? null;
  }
  return after;
}

/** The declared values, with the recorded ones of the attributes whose changes are ignored. */
function standing(
  { attributes, ignoreChanges = [] }: Pick<Declaration, "attributes" | "ignoreChanges">,
  prior: Pick<Prior, "attributes">,
): Attributes {
  if (ignoreChanges.length === 0) return attributes;
  return { ...attributes, ...Object.fromEntries(ignoreChanges.map((name) => [name, prior.attributes[name] ?? null])) };
}

/** The plan of a declared and recorded resource. A replacement gets the declared values, as in Terraform. */
export function planWithIgnoredChanges(definition: AnyResource, declaration: Declaration, prior: Prior): Change {
  const change = planResource(definition, { desired: standing(declaration, prior), prior });
  if (change.action !== "replace" || !declaration.ignoreChanges) return change;
  const fresh = planResource(definition, { desired: declaration.attributes, prior: null });
  return fresh.action === "create" ? { ...change, after: fresh.after } : change;
}

/** Declarations of resources that are never refreshed, with the recorded values of ignored changes. */
export function withIgnoredChanges(
  declarations: readonly Declaration[],
  instances: readonly RecordedInstance[],
): readonly Declaration[] {
  if (declarations.every(({ ignoreChanges }) => ignoreChanges === undefined)) return declarations;
  const recorded = new Map(instances.map((instance) => [instance.address, instance]));
  return declarations.map((declaration) => {
    const instance = recorded.get(declaration.address);
    return declaration.ignoreChanges && instance
      ? { ...declaration, attributes: standing(declaration, instance) }
      : declaration;
  });
}
