import { type Catalog, resourceOf } from "../../core/model/definition.ts";
import type { RecordedInstance } from "../../core/model/instance.ts";
import type { Attributes } from "../../core/model/value.ts";
import type { ShownState } from "../content/output-format.ts";
import type { JsonObject } from "./escaped-json.ts";
import { recordedIdentityJson, sideJson } from "./json-value.ts";
import { outputRows, outputValuesJson } from "./output-json.ts";
import { TERRAFORM_VERSION } from "./plan-json.ts";
import { resourceJson } from "./step-json.ts";

/**
 * A state in the format that `terraform show -json` prints (format 1.0). Sensitive values are `(sensitive value)`. An empty
 * state has no `values`.
 */
export function stateJson(
  { instances, outputs }: Pick<ShownState, "instances" | "outputs">,
  { catalog, version }: { readonly catalog: Catalog; readonly version: string },
): JsonObject {
  const head = { format_version: "1.0", terraform_version: TERRAFORM_VERSION, outreach_version: version };
  if (instances.length === 0 && outputs.length === 0) return head;
  const resources = instances.flatMap((instance) => [
    objectJson(instance, instance.attributes, catalog),
    ...deposedJson(instance, catalog),
  ]);
  const rows = outputRows({ outputs: [] }, outputs);
  return {
    ...head,
    values: { ...outputValuesJson(rows, "before"), root_module: resources.length === 0 ? {} : { resources } },
  };
}

/** One instance with its deposed objects. */
export function instanceJson(instance: RecordedInstance, catalog: Catalog): JsonObject {
  const deposed = deposedJson(instance, catalog);
  return { ...objectJson(instance, instance.attributes, catalog), ...(deposed.length === 0 ? {} : { deposed }) };
}

function deposedJson(instance: RecordedInstance, catalog: Catalog): readonly JsonObject[] {
  return (instance.deposed ?? []).map(({ id, attributes }) => ({
    ...objectJson(instance, attributes, catalog),
    deposed_key: id,
  }));
}

function objectJson(
  { address, type, schemaVersion, masked = [] }: RecordedInstance,
  attributes: Attributes,
  catalog: Catalog,
): JsonObject {
  const definition = resourceOf(catalog, type);
  const { values, sensitive } = sideJson(attributes, definition.schema, masked);
  const identity = recordedIdentityJson(definition, attributes, masked);
  return { ...resourceJson(address), schema_version: schemaVersion, values, ...identity, sensitive_values: sensitive };
}
