import type { Place } from "../../core/model/diagnostic.ts";
import { realPathInside } from "../../core/model/real-path-inside.ts";
import type { CommandProblem } from "../../core/secrets/command-output.ts";
import type { ListMistake } from "../../frontends/yaml/address-list.ts";
import type { Ports } from "../context.ts";

const MAX_BYTES = 50 * 1024 * 1024;
/** What a command may print. */
export const LIST_LIMIT = {
  bytes: MAX_BYTES,
  words: "50 MB",
  hint: "Export fewer columns, or split the list over several commands.",
};

interface NamedFile {
  /** The configuration's folder, which must contain it. */
  readonly root: string;
  /** Where the configuration names it. */
  readonly key: string;
}

/** The content of a list's file, and its name in messages; or the problem. */
export async function listFile(
  path: string,
  { root, key }: NamedFile,
  { files, folder }: Ports,
): Promise<{ readonly bytes: Uint8Array; readonly name: string } | CommandProblem> {
  const failed = (detail: string, hint: string): CommandProblem => ({ detail, hint });
  const full = path.startsWith("/") ? path : `${root}/${path}`;
  try {
    const real = await realPathInside(files, root, full);
    if (real === null)
      return failed(
        `The file ${path} is outside the configuration's folder.`,
        "Move it into that folder, so that it is reviewed with the configuration.",
      );
    if ((await files.kind(real)) !== "file") return failed(`${path} is not a regular file.`, "Name a regular file.");
    const bytes = await files.read(real, { maxBytes: MAX_BYTES });
    if (bytes === null) return failed(`The file ${path} does not exist.`, MISSING_HINT);
    return { bytes, name: full.startsWith(`${folder}/`) ? full.slice(folder.length + 1) : full };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return failed(`The file ${path} does not exist.`, MISSING_HINT);
    if (code === "EFBIG")
      return failed(`The file ${path} is larger than 50 MB.`, `Split it, and name each part in ${key}.`);
    if (code === undefined) throw error;
    return failed(`The file ${path} cannot be read (${code}).`, "Check its permissions.");
  }
}

const MISSING_HINT = "Create it, or correct the path. Paths are relative to the configuration.";

/** Where a list has something. */
export function placeIn(file: string, at: ListMistake["at"]): Place {
  return { file, ...at, ...(at?.text === undefined ? {} : { caret: 1 }) };
}

/** Space, tab and line ends. */
export function isBlank(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}
