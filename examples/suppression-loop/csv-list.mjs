// @ts-check
import { appendFile, readFile } from "node:fs/promises";
import { canonicalEmail } from "outreach-as-code/events";

/**
 * For one receiver: a second one would not see what the first one is about to write.
 *
 * @param {string} file
 * @returns {import("./open-list.mjs").List}
 */
export function csvList(file) {
  const read = () => readFile(file, "utf8").catch((error) => (error.code === "ENOENT" ? "" : Promise.reject(error)));
  /** @type {Promise<unknown>} */
  let last = Promise.resolve();
  const append = async (/** @type {import("./open-list.mjs").Entry} */ entry) => {
    const text = await read();
    if (entriesIn(text).some(({ email }) => email === entry.email)) return false;
    await appendFile(file, text === "" ? csvText([entry]) : `${text.endsWith("\n") ? "" : "\n"}${row(entry)}`, {
      flush: true,
    });
    return true;
  };
  return {
    // One after the other: two events can be about one person.
    add(entry) {
      const added = last.then(() => append(entry));
      last = added.catch(() => undefined);
      return added;
    },
    requestedAt: async (email) => entriesIn(await read()).find((entry) => entry.email === email)?.requestedAt ?? null,
    entries: async () => entriesIn(await read()),
    close: () => Promise.resolve(),
  };
}

/**
 * @param {readonly import("./open-list.mjs").Entry[]} entries
 * @returns {string}
 */
export function csvText(entries) {
  return `email,reason,source,requested_at\n${entries.map(row).join("")}`;
}

/** @param {import("./open-list.mjs").Entry} entry */
function row({ email, reason, source, requestedAt }) {
  const cells = [email, reason, source, requestedAt].map((text) => text.replaceAll(/\s+/g, " "));
  return `${cells.map((text) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(",")}\n`;
}

/**
 * Reads what `row` writes, and what people add by hand.
 *
 * @param {string} text
 * @returns {readonly import("./open-list.mjs").Entry[]}
 */
function entriesIn(text) {
  return text
    .split(/\r?\n/)
    .slice(1)
    .flatMap((line) => {
      const [email = "", reason = "", source = "", requestedAt = ""] = [
        ...line.matchAll(/("(?:[^"]|"")*"|[^",]*)(?:,|$)/g),
      ].map(([, cell = ""]) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell));
      return email === "" ? [] : [{ email: canonicalEmail(email), reason, source, requestedAt }];
    });
}
