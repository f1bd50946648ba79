import type { Block, Configuration } from "../../core/config/block.ts";
import { formatAddress } from "../../core/model/address.ts";
import type { Catalog } from "../../core/model/definition.ts";
import { type Diagnostic, type Result, nearest } from "../../core/model/diagnostic.ts";
import { mistaken, outside } from "./outside.ts";
import { readBlock } from "./read-block.ts";
import { readLocals, readOutput, readVariable } from "./read-names.ts";
import { readProviders } from "./read-providers.ts";
import { checkSettings } from "./read-settings.ts";
import { readImport, readMoved, readRemoved } from "./read-statements.ts";
import { COMMENT, type Labelled, type Tree, blocksIn, constructPath, invalidStack, parseStack } from "./stack-tree.ts";

interface StackContext {
  readonly file: string;
  readonly catalog: Catalog;
}

/** The parts of a stack that run here, and how many labels their blocks have. */
const PARTS = { resource: 2, data: 2, provider: 1, variable: 1, output: 1, locals: 0, import: 0, moved: 0, removed: 0 } as const;
const IGNORED: ReadonlySet<string> = new Set([COMMENT, "terraform"]);
/** The other parts: what one of them is, why it does not run here, and how many labels it has. */
const TERRAFORM_ONLY: ReadonlyMap<string, { readonly what: string; readonly why: string; readonly depth: number }> = new Map([
  ["module", { what: "a module", why: "the code of modules is fetched and read by Terraform", depth: 1 }],
  ["ephemeral", { what: "an ephemeral resource", why: "it is a value that Terraform forgets when the run is over", depth: 2 }],
  ["check", { what: "a check", why: "only Terraform checks the conditions of a configuration", depth: 1 }],
  ["action", { what: "an action", why: "only Terraform runs actions", depth: 2 }],
]);

/**
 * Reads a synthesised stack (`cdk.tf.json`) into the same blocks as YAML. What this tool does not evaluate is an error
 * that names the construct, and says to run the stack with Terraform.
 */
export function readStack(
  bytes: Uint8Array,
  { file, folder, name, catalog }: StackContext & { readonly folder: string; readonly name: string },
): Result<Configuration> {
  const parsed = parseStack(bytes, file);
  const root = "summary" in parsed ? {} : parsed.root;
  const found = Object.fromEntries(Object.entries(PARTS).map(([part, depth]) => [part, blocksIn(root[part], { depth, place: { file } })]));
  const all = <T>(part: keyof typeof PARTS, read: (one: Labelled) => Result<T>): Result<readonly NonNullable<T>[]> => {
    const each = (found[part]?.blocks ?? []).map(read);
    return {
      value: each.flatMap(({ value }) => (value === null || value === undefined ? [] : [value])),
      diagnostics: [...(found[part]?.diagnostics ?? []), ...each.flatMap(({ diagnostics }) => diagnostics)],
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
  const [imports, moved, removed] = [
    all("import", (one) => readImport(one, file)),
    all("moved", (one) => readMoved(one, file)),
    all("removed", (one) => readRemoved(one, file)),
  ];
  const configuration: Configuration = {
    variables: variables.value,
    locals: locals.value.flat(),
    blocks,
    outputs: outputs.value,
    imports: imports.value,
    moved: moved.value,
    removed: removed.value,
    limits: {},
    service: service.value,
    state: { backend: "local", settings: { path: { kind: "literal", value: `outreach.${name}.state.json` } } },
    folder,
  };
  const results = [variables, locals, outputs, providers, service, data, managed, imports, moved, removed];
  const diagnostics = [...("summary" in parsed ? [parsed] : []), ...otherParts(root, file), ...checkSettings(root["terraform"], file)];
  return {
    value: configuration,
    diagnostics: [
      ...diagnostics,
      ...results.flatMap((result) => result.diagnostics),
      ...declaredTwice(configuration),
      ...danglingDependencies(configuration, [...blocks, ...outputs.value]),
    ],
  };
}

function otherParts(root: Tree, file: string): readonly Diagnostic[] {
  return Object.entries(root).flatMap(([part, value]): readonly Diagnostic[] => {
    if (Object.hasOwn(PARTS, part) || IGNORED.has(part)) return [];
    const known = TERRAFORM_ONLY.get(part);
    if (!known) return [invalidStack(`${JSON.stringify(part)} is no part of a stack that is known here.`, { file })];
    const { what, why, depth } = known;
    const { blocks, diagnostics } = blocksIn(value, { depth, place: { file } });
    return [...diagnostics, ...blocks.map(({ labels, body }) => outside(what, why, { file, construct: constructPath(body) ?? [part, ...labels].join(".") }))];
  });
}

function declaredTwice({ blocks, variables, locals = [], outputs }: Configuration): readonly Diagnostic[] {
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
    return place ? [mistaken("Declared twice", { detail: `${name} is declared twice.`, hint: "Give one of them another name.", place })] : [];
  });
}

function addressOf({ mode, type, name }: Block): string {
  return formatAddress({ mode, type, name, key: null });
}

/** What `depends_on` names must be there. The order of requests is the planner's: it is the same whatever depends on what. */
function danglingDependencies(
  { blocks, locals = [], variables }: Configuration,
  depending: readonly Pick<Block, "dependsOn" | "locate">[],
): readonly Diagnostic[] {
  const declared = new Set([...blocks.map(addressOf), ...locals.map(({ name }) => `local.${name}`), ...variables.map(({ name }) => `var.${name}`)]);
  return depending.flatMap(({ dependsOn = [], locate }) =>
    dependsOn.flatMap((name) => {
      const place = locate([]);
      if (declared.has(name) || !place) return [];
      if (name.startsWith("module.")) return [outside(`a dependency on ${name}`, "modules run with Terraform only", place)];
      const meant = nearest(name, [...declared]);
      return [
        mistaken("Reference to undeclared resource", {
          detail: `depends_on names ${name}, which this stack does not declare.`,
          hint: meant === null ? "Correct the name, or take it out." : `Did you mean ${meant}?`,
          place,
        }),
      ];
    }),
  );
}
