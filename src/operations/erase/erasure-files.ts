import { posix } from "node:path";
import type { PersonText } from "../../core/secrets/person-text.ts";
import { isEncrypted } from "../../core/state/encryption/envelope-format.ts";
import type { StateStore } from "../../core/state/state-store.ts";
import { isRecord, parseJson } from "../../core/model/shape.ts";
import type { WorkingFolder } from "../context.ts";
import { resolvePath } from "../configuration/named-file.ts";
import type { NotReached } from "./certificate.ts";

const MAX_BYTES = 64 * 1024 * 1024;

export interface FoundFiles {
  /** Saved plans of this state with a person, by their paths. */
  readonly plans: readonly string[];
  readonly others: readonly NotReached[];
}

export interface FileSearch {
  readonly text: PersonText;
  readonly store: StateStore;
  readonly lineage: string;
  /** Saved plans that the user names, wherever they are. */
  readonly named: readonly string[];
  /** Files that belong to other states, which are erased on their own. */
  readonly isForeign: (name: string) => boolean;
}

/** The files with a person: those that are named, and all right in the working folder and in the folder of the state. */
export async function filesWith(context: WorkingFolder, search: FileSearch): Promise<FoundFiles> {
  const { files, folder } = context;
  const { store, named } = search;
  const own = store.isOnThisMachine ? resolvePath(folder, store.name) : null;
  const folders = [...new Set([folder, ...(own === null ? [] : [posix.dirname(own)])])];
  const listed = await Promise.all(folders.map(async (one) => (await files.list(one)).map((name) => `${one}/${name}`)));
  const isOwn = (file: string): boolean =>
    own !== null && ["", ".backup", ".journal", ".lock", ".tmp", ".backup.tmp"].some((ending) => file === own + ending);
  const paths = new Set([
    ...named.map((file) => posix.resolve(resolvePath(folder, file))),
    ...listed.flat().toSorted(),
  ]);
  const plans: string[] = [];
  const others: NotReached[] = [];
  for (const file of paths) {
    if (isOwn(file) || (search.isForeign(posix.basename(file)) && !named.includes(file))) continue;
    const found = await searched(context, file, search);
    if (found === "plan") plans.push(file);
    else if (found !== null) others.push(found);
  }
  return { plans, others };
}

/** `plan` for a saved plan of this state with a person; null where nothing is found. */
async function searched(
  { files, folder }: WorkingFolder,
  file: string,
  { text, store, lineage }: FileSearch,
): Promise<NotReached | "plan" | null> {
  const name = relativeTo(folder, file);
  if ((await files.kind(file)) !== "file") return null;
  const unread: NotReached = { kind: "copy", file: name, detail: "It is encrypted, and cannot be read." };
  try {
    const bytes = await files.read(file, { maxBytes: MAX_BYTES });
    if (bytes === null) return null;
    const content = new TextDecoder().decode(bytes);
    const parsed = /^\s*\{/.test(content) ? parseJson(bytes) : undefined;
    if (isEncrypted(parsed)) {
      const isPlan = "kind" in parsed && parsed.kind === "plan";
      if (!isPlan || !store.encryption) return unread;
      const plain = await store.encryption.open(bytes, "plan", name).catch(() => null);
      if (plain === null) return unread;
      const opened = new TextDecoder().decode(plain.bytes);
      return text.has(opened) ? kindOf(parseJson(plain.bytes), { opened, name, text, lineage }) : null;
    }
    return text.has(content) ? kindOf(parsed, { opened: content, name, text, lineage }) : null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return {
      kind: "copy",
      file: name,
      detail: code === "EFBIG" ? "It is too large to be searched." : `It cannot be read (${code}).`,
    };
  }
}

function kindOf(
  parsed: unknown,
  {
    opened,
    name,
    text,
    lineage,
  }: { readonly opened: string; readonly name: string; readonly text: PersonText; readonly lineage: string },
): NotReached | "plan" {
  if (isRecord(parsed) && "planFile" in parsed && parsed["lineage"] === lineage) return "plan";
  return { kind: "file", file: name, line: opened.split("\n").findIndex((line) => text.has(line)) + 1 };
}

/** A path as users see it. */
export function relativeTo(folder: string, file: string): string {
  return file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file;
}
