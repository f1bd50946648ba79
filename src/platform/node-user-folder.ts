import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";

/** A private folder of the user, which may disappear at a reboot. */
export interface UserFolder {
  readonly folder: string;
  /** The user id; null on systems without user ids. */
  readonly owner: number | null;
}

/** Inside `XDG_RUNTIME_DIR` or the folder for temporary files. The folder may not exist; its parent does. */
export function nodeUserFolder(environment: { readonly [name: string]: string | undefined }): UserFolder {
  const owner = process.getuid?.() ?? null;
  const runtime = environment["XDG_RUNTIME_DIR"] ?? "";
  if (isAbsolute(runtime)) return { folder: join(runtime, "outreach-as-code"), owner };
  return { folder: join(tmpdir(), owner === null ? "outreach-as-code" : `outreach-as-code-${String(owner)}`), owner };
}
