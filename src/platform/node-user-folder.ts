import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";

/** A folder of this user's own that need not outlive the machine's run. */
export interface UserFolder {
  readonly folder: string;
  /** Null where users have no numbers. */
  readonly owner: number | null;
}

/** Below `XDG_RUNTIME_DIR`, or else in the folder for temporary files. It may be absent; its parent is there. */
export function nodeUserFolder(environment: { readonly [name: string]: string | undefined }): UserFolder {
  const owner = process.getuid?.() ?? null;
  const runtime = environment["XDG_RUNTIME_DIR"] ?? "";
  if (isAbsolute(runtime)) return { folder: join(runtime, "outreach-as-code"), owner };
  return { folder: join(tmpdir(), owner === null ? "outreach-as-code" : `outreach-as-code-${String(owner)}`), owner };
}
