import { type Attribute, attributesOf } from "../../../core/model/attribute.ts";
import type { AnyResource, LiveObject } from "../../../core/model/definition.ts";
import { type Diagnostic, warningOf } from "../../../core/model/diagnostic.ts";
import { type Value, identical } from "../../../core/model/value.ts";
import type { GenerateResourceConfig_Request } from "../generated/tfplugin6.ts";
import type { Session } from "../provider-session.ts";
import { decodeValue, encodeValue } from "../wire/terraform-values.ts";

/**
 * Opens what answers `-generate-config-out` (Terraform 1.14 and later): the values that a configuration would give an object. Terraform
 * itself writes them, and writes null for each optional attribute without a value. The answer has no place for a comment, and Terraform
 * drops its warnings. So the next plan warns about what the service does not show, once for each type.
 */
export function openConfigGenerator(session: Session) {
  const warnings = new Map<string, readonly Diagnostic[]>();
  return {
    generate: async ({ typeName, state }: GenerateResourceConfig_Request) => {
      const definition = session.definition(typeName);
      const { schema } = definition;
      const attributes = decodeValue(state, schema);
      if (attributes === null) return { config: encodeValue(null, schema), diagnostics: [] };
      if (definition.list && session.isConnected() && !warnings.has(typeName)) {
        const { objects } = await session.type(definition).writing.context.live.get(session.stop.signal);
        warnings.set(typeName, notShown(definition, objects));
      }
      const config = Object.fromEntries(
        Object.entries(schema).map(([name, attribute]) => [name, configured(attribute, attributes[name] ?? null)]),
      );
      return { config: encodeValue(config, schema), diagnostics: [] };
    },
    /** The warnings about generated configurations of a type that no plan has had yet. */
    takeWarnings: (typeName: string): readonly Diagnostic[] => {
      const taken = warnings.get(typeName) ?? [];
      if (taken.length > 0) warnings.set(typeName, []);
      return taken;
    },
  };
}

/** The value to write: null for what only the service or a secret store has, and for a default that Terraform then leaves out. */
function configured({ mode, sensitive, writeOnly, default: standard = null }: Attribute, value: Value): Value {
  if (mode === "computed" || sensitive || writeOnly) return null;
  return mode === "optional-computed" && identical(value, standard) ? null : value;
}

/** A warning about the attributes that the service does not show of every object. */
export function notShown({ noun, schema }: AnyResource, objects: readonly LiveObject[]): readonly Diagnostic[] {
  const names = attributesOf(schema, "terraform").flatMap(([name, { observed, sensitive, writeOnly }]) => {
    const isUnseen = observed === "when-present" && objects.some(({ attributes }) => attributes[name] === undefined);
    return isUnseen || (sensitive && !writeOnly) ? [name] : [];
  });
  if (objects.length === 0 || names.length === 0) return [];
  return [
    warningOf("generated_incomplete", "Generated configuration lacks values that the service does not show", {
      detail: `The service does not show ${names.join(", ")} of every ${noun}. Where it does not, the generated configuration has null.`,
      hint: `If a ${noun} has such a value, set it before the apply that imports the ${noun}: that apply records it without a request. A value that you set later replaces the ${noun}.`,
    }),
  ];
}
