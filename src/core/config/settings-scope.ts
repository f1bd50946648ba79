import { sharedSteps } from "../expression/budget.ts";
import { UNKNOWN } from "../model/value.ts";
import type { Configuration } from "./block.ts";
import { type Scope, evaluateArgument } from "./blocks/evaluate-argument.ts";
import { evaluationOrder } from "./order.ts";
import type { DerivedValue } from "./blocks/resolve-reference.ts";
import type { VariableValue } from "./variables/variables.ts";

/** The scope of settings: variables, and locals that depend on variables only. */
export function settingsScope(configuration: Configuration, variables: ReadonlyMap<string, VariableValue>): Scope {
  const scope: Scope = {
    variables,
    dataAddresses: new Set(),
    known: new Map(),
    managed: null,
    steps: sharedSteps(),
    ...(configuration.team === undefined ? {} : { team: configuration.team }),
    ...(configuration.hide ? { hide: configuration.hide } : {}),
  };
  if (!configuration.locals) return scope;
  const { parts, cyclic } = evaluationOrder(configuration);
  const locals = new Map<string, DerivedValue>();
  // Every block is declared, and all their values are unknown.
  const repeated = new Map(
    [...parts.flatMap(({ kind, name }) => (kind === "local" ? [] : [name])), ...cyclic].map((name) => [name, null]),
  );
  const open: Scope = { ...scope, locals, managed: new Map(), repeated, wholeData: true };
  for (const name of cyclic)
    if (name.startsWith("local.")) locals.set(name.slice(6), { value: UNKNOWN, sensitive: false });
  for (const part of parts)
    if (part.kind === "local") locals.set(part.local.name, evaluateArgument(part.local.value, open));
  return { ...scope, locals };
}
