import { readFile } from "node:fs/promises";
import { configSchema } from "../frontends/yaml/config-schema.ts";
import { catalog } from "../service/resources/catalog.ts";
import { configValidator } from "./config-validator.ts";
import { constructs } from "./constructs.ts";
import { eventFieldForms, eventTypes } from "./event-types.ts";
import { fileChanges, writeChanges } from "./file-changes.ts";
import { FLAVOURS } from "./hand-made-constructs.ts";
import { providerSchema } from "./provider-schema.ts";

/** Folders that contain only built sources. Any other file in them is a leftover. */
export const BUILT_FOLDERS = ["src/frontends/constructs/generated", "src/frontends/yaml/generated", "src/service/receiver/generated"];

const VALIDATOR_TYPES = `import type { ErrorObject } from "ajv";
export declare const validate: { (data: unknown): boolean; errors?: ErrorObject[] | null };
`;

/**
 * The sources that are built from definitions and not committed, by path in the repository. The same definitions give the same bytes.
 * No module that this one imports may import a built source.
 */
export async function builtSources(): Promise<ReadonlyMap<string, string>> {
  const sources = new Map([
    ["src/frontends/yaml/generated/validate-config.js", await configValidator(configSchema(catalog))],
    ["src/frontends/yaml/generated/validate-config.d.ts", VALIDATOR_TYPES],
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

/** The provider versions that the constructs of this package version require. */
async function providerVersions(): Promise<string> {
  const { version } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8")) as { readonly version: string };
  return `~> ${version.split(".").slice(0, 2).join(".")}`;
}

/** Writes the built sources that are missing or outdated. */
export async function writeBuiltSources(): Promise<void> {
  const built = { files: await builtSources(), folders: BUILT_FOLDERS };
  await writeChanges(await fileChanges(built), built);
}
