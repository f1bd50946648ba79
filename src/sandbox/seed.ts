import { checkSchema } from "./check-schema.ts";
import type {
  CampaignRecord,
  ExportRecord,
  KeyRecord,
  LeadRecord,
  MailboxRecord,
  ScheduleRecord,
  TeamRecord,
  UserRecord,
  WebhookRecord,
} from "./sandbox-records.ts";
import { SEED_SCHEMA } from "./seed-schema.ts";
import type { SandboxSettingsChange } from "./sandbox-settings.ts";

type SeedOf<Type, Required extends keyof Type> = Readonly<Partial<Type> & Pick<Type, Required>>;

/** The fields that a seed's records require; the rest gets defaults. */
export type SeedRecords = {
  readonly teams: SeedOf<TeamRecord, "_id">;
  readonly users: SeedOf<UserRecord, "_id">;
  readonly keys: SeedOf<KeyRecord, "key">;
  readonly schedules: SeedOf<ScheduleRecord, "_id">;
  readonly campaigns: SeedOf<CampaignRecord, "_id" | "name">;
  readonly leads: SeedOf<LeadRecord, "campaignId" | "email">;
  readonly mailboxes: SeedOf<MailboxRecord, "_id">;
  readonly webhooks: SeedOf<WebhookRecord, "targetUrl">;
  readonly exports: SeedOf<ExportRecord, "campaignId">;
};

/**
 * The content of a seed file (`SEED_SCHEMA` documents it). Without `teams`, `users` and `keys`, those of
 * the default seed are used, so that a seed may contain campaigns alone.
 */
export type SandboxSeed = {
  readonly version?: 1;
  readonly settings?: SandboxSettingsChange;
} & { readonly [Name in keyof SeedRecords]?: readonly SeedRecords[Name][] };

/**
 * Checks a seed file's parsed content against `SEED_SCHEMA`. Each error is a sentence that starts with
 * the path, such as `campaigns[2].status: …`; with any error, `seed` is null. Loading the seed checks
 * the references between records.
 */
export function parseSandboxSeed(value: unknown): { seed: SandboxSeed | null; errors: readonly string[] } {
  const errors = checkSchema(value, SEED_SCHEMA, SEED_SCHEMA.$defs);
  return errors.length > 0 ? { seed: null, errors } : { seed: value as SandboxSeed, errors };
}

/** `parseSandboxSeed` for the text of a JSON file. */
export function parseSandboxSeedText(text: string): { seed: SandboxSeed | null; errors: readonly string[] } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { seed: null, errors: [`the seed is not JSON: ${error instanceof Error ? error.message : "unreadable"}`] };
  }
  return parseSandboxSeed(value);
}

/** Checks a record to add to `collection`, or, if `partial`, some fields to change. */
export function checkSeedRecord(collection: keyof SeedRecords, value: unknown, partial: boolean): readonly string[] {
  const schema = SEED_SCHEMA.properties[collection].items;
  return checkSchema(value, partial ? { ...schema, required: [] } : schema, SEED_SCHEMA.$defs);
}

/** Checks a change to the settings, in the form of a seed file's `settings`. */
export function checkSettingsChange(value: unknown): readonly string[] {
  return checkSchema(value, SEED_SCHEMA.properties.settings, SEED_SCHEMA.$defs);
}
