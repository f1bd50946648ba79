import type { Block, Configuration } from "../../core/config/block.ts";
import { addressOf } from "../../core/config/round.ts";
import type { Catalog } from "../../core/model/definition.ts";
import { nearest, type Diagnostic, type Result } from "../../core/model/diagnostic.ts";
import { requiresTerraform, saidOf, stackMistake } from "./stack-problems.ts";
import { readBlock } from "./read-stack-block.ts";
import { readCheck } from "./read-lifecycle.ts";
import { readLocals, readOutput, readVariable } from "./read-values.ts";
import { checkSettings, readImport, readMoved, readRemoved } from "./read-stack-settings.ts";
import { readProviders } from "./read-providers.ts";
import { blocksIn, COMMENT, constructPath, invalidStack, parseStack, type Labelled, type Tree } from "./stack-tree.ts";

interface StackContext {
  readonly file: string;
  readonly catalog: Catalog;
}

/** The supported parts of a stack, and the number of labels of their blocks. */
const PARTS = {
  resource: 2,
  data: 2,
  provider: 1,
  variable: 1,
  output: 1,
  locals: 0,
  import: 0,
  moved: 0,
  removed: 0,
  check: 1,
} as const;
const IGNORED: ReadonlySet<string> = new Set([COMMENT, "terraform"]);
/** The parts that require Terraform: a noun, the reason, and the number of labels. */
const TERRAFORM_ONLY: ReadonlyMap<string, { readonly what: string; readonly why: string; readonly depth: number }> =
  new Map([
    ["module", { what: "a module", why: "only Terraform downloads and reads modules", depth: 1 }],
    [
      "ephemeral",
      { what: "an ephemeral resource", why: "only Terraform has values that exist only during a run", depth: 2 },
    ],
    ["action", { what: "an action", why: "only Terraform runs actions", depth: 2 }],
  ]);

/**
 * Reads a synthesised stack (`cdk.tf.json`) into the same blocks as YAML. A feature that requires Terraform is an error
 * that names the construct.
 */
export function readStack(
  bytes: Uint8Array,
  { file, folder, name, catalog }: StackContext & Pick<Configuration, "folder"> & { readonly name: string },
): Result<Configuration> {
  const parsed = parseStack(bytes, file);
  const root = "summary" in parsed ? {} : parsed.root;
  const found = Object.fromEntries(
    Object.entries(PARTS).map(([part, depth]) => [part, blocksIn(root[part], { depth, place: { file } })]),
  );
  const all = <T>(part: keyof typeof PARTS, read: (one: Labelled) => Result<T>): Result<readonly NonNullable<T>[]> => {
    const each = (found[part]?.blocks ?? []).map(read);
    return {
      value: each.flatMap(({ value }) => (value === null || value === undefined ? [] : [value])),
      diagnostics: [...(found[part]?.diagnostics ?? []), ...saidOf(...each)],
    };
  };
  const data = all("data", (one) => readBlock(one, { mode: "data", file, catalog }));
  const managed = all("resource", (one) => readBlock(one, { mode: "managed", file, catalog }));
  const blocks = [...data.value, ...managed.value];
  const variables = all("variable", (one) => readVariable(one, file));
  const locals = all("locals", (one) => readLocals(one, file));
  const outputs = all("output", (one) => readOutput(one, file));
  const providers = all("provider", (one) => ({ value: one, diagnostics: [] }));
  const service = readProviders(providers.value, { blocks, file });
  const imports = all("import", (one) => readImport(one, file));
  const moved = all("moved", (one) => readMoved(one, file));
  const removed = all("removed", (one) => readRemoved(one, file));
  const checks = all("check", (one) => readCheck(one, file));
  const configuration: Configuration = {
    variables: variables.value,
    locals: locals.value.flat(),
    blocks,
    outputs: outputs.value,
    imports: imports.value,
    moved: moved.value,
    removed: removed.value,
    checks: checks.value,
    limits: {},
    service: service.value,
    state: { backend: "local", settings: { path: { kind: "literal", value: `outreach.${name}.state.json` } } },
    folder,
  };
  const diagnostics = [
    ...("summary" in parsed ? [parsed] : []),
    ...otherParts(root, file),
    ...checkSettings(root["terraform"], file),
  ];
  return {
    value: configuration,
    diagnostics: [
      ...diagnostics,
      ...saidOf(variables, locals, outputs, providers, service, data, managed, imports, moved, removed, checks),
      ...duplicates(configuration),
      ...danglingDependencies(configuration, [...blocks, ...outputs.value]),
    ],
  };
}

