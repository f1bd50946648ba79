import { spawnSync } from "node:child_process";
import { constants } from "node:fs";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Disk, type DiskFile, nodeFiles } from "../../src/platform/node-files.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const MEGABYTE = 1024 * 1024;

let folder = "";
beforeEach(async () => {
  folder = await fs.realpath(await fs.mkdtemp(path.join(tmpdir(), "outreach-files-")));
});
afterEach(() => fs.rm(folder, { recursive: true, force: true }));
const at = (name: string): string => path.join(folder, name);

/** This machine's disk, with every call on open files noted, and some of them replaced. */
function watchedDisk(replaced: Partial<DiskFile> = {}): { readonly disk: Disk; readonly calls: string[] } {
  const calls: string[] = [];
  const open: Disk["open"] = async (name, flags, mode) => {
    const file = await fs.open(name, flags, mode);
    const noted = <T>(call: string, act: () => Promise<T>): Promise<T> => {
      calls.push(call);
      return act();
    };
    return {
      stat: () => noted("stat", () => file.stat()),
      read: (...args) => noted("read", () => file.read(...args)),
      writeFile: (content) => noted("writeFile", () => file.writeFile(content)),
      appendFile: (content) => noted("appendFile", () => file.appendFile(content)),
      write: (...args) => noted("write", () => file.write(...args)),
      sync: () => noted("sync", () => file.sync()),
      datasync: () => noted("datasync", () => file.datasync()),
      ...replaced,
      close: () => noted("close", async () => file.close().then(replaced.close)),
    };
  };
  return { disk: { ...fs, open }, calls };
}

const broken = (): Promise<never> => Promise.reject(Object.assign(new Error("EIO"), { code: "EIO" }));

describe("a file that is read", () => {
  test("comes whole, and is null where there is none, also below a file", async () => {
    const files = nodeFiles();
    await fs.writeFile(at("a"), "text");
    expect(await files.read(at("a"))).toEqual(Buffer.from("text"));
    expect(await files.read(at("b"))).toBeNull();
    expect(await files.read(at("a/b"))).toBeNull();
    await expect(files.read(folder)).rejects.toMatchObject({ code: "EISDIR" });
  });

  test("may be as large as allowed, and no larger", async () => {
    await fs.writeFile(at("a"), "four");
    expect(await nodeFiles().read(at("a"), { maxBytes: 4 })).toEqual(Buffer.from("four"));
    await expect(nodeFiles().read(at("a"), { maxBytes: 3 })).rejects.toMatchObject({
      code: "EFBIG",
      message: `${at("a")} is larger than 3 bytes`,
    });
  });

  test("has at most 256 MB", async () => {
    await fs.writeFile(at("a"), "");
    await fs.truncate(at("a"), 256 * MEGABYTE + 1);
    await expect(nodeFiles().read(at("a"))).rejects.toMatchObject({ code: "EFBIG" });
  });

  test("is closed, whatever happens", async () => {
    await fs.writeFile(at("a"), "four");
    const [sound, unsound] = [watchedDisk(), watchedDisk({ read: broken })];
    await nodeFiles(sound.disk).read(at("a"));
    await expect(nodeFiles(unsound.disk).read(at("a"))).rejects.toThrow("EIO");
    expect([sound.calls.at(-1), unsound.calls.at(-1)]).toEqual(["close", "close"]);
  });

  test("is not followed through a link, unless that is wanted", async () => {
    await fs.writeFile(at("a"), "text");
    await fs.symlink(at("a"), at("link"));
    await expect(nodeFiles().read(at("link"))).rejects.toMatchObject({ code: "ELOOP" });
    expect(await nodeFiles().read(at("link"), { followLinks: true })).toEqual(Buffer.from("text"));
  });
});

describe("what has no size beforehand", () => {
  const inChunks = (...sizes: readonly number[]) => {
    const left = [...sizes];
    return watchedDisk({
      read: (into) => Promise.resolve({ bytesRead: into.fill(7, 0, left[0] ?? 0) && (left.shift() ?? 0) }),
    });
  };

  test("is read in parts to its end", async () => {
    await fs.writeFile(at("a"), "");
    expect(await nodeFiles(inChunks(3, 2).disk).read(at("a"))).toEqual(Buffer.alloc(5, 7));
    // Comparing them by `toEqual` takes seconds.
    expect(
      Buffer.alloc(MEGABYTE + 1, 7).equals(
        (await nodeFiles(inChunks(MEGABYTE, 1).disk).read(at("a"))) ?? new Uint8Array(),
      ),
    ).toBe(true);
    expect(await nodeFiles().read(at("a"))).toEqual(Buffer.alloc(0));
  });

  test("is given up as soon as it is too large", async () => {
    await fs.writeFile(at("a"), "");
    expect(await nodeFiles(inChunks(3, 2).disk).read(at("a"), { maxBytes: 5 })).toHaveLength(5);
    await expect(nodeFiles(inChunks(3, 2).disk).read(at("a"), { maxBytes: 4 })).rejects.toMatchObject({
      code: "EFBIG",
    });
  });
});

