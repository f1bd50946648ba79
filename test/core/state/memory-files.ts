import type { FileSystem } from "../../../src/core/model/ports.ts";

export type Operation = Exclude<keyof FileSystem, "list" | "kind" | "realPath"> | "append" | "overwrite";

/** One call that goes wrong: the `at`-th (from 0) of those that `operations` names, or of all. */
export interface FileFault {
  readonly at: number;
  readonly code: "ENOSPC" | "EIO" | "EACCES" | "CRASH";
  /** Whether nothing, half or all of it happens before it fails. */
  readonly done: "nothing" | "half" | "all";
  readonly operations?: readonly Operation[];
}

export interface MemoryFiles extends FileSystem {
  readonly contents: ReadonlyMap<string, Uint8Array>;
  /** The calls so far, as `OPERATION PATH`. */
  readonly calls: readonly string[];
  /** Sets what goes wrong from now on; starts counting again. */
  fail(fault: FileFault | null): void;
  text(path: string): string | null;
}

/** A disk in memory. After a `CRASH` every call fails, as for a process that is gone. */
export function memoryFiles({
  delay = () => Promise.resolve(),
}: { readonly delay?: () => Promise<void> } = {}): MemoryFiles {
  const contents = new Map<string, Uint8Array>();
  const folders = new Set<string>();
  const calls: string[] = [];
  let fault: FileFault | null = null;
  let count = 0;
  let crashed = false;

  function error(code: string, path: string): Error {
    return Object.assign(new Error(`${code}: ${path}`), { code });
  }

  async function call<T>(operation: Operation, path: string, act: (part: "half" | "all") => T): Promise<T> {
    await delay();
    if (crashed) throw error("CRASH", path);
    calls.push(`${operation} ${path}`);
    const counts = fault !== null && (fault.operations?.includes(operation) ?? true);
    if (fault && counts && count++ === fault.at) {
      if (fault.code === "CRASH") crashed = true;
      if (fault.done !== "nothing") act(fault.done);
      throw error(fault.code, path);
    }
    return act("all");
  }

  function part(bytes: Uint8Array, how: "half" | "all"): Uint8Array {
    return bytes.slice(0, how === "half" ? Math.floor(bytes.length / 2) : bytes.length);
  }

  return {
    contents,
    calls,
    fail: (next) => {
      fault = next;
      count = 0;
      crashed = false;
    },
    text: (path) => (contents.has(path) ? new TextDecoder().decode(contents.get(path)) : null),
    read: (path, { maxBytes = Number.POSITIVE_INFINITY } = {}) =>
      call("read", path, () => {
        const bytes = contents.get(path);
        if (bytes && bytes.length > maxBytes) throw error("EFBIG", path);
        return bytes?.slice() ?? null;
      }),
    writeDurably: (path, bytes) => call("writeDurably", path, (how) => void contents.set(path, part(bytes, how))),
    createExclusively: (path, bytes) =>
      call("createExclusively", path, (how) => {
        if (contents.has(path)) throw error("EEXIST", path);
        contents.set(path, part(bytes, how));
      }),
    openAppend: (path, { exclusive = false } = {}) =>
      call("openAppend", path, () => {
        if (exclusive && contents.has(path)) throw error("EEXIST", path);
        if (!contents.has(path)) contents.set(path, new Uint8Array());
        let turn: Promise<unknown> = Promise.resolve();
        return {
          append: (bytes) => {
            const next = turn.then(() =>
              call(
                "append",
                path,
                (how) => void contents.set(path, Uint8Array.from([...(contents.get(path) ?? []), ...part(bytes, how)])),
              ),
            );
            turn = next.catch(() => undefined);
            return next;
          },
          // Within one sector: whole or not at all.
          overwrite: (bytes, position) =>
            call("overwrite", path, (how) => {
              const all = Buffer.from(contents.get(path) ?? []);
              if (how === "all") all.set(bytes, position);
              contents.set(path, new Uint8Array(all));
            }),
          close: () => Promise.resolve(),
        };
      }),
    rename: (from, to) =>
      call("rename", from, () => {
        const bytes = contents.get(from);
        if (!bytes) throw error("ENOENT", from);
        contents.set(to, bytes);
        contents.delete(from);
      }),
    link: (from, to) =>
      call("link", from, () => {
        const bytes = contents.get(from);
        if (!bytes) throw error("ENOENT", from);
        if (contents.has(to)) throw error("EEXIST", to);
        contents.set(to, bytes);
      }),
    remove: (path) => call("remove", path, () => void contents.delete(path)),
    syncFolder: (path) => call("syncFolder", path, () => undefined),
    makeFolder: (path) => call("makeFolder", path, () => void folders.add(path)),
    list: (path) =>
      Promise.resolve(
        [...contents.keys()].flatMap((one) => (one.startsWith(`${path}/`) ? [one.slice(path.length + 1)] : [])),
      ),
    kind: (path) => Promise.resolve(contents.has(path) ? "file" : folders.has(path) ? "folder" : null),
    realPath: (path) => Promise.resolve(path),
  };
}
