import { recordedAddress } from "../../core/model/address.ts";
import type { DataRead, OutlinedVariable } from "../../core/model/configuration-outline.ts";
import { type AnyResource, type Catalog, dataSourceOf, resourceOf } from "../../core/model/definition.ts";
import type { CheckResult } from "../../core/model/check-result.ts";
import { hasErrors } from "../../core/model/diagnostic.ts";
import { type Attributes, UNKNOWN, isSecretDigest } from "../../core/model/value.ts";
import { type Drift, type Plan, type Step, hasChanges, isRemoval } from "../../core/plan/plan.ts";
import { isPartial } from "../../core/plan/targets.ts";
import type { ShownPlan } from "../content/output-format.ts";
import type { JsonObject } from "./escaped-json.ts";
import { costJson } from "./cost-json.ts";
import { identityJson, knownJson, recordedIdentityJson, sideJson } from "./json-value.ts";
import { outputChangeJson, outputRows, outputValuesJson } from "./output-json.ts";
import {
  PROVIDER_NAME,
  actionsOf,
  importingJson,
  listedDrift,
  listedSteps,
  previousAddress,
  reasonFinder,
  replacePaths,
  resourceJson,
  sidesOf,
} from "./step-json.ts";

/** The Terraform version whose formats we print, as `terraform_version`. Our own version is `outreach_version`. */
export const TERRAFORM_VERSION = "1.11.4";

interface PlanJsonContext extends Pick<
  ShownPlan,
  "mode" | "outline" | "withSecrets" | "assumed" | "scope" | "outputs"
> {
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
  const { version, mode, outline, withSecrets, scope } = context;
  const changes = resourceChanges(plan, context);
  const drift = listedDrift(plan, mode);
  const outputs = outputRows(plan, context.outputs);
  const errored = hasErrors(plan.diagnostics);
  const set = outline.variables.flatMap(({ name, value }) =>
    value === undefined ? [] : [[name, { value: knownJson(value) }] as const],
  );
  return {
    format_version: "1.2",
    terraform_version: TERRAFORM_VERSION,
    outreach_version: version,
    ...(set.length === 0 ? {} : { variables: Object.fromEntries(set) }),
    planned_values: {
      ...outputValuesJson(outputs, "after"),
      root_module: rootModule(
        listedSteps(plan, mode).flatMap((step) => valuesOf(step, shownSides(step, context).after, context)),
      ),
    },
    ...(drift.length === 0 ? {} : { resource_drift: drift.map((one) => driftJson(one, context)) }),
    ...(changes.length === 0 ? {} : { resource_changes: changes }),
    ...(outputs.length === 0
      ? {}
      : { output_changes: Object.fromEntries(outputs.map((change) => [change.name, outputChangeJson(change)])) }),
    ...(plan.checks === undefined ? {} : { checks: plan.checks.map(checkJson) }),
    prior_state: priorState(plan, context),
    configuration: configurationJson(plan, context),
    ...assumedJson(context),
    ...(plan.names ? { names: plan.names } : {}),
    ...(plan.unrecorded ? { unrecorded_outcomes: true } : {}),
    ...(plan.cost ? { requests: costJson(plan.cost) } : {}),
    applyable: !errored && withSecrets && hasChanges(plan),
    complete: !errored && plan.undecided.length === 0 && !isPartial(scope),
    errored,
  };
}

function resourceChanges(plan: Plan, context: PlanJsonContext): readonly JsonObject[] {
  const reasonOf = reasonFinder(plan, context.mode);
  return listedSteps(plan, context.mode).map((step) => {
    const reason = reasonOf(step);
    const previous = previousAddress(step, context.mode);
    return {
      ...resourceJson(step.address),
      ...(previous === undefined ? {} : { previous_address: previous }),
      ...("deposed" in step && step.deposed ? { deposed: step.id } : {}),
      ...(isRemoval(step) ? { removal_reason: step.removal.reason } : {}),
      change: changeJson(step, context),
      ...(reason === undefined ? {} : { action_reason: reason }),
    };
  });
}

function changeJson(step: Step, context: PlanJsonContext): JsonObject {
  const definition = resourceOf(context.catalog, step.type);
  const sides = shownSides(step, context);
  const paths = replacePaths(step);
  return {
    ...sidesJson(actionsOf(definition, step), { ...sides, schema: definition.schema, masked: step.masked }),
    ...(paths === undefined ? {} : { replace_paths: paths }),
    ...importingJson(definition, step),
    ...(step.action === "forget" ? {} : identitiesJson(definition, sides, step.masked)),
  };
}

/** The identities on both sides of a change. Terraform prints none for what it only forgets. */
function identitiesJson(
  definition: AnyResource,
  { before, after }: Pick<Sides, "before" | "after">,
  masked: readonly string[],
): JsonObject {
  const [had, has] = [before, after].map((attributes) => identityJson(definition, attributes, masked));
  return {
    ...(had === undefined ? {} : { before_identity: had }),
    ...(has === undefined ? {} : { after_identity: has }),
  };
}

