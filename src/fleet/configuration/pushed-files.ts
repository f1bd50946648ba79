import path from "node:path";
import type { FileSystem } from "../../core/model/ports.ts";

/** A file system that keeps what is read from it, by the paths under which it was asked for. */
export interface RecordedFiles {
  readonly files: FileSystem;
  readonly read: () => ReadonlyMap<string, Uint8Array>;
}

export function recordedFiles(files: FileSystem): RecordedFiles {
  const found = new Map<string, Uint8Array>();
  /** Links: what is read by its real path was asked for by another one. */
  const asked = new Map<string, Set<string>>();
  return {
    files: {
      ...files,
      read: async (file, options) => {
        const bytes = await files.read(file, options);
        if (bytes !== null) found.set(file, bytes);
        return bytes;
      },
      realPath: async (file) => {
        const real = await files.realPath(file);
        asked.set(real, (asked.get(real) ?? new Set()).add(file));
        return real;
      },
    },
    read: () =>
      new Map(
        [...found].flatMap(([file, bytes]) => [...(asked.get(file) ?? [file])].map((name) => [name, bytes] as const)),
      ),
  };
}

/** Files in memory as a file system that has nothing else, below `folder`. */
export function filesInMemory(folder: string, given: ReadonlyMap<string, Uint8Array>): FileSystem {
  const files = new Map([...given].map(([file, bytes]) => [path.resolve(folder, file), bytes]));
  const folders = new Set([path.resolve(folder), ...[...given.keys()].flatMap((file) => foldersAbove(folder, file))]);
  const kindOf = (at: string): "file" | "folder" | null => (files.has(at) ? "file" : folders.has(at) ? "folder" : null);
  const readOnly = (): Promise<never> => Promise.reject(failure("EROFS"));
  return {
    read: async (file, { maxBytes = Infinity } = {}) => {
      const bytes = files.get(path.resolve(file)) ?? null;
      if (bytes !== null && bytes.length > maxBytes) throw failure("EFBIG");
      return bytes;
    },
    list: async (at) => {
      const full = path.resolve(at);
      if (!folders.has(full)) throw failure("ENOENT");
      return [...files.keys(), ...folders]
        .filter((one) => one !== full && path.dirname(one) === full)
        .map((one) => path.basename(one));
    },
    kind: async (at) => kindOf(path.resolve(at)),
    realPath: async (at) => {
      const full = path.resolve(at);
      if (kindOf(full) === null) throw failure("ENOENT");
      return full;
    },
    writeDurably: readOnly,
    createExclusively: readOnly,
    openAppend: readOnly,
    rename: readOnly,
    link: readOnly,
    remove: readOnly,
    syncFolder: readOnly,
    makeFolder: readOnly,
  };
}

function foldersAbove(folder: string, file: string): readonly string[] {
  const parts = path.normalize(file).split(path.sep).slice(0, -1);
  return parts.map((_, index) => path.resolve(folder, ...parts.slice(0, index + 1)));
}

function failure(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: a pushed configuration`), { code });
}
