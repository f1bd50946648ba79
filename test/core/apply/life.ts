import type { FileSystem } from "../../../src/core/model/ports.ts";

/** One process: when it ends, nothing more comes back to it, and it does nothing more. */
export interface Life {
  isOver: boolean;
  readonly over: Promise<"over">;
  end(): void;
}

export function newLife(): Life {
  let resolve: (over: "over") => void = () => undefined;
  const over = new Promise<"over">((done) => (resolve = done));
  const life: Life = {
    isOver: false,
    over,
    end: () => {
      life.isOver = true;
      resolve("over");
    },
  };
  return life;
}

export const never = (): Promise<never> => new Promise(() => undefined);

/** The disk as a process has it, which ends at a `CRASH`. */
export function mortalFiles(files: FileSystem, life: Life): FileSystem {
  const mortal =
    <A extends readonly unknown[], T>(call: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      if (life.isOver) return never();
      try {
        const value = await call(...args);
        return life.isOver ? await never() : value;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "CRASH") throw error;
        life.end();
        return never();
      }
    };
  return {
    read: mortal(files.read),
    writeDurably: mortal(files.writeDurably),
    createExclusively: mortal(files.createExclusively),
    openAppend: mortal(async (...given: Parameters<FileSystem["openAppend"]>) => {
      const file = await files.openAppend(...given);
      return { append: mortal(file.append), overwrite: mortal(file.overwrite), close: mortal(file.close) };
    }),
    rename: mortal(files.rename),
    link: mortal(files.link),
    remove: mortal(files.remove),
    syncFolder: mortal(files.syncFolder),
    makeFolder: mortal(files.makeFolder),
    list: mortal(files.list),
    kind: mortal(files.kind),
    realPath: mortal(files.realPath),
  };
}
