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

/** The plan of a resource that is declared and recorded. A new object in its place is as declared, as it is with Terraform. */
export function planStanding(definition: AnyResource, declaration: Declaration, prior: Prior): Change {
  const change = planResource(definition, { desired: standing(declaration, prior), prior });
  if (change.action !== "replace" || !declaration.ignoreChanges) return change;
  const fresh = planResource(definition, { desired: declaration.attributes, prior: null });
  return fresh.action === "create" ? { ...change, after: fresh.after } : change;
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
