import { blockOf } from "../../core/model/address.ts";
import { type AnyResource, type Catalog, resourceOf } from "../../core/model/definition.ts";
import type { CheckResult } from "../../core/model/check-result.ts";
import { hasErrors } from "../../core/model/diagnostic.ts";
import type { Attributes } from "../../core/model/value.ts";
import { type Drift, type Plan, type Step, hasChanges } from "../../core/plan/plan.ts";
import type { ShownPlan } from "../content/output-format.ts";
import type { JsonObject } from "./escaped-json.ts";
import { identityJson, knownJson, recordedIdentityJson, sideJson } from "./json-value.ts";
import { outputChangeJson, outputRows, outputValuesJson } from "./output-json.ts";
import { PROVIDER_NAME, actionsOf, importingJson, reasonFinder, replacePaths, resourceJson, sidesOf } from "./step-json.ts";

/** The Terraform version whose formats we print, as `terraform_version`. Our own version is `outreach_version`. */
export const TERRAFORM_VERSION = "1.11.4";

interface PlanJsonContext extends Pick<ShownPlan, "mode" | "variables" | "outputs"> {
  readonly catalog: Catalog;
  /** The version of outreach. */
  readonly version: string;
}

/**
 * A plan in the format that `terraform show -json` prints (format 1.2), for policy tools. Made from the plan
 * alone, without a time. Sensitive values are `(sensitive value)` on both sides of a change;
 * `replace_paths` shows a rotation.
 */
export function planJson(given: Plan, context: PlanJsonContext): JsonObject {
  // What nothing declares is no part of the configuration, and nothing happens to it.
  const plan = { ...given, steps: given.steps.filter((step) => step.action !== "keep" || !step.undeclared) };
  const { catalog, version, mode, variables } = context;
  const changes = resourceChanges(plan, context);
  const outputs = outputRows(plan, context.outputs);
  const errored = hasErrors(plan.diagnostics);
  const set = Object.entries(variables);
  return {
    format_version: "1.2",
    terraform_version: TERRAFORM_VERSION,
    outreach_version: version,
    ...(set.length === 0 ? {} : { variables: Object.fromEntries(set.map(([name, value]) => [name, { value: knownJson(value) }])) }),
    planned_values: {
      ...outputValuesJson(outputs, "after"),
      root_module: rootModule(mode === "refresh-only" ? [] : plan.steps.flatMap((step) => valuesOf(step, sidesOf(step).after, catalog))),
    },
    ...(plan.drift.length === 0 ? {} : { resource_drift: plan.drift.map((drift) => driftJson(drift, catalog)) }),
    // Terraform lists drift under resource_drift only, never as a change.
    ...(mode === "refresh-only" || changes.length === 0 ? {} : { resource_changes: changes }),
    ...(outputs.length === 0 ? {} : { output_changes: Object.fromEntries(outputs.map((change) => [change.name, outputChangeJson(change)])) }),
    ...(plan.checks === undefined ? {} : { checks: plan.checks.map(checkJson) }),
    prior_state: priorState(plan, context),
    configuration: configurationJson(plan, context),
    ...(plan.unrecorded ? { unrecorded_outcomes: true } : {}),
    applyable: !errored && hasChanges(plan),
    complete: !errored && plan.undecided.length === 0,
    errored,
  };
}

function resourceChanges(plan: Plan, { catalog, mode }: PlanJsonContext): readonly JsonObject[] {
  const reasonOf = reasonFinder(plan, mode);
  return plan.steps.map((step) => {
    const reason = reasonOf(step);
    return {
      ...resourceJson(step.address),
      ...(step.movedFrom === undefined ? {} : { previous_address: step.movedFrom }),
      ...("deposed" in step && step.deposed ? { deposed: step.id } : {}),
      change: changeJson(step, catalog),
      ...(reason === undefined ? {} : { action_reason: reason }),
    };
  });
}

function changeJson(step: Step, catalog: Catalog): JsonObject {
  const definition = resourceOf(catalog, step.type);
  const sides = sidesOf(step);
  const paths = replacePaths(step);
  return {
    ...sidesJson(actionsOf(step), { ...sides, schema: definition.schema, masked: step.masked }),
    ...(paths === undefined ? {} : { replace_paths: paths }),
    ...importingJson(definition, step),
    ...(step.action === "forget" ? {} : identitiesJson(definition, sides, step.masked)),
  };
}

