import { DEFAULT_SEED } from "./default-seed.ts";
import { COLLECTIONS, completeRecord, referencesOf } from "./sandbox-records.ts";
import type { Collection, LeadRecord, Records, SeedContext, SeedRecords, WebhookRecord } from "./sandbox-records.ts";
import type { SandboxSeed } from "./seed.ts";

/** Remembers at most this many removed webhooks, for stale lists. */
const MAX_REMOVED = 10_000;

/** All records of the service. Records are immutable; a change replaces one. */
export type World = { readonly [Name in Collection]: Map<string, Records[Name]> } & {
  /** Removed webhooks, oldest first, with the time of removal (ms since 1970). */
  readonly removed: { readonly webhook: WebhookRecord; readonly at: number }[];
  /** The last number used for each id prefix. */
  readonly counters: Map<string, number>;
};

/** The inputs for new records. */
export type WorldSource = {
  readonly now: () => number;
  readonly random: () => number;
  readonly ids: () => "counter" | "random";
};

/** A world without anything in it. */
export function emptyWorld(): World {
  const collections = Object.fromEntries(COLLECTIONS.map((collection) => [collection, new Map()])) as unknown as Pick<
    World,
    Collection
  >;
  return { ...collections, removed: [], counters: new Map() };
}

/**
 * Creates a world from a seed. Ids used in the world `before` are not used again. The errors name
 * problems between records, such as a reference to a missing record; such records are left out.
 */
export function loadSeed(
  seed: SandboxSeed,
  source: WorldSource,
  before: World,
): { world: World; errors: readonly string[] } {
  const world: World = { ...emptyWorld(), counters: new Map(before.counters) };
  const bare = !seed.teams && !seed.users && !seed.keys;
  const errors: string[] = [];
  for (const collection of COLLECTIONS) for (const record of seed[collection] ?? []) noteIds(world, record);
  for (const collection of COLLECTIONS) {
    const fromDefault = bare && (collection === "teams" || collection === "users" || collection === "keys");
    const records = (fromDefault ? DEFAULT_SEED : seed)[collection] ?? [];
    records.forEach((record, index) => {
      const added = addRecord(world, collection, record, source);
      errors.push(...added.errors.map((error) => `${collection}[${String(index)}].${error}`));
    });
  }
  return { world, errors };
}

/** Adds one record; adds nothing if there is any error. */
export function addRecord<Name extends Collection>(
  world: World,
  collection: Name,
  seed: SeedRecords[Name],
  source: WorldSource,
): { record: Records[Name]; errors: readonly string[] } {
  noteIds(world, seed);
  const record = completeRecord(collection, seed, seedContext(world, source));
  const key = recordKey(collection, record);
  const errors = [...referenceErrors(world, collection, record)];
  if (collectionOf(world, collection).has(key)) errors.push(`${keyName(collection)}: already exists`);
  if (errors.length === 0) collectionOf(world, collection).set(key, record);
  return { record, errors };
}

/** Adds all records, or none if there is any error. The errors name the place of a record if there are several. */
export function addRecords<Name extends Collection>(
  world: World,
  collection: Name,
  seeds: readonly SeedRecords[Name][],
  source: WorldSource,
): { records: readonly Records[Name][]; errors: readonly string[] } {
  const added = seeds.map((seed) => addRecord(world, collection, seed, source));
  const place = (index: number): string => (seeds.length > 1 ? `[${String(index)}].` : "");
  const errors = added.flatMap((one, index) => one.errors.map((error) => `${place(index)}${error}`));
  if (errors.length > 0)
    for (const one of added)
      if (one.errors.length === 0) collectionOf(world, collection).delete(recordKey(collection, one.record));
  return { records: added.map(({ record }) => record), errors };
}

/** Removes the record with this id (for keys, the key itself); null if it does not exist. */
export function removeRecord<Name extends Collection>(
  world: World,
  collection: Name,
  id: string,
  now: number,
): Records[Name] | null {
  const records = collectionOf(world, collection);
  const record = findRecord(world, collection, id);
  if (!record) return null;
  records.delete(recordKey(collection, record));
  if (collection === "webhooks") {
    if (world.removed.length >= MAX_REMOVED) world.removed.shift();
    world.removed.push({ webhook: record as WebhookRecord, at: now });
  }
  return record;
}

