import type { FileSystem } from "../../core/model/ports.ts";
import { digest } from "../../core/state/checksum.ts";

/** A file system that notes what it was asked, and tells later whether it would answer the same. */
export interface NotedFiles {
  readonly files: FileSystem;
  readonly areUnchanged: () => Promise<boolean>;
}

type Ask = () => Promise<Uint8Array | string | readonly string[] | null>;

/** Keeps digests of the answers, not the answers. */
export function notedFiles(files: FileSystem): NotedFiles {
  const noted = new Map<string, { readonly ask: Ask; readonly answer: string }>();
  const noting =
    <Answer extends Awaited<ReturnType<Ask>>, Given extends readonly unknown[]>(name: string, ask: (...given: Given) => Promise<Answer>) =>
    async (...given: Given): Promise<Answer> => {
      const key = JSON.stringify([name, ...given]);
      const asked = ask(...given);
      // The first answer: one that changes while the rest is read differs from the next one, too.
      if (!noted.has(key)) noted.set(key, { ask: () => ask(...given), answer: await digestOf(asked) });
      return asked;
    };
  return {
    files: {
      ...files,
      read: noting("read", (path, options) => files.read(path, options)),
      list: noting("list", (path) => files.list(path)),
      kind: noting("kind", (path) => files.kind(path)),
      realPath: noting("realPath", (path) => files.realPath(path)),
    },
    areUnchanged: async () => {
      for (const { ask, answer } of noted.values()) if ((await digestOf(ask())) !== answer) return false;
      return true;
    },
  };
}

async function digestOf(answer: ReturnType<Ask>): Promise<string> {
  try {
    const found = await answer;
    return digest(found instanceof Uint8Array ? found : JSON.stringify(found));
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}