/** A plan without secrets does not know whether a recorded secret stays. */
function shownSides(step: Step, { catalog, withSecrets }: PlanJsonContext): ReturnType<typeof sidesOf> {
  const { before, after } = sidesOf(resourceOf(catalog, step.type), step);
  if (withSecrets || after === null) return { before, after };
  return {
    before,
    after: Object.fromEntries(
      Object.entries(after).map(([name, value]) => [name, isSecretDigest(value) ? UNKNOWN : value]),
    ),
  };
}

interface Sides {
  readonly before: Attributes | null;
  readonly after: Attributes | null;
  readonly schema: Parameters<typeof sideJson>[1];
  readonly masked: readonly string[];
}

function sidesJson(actions: readonly string[], { before, after, schema, masked }: Sides): JsonObject {
  const [had, has] = [sideJson(before, schema, masked), sideJson(after, schema, masked)];
  return {
    actions,
    before: had.values,
    after: has.values,
    after_unknown: has.unknown,
    before_sensitive: had.sensitive,
    after_sensitive: has.sensitive,
  };
}

function driftJson({ address, type, before, after, masked }: Drift, { catalog }: PlanJsonContext): JsonObject {
  const { schema } = resourceOf(catalog, type);
  return {
    ...resourceJson(address),
    change: sidesJson([after === null ? "delete" : "update"], { before, after, schema, masked }),
  };
}

function checkJson({ name, status, messages }: CheckResult): JsonObject {
  const address = { kind: "check", name, to_display: `check.${name}` };
  const problems = messages.length === 0 ? {} : { problems: messages.map((message) => ({ message })) };
  return { address, status, instances: [{ address: { to_display: address.to_display }, status, ...problems }] };
}

/** The secrets that nobody has verified, in the form of Terraform's `relevant_attributes`. */
function assumedJson({ assumed }: PlanJsonContext): JsonObject {
  return assumed.length === 0
    ? {}
    : { assumed_attributes: assumed.map((resource) => ({ resource, attribute: ["secret"] })) };
}

/** What was read, and the recorded objects, updated from the live list, without the missing ones. */
function priorState(plan: Plan, context: PlanJsonContext): JsonObject {
  const { catalog, outline, outputs } = context;
  const drifted = new Map(plan.drift.map(({ address, after }) => [address, after]));
  const resources = plan.steps.flatMap((step) => {
    const now = drifted.get(step.address);
    return valuesOf(step, now === undefined ? sidesOf(resourceOf(catalog, step.type), step).before : now, context);
  });
  const root = rootModule([...outline.data.map((read) => dataJson(read, catalog)), ...resources]);
  const values = { ...outputValuesJson(outputRows({ outputs: [] }, outputs), "before"), root_module: root };
  return { format_version: "1.0", terraform_version: TERRAFORM_VERSION, values };
}

function dataJson({ address, type, attributes, masked }: DataRead, catalog: Catalog): JsonObject {
  const { values, sensitive } = sideJson(attributes, dataSourceOf(catalog, type).schema, masked);
  return { ...resourceJson(address), schema_version: 0, values, sensitive_values: sensitive };
}

function rootModule(resources: readonly JsonObject[]): JsonObject {
  return resources.length === 0 ? {} : { resources };
}

function valuesOf(step: Step, attributes: Attributes | null, { catalog }: PlanJsonContext): readonly JsonObject[] {
  if (attributes === null) return [];
  const definition = resourceOf(catalog, step.type);
  const { values, sensitive } = sideJson(attributes, definition.schema, step.masked);
  const identity = recordedIdentityJson(definition, attributes, step.masked);
  const deposed = "deposed" in step && step.deposed ? { deposed_key: step.id } : {};
  return [
    {
      ...resourceJson(step.address),
      schema_version: definition.version,
      values,
      ...identity,
      sensitive_values: sensitive,
      ...deposed,
    },
  ];
}

/** The declared blocks, their providers, variables and outputs, without expressions. */
function configurationJson(
  { steps }: Plan,
  { catalog, outline: { blocks, variables, outputs } }: PlanJsonContext,
): JsonObject {
  const resources = blocks.map(({ address, mode, type, provider }) => ({
    address,
    mode,
    type,
    name: recordedAddress(address).name,
    provider_config_key: provider,
    schema_version: mode === "data" ? 0 : resourceOf(catalog, type).version,
  }));
  const providers = [...new Set([...blocks, ...steps].map(({ provider }) => provider))].toSorted();
  return {
    provider_config: Object.fromEntries(providers.map((key) => [key, providerJson(key)])),
    root_module: {
      ...(outputs.length === 0
        ? {}
        : {
            outputs: Object.fromEntries(outputs.map(({ name, sensitive }) => [name, sensitive ? { sensitive } : {}])),
          }),
      ...rootModule(resources),
      ...(variables.length === 0
        ? {}
        : { variables: Object.fromEntries(variables.map((one) => [one.name, variableJson(one)])) }),
    },
  };
}

function variableJson({ sensitive, default: fallback }: OutlinedVariable): JsonObject {
  return { ...(fallback === undefined ? {} : { default: knownJson(fallback) }), ...(sensitive ? { sensitive } : {}) };
}

function providerJson(key: string): JsonObject {
  const [name = key, alias] = key.split(".");
  return { name, full_name: PROVIDER_NAME, ...(alias === undefined ? {} : { alias }) };
}