/** The identities on both sides of a change. Terraform prints none for what it only forgets. */
function identitiesJson(definition: AnyResource, { before, after }: Pick<Sides, "before" | "after">, masked: readonly string[]): JsonObject {
  const [had, has] = [before, after].map((attributes) => identityJson(definition, attributes, masked));
  return { ...(had === undefined ? {} : { before_identity: had }), ...(has === undefined ? {} : { after_identity: has }) };
}

interface Sides {
  readonly before: Attributes | null;
  readonly after: Attributes | null;
  readonly schema: Parameters<typeof sideJson>[1];
  readonly masked: readonly string[];
}

function sidesJson(actions: readonly string[], { before, after, schema, masked }: Sides): JsonObject {
  const [had, has] = [sideJson(before, schema, masked), sideJson(after, schema, masked)];
  return { actions, before: had.values, after: has.values, after_unknown: has.unknown, before_sensitive: had.sensitive, after_sensitive: has.sensitive };
}

function driftJson({ address, type, before, after, masked }: Drift, catalog: Catalog): JsonObject {
  const { schema } = resourceOf(catalog, type);
  return { ...resourceJson(address), change: sidesJson([after === null ? "delete" : "update"], { before, after, schema, masked }) };
}

function checkJson({ name, status, messages }: CheckResult): JsonObject {
  const address = { kind: "check", name, to_display: `check.${name}` };
  const problems = messages.length === 0 ? {} : { problems: messages.map((message) => ({ message })) };
  return { address, status, instances: [{ address: { to_display: address.to_display }, status, ...problems }] };
}

/** The recorded objects, updated from the live list, without the missing ones. */
function priorState(plan: Plan, { catalog, outputs }: PlanJsonContext): JsonObject {
  const drifted = new Map(plan.drift.map(({ address, after }) => [address, after]));
  const resources = plan.steps.flatMap((step) => {
    const now = drifted.get(step.address);
    return valuesOf(step, now === undefined ? sidesOf(step).before : now, catalog);
  });
  const values = { ...outputValuesJson(outputRows({ outputs: [] }, outputs), "before"), root_module: rootModule(resources) };
  return { format_version: "1.0", terraform_version: TERRAFORM_VERSION, values };
}

function rootModule(resources: readonly JsonObject[]): JsonObject {
  return resources.length === 0 ? {} : { resources };
}

function valuesOf(step: Step, attributes: Attributes | null, catalog: Catalog): readonly JsonObject[] {
  if (attributes === null) return [];
  const definition = resourceOf(catalog, step.type);
  const { values, sensitive } = sideJson(attributes, definition.schema, step.masked);
  const identity = recordedIdentityJson(definition, attributes, step.masked);
  const deposed = "deposed" in step && step.deposed ? { deposed_key: step.id } : {};
  return [{ ...resourceJson(step.address), schema_version: definition.version, values, ...identity, sensitive_values: sensitive, ...deposed }];
}

/** The part of the configuration that a plan knows: declared resources, their provider, and variables. */
function configurationJson({ steps }: Plan, { catalog, variables }: PlanJsonContext): JsonObject {
  const declared = steps.filter(({ action }) => action !== "delete" && action !== "forget");
  const blocks = new Map(declared.map((step) => [blockOf(step.address), step]));
  const resources = [...blocks].map(([block, { type, provider }]) => {
    const { mode, name } = resourceJson(block);
    return {
      address: block,
      mode: mode ?? "managed",
      type,
      name: name ?? "",
      provider_config_key: provider,
      schema_version: resourceOf(catalog, type).version,
    };
  });
  const names = Object.keys(variables);
  return {
    provider_config: Object.fromEntries([...new Set(steps.map(({ provider }) => provider))].map((key) => [key, providerJson(key)])),
    root_module: {
      ...rootModule(resources),
      ...(names.length === 0 ? {} : { variables: Object.fromEntries(names.map((name) => [name, {}])) }),
    },
  };
}

function providerJson(key: string): JsonObject {
  const [name = key, alias] = key.split(".");
  return { name, full_name: PROVIDER_NAME, ...(alias === undefined ? {} : { alias }) };
}
