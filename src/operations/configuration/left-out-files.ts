import { firstFew } from "../../core/model/words.ts";
import { type Diagnostic, warningOf } from "../../core/model/diagnostic.ts";
import type { FileSystem } from "../../core/model/ports.ts";

const YAML_NAME = /\.ya?ml$/i;
/** Folders in which no person keeps a configuration. */
const SKIPPED = /^(?:\.|node_modules$)/;
const MAX_ENTRIES = 2000;
const MAX_DEPTH = 5;
const MAX_BYTES = 1024 * 1024;
const MAX_SHOWN = 10;

/** A configuration has its version, and something to manage. */
const MARKS = [/^version: *1\b/m, /^(?:webhooks|lead_unsubscriptions)\s*:/m];

/** Warns about configurations below a folder that are not read as its parts: what they declare would be deleted silently. */
export async function leftOutFiles(
  files: FileSystem,
  { full, path, read }: ConfigurationFolder,
): Promise<readonly Diagnostic[]> {
  const found: string[] = [];
  let entries = 0;
  const walk = async (below: string, depth: number): Promise<void> => {
    for (const name of (await files.list(`${full}/${below}`)).toSorted()) {
      if (++entries > MAX_ENTRIES) return;
      const file = `${below}${name}`;
      if (YAML_NAME.test(name)) {
        if (!read.includes(file) && (await isConfiguration(files, `${full}/${file}`))) found.push(file);
      } else if (!SKIPPED.test(name) && depth < MAX_DEPTH && (await files.kind(`${full}/${file}`)) === "folder")
        await walk(`${file}/`, depth + 1);
    }
  };
  await walk("", 0);
  return found.length === 0 ? [] : [leftOut(path, found)];
}

/** The folder of a configuration, as it is named, and the names of its files that are read. */
export interface ConfigurationFolder {
  readonly full: string;
  readonly path: string;
  readonly read: readonly string[];
}

async function isConfiguration(files: FileSystem, file: string): Promise<boolean> {
  if ((await files.kind(file)) !== "file") return false;
  // What cannot be read is no mistake here: nobody has named it.
  const bytes = await files.read(file, { maxBytes: MAX_BYTES }).catch(() => null);
  const text = new TextDecoder().decode(bytes ?? new Uint8Array());
  return MARKS.every((mark) => mark.test(text));
}

function leftOut(path: string, found: readonly string[]): Diagnostic {
  const shown = found.map((file) => `${path}/${file}`.replace(/^\.\//, ""));
  return warningOf("config_left_out", "Configuration not read", {
    detail: `-c ${path} reads the YAML files of that folder, and neither hidden files nor folders below it. Not read: ${firstFew(shown, MAX_SHOWN)}.`,
    hint: `If it belongs to this configuration, move it into ${path}. Otherwise move it out of the folder, or plan it with its own -c.`,
  });
}
