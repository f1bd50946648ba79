import type { Argument, Block } from "../../core/config/block.ts";
import { blockOf, isName } from "../../core/model/address.ts";
import { type Schema, attributesOf } from "../../core/model/attribute.ts";
import type { Catalog } from "../../core/model/definition.ts";
import { type Diagnostic, type Place, type Result, errorOf } from "../../core/model/diagnostic.ts";
import { checkName, saidOf, stackMistake, requiresTerraform, unknownArgument, writeOnly } from "./stack-problems.ts";
import { argumentOf, readDependsOn } from "./read-argument.ts";
import { type Lifecycle, readLifecycle } from "./read-lifecycle.ts";
import { COMMENT, type Labelled, type Tree, constructPath } from "./stack-tree.ts";

export const PROVIDER = "outreach";

/** Terraform's meta-arguments. */
const META: ReadonlySet<string> = new Set([COMMENT, "provider", "depends_on", "count", "for_each", "lifecycle"]);
/** Meta-arguments that require Terraform, and why. */
const TERRAFORM_ONLY: ReadonlyMap<string, string> = new Map([
  ["provisioner", "only Terraform runs programs when it creates or destroys a resource"],
  ["connection", "only Terraform runs provisioners"],
  ["dynamic", "this provider's resources have no nested blocks"],
]);

/** Reads a resource or a data source. Null for another provider's type. */
export function readBlock(
  { labels: [type = "", name = ""], body }: Labelled,
  { mode, file, catalog }: { readonly mode: Block["mode"]; readonly file: string; readonly catalog: Catalog },
): Result<Block | null> {
  const place = { file, construct: constructPath(body) ?? `${mode === "data" ? "data." : ""}${type}.${name}` };
  const definitions = mode === "data" ? catalog.dataSources : catalog.resources;
  const definition = definitions.find((candidate) => candidate.type === type);
  if (!definition) return { value: null, diagnostics: [foreignType(mode, type, place)] };
  const { schema } = definition;
  const lifecycle = readLifecycle(body["lifecycle"], { mode, schema, place });
  const args = readArguments(body, { schema, place });
  const meta = readMeta(body, { mode, place });
  const { ignoreChanges, preconditions, postconditions } = lifecycle.value;
  return {
    value: {
      mode,
      type,
      name,
      ...meta.value,
      arguments: { ...args.value, ...settings(lifecycle.value, schema) },
      ...(ignoreChanges ? { ignoreChanges } : {}),
      preconditions,
      postconditions,
      locate: () => place,
    },
    diagnostics: [...checkName(name, place), ...saidOf(meta, lifecycle, args)],
  };
}

function foreignType(mode: Block["mode"], type: string, place: Place): Diagnostic {
  return requiresTerraform(
    `the ${mode === "data" ? "data source" : "resource"} type ${type}`,
    type === "terraform_remote_state"
      ? "only Terraform reads the outputs of another stack"
      : "it belongs to another provider",
    place,
  );
}

function readArguments(
  body: Tree,
  { schema, place }: { readonly schema: Schema; readonly place: Place },
): Result<{ readonly [name: string]: Argument }> {
  const offered = new Map(attributesOf(schema, "terraform").filter(([, attribute]) => attribute.mode !== "computed"));
  const diagnostics: Diagnostic[] = [];
  const args: [string, Argument][] = [];
  for (const [key, value] of Object.entries(body)) {
    if (META.has(key)) continue;
    const attribute = offered.get(key);
    const why = TERRAFORM_ONLY.get(key);
    if (why !== undefined) diagnostics.push(requiresTerraform(`the block ${key}`, why, place));
    else if (!attribute) diagnostics.push(unknownArgument(key, [...offered.keys()], place));
    else if (value === null) continue;
    else if (attribute.writeOnly) {
      diagnostics.push(writeOnly(key, attribute.writeOnly.of, place));
      // It counts as set, with a value that nothing reads: no check reports it as missing.
      args.push([key, { kind: "secret", source: { kind: "value", value: "" } }]);
    } else args.push([key, argumentOf(value)]);
  }
  return { value: Object.fromEntries(args), diagnostics };
}

type Meta = Pick<Block, "provider" | "repeat" | "dependsOn">;

function readMeta(body: Tree, { mode, place }: { readonly mode: Block["mode"]; readonly place: Place }): Result<Meta> {
  const diagnostics: Diagnostic[] = [];
  const { provider, count, for_each: forEach, depends_on: dependsOn } = body;
  const given = readProviderName(provider, place);
  diagnostics.push(...given.diagnostics);
  if (count !== undefined && forEach !== undefined)
    diagnostics.push(
      errorOf("repeat_invalid", "Invalid combination of count and for_each", {
        detail: "A block can have count or for_each, but not both.",
        hint: "Remove one of them.",
        place,
      }),
    );
  const kind = count !== undefined ? "count" : forEach !== undefined ? "for_each" : null;
  const { value: named, diagnostics: inDependsOn } = readDependsOn(dependsOn, place);
  diagnostics.push(...inDependsOn);
  if (mode === "data" && named.some((one) => !/^(?:data|var|local)\./.test(one)))
    diagnostics.push(
      requiresTerraform(
        "a data source that depends on a resource (depends_on)",
        "it can be read only after the apply, but outreach reads all data sources before",
        place,
      ),
    );
  const value: Meta = {
    provider: given.value,
    ...(kind === null ? {} : { repeat: { kind, value: argumentOf(body[kind]) } }),
    ...(named.length === 0 ? {} : { dependsOn: named.map((name) => blockOf(name) || name) }),
  };
  return { value, diagnostics };
}

/** The name of a provider configuration; ours by default. */
function readProviderName(written: unknown, place: Place): Result<string> {
  if (written === undefined) return { value: PROVIDER, diagnostics: [] };
  const steps = typeof written === "string" ? written.split(".") : [];
  if (typeof written !== "string" || steps.length === 0 || steps.length > 2 || !steps.every(isName)) {
    const detail = `${JSON.stringify(written)} is not a provider.`;
    return {
      value: PROVIDER,
      diagnostics: [
        stackMistake("Invalid provider", { detail, hint: `Write ${PROVIDER}, or ${PROVIDER}.ALIAS.`, place }),
      ],
    };
  }
  return {
    value: written,
    diagnostics:
      steps[0] === PROVIDER
        ? []
        : [requiresTerraform(`the provider ${written}`, "it is not the outreach provider", place)],
  };
}

/** The lifecycle as our own settings, for resources that have them. */
function settings({ createFirst, protect }: Lifecycle, schema: Schema): { readonly [name: string]: Argument } {
  return {
    ...(createFirst && Object.hasOwn(schema, "rotation")
      ? { rotation: { kind: "literal", value: "create_first" } as const }
      : {}),
    ...(protect && Object.hasOwn(schema, "protect") ? { protect: { kind: "literal", value: true } as const } : {}),
  };
}
