import { checkSchema } from "./check-schema.ts";
import type { CampaignRecord, ExportRecord, KeyRecord, LeadRecord, MailboxRecord, ScheduleRecord, TeamRecord, UserRecord, WebhookRecord } from "./records.ts";
import { SEED_SCHEMA } from "./seed-schema.ts";
import type { SandboxSettingsChange } from "./sandbox-settings.ts";

type SeedOf<Type, Required extends keyof Type> = Readonly<Partial<Type> & Pick<Type, Required>>;

/** What each collection's records need in a seed; the rest is filled in. */
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
 * What a sandbox starts with, and what a seed file holds (`SEED_SCHEMA` documents it). Without `teams`,
 * `users` and `keys` those of the default seed are used, so that a seed may hold campaigns alone.
 */
export type SandboxSeed = {
  readonly version?: 1;
  readonly settings?: SandboxSettingsChange;
} & { readonly [Name in keyof SeedRecords]?: readonly SeedRecords[Name][] };

/**
 * Checks a seed file's parsed content against `SEED_SCHEMA`. Each error is a sentence that begins with
 * the place, such as `campaigns[2].status: …`; a seed with any error is null. References between records
 * are checked when the seed is loaded.
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

/**
 * Checks one record that is to be added to `collection` (`partial` false), or some fields of one that is
 * to be changed (`partial` true).
 */
export function checkSeedRecord(collection: keyof SeedRecords, value: unknown, partial: boolean): readonly string[] {
  const schema = SEED_SCHEMA.properties[collection].items;
  return checkSchema(value, partial ? { ...schema, required: [] } : schema, SEED_SCHEMA.$defs);
}

/** Checks a change of settings, as `settings` of a seed file holds it. */
export function checkSettingsChange(value: unknown): readonly string[] {
  return checkSchema(value, SEED_SCHEMA.properties.settings, SEED_SCHEMA.$defs);
}