/** Applies `change` to the record with this id, which keeps its place in the order. */
export function changeRecord<Name extends Collection>(
  world: World,
  collection: Name,
  id: string,
  change: Partial<Records[Name]>,
): { record: Records[Name] | null; errors: readonly string[] } {
  const before = findRecord(world, collection, id);
  if (!before) return { record: null, errors: [] };
  const record = { ...before, ...change };
  const key = recordKey(collection, record);
  const errors = [...referenceErrors(world, collection, record)];
  if (key !== recordKey(collection, before)) errors.push(`${keyName(collection)}: cannot be changed`);
  if (errors.length === 0) collectionOf(world, collection).set(key, record);
  return { record, errors };
}

/** The record with this id (for keys, the key itself). */
export function findRecord<Name extends Collection>(
  world: World,
  collection: Name,
  id: string,
): Records[Name] | undefined {
  const records = collectionOf(world, collection);
  if (collection !== "leads") return records.get(id);
  for (const lead of world.leads.values()) if (lead._id === id) return lead as Records[Name];
  return undefined;
}

/** The campaign's lead with this address; compares without case. */
export function findLead(world: World, campaignId: string, email: string): LeadRecord | undefined {
  return world.leads.get(leadKey(campaignId, email));
}

/** An unused id with this prefix. */
export function newId(world: World, prefix: string, source: WorldSource): string {
  if (source.ids() === "random") return prefix + letters(source.random);
  const number = (world.counters.get(prefix) ?? 0) + 1;
  world.counters.set(prefix, number);
  return prefix + String(number).padStart(6, "0");
}

/** All records as a seed that recreates this world. */
export function worldAsSeed(world: World): SandboxSeed {
  return {
    version: 1,
    ...Object.fromEntries(COLLECTIONS.map((collection) => [collection, [...world[collection].values()]])),
  };
}

function collectionOf<Name extends Collection>(world: World, collection: Name): Map<string, Records[Name]> {
  return world[collection] as unknown as Map<string, Records[Name]>;
}

function recordKey(collection: Collection, record: object): string {
  const { _id = "", key = "", campaignId = "", email = "" } = record as { readonly [field: string]: string };
  return collection === "keys" ? key : collection === "leads" ? leadKey(campaignId, email) : _id;
}

function leadKey(campaignId: string, email: string): string {
  return `${campaignId}/${email.toLowerCase()}`;
}

function keyName(collection: Collection): string {
  return collection === "keys" ? "key" : collection === "leads" ? "email" : "_id";
}

/** Counters continue after the ids in a seed. */
export function noteIds(world: World, record: object): void {
  const { _id, contactId } = record as { readonly _id?: unknown; readonly contactId?: unknown };
  for (const id of [_id, contactId]) {
    const match = typeof id === "string" ? /^([a-z]+_)(\d{1,12})$/.exec(id) : null;
    if (!match?.[1]) continue;
    world.counters.set(match[1], Math.max(world.counters.get(match[1]) ?? 0, Number(match[2])));
  }
}

function letters(random: () => number): string {
  const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789";
  return Array.from({ length: 16 }, () => alphabet[Math.floor(random() * alphabet.length)] ?? "a").join("");
}

function seedContext(world: World, source: WorldSource): SeedContext {
  const users = (): readonly { _id: string; teamId: string }[] => [...world.users.values()];
  return {
    now: source.now(),
    firstTeam: world.teams.keys().next().value ?? "",
    firstUser: (teamId) => users().find((user) => teamId === null || user.teamId === teamId)?._id ?? "",
    findCampaign: (id) => world.campaigns.get(id),
    newId: (prefix) => newId(world, prefix, source),
  };
}

function referenceErrors(world: World, collection: Collection, record: object): readonly string[] {
  return referencesOf(collection).flatMap(([field, target]) => {
    const value: unknown = (record as Readonly<Record<string, unknown>>)[field];
    const ids: readonly unknown[] = Array.isArray(value) ? value : [value];
    return ids.flatMap((id) =>
      typeof id === "string" && !world[target].has(id) ? [`${field}: "${id}" does not exist in ${target}`] : [],
    );
  });
}
