import type { AnyResource } from "../../core/model/definition.ts";
import type { Diagnostic } from "../../core/model/diagnostic.ts";
import type { Attributes } from "../../core/model/value.ts";

/** A warning about values that the import of an object records without a request. `names` are those of recorded attributes. */
export function onlyRecorded({ type, schema }: AnyResource, { id }: Attributes, names: readonly string[]): readonly Diagnostic[] {
  const [first, ...others] = sentOnly(schema, names);
  if (first === undefined || typeof id !== "string") return [];
  return [
    {
      code: "assumed",
      severity: "warning",
      summary: "Imported values assumed, not verified",
      detail: `${id} is imported, and the service does not show its ${[first, ...others].join(", ")}. The configured values are recorded as the current ones: nothing is sent.`,
      ways: [{ kind: "replace", address: null, type }],
      path: [first],
    },
  ];
}

/** An error where only a read can tell whether the import records these values, or a replace sends them. */
export function unreadAtImport({ schema }: AnyResource, { id }: Attributes, names: readonly string[]): readonly Diagnostic[] {
  const [first, ...others] = sentOnly(schema, names);
  if (first === undefined || typeof id !== "string") return [];
  return [
    {
      code: "unread_at_import",
      severity: "error",
      summary: "An imported value needs a read",
      detail: `${id} was imported, and the service does not show its ${[first, ...others].join(", ")}. With -refresh=false, it is not known whether a configuration was applied since the import. After that, only a replace sends the configured values.`,
      hint: "Run Terraform without -refresh=false.",
      path: [first],
    },
  ];
}

/** Without those that are settings of ours. */
function sentOnly(schema: AnyResource["schema"], names: readonly string[]): readonly string[] {
  return names.filter((name) => schema[name]?.onChange !== "record");
}

/** A warning that says why a value forces a replace although the service may already have it. */
export function undeclaredAtImport({ noun }: AnyResource, { id }: Attributes, [first, ...others]: readonly string[]): readonly Diagnostic[] {
  if (first === undefined || typeof id !== "string") return [];
  return [
    {
      code: "undeclared_at_import",
      severity: "warning",
      summary: `A value was not declared when the ${noun} was imported`,
      detail: `${id} was imported without ${[first, ...others].join(", ")}, and the service does not show the current value. Only a replace sends the configured one.`,
      hint: `If the service already has it, remove the ${noun} from the state (terraform state rm) and import it again: the next apply records it without a request.`,
      path: [first],
    },
  ];
}
