import type { Disk, DiskFile } from "../../../src/platform/node-files.ts";
import { type Life, never } from "../ports.ts";

/** The disk as a process has it that may be killed: then nothing comes back to it, and it does nothing more. */
export function mortalDisk(disk: Disk, life: Life): Disk {
  const mortal =
    <A extends readonly unknown[], T>(call: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      if (life.isOver) return never();
      try {
        return await call(...args);
      } finally {
        if (life.isOver) await never();
      }
    };
  const mortalFile = (file: DiskFile): DiskFile => ({
    stat: mortal(file.stat),
    read: mortal(file.read),
    writeFile: mortal(file.writeFile),
    appendFile: mortal(file.appendFile),
    write: mortal(file.write),
    sync: mortal(file.sync),
    datasync: mortal(file.datasync),
    close: mortal(file.close),
  });
  return {
    open: mortal(async (...args) => mortalFile(await disk.open(...args))),
    rename: mortal(disk.rename),
    link: mortal(disk.link),
    rm: mortal(disk.rm),
    readdir: mortal(disk.readdir),
    lstat: mortal(disk.lstat),
    realpath: mortal(disk.realpath),
  };
}
