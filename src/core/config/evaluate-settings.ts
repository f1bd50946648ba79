import { UNKNOWN } from "../model/value.ts";
import type { Configuration } from "./block.ts";
import { type Scope, evaluateArgument } from "./blocks/evaluate-argument.ts";
import { evaluationOrder } from "./order.ts";
import type { MadeValue } from "./blocks/resolve-reference.ts";
import type { VariableValue } from "./variables/variables.ts";

/** What settings can refer to: variables, and the locals that are made of nothing but variables. */
export function settingsScope(configuration: Configuration, variables: ReadonlyMap<string, VariableValue>): Scope {
  const scope: Scope = { variables, dataAddresses: new Set(), known: new Map(), managed: null };
  if (!configuration.locals) return scope;
  const { parts, stuck } = evaluationOrder(configuration);
  const locals = new Map<string, MadeValue>();
  // Every block is there, and nothing is known of any.
  const repeated = new Map([...parts.flatMap(({ kind, name }) => (kind === "local" ? [] : [name])), ...stuck].map((name) => [name, null]));
  const open: Scope = { ...scope, locals, managed: new Map(), repeated, wholeData: true };
  for (const name of stuck) if (name.startsWith("local.")) locals.set(name.slice(6), { value: UNKNOWN, sensitive: false });
  for (const part of parts) if (part.kind === "local") locals.set(part.local.name, evaluateArgument(part.local.value, open));
  return { ...scope, locals };
}
