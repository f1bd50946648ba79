import type { Declaration, SecretSource } from "../../../../core/model/declaration.ts";
import { type AnyResource, type Catalog, resourceOf } from "../../../../core/model/definition.ts";
import type { Diagnostic } from "../../../../core/model/diagnostic.ts";
import type { RecordedInstance } from "../../../../core/model/instance.ts";
import { isoTime } from "../../../../core/model/iso-time.ts";
import { type Explanation, type SeenLive, unobservedNames } from "../../../../core/plan/explain-steps.ts";
import { diagnosticJson } from "../../../../output/json/diagnostic-json.ts";
import type { JsonObject } from "../../../../output/json/escaped-json.ts";
import { sideJson } from "../../../../output/json/json-value.ts";
import { actionsOf, replacePaths } from "../../../../output/json/step-json.ts";

interface ExplanationJsonContext {
  readonly catalog: Catalog;
  /** The version of outreach. */
  readonly version: string;
  /** The name of the state. */
  readonly state: string;
  /** Puts diagnostics in the order of the command, with their ways out. */
  readonly arranged: (diagnostics: readonly Diagnostic[]) => readonly Diagnostic[];
}

/** What `explain --json` prints, format 1.0. Sensitive values are `(sensitive value)`; a secret is named by its source. */
export function explanationJson(explanation: Explanation, context: ExplanationJsonContext): JsonObject {
  const {
    address,
    type,
    declaration,
    instance,
    live,
    steps,
    names,
    drift,
    reasons,
    isUndecided,
    diagnostics,
    blockers,
    effect,
    withSecrets,
  } = explanation;
  const definition = resourceOf(context.catalog, type);
  return {
    format_version: "1.0",
    outreach_version: context.version,
    address,
    type,
    declared: declaration && declaredJson(declaration, definition),
    recorded: instance && recordedJson(instance, definition, context.state),
    live:
      live &&
      liveJson(live, {
        definition,
        masked: [...(declaration?.masked ?? []), ...(instance?.masked ?? []), ...steps.flatMap((step) => step.masked)],
      }),
    decision: {
      steps: steps.map((step) => ({
        action: step.action,
        actions: actionsOf(definition, step),
        ...(step.movedFrom === undefined ? {} : { previous_address: step.movedFrom }),
        ...("id" in step ? { id: step.id } : {}),
        replace_paths: replacePaths(step) ?? [],
      })),
      drift: drift === null ? null : drift.after === null ? "missing" : "changed",
      drifted: drift?.changed ?? [],
      undecided: isUndecided,
      blocked: [...diagnostics, ...blockers].some(({ severity }) => severity === "error"),
      secrets_checked: withSecrets,
      reasons: reasons.map(({ code, attribute, detail }) => ({
        code,
        ...(attribute === undefined ? {} : { attribute }),
        detail,
      })),
    },
    apply: effect,
    ...(Object.keys(names).length === 0 ? {} : { names }),
    diagnostics: context.arranged([...diagnostics, ...blockers]).map(diagnosticJson),
  };
}

function declaredJson({ attributes, secrets, masked, locate }: Declaration, { schema }: AnyResource): JsonObject {
  const { values, sensitive, unknown } = sideJson(attributes, schema, masked);
  const place = locate([]);
  return {
    place: place
      ? { file: place.file, line: place.line ?? null, column: place.column ?? null, construct: place.construct ?? null }
      : null,
    values,
    unknown_values: unknown,
    sensitive_values: sensitive,
    secrets: Object.fromEntries(Object.entries(secrets).map(([name, source]) => [name, sourceJson(source)])),
  };
}

/** Where a secret comes from. Arguments of a command may contain anything, so only its name is shown. */
function sourceJson(source: SecretSource): JsonObject {
  switch (source.kind) {
    case "env":
      return { source: "env", name: source.name };
    case "file":
      return { source: "file", name: source.path };
    case "command":
      return { source: "command", name: source.command[0] ?? "" };
    case "value":
      return { source: "variable", name: null };
  }
}

function recordedJson(
  { address, id, attributes, recordedAtMs, unobserved, assumed, masked = [], deposed = [] }: RecordedInstance,
  { schema }: AnyResource,
  state: string,
): JsonObject {
  const { values, sensitive } = sideJson(attributes, schema, masked);
  return {
    state,
    address,
    id,
    recorded_at: isoTime(recordedAtMs),
    values,
    sensitive_values: sensitive,
    unobserved,
    assumed,
    deposed: deposed.map((old) => old.id),
  };
}

function liveJson(
  { object, identical, complete }: SeenLive,
  { definition: { schema }, masked }: { readonly definition: AnyResource; readonly masked: readonly string[] },
): JsonObject {
  const identicalIds = identical.map(({ id }) => id);
  if (object === null)
    return { id: null, list_complete: complete, values: null, unobserved: [], identical_unmanaged: identicalIds };
  const observed = Object.keys(schema).filter((name) => object.attributes[name] !== undefined);
  const shown = sideJson(object.attributes, schema, masked).values as JsonObject;
  return {
    id: object.id,
    list_complete: complete,
    values: Object.fromEntries(observed.map((name) => [name, shown[name] ?? null])),
    unobserved: unobservedNames(schema, object),
    identical_unmanaged: identicalIds,
  };
}
