import path from "node:path";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { PROVIDER_ADDRESS, type ProviderSchemaJson } from "./provider-schema.ts";
import { eventTypeConstants } from "./event-catalogue.ts";

/** The input of a construct generator: the schema as `terraform providers schema -json` prints it, and the accepted provider versions. */
interface ConstructsInput {
  readonly schema: ProviderSchemaJson;
  readonly versions: string;
}

const INDEX = "index.ts";

/** Each generator has its own version of the class that collects its output. */
interface Code {
  save(folder: string): Promise<readonly string[]>;
}

/** The constructs of one flavour, by path in `lib/`: one folder per resource or data source, as in the ecosystem's prebuilt packages. */
export async function constructs(
  flavour: Flavour,
  { schema, versions }: ConstructsInput,
): Promise<ReadonlyMap<string, string>> {
  const constraint = `${PROVIDER_ADDRESS.split("/").slice(1).join("/")}@${versions}`;
  const code = await silently(() => (flavour === "cdktf" ? cdktf(schema, constraint) : cdktn(schema, constraint)));
  const folder = await mkdtemp(path.join(tmpdir(), "outreach-constructs-"));
  try {
    await code.save(folder);
    const generated = await filesBelow(path.join(folder, "providers", PROVIDER_ADDRESS.split("/").at(-1) ?? ""));
    const index = `${generated.get(INDEX) ?? ""}${HAND_MADE_EXPORTS}`;
    return new Map([
      ...[...generated].map(describing(schema)).map(withChecks),
      ...(await handMadeConstructs(flavour)),
      [INDEX, index],
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The generators describe properties only. This adds the description of its type to each class. */
function describing({
  provider_schemas: schemas,
}: ConstructsInput["schema"]): (file: readonly [string, string]) => readonly [string, string] {
  const { provider, resource_schemas: resources, data_source_schemas: dataSources } = schemas[PROVIDER_ADDRESS];
  const described = (whole: string, kind: string | undefined, type: string): string => {
    const found = kind === undefined ? provider : (kind === "resources" ? resources : dataSources)[type];
    if (!found) throw new Error(`${type} has a class, and no schema.`);
    return `* ${found.block.description}\n*\n${whole}`;
  };
  return ([file, code]) => [
    file,
    code.replace(/\* Represents a \{@link \S+?\/docs(?:\/(resources|data-sources)\/\S+)? (\w+)\}/, described),
  ];
}

/** The properties of generated constructs whose literal values are checked when the stack is validated. */
const CHECKED: ReadonlyMap<string, readonly string[]> = new Map([
  ["webhook/index.ts", ["targetUrl", "type", "campaignId"]],
  ["lead-unsubscription/index.ts", ["campaignId"]],
]);

/** Adds the checks at the end of the constructor. */
function withChecks([file, code]: readonly [string, string]): readonly [string, string] {
  const properties = CHECKED.get(file);
  if (!properties) return [file, code];
  const literals = properties.map((name) => `${name}: this._${name}`).join(", ");
  const checked = code
    .replace(/^import .*\n(?=\n)/m, "$&import { checkLiterals } from '../literal-checks';\n")
    .replace(/(public constructor\([^]*?)\n {2}\}\n/, `$1\n    checkLiterals(this, () => ({ ${literals} }));\n  }\n`);
  if (checked.split("checkLiterals").length !== 3)
    throw new Error(`${file} has no constructor where one was expected.`);
  return [file, checked];
}

/**
 * Disables what both generators do on import: they run `terraform`, and send telemetry. The telemetry follows at any later time, so it stays
 * disabled. Programs that start later may need `terraform`, so that variable is restored.
 */
async function silently<T>(generate: () => Promise<T>): Promise<T> {
  const { TERRAFORM_BINARY_NAME: before } = process.env;
  process.env["CHECKPOINT_DISABLE"] = "1";
  process.env["TERRAFORM_BINARY_NAME"] = path.join(tmpdir(), "outreach-no-terraform");
  try {
    return await generate();
  } finally {
    delete process.env["TERRAFORM_BINARY_NAME"];
    if (before !== undefined) process.env["TERRAFORM_BINARY_NAME"] = before;
  }
}

async function cdktf(schema: object, constraint: string): Promise<Code> {
  // The package's main module requires an undeclared dependency.
  const { TerraformProviderGenerator } =
    await import("@cdktf/provider-generator/lib/get/generator/provider-generator.js");
  const { ConstructsMakerProviderTarget, Language, TerraformProviderConstraint } = await import("@cdktf/commons");
  const { CodeMaker } = await import("codemaker");
  const code = new CodeMaker();
  const target = new ConstructsMakerProviderTarget(new TerraformProviderConstraint(constraint), Language.TYPESCRIPT);
  new TerraformProviderGenerator(code, schema).generate(target);
  return code;
}

async function cdktn(schema: object, constraint: string): Promise<Code> {
  const { CodeMaker, TerraformProviderGenerator } = await import("@cdktn/provider-generator");
  const { ConstructsMakerProviderTarget, Language, TerraformProviderConstraint } = await import("@cdktn/commons");
  const code = new CodeMaker();
  const target = new ConstructsMakerProviderTarget(new TerraformProviderConstraint(constraint), Language.TYPESCRIPT);
  new TerraformProviderGenerator(code, schema).generate(target);
  return code;
}

/** Omits the READMEs, which only link to a registry, and the lazy index, which saves nothing for so few constructs. */
async function filesBelow(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && entry.name !== "lazy-index.ts")
    .map((entry) => path.join(entry.parentPath, entry.name));
  const texts = await Promise.all(
    files
      .toSorted()
      .map(
        async (file) => [path.relative(folder, file).split(path.sep).join("/"), await readFile(file, "utf8")] as const,
      ),
  );
  return new Map(texts);
}

export const FLAVOURS = ["cdktf", "cdktn"] as const;
export type Flavour = (typeof FLAVOURS)[number];

/** The hand-made sources, by their paths in `lib/`. Users can import only an `index.ts`. */
const SOURCES: ReadonlyMap<string, string> = new Map([
  ["fan-out.ts", "frontends/constructs/construct-fan-out.ts"],
  ["literal-checks.ts", "frontends/constructs/literal-checks.ts"],
  ["suppression-list/address-list.ts", "frontends/yaml/address-list.ts"],
  ["suppression-list/csv-rows.ts", "frontends/yaml/csv-rows.ts"],
  ["suppression-list/email-address.ts", "service/api/email-address.ts"],
  ["suppression-list/file-text.ts", "frontends/yaml/file-text.ts"],
  ["suppression-list/index.ts", "frontends/constructs/suppression-list.ts"],
  ["webhook-set/index.ts", "frontends/constructs/webhook-set.ts"],
]);

/** The flavour that the sources are written for, and the path of its constructs. */
const WRITTEN_FOR: Flavour = "cdktn";

/** The hand-made constructs and the constants for a flavour, by path in `lib/`. */
async function handMadeConstructs(flavour: Flavour): Promise<ReadonlyMap<string, string>> {
  const files = [...SOURCES].map(async ([file, source]) => {
    const text = await readFile(new URL(`../${source}`, import.meta.url), "utf8");
    const toLib = file.includes("/") ? "../" : "./";
    const adapted = text
      .replaceAll(`"${WRITTEN_FOR}"`, `"${flavour}"`)
      .replaceAll(`./generated/${WRITTEN_FOR}/lib/`, toLib)
      .replaceAll(/(?<=from "\.\/[\w-]+)\.ts(?=")/g, "");
    return [file, `// made from src/${source}\n${adapted}`] as const;
  });
  return new Map([...(await Promise.all(files)), ["event-type/index.ts", eventTypeConstants()]]);
}

/** Their lines in the index of all constructs. */
const HAND_MADE_EXPORTS = ["event-type", "suppression-list", "webhook-set"]
  .map(
    (folder) =>
      `export * as ${folder.replace(/-(\w)/, (_, letter: string) => letter.toUpperCase())} from './${folder}/index';\n`,
  )
  .join("");