function otherParts(root: Tree, file: string): readonly Diagnostic[] {
  return Object.entries(root).flatMap(([part, value]): readonly Diagnostic[] => {
    if (Object.hasOwn(PARTS, part) || IGNORED.has(part)) return [];
    const known = TERRAFORM_ONLY.get(part);
    if (!known) return [invalidStack(`${JSON.stringify(part)} is not a known part of a stack.`, { file })];
    const { what, why, depth } = known;
    const { blocks, diagnostics } = blocksIn(value, { depth, place: { file } });
    return [
      ...diagnostics,
      ...blocks.map(({ labels, body }) =>
        requiresTerraform(what, why, { file, construct: constructPath(body) ?? [part, ...labels].join(".") }),
      ),
    ];
  });
}

function duplicates({ blocks, variables, locals = [], outputs }: Configuration): readonly Diagnostic[] {
  const declared: readonly (readonly [name: string, Pick<Block, "locate">])[] = [
    ...blocks.map((block) => [addressOf(block), block] as const),
    ...variables.map((variable) => [`var.${variable.name}`, variable] as const),
    ...locals.map((local) => [`local.${local.name}`, local] as const),
    ...outputs.map((output) => [`output.${output.name}`, output] as const),
  ];
  const seen = new Set<string>();
  return declared.flatMap(([name, { locate }]) => {
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    const place = locate([]);
    return place
      ? [
          stackMistake("Duplicate declaration", {
            detail: `${name} is declared twice.`,
            hint: "Rename one of them.",
            place,
          }),
        ]
      : [];
  });
}

/** Checks that the names in `depends_on` exist. They do not affect the order of requests, which the planner decides. */
function danglingDependencies(
  { blocks, locals = [], variables }: Configuration,
  depending: readonly Pick<Block, "dependsOn" | "locate">[],
): readonly Diagnostic[] {
  const declared = new Set([
    ...blocks.map((block) => addressOf(block)),
    ...locals.map(({ name }) => `local.${name}`),
    ...variables.map(({ name }) => `var.${name}`),
  ]);
  return depending.flatMap(({ dependsOn = [], locate }) =>
    dependsOn.flatMap((name) => {
      const place = locate([]);
      if (declared.has(name) || !place) return [];
      if (name.startsWith("module."))
        return [requiresTerraform(`a dependency on ${name}`, "modules require Terraform", place)];
      const suggestion = [...declared].find((one) => name.startsWith(`${one}.`)) ?? nearest(name, [...declared]);
      return [
        stackMistake("Reference to undeclared resource", {
          detail: `depends_on refers to ${name}, which this stack does not declare.`,
          hint: suggestion === null ? "Correct the name, or remove it." : `Did you mean ${suggestion}?`,
          place,
        }),
      ];
    }),
  );
}

const CONFIGURATION = /^[^.].*\.(?:tf|tofu)(?:\.json)?$/;
const VALUES = /^terraform\.tfvars(?:\.json)?$|^[^.].*\.auto\.tfvars(?:\.json)?$/;

/** Reports the files in the stack's folder that Terraform would also read. `names` are the files, `path` is the prefix of their paths. */
export function otherFiles(names: readonly string[], path: string): readonly Diagnostic[] {
  return names.toSorted().flatMap((name): readonly Diagnostic[] => {
    const place = { file: `${path}${name}` };
    if (name !== "cdk.tf.json" && CONFIGURATION.test(name))
      return [
        requiresTerraform(`the additional file ${name}`, "only Terraform reads several files for one stack", place),
      ];
    if (VALUES.test(name))
      return [
        requiresTerraform(
          `the additional file ${name}`,
          "only Terraform reads values of variables from it automatically",
          place,
        ),
      ];
    return [];
  });
}
