import { attributesOf } from "../../../core/model/attribute.ts";
import { checkAttributes } from "../../../core/model/check.ts";
import { type AnyResource, type Catalog, resourceOf } from "../../../core/model/definition.ts";
import { type Diagnostic, hasErrors, errorOf } from "../../../core/model/diagnostic.ts";
import type { Attributes } from "../../../core/model/value.ts";
import type { DynamicValue, ValidateResourceConfig_Request } from "../generated/tfplugin6.ts";
import { plannedPlaceholders } from "../placeholder-secrets.ts";
import { decodeValue } from "../wire/terraform-values.ts";

/** Checks the configuration without the service. Unknown values pass: Terraform validates again when they are known. */
export function validateResourceConfig(
  catalog: Catalog,
  { typeName, config, clientCapabilities }: ValidateResourceConfig_Request,
) {
  const definition = resourceOf(catalog, typeName);
  const attributes = attributesIn(config, definition);
  const writeOnly =
    clientCapabilities?.writeOnlyAttributesAllowed === true ? [] : writeOnlyDiagnostics(definition, attributes);
  return {
    diagnostics: errorsFirst([
      ...checkAttributes(definition, attributes),
      ...writeOnly,
      ...plannedPlaceholders(definition, attributes),
    ]),
  };
}

/** The attributes of a configuration, which Terraform always sends. */
export function attributesIn(config: DynamicValue | undefined, { schema }: Pick<AnyResource, "schema">): Attributes {
  const attributes = decodeValue(config, schema);
  if (attributes === null) throw new Error("the configuration is null");
  return attributes;
}

/** Shows warnings only when there are no errors. */
function errorsFirst(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return hasErrors(diagnostics) ? diagnostics.filter(({ severity }) => severity === "error") : diagnostics;
}

/** A Terraform without write-only attributes would store their values. */
function writeOnlyDiagnostics({ schema }: AnyResource, attributes: Attributes): readonly Diagnostic[] {
  return attributesOf(schema, "terraform").flatMap(([name, { writeOnly }]): readonly Diagnostic[] => {
    if (!writeOnly || (attributes[name] ?? null) === null) return [];
    return [
      errorOf("write_only_unsupported", "Write-only attributes need a newer Terraform", {
        detail: `${name} is write-only, which this version of Terraform does not support: it would store the value.`,
        hint: `Use Terraform 1.11 or later, or ${writeOnly.of}.`,
        path: [name],
      }),
    ];
  });
}
