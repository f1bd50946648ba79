import type { Variable } from "../../core/config/block.ts";
import type { VariableValue } from "../../core/config/variables/variables.ts";
import { hasUnknown } from "../../core/model/value.ts";
import { escapedText } from "./segments.ts";
import { plainOr } from "./steps.ts";

/** What the two sides begin the names of environment variables with that hold values. */
const PREFIXES = ["TF_VAR_", "OUTREACH_VAR_"] as const;

/** The one that counts where both are set. */
const WINS = "OUTREACH_VAR_";

interface Given {
  readonly values: ReadonlyMap<string, VariableValue>;
  readonly to: (typeof PREFIXES)[number];
  /** Whether an environment variable is set now. */
  readonly isSet: (name: string) => boolean;
}

/** Lines for a shell that give the other side the values that variables have been given, where they are not what it takes anyway. */
export function givenValues(variables: readonly Variable[], { values, to, isSet }: Given): readonly string[] {
  const [from = to] = PREFIXES.filter((prefix) => prefix !== to);
  return variables.flatMap(({ name, default: fallback, sensitive }) => {
    const value = values.get(name)?.value;
    if (value === undefined || hasUnknown(value) || JSON.stringify(value) === JSON.stringify(fallback)) return [];
    const isSetThere = isSet(`${to}${name}`);
    if (isSet(`${from}${name}`) && (!isSetThere || from === WINS)) return [`export ${to}${name}="$${from}${name}"`];
    if (isSetThere) return [];
    if (sensitive) return [`read -rs ${to}${name} && export ${to}${name}   # ${name} is sensitive: type what it is given now`];
    const text =
      typeof value === "object" ? JSON.stringify(value, (_key, inner: unknown) => (typeof inner === "string" ? escapedText(inner) : inner)) : String(value);
    return [`export ${to}${name}=${plainOr(text)}`];
  });
}
