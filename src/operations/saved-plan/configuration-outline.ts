import { byAddress, byName, formatAddress } from "../../core/model/address.ts";
import type { ConfigurationOutline, OutlinedVariable } from "../../core/model/configuration-outline.ts";
import { type Attributes, type Value, isUnknown } from "../../core/model/value.ts";
import type { OpenRun } from "../open-run.ts";
import type { Planned } from "../plan.ts";

/** What a saved plan keeps of its configuration, to show it where the configuration is not. */
export function outlineOf(
  { context: { redactor }, loaded }: Pick<OpenRun, "context" | "loaded">,
  { data }: Pick<Planned, "data">,
): ConfigurationOutline {
  const { variables, outputs, blocks } = loaded.configuration;
  return {
    variables: variables
      .map(({ name, sensitive, default: fallback }): OutlinedVariable => {
        const { value = null } = loaded.variables.get(name) ?? {};
        if (sensitive) return { name, sensitive };
        return {
          name,
          sensitive,
          ...(isUnknown(value) ? {} : { value }),
          ...(fallback === undefined ? {} : { default: fallback }),
        };
      })
      .toSorted(byName),
    outputs: outputs.map(({ name, sensitive }) => ({ name, sensitive })).toSorted(byName),
    blocks: blocks
      .map(({ mode, type, name, provider }) => ({
        address: formatAddress({ mode, type, name, key: null }),
        mode,
        type,
        provider,
      }))
      .toSorted(byAddress),
    // A live object may show what a sensitive variable has put into it.
    data: data
      .map((one) => ({ ...one, attributes: withoutSecrets(one.attributes, redactor.redact) as Attributes }))
      .toSorted(byAddress),
  };
}

function withoutSecrets(value: Value, redact: (text: string) => string): Value {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return (value as readonly Value[]).map((one) => withoutSecrets(one, redact));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as Attributes).map(([name, inner]) => [name, withoutSecrets(inner, redact)]),
  );
}
