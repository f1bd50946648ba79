import type { Variable } from "../../core/config/block.ts";
import type { VariableValue } from "../../core/config/variables/variables.ts";
import { shellWord } from "../../core/model/shell-word.ts";
import { hasUnknown } from "../../core/model/value.ts";
import { escapedText } from "./segments.ts";

/** The prefixes of environment variables with values of variables, on both sides. */
const PREFIXES = ["TF_VAR_", "OUTREACH_VAR_"] as const;

/** The prefix that wins if both are set. */
const WINNING_PREFIX = "OUTREACH_VAR_";

interface Given {
  readonly values: ReadonlyMap<string, VariableValue>;
  readonly to: (typeof PREFIXES)[number];
  /** Whether an environment variable is set. */
  readonly isSet: (name: string) => boolean;
}

/** Shell lines that pass the current values of variables to the other side, unless it reads them anyway. */
export function variableExports(variables: readonly Variable[], { values, to, isSet }: Given): readonly string[] {
  const [from = to] = PREFIXES.filter((prefix) => prefix !== to);
  return variables.flatMap(({ name, default: fallback, sensitive }) => {
    const value = values.get(name)?.value;
    if (value === undefined || hasUnknown(value) || JSON.stringify(value) === JSON.stringify(fallback)) return [];
    const isSetThere = isSet(`${to}${name}`);
    if (isSet(`${from}${name}`) && (!isSetThere || from === WINNING_PREFIX)) return [`export ${to}${name}="$${from}${name}"`];
    if (isSetThere) return [];
    if (sensitive) return [`read -rs ${to}${name} && export ${to}${name}   # ${name} is sensitive: type its current value`];
    const text =
      typeof value === "object" ? JSON.stringify(value, (_key, inner: unknown) => (typeof inner === "string" ? escapedText(inner) : inner)) : String(value);
    return [`export ${to}${name}=${shellWord(text)}`];
  });
}
