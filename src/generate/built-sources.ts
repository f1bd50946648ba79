import Ajv from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import { readFile } from "node:fs/promises";
import { configSchema } from "../frontends/yaml/configuration-form.ts";
import { catalog } from "../service/resources/catalog.ts";
import { constructs, FLAVOURS } from "./constructs.ts";
import { eventFieldForms, eventTypes } from "./receiver-types.ts";
import { fileChanges, writeChanges } from "./file-changes.ts";
import { providerSchema } from "./provider-schema.ts";
import { build } from "esbuild";

/** Folders that contain only built sources. Any other file in them is a leftover. */
export const BUILT_FOLDERS = [
  "src/frontends/constructs/generated",
  "src/frontends/yaml/generated",
  "src/service/receiver/generated",
];

const VALIDATOR_TYPES = `import type { ErrorObject } from "ajv";
export declare const validate: { (data: unknown): boolean; errors?: ErrorObject[] | null };
`;

/**
 * The sources that are built from definitions and not committed, by path in the repository. The same definitions give the same bytes.
 * No module that this one imports may import a built source.
 */
export async function builtSources(): Promise<ReadonlyMap<string, string>> {
  const sources = new Map([
    ["src/frontends/yaml/generated/validate-config.js", await validator(configSchema(catalog))],
    ["src/frontends/yaml/generated/validate-config.d.ts", VALIDATOR_TYPES],
    ["src/service/receiver/generated/email-address.ts", await copyOf("src/service/api/email-address.ts")],
    ["src/service/receiver/generated/events.ts", eventTypes()],
    ["src/service/receiver/generated/field-forms.ts", eventFieldForms()],
  ]);
  const versions = await providerVersions();
  for (const flavour of FLAVOURS) {
    for (const [file, text] of await constructs(flavour, { schema: providerSchema(catalog), versions }))
      sources.set(`src/frontends/constructs/generated/${flavour}/lib/${file}`, text);
  }
  return sources;
}

/** A source that a library contains, because it imports no other module. */
async function copyOf(file: string): Promise<string> {
  return `// made from ${file}\n${await read(file)}`;
}

function read(file: string): Promise<string> {
  return readFile(new URL(`../../${file}`, import.meta.url), "utf8");
}

/** The provider versions that the constructs of this package version require. */
async function providerVersions(): Promise<string> {
  const { version } = JSON.parse(await read("package.json")) as { readonly version: string };
  return `~> ${version.split(".").slice(0, 2).join(".")}`;
}

/** Writes the built sources that are missing or outdated. */
export async function writeBuiltSources(): Promise<void> {
  const built = { files: await builtSources(), folders: BUILT_FOLDERS };
  await writeChanges(await fileChanges(built), built);
}

/** The source of a validator for the schema: a self-contained ES module that exports `validate`. */
async function validator(schema: object): Promise<string> {
  const ajv = new Ajv.default({
    allErrors: true,
    inlineRefs: false,
    messages: false,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allowUnionTypes: true,
    unicodeRegExp: true,
    code: { source: true, esm: true, lines: true },
  });
  ajv.addSchema(schema, "file");
  const code = standalone.default(ajv, { validate: "file" });
  const bundled = await build({
    stdin: { contents: code, resolveDir: process.cwd(), loader: "js" },
    bundle: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["main"],
    write: false,
    // The output names its source files. Even if node_modules is a link, it must not contain a path of this machine.
    preserveSymlinks: true,
    logLevel: "error",
  });
  return `// Built from a schema.\n${bundled.outputFiles[0]?.text ?? ""}`;
}
