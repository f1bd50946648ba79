import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type pg from "pg";
import type { LoggedRequest } from "../../../src/sandbox/request-log.ts";
import type { LogLine } from "./controllers.ts";
import type { Foreign } from "./others.ts";

/** What somebody needs who asks why a team ended as it did. */
export interface Evidence {
  readonly log: readonly LoggedRequest[];
  readonly foreign: readonly Foreign[];
  /** What was done to the controllers and to the database. */
  readonly strikes: readonly { readonly atMs: number; readonly what: string }[];
  /** Of the controllers. */
  readonly lines: readonly LogLine[];
}

/** Writes a file for each of the teams, in a new folder, and returns that. */
export async function writeEvidence(
  teams: readonly string[],
  { log, foreign, strikes, lines }: Evidence,
  pool: pg.Pool,
): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), "outreach-fleet-evidence-"));
  const at = (ms: number): string => new Date(ms).toISOString().slice(11, 23);
  const struck = strikes.map(({ atMs, what }) => ({ atMs, text: `STRIKE  ${what}` }));
  for (const team of teams) {
    const runs = await pool.query<{ began: Date; ended: Date | null; text: string }>(
      `SELECT began, ended, concat_ws(' ', id, process, trigger, outcome, messages) AS text FROM outreach_fleet.run WHERE team = $1 ORDER BY id`,
      [team],
    );
    const versions = await pool.query<{ written: Date; text: string }>(
      `SELECT written, concat_ws(' ', version, convert_from(bytes, 'UTF8')::jsonb) AS text FROM states.kept WHERE name = $1 ORDER BY written`,
      [team],
    );
    const told = [
      ...struck,
      ...foreign
        .filter((one) => one.team === team)
        .map(({ atMs, act, id }) => ({ atMs, text: `FOREIGN ${act} ${id}` })),
      ...lines
        .filter((one) => one.team === team || (one.team === undefined && one.event !== "listening"))
        .map(({ time, event, message }) => ({ atMs: Date.parse(time), text: `LOG     ${event} ${message}` })),
      ...runs.rows.flatMap(({ began, ended, text }) => [
        { atMs: Number(began), text: `BEGAN   ${text}` },
        ...(ended ? [{ atMs: Number(ended), text: `ENDED   ${text}` }] : []),
      ]),
      ...versions.rows.map(({ written, text }) => ({ atMs: Number(written), text: `STATE   ${text}` })),
      ...log
        .filter((one) => JSON.stringify([one.path, one.body, one.response]).includes(team))
        .map(({ at: atMs, method, target, status, processed, fault, durationMs, body, response }) => ({
          atMs,
          text: `REQUEST ${method} ${target} ${String(status)} ${processed ? "processed" : "not processed"} ${fault ?? ""} ${String(durationMs)} ms ${JSON.stringify(body)} ${response ?? ""}`,
        })),
    ];
    const text = told.toSorted((one, other) => one.atMs - other.atMs).map((one) => `${at(one.atMs)} ${one.text}\n`);
    writeFileSync(path.join(folder, team), text.join(""));
  }
  return folder;
}
