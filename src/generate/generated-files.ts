import { readFile } from "node:fs/promises";
import path from "node:path";
import { AUDIT_SCHEMA } from "../output/json/audit-schema.ts";
import { DRIFT_SCHEMA } from "../output/json/drift-schema.ts";
import { EXPLANATION_SCHEMA } from "../output/json/explanation-schema.ts";
import { UNSUBSCRIPTIONS_SCHEMA } from "../output/json/unsubscriptions-schema.ts";
import { SEED_SCHEMA } from "../sandbox/seed.ts";
import { catalog } from "../service/resources/catalog.ts";
import { commandsReference } from "./commands-reference.ts";
import { configurationReference } from "./configuration-reference.ts";
import { diagnosticsReference } from "./diagnostics-reference.ts";
import { editorSchema } from "./editor-schema.ts";
import { eventsReference } from "./event-catalogue.ts";
import { eventSchemas } from "./event-schemas.ts";
import { llmsText } from "./llms.ts";
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
    ["schemas/audit.schema.json", json(AUDIT_SCHEMA)],
    ["schemas/drift.schema.json", json(DRIFT_SCHEMA)],
    ["schemas/explain.schema.json", json(EXPLANATION_SCHEMA)],
    ["schemas/unsubscriptions-report.schema.json", json(UNSUBSCRIPTIONS_SCHEMA)],
    ["schemas/sandbox-seed.schema.json", json(SEED_SCHEMA)],
  ]);
  for (const [file, schema] of eventSchemas()) files.set(`schemas/events/${file}`, json(schema));
  for (const [file, text] of registryDocs(catalog)) files.set(file, text);
  const readPage = async (page: string): Promise<string> =>
    files.get(path.posix.join("docs", page)) ?? read(`docs/${page}`);
  files.set("docs/llms.txt", await llmsText(await read("docs/README.md"), readPage));
  return files;
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The text of a file, by its path in the repository. */
function read(file: string): Promise<string> {
  return readFile(new URL(`../../${file}`, import.meta.url), "utf8");
}