describe("a file that is written", () => {
  test("is flushed and closed, for its owner alone", async () => {
    const { disk, calls } = watchedDisk();
    await nodeFiles(disk).writeDurably(at("a"), bytes("one"));
    await nodeFiles(disk).createExclusively(at("b"), bytes("two"));
    expect(calls).toEqual(["writeFile", "sync", "close", "writeFile", "sync", "close"]);
    expect(await Promise.all(["a", "b"].map((name) => fs.readFile(at(name), "utf8")))).toEqual(["one", "two"]);
    expect(await Promise.all(["a", "b"].map(async (name) => (await fs.stat(at(name))).mode & 0o777))).toEqual([
      0o600, 0o600,
    ]);
  });

  test("is closed if it cannot be written", async () => {
    const { disk, calls } = watchedDisk({ writeFile: broken });
    await expect(nodeFiles(disk).writeDurably(at("a"), bytes("one"))).rejects.toThrow("EIO");
    expect(calls).toEqual(["close"]);
  });

  test("does not stay in part if it is new and cannot be flushed, and the error names it", async () => {
    const { disk } = watchedDisk({ sync: broken });
    await expect(nodeFiles(disk).createExclusively(at("a"), bytes("one"))).rejects.toThrow(`EIO '${at("a")}'`);
    expect(await fs.readdir(folder)).toEqual([]);
    await fs.writeFile(at("a"), "theirs");
    await expect(nodeFiles(disk).createExclusively(at("a"), bytes("one"))).rejects.toMatchObject({ code: "EEXIST" });
    expect(await fs.readFile(at("a"), "utf8")).toBe("theirs");
  });

  test("stays where it was there before, if it cannot be flushed", async () => {
    await fs.writeFile(at("a"), "theirs");
    await expect(nodeFiles(watchedDisk({ sync: broken }).disk).writeDurably(at("a"), bytes("one"))).rejects.toThrow(
      "EIO",
    );
    expect(await fs.readdir(folder)).toEqual(["a"]);
  });

  test("is named once where the error names it itself", async () => {
    const named = (): Promise<never> => Promise.reject(new Error(`EIO, write '${at("a")}'`));
    await expect(nodeFiles(watchedDisk({ sync: named }).disk).writeDurably(at("a"), bytes("one"))).rejects.toThrow(
      new Error(`EIO, write '${at("a")}'`),
    );
    const odd = (): Promise<never> => Promise.reject("odd");
    await expect(nodeFiles(watchedDisk({ sync: odd }).disk).writeDurably(at("a"), bytes("one"))).rejects.toBe("odd");
  });

  test("replaces one that is there, or refuses to", async () => {
    await fs.writeFile(at("a"), "a longer one");
    await nodeFiles().writeDurably(at("a"), bytes("one"));
    expect(await fs.readFile(at("a"), "utf8")).toBe("one");
    await expect(nodeFiles().createExclusively(at("a"), bytes("two"))).rejects.toMatchObject({ code: "EEXIST" });
  });

  test("is for everybody if it is public, as far as the umask allows", async () => {
    const mask = 0o666 & ~process.umask();
    await nodeFiles().createExclusively(at("a"), bytes("one"), { isPublic: true });
    const log = await nodeFiles().openAppend(at("b"), { isPublic: true });
    await log.close();
    expect(await Promise.all(["a", "b"].map(async (name) => (await fs.stat(at(name))).mode & 0o777))).toEqual([
      mask,
      mask,
    ]);
  });
});

