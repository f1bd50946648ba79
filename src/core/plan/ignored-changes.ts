import type { Declaration } from "../model/declaration.ts";
import type { AnyResource } from "../model/definition.ts";
import type { Prior, RecordedInstance } from "../model/instance.ts";
import type { Attributes } from "../model/value.ts";
import { type Change, planResource } from "./resource.ts";

/** What is declared, with the recorded values of those attributes that it is not to change. */
function standing({ attributes, ignoreChanges = [] }: Pick<Declaration, "attributes" | "ignoreChanges">, prior: Pick<Prior, "attributes">): Attributes {
  if (ignoreChanges.length === 0) return attributes;
  return { ...attributes, ...Object.fromEntries(ignoreChanges.map((name) => [name, prior.attributes[name] ?? null])) };
}

/** The plan of a resource that is declared and recorded. */
export function planStanding(definition: AnyResource, declaration: Declaration, prior: Prior): Change {
  const change = planResource(definition, { desired: standing(declaration, prior), prior });
  if (change.action !== "replace" || !declaration.ignoreChanges) return change;
  const fresh = planResource(definition, { desired: freshStanding(definition, declaration, prior), prior: null });
  return fresh.action === "create" ? { ...change, after: fresh.after } : change;
}

/** The same for a new object in its place. It gets the secret that is declared: of the recorded one there is only the fingerprint. */
export function freshStanding({ schema }: AnyResource, declaration: Declaration, prior: Prior): Attributes {
  const secrets = Object.entries(declaration.attributes).filter(([name]) => schema[name]?.sensitive);
  return { ...standing(declaration, prior), ...Object.fromEntries(secrets) };
}

/** Declarations of what is never refreshed, with the values that stand. */
export function withStanding(declarations: readonly Declaration[], instances: readonly RecordedInstance[]): readonly Declaration[] {
  if (declarations.every(({ ignoreChanges }) => ignoreChanges === undefined)) return declarations;
  const recorded = new Map(instances.map((instance) => [instance.address, instance]));
  return declarations.map((declaration) => {
    const instance = recorded.get(declaration.address);
    return declaration.ignoreChanges && instance ? { ...declaration, attributes: standing(declaration, instance) } : declaration;
  });
}
