// @ts-check
import { canonicalEmail } from "outreach-as-code/events";
import { csvList } from "./csv-list.mjs";

/**
 * @typedef {object} Entry
 * @property {string} email
 * @property {string} reason
 * @property {string} source
 * @property {string} requestedAt An ISO 8601 time.
 *
 * @typedef {object} List
 * @property {(entry: Entry) => Promise<boolean>} add Adds a person once, with the first reason. Whether the person was added.
 * @property {(email: string) => Promise<string | null>} requestedAt When the person opted out; null if the person is not on the list.
 * @property {() => Promise<readonly Entry[]>} entries
 * @property {() => Promise<void>} close
 */

/**
 * Opens the list: a table of PostgreSQL if LIST_DATABASE_URL is set, else the file suppressions.csv. Several receivers need the table.
 *
 * @param {{ readonly [name: string]: string | undefined }} environment
 * @returns {Promise<List>}
 */
export async function openList({ LIST_DATABASE_URL }) {
  const list = LIST_DATABASE_URL
    ? await (await import("./postgres-list.mjs")).postgresList(LIST_DATABASE_URL)
    : csvList("suppressions.csv");
  // All rows have one form of an address.
  return { ...list, add: (entry) => list.add({ ...entry, email: canonicalEmail(entry.email) }) };
}