describe("a file that is appended to", () => {
  test("is for its owner alone, and keeps what was there, in the order of the calls", async () => {
    await fs.writeFile(at("a"), "0");
    const file = await nodeFiles().openAppend(at("a"));
    await Promise.all(["1", "2", "3"].map((text) => file.append(bytes(text))));
    await file.close();
    expect(await fs.readFile(at("a"), "utf8")).toBe("0123");
    await (await nodeFiles().openAppend(at("new"))).close();
    expect((await fs.stat(at("new"))).mode & 0o777).toBe(0o600);
  });

  test("is flushed with each append: by a flag on Linux, by a call elsewhere", async () => {
    const flags: unknown[] = [];
    for (const system of ["linux", "darwin"] as const) {
      const { disk, calls } = watchedDisk();
      const open: Disk["open"] = (name, given, mode) => {
        flags.push((given as number) & constants.O_DSYNC);
        return disk.open(name, given, mode);
      };
      const file = await nodeFiles({ ...disk, open }, system).openAppend(at("a"));
      await file.append(bytes("1"));
      await file.close();
      expect(calls).toEqual(["appendFile", ...(system === "linux" ? [] : ["datasync"]), "close"]);
    }
    expect(flags).toEqual([constants.O_DSYNC, 0]);
  });

  test.each(["linux", "darwin"] as const)(
    "is overwritten in its place and in turn on %s, with no flush, and not through a link",
    async (system) => {
      const flags: unknown[] = [];
      const { disk, calls } = watchedDisk();
      const open: Disk["open"] = (name, given, mode) => {
        flags.push(given);
        return disk.open(name, given, mode);
      };
      const file = await nodeFiles({ ...disk, open }, system).openAppend(at("a"));
      await Promise.all([
        file.append(bytes("0000 end\n")),
        file.overwrite(bytes("1234"), 0),
        file.append(bytes("more\n")),
        file.overwrite(bytes("567"), 1),
      ]);
      expect(await fs.readFile(at("a"), "utf8")).toBe("1567 end\nmore\n");
      expect(flags.slice(1)).toEqual([constants.O_WRONLY | constants.O_NOFOLLOW]);
      await file.close();
      const flushed = system === "linux" ? [] : ["datasync"];
      expect(calls).toEqual(["appendFile", ...flushed, "write", "appendFile", ...flushed, "write", "close", "close"]);
    },
  );

  test("takes nothing more after a failure, which may have left half a line", async () => {
    let fails = true;
    const appended: Uint8Array[] = [];
    const appendFile = (content: Uint8Array): Promise<void> =>
      fails ? broken() : Promise.resolve(void appended.push(content));
    const file = await nodeFiles(watchedDisk({ appendFile }).disk).openAppend(at("a"));
    await expect(file.append(bytes("1"))).rejects.toThrow(`EIO '${at("a")}'`);
    fails = false;
    await expect(file.append(bytes("2"))).rejects.toThrow("EIO");
    expect(appended).toEqual([]);
    await file.close();
  });
});

test("an append that cannot be flushed is an error", async () => {
  const file = await nodeFiles(watchedDisk({ datasync: broken }).disk, "darwin").openAppend(at("a"));
  await expect(file.append(bytes("1"))).rejects.toThrow(`EIO '${at("a")}'`);
  await file.close();
});

test("a file or folder that cannot be closed is an error: what was written may be lost", async () => {
  await fs.writeFile(at("a"), "text");
  const files = nodeFiles(watchedDisk({ close: broken }).disk, "linux");
  const calls = [
    () => files.read(at("a")),
    () => files.writeDurably(at("a"), bytes("one")),
    () => files.syncFolder(folder),
  ];
  for (const call of calls) await expect(call()).rejects.toThrow("EIO");
});

describe("a folder", () => {
  test("is flushed and closed, but not on Windows, which cannot", async () => {
    const [linux, windows, unsound] = [watchedDisk(), watchedDisk(), watchedDisk({ sync: broken })];
    await nodeFiles(linux.disk, "linux").syncFolder(folder);
    await nodeFiles(windows.disk, "win32").syncFolder(folder);
    await expect(nodeFiles(unsound.disk, "linux").syncFolder(folder)).rejects.toThrow("EIO");
    expect([linux.calls, windows.calls, unsound.calls]).toEqual([["sync", "close"], [], ["close"]]);
  });

  test("is listed, and is empty where there is none", async () => {
    await fs.writeFile(at("a"), "");
    expect(await nodeFiles().list(folder)).toEqual(["a"]);
    expect(await nodeFiles().list(at("none"))).toEqual([]);
    expect(await nodeFiles().list(at("a"))).toEqual([]);
  });
});

test("the kind of a path is told without following links", async () => {
  await fs.writeFile(at("file"), "");
  await fs.symlink(at("file"), at("link"));
  expect(spawnSync("mkfifo", [at("pipe")]).status).toBe(0);
  const kinds = await Promise.all(["file", ".", "link", "pipe", "none"].map((name) => nodeFiles().kind(at(name))));
  expect(kinds).toEqual(["file", "folder", "link", "other", null]);
  expect(await nodeFiles().realPath(at("link"))).toBe(at("file"));
});

test("files are renamed, linked and removed, and removing what is gone is no error", async () => {
  const files = nodeFiles();
  await fs.writeFile(at("a"), "text");
  await files.link(at("a"), at("b"));
  await expect(files.link(at("a"), at("b"))).rejects.toMatchObject({ code: "EEXIST" });
  await files.rename(at("a"), at("c"));
  await files.remove(at("b"));
  await files.remove(at("b"));
  expect(await fs.readdir(folder)).toEqual(["c"]);
});

test("an error other than a missing file is not hidden", async () => {
  const disk: Disk = { ...fs, readdir: broken, lstat: broken, open: broken };
  const files = nodeFiles(disk);
  for (const call of [() => files.list(folder), () => files.kind(folder), () => files.read(folder)])
    await expect(call()).rejects.toThrow("EIO");
});
