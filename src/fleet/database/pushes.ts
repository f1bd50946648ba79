import type { FleetDatabase } from "./fleet-database.ts";
import { namesIn } from "./fleet-database.ts";

/** A configuration in the database of its fleet. It has no secrets, only references to them. */
export interface PushedConfiguration {
  /** By their paths in the folder of the configuration. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The path among the files, or `.` for a folder. */
  readonly config: string;
  /** The values of variables that were set from outside. None is sensitive. */
  readonly variables: { readonly [name: string]: string | number | boolean };
  /** The names of sensitive variables: each controller has their values in its environment. */
  readonly sensitive: readonly string[];
  readonly commit: string | null;
  readonly by: string;
}

export interface StoredPush extends PushedConfiguration {
  readonly id: string;
  readonly atMs: number;
}

/** The digests of teams by their names. */
export type TeamDigests = { readonly [team: string]: string };

/** Stores a configuration in place of the one before. */
export async function storePush(
  database: FleetDatabase,
  configuration: PushedConfiguration,
  teams: TeamDigests,
): Promise<void> {
  const names = namesIn(database);
  const { files, config, variables, sensitive, commit, by } = configuration;
  await database.transaction(async (query) => {
    const [stored] = await query<{ readonly id: string }>({
      text: `INSERT INTO ${names.push} (pushed_by, commit, config, variables, sensitive, teams) VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`,
      values: [by, commit, config, JSON.stringify(variables), JSON.stringify(sensitive), JSON.stringify(teams)],
    });
    await query({
      text: `INSERT INTO ${names.pushedFile} (push, path, bytes) SELECT $1, path, bytes FROM unnest($2::text[], $3::bytea[]) AS file (path, bytes)`,
      values: [stored?.id, [...files.keys()], [...files.values()].map((bytes) => Buffer.from(bytes))],
    });
    await query({ text: `DELETE FROM ${names.push} WHERE id < $1`, values: [stored?.id] });
  });
}

interface PushRow extends Omit<StoredPush, "files"> {
  readonly paths: readonly string[];
  readonly bytes: readonly Uint8Array[];
}

/** The latest push; null if there is none, or `known` is its id. */
export async function latestPush(database: FleetDatabase, known: string | null): Promise<StoredPush | null> {
  const names = namesIn(database);
  const [row] = await database.query<PushRow>({
    text: `SELECT p.id::text AS id, (extract(epoch FROM p.pushed) * 1000)::float8 AS "atMs", p.pushed_by AS by, p.commit, p.config, p.variables, p.sensitive,
        f.paths, f.bytes
      FROM ${names.push} p
      CROSS JOIN LATERAL (SELECT array_agg(path ORDER BY path) AS paths, array_agg(bytes ORDER BY path) AS bytes FROM ${names.pushedFile} WHERE push = p.id) f
      WHERE p.id = (SELECT max(id) FROM ${names.push}) AND p.id IS DISTINCT FROM $1::bigint`,
    values: [known],
  });
  if (!row) return null;
  const { paths, bytes, ...push } = row;
  return { ...push, files: new Map(paths.map((path, index) => [path, bytes[index] ?? new Uint8Array()])) };
}

/** The teams of the latest push; null if there is none. */
export async function teamsPushed(database: FleetDatabase): Promise<TeamDigests | null> {
  const names = namesIn(database);
  const [schema] = await database.query<{ readonly isThere: boolean }>({
    text: `SELECT to_regclass($1) IS NOT NULL AS "isThere"`,
    values: [names.push],
  });
  if (schema?.isThere !== true) return null;
  const [row] = await database.query<{ readonly teams: TeamDigests }>({
    text: `SELECT teams FROM ${names.push} ORDER BY id DESC LIMIT 1`,
  });
  return row?.teams ?? null;
}
