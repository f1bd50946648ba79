import { checkSchema } from "./check-schema.ts";
import { COLLECTION_TEXTS, type Collection, type SeedRecords, recordSchema } from "./sandbox-records.ts";
import { type SandboxSettingsChange, SETTINGS_SCHEMA } from "./sandbox-settings.ts";
import { type Schema, list, text } from "./schema.ts";

/**
 * The content of a seed file (`SEED_SCHEMA` documents it). Without `teams`, `users` and `keys`, those of
 * the default seed are used, so that a seed may contain campaigns alone.
 */
export type SandboxSeed = {
  readonly version?: 1;
  readonly settings?: SandboxSettingsChange;
} & { readonly [Name in Collection]?: readonly SeedRecords[Name][] };

const TIMESTAMP = "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,3})?Z$";

const DEFINITIONS: Readonly<Record<string, Schema>> = {
  timestamp: { type: "string", pattern: TIMESTAMP, description: "an ISO 8601 date-time in UTC" },
  timestampOrNull: {
    type: ["string", "null"],
    pattern: TIMESTAMP,
    description: "an ISO 8601 date-time in UTC, or null",
  },
  timeOfDay: { type: "string", pattern: "^([01]\\d|2[0-3]):[0-5]\\d$", description: "HH:mm" },
};

/** The JSON Schema (2020-12) of a seed file. */
export const SEED_SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Seed of the sandbox",
  description:
    "The records and settings of a sandbox at the start. Without teams, users and keys, those of the default seed are used. Absent collections are empty.",
  type: "object",
  additionalProperties: false,
  properties: {
    $schema: text("for editors"),
    version: { const: 1, description: "the version of this format" },
    settings: SETTINGS_SCHEMA,
    ...Object.fromEntries(
      Object.entries(COLLECTION_TEXTS).map(([name, what]) => [name, list(what, recordSchema(name as Collection))]),
    ),
  },
  $defs: DEFINITIONS,
} as const satisfies Schema & Readonly<Record<string, unknown>>;

/**
 * Checks a seed file's parsed content against `SEED_SCHEMA`. Each error is a sentence that starts with
 * the path, such as `campaigns[2].status: …`; with any error, `seed` is null. Loading the seed checks
 * the references between records.
 */
export function parseSandboxSeed(value: unknown): { seed: SandboxSeed | null; errors: readonly string[] } {
  const errors = checkSchema(value, SEED_SCHEMA, DEFINITIONS);
  return errors.length > 0 ? { seed: null, errors } : { seed: value as SandboxSeed, errors };
}

/** `parseSandboxSeed` for the text of a JSON file. */
export function parseSandboxSeedText(json: string): { seed: SandboxSeed | null; errors: readonly string[] } {
  try {
    return parseSandboxSeed(JSON.parse(json));
  } catch (error) {
    return { seed: null, errors: [`the seed is not JSON: ${error instanceof Error ? error.message : "unreadable"}`] };
  }
}

/** Checks a record to add to `collection`, or an array of them. */
export function checkSeedRecords(collection: Collection, value: unknown): readonly string[] {
  const schema = recordSchema(collection);
  return checkSchema(value, Array.isArray(value) ? list("records", schema) : schema, DEFINITIONS);
}

/** Checks some fields to change of a record. */
export function checkRecordChange(collection: Collection, value: unknown): readonly string[] {
  return checkSchema(value, { ...recordSchema(collection), required: [] }, DEFINITIONS);
}

/** Checks a change to the settings, in the form of a seed file's `settings`. */
export function checkSettingsChange(value: unknown): readonly string[] {
  return checkSchema(value, SETTINGS_SCHEMA, DEFINITIONS);
}
