import { posix } from "node:path";
import { DiagnosticsError, errorOf } from "../../core/model/diagnostic.ts";
import { beginsAtHome } from "../../core/model/words.ts";
import { realPathInside } from "../../core/model/real-path-inside.ts";
import type { Ports } from "../context.ts";

/** The folder of devices: what the system links there, such as `/dev/stdin`, is what the user names. */
const DEVICES = "/dev/";
const NOT_THERE: readonly unknown[] = ["ENOENT", "ENOTDIR"];

/** The place of a path that the user names. Throws `path_not_expanded` where a shell was to expand it: it would name a folder called `~`. */
export function resolvePath(folder: string, path: string): string {
  if (beginsAtHome(path))
    throw DiagnosticsError.of("path_not_expanded", "The path begins with ~", {
      detail: `${path} begins with ~, which only a shell expands.`,
      hint: 'Write the whole path, or "$HOME/...". If a folder really has such a name, write ./ before it.',
    });
  return path.startsWith("/") ? path : `${folder}/${path}`;
}

/**
 * The real path of a file or folder that the user names; null if it does not exist. Anyone who can change a repository can add
 * a link, and messages quote what they read. So throws `link_leads_out` if symbolic links lead from the path out of its folder,
 * or from that folder out of the one that contains it and the working folder.
 */
export async function namedPath({ files, folder }: Ports, path: string): Promise<string | null> {
  const full = resolvePath(folder, path);
  const above = posix.dirname(posix.resolve(full));
  const root = folderOfBoth(posix.resolve(folder), posix.resolve(full));
  try {
    // The working folder, or one above it.
    if (root === posix.resolve(full)) return await files.realPath(full);
    const isInside = (await realPathInside(files, root, above)) !== null;
    const real = isInside ? await realPathInside(files, above, full) : null;
    if (real !== null) return real;
  } catch (error) {
    if (NOT_THERE.includes((error as NodeJS.ErrnoException).code)) return null;
    throw error;
  }
  throw new DiagnosticsError([linkLeadsOut(path, "Name the file itself, or replace the link with a copy of it.")]);
}

/** Reads a file that the user names, with the rules of `namedPath`; null if it does not exist. */
export async function readNamedFile(context: Ports, path: string): Promise<Uint8Array | null> {
  const full = resolvePath(context.folder, path);
  if (posix.resolve(full).startsWith(DEVICES)) return context.files.read(full, { followLinks: true });
  const real = await namedPath(context, path);
  return real === null ? null : context.files.read(real);
}

/** The deepest folder that contains both paths, or is one of them. */
function folderOfBoth(one: string, other: string): string {
  const parts = other.split("/");
  const count = one.split("/").findIndex((part, index) => part !== parts[index]);
  return (count < 0 ? one : parts.slice(0, count).join("/")) || "/";
}

export function linkLeadsOut(path: string, hint: string) {
  return errorOf("link_leads_out", "Symbolic link to another place", {
    detail: `${path} leads to another folder through a symbolic link. outreach does not follow it, because anyone who can change this folder can add one.`,
    hint,
    place: { file: path },
  });
}
