import { SEED_SCHEMA } from "../sandbox/seed.ts";
import { catalog } from "../service/resources/catalog.ts";
import { commandsReference } from "./commands-reference.ts";
import { configurationReference } from "./configuration-reference.ts";
import { diagnosticsReference } from "./diagnostics-reference.ts";
import { editorSchema } from "./editor-schema.ts";
import { eventsReference } from "./event-catalogue.ts";
import { eventSchemas } from "./event-schemas.ts";
import { providerSchema } from "./provider-schema.ts";
import { REGISTRY_FOLDERS, registryDocs } from "./registry-docs.ts";
import { sandboxReference } from "./sandbox-reference.ts";

/** Folders that contain only generated files. Any other file in them is a leftover. */
export const GENERATED_FOLDERS = ["docs/reference", "schemas/events", ...REGISTRY_FOLDERS];

/** Every generated file that is committed, because users read it, by its path in the repository. The same definitions give the same bytes. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const files = new Map([
    ["schemas/config.schema.json", json(editorSchema(catalog))],
    ["docs/reference/commands.md", await commandsReference()],
    ["docs/reference/configuration.md", configurationReference(catalog)],
    ["docs/reference/diagnostics.md", diagnosticsReference()],
    ["docs/reference/events.md", eventsReference()],
    ["docs/reference/sandbox.md", sandboxReference()],
    ["schemas/provider-schema.json", json(providerSchema(catalog))],
    ["schemas/sandbox-seed.schema.json", json(SEED_SCHEMA)],
  ]);
  for (const [file, schema] of eventSchemas()) files.set(`schemas/events/${file}`, json(schema));
  for (const [file, text] of registryDocs(catalog)) files.set(file, text);
  return files;
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
