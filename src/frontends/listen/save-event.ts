import path from "node:path";
import type { FileSystem } from "../../core/model/ports.ts";
import { isoTime } from "../../core/model/time.ts";
import { type EventFields, textOf } from "./received-event.ts";

/** Attempts to find a name that is free. */
const MAX_ATTEMPTS = 100;
const MAX_PART = 40;
/** After these errors, a part of the new file is left. */
const WHILE_WRITING: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EIO", "EFBIG"]);

/**
 * Saves an event, without its secret, as a file of its own that only the user can read, and returns its path. Names start with the time, so that their
 * order is the order of arrival. Never overwrites a file. Throws Node's errors.
 */
export async function saveEvent(
  files: Pick<FileSystem, "createExclusively" | "remove">,
  folder: string,
  { event, receivedAtMs, number }: { readonly event: EventFields; readonly receivedAtMs: number; /** From 1. */ readonly number: number },
): Promise<string> {
  const time = isoTime(receivedAtMs).replaceAll(/[-:.]/g, "");
  const base = [time, String(number).padStart(6, "0"), namePart(textOf(event, "type")), namePart(textOf(event, "_id"))].filter((part) => part !== "").join("-");
  const bytes = Buffer.from(`${JSON.stringify(event, null, 2)}\n`);
  for (let attempt = 1; ; attempt++) {
    const file = path.join(folder, `${base}${attempt === 1 ? "" : `-${String(attempt)}`}.json`);
    try {
      await files.createExclusively(file, bytes);
      return file;
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      if (WHILE_WRITING.has(code)) await files.remove(file).catch(() => undefined);
      if (code !== "EEXIST" || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/** The sender chooses it: only letters, digits, `_` and `-` stay. */
function namePart(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_-]/g, "").slice(0, MAX_PART);
}
