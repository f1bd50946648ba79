import { byAddress, byName, formatAddress } from "../../core/model/address.ts";
import type { ConfigurationOutline, OutlinedVariable } from "../../core/model/configuration-outline.ts";
import { isUnknown } from "../../core/model/value.ts";
import type { OpenRun } from "../open-run.ts";
import type { Planned } from "../plan.ts";

/** What a saved plan keeps of its configuration, to show it where the configuration is not. */
export function outlineOf({ loaded }: OpenRun, { data }: Planned): ConfigurationOutline {
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
    data: data.toSorted(byAddress),
  };
}
