import path from "node:path";
import { DiagnosticsError } from "../../../../core/model/diagnostic.ts";
import type { FileSystem } from "../../../../core/model/ports.ts";
import type { Ports } from "../../../../operations/context.ts";

/** What may be read, as the user has named it. */
export interface NamedPaths {
  /** Folders, with everything below them. */
  readonly folders: readonly string[];
  readonly files: readonly string[];
  /** Null for a state that is no file. Its journal and its backup have its name with an ending. */
  readonly state: string | null;
}

/**
 * The file system for callers who must neither write nor look around: it reads only below the working folder, after all
 * symbolic links, and what the user has named. Throws `outside_folder` for the rest.
 */
export function confinedFiles({ files, folder }: Ports, named: NamedPaths): FileSystem {
  const realOf = (file: string): Promise<string> => realPathOf(files, path.resolve(folder, file));
  const paths = [folder, ...named.folders, ...named.files, ...(named.state === null ? [] : [named.state])].map((one) =>
    path.resolve(folder, one),
  );
  /** Whether a folder holds, at any depth, what may be read: where its links lead tells nothing of what is in it. */
  const isAbove = (full: string): boolean => paths.some((one) => !path.relative(full, one).startsWith(".."));
  async function isInside(file: string): Promise<boolean> {
    const real = await realOf(file);
    const folders = await Promise.all([folder, ...named.folders].map(realOf));
    if (folders.some((one) => real === one || real.startsWith(`${one}${path.sep}`))) return true;
    const single = await Promise.all([...named.files, ...(named.state === null ? [] : [named.state])].map(realOf));
    return single.includes(real) || (named.state !== null && real.startsWith(`${await realOf(named.state)}.`));
  }
  async function inside(file: string): Promise<string> {
    if (await isInside(file)) return file;
    throw outsideFolder(path.relative(folder, path.resolve(folder, file)));
  }
  return {
    read: async (file, options) => files.read(await inside(file), options),
    list: async (file) => files.list(await inside(file)),
    realPath: async (file) => files.realPath(isAbove(path.resolve(folder, file)) ? file : await inside(file)),
    kind: async (file) => ((await isInside(file)) ? files.kind(file) : null),
    writeDurably: refused,
    createExclusively: refused,
    openAppend: refused,
    rename: refused,
    link: refused,
    remove: refused,
    syncFolder: refused,
    makeFolder: refused,
  };
}

/** The real path of a file, or of where it would be. */
async function realPathOf(files: FileSystem, file: string): Promise<string> {
  const real = await files.realPath(file).catch(() => null);
  if (real !== null) return real;
  const parent = path.dirname(file);
  return parent === file ? file : path.join(await realPathOf(files, parent), path.basename(file));
}

function refused(): Promise<never> {
  return Promise.reject(new Error("a tool tried to write a file"));
}

function outsideFolder(file: string): DiagnosticsError {
  return DiagnosticsError.of("outside_folder", "Outside of the working folder", {
    detail: `${file} is outside of the folder in which outreach mcp was started. Its tools read nothing there.`,
    hint: "Name a path in the folder. The options of outreach mcp itself may name others.",
  });
}
