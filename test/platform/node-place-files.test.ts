import callbackFs, { fstatSync, readdirSync, readlinkSync } from "node:fs";
import nodeFs, * as fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { callbackify } from "node:util";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { nodePlaceFiles } from "../../src/platform/node-place-files.ts";

const FILES = [
  { name: "program", bytes: Buffer.from("run"), executable: true },
  { name: "text", bytes: Buffer.from("read"), executable: false },
];

let place = "";
beforeEach(async () => {
  place = await fs.mkdtemp(path.join(tmpdir(), "outreach-place-"));
});
afterEach(() => fs.rm(place, { recursive: true, force: true }));
const target = (): string => path.join(place, "over/a/b");

async function there(): Promise<readonly unknown[]> {
  return Promise.all(
    FILES.map(async ({ name }) => [
      await fs.readFile(path.join(target(), name), "utf8"),
      (await fs.stat(path.join(target(), name))).mode & 0o777,
    ]),
  );
}

const WHOLE = [
  ["run", 0o755 & ~process.umask()],
  ["read", 0o644 & ~process.umask()],
];

test("files are placed once, and nothing else is left", async () => {
  expect(await nodePlaceFiles(target(), FILES)).toBe(true);
  expect(await there()).toEqual(WHOLE);
  expect(await nodePlaceFiles(target(), FILES)).toBe(false);
  expect(await fs.readdir(path.dirname(target()))).toEqual(["b"]);
  for (const folder of [target(), path.dirname(target())])
    expect((await fs.stat(folder)).mode & 0o777).toBe(0o755 & ~process.umask());
});

test("files that differ, are missing or cannot be run are replaced, and others stay", async () => {
  await nodePlaceFiles(target(), FILES);
  await fs.writeFile(path.join(target(), "other"), "mine");
  const spoilt = [
    () => fs.writeFile(path.join(target(), "text"), "changed"),
    () => fs.rm(path.join(target(), "program")),
    () => fs.chmod(path.join(target(), "program"), 0o644),
  ];
  for (const spoil of spoilt) {
    await spoil();
    expect(await nodePlaceFiles(target(), FILES)).toBe(true);
    expect(await there()).toEqual(WHOLE);
  }
  expect(await fs.readFile(path.join(target(), "other"), "utf8")).toBe("mine");
  expect(await fs.readdir(path.dirname(target()))).toEqual(["b"]);
});

/** The files below a folder that this process has open. */
function openBelow(folder: string): readonly string[] {
  const linkOf = (fd: string): string => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return "";
    }
  };
  return readdirSync("/proc/self/fd")
    .map(linkOf)
    .filter((name) => name.startsWith(folder));
}

interface Calls {
  readonly sync?: (fd: number) => Promise<void>;
  readonly close?: (fd: number, close: () => Promise<void>) => Promise<void>;
}

/** From now on, descriptors are flushed and files closed by these calls. */
function replaceCalls({ sync, close }: Calls): void {
  const { open } = nodeFs;
  vi.spyOn(nodeFs, "open").mockImplementation(async (...words) => {
    const file = await open(...words);
    const { fd } = file;
    const closeFile = file.close.bind(file);
    return Object.assign(file, close && { close: () => close(fd, closeFile) });
  });
  if (sync) vi.spyOn(callbackFs, "fsync").mockImplementation(callbackify(sync));
  syncBuiltinESMExports();
}

const { platform } = process;
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  Object.defineProperty(process, "platform", { value: platform });
});

const isFolder = (fd: number): boolean => fstatSync(fd).isDirectory();
const broken = (): Promise<never> => Promise.reject(new Error("EIO"));

test.runIf(platform === "linux")(
  "files are flushed before they get their place, then its folder is, and all are closed",
  async () => {
    const flushed: string[] = [];
    replaceCalls({
      sync: async (fd) => {
        await new Promise(setImmediate);
        const name = path
          .relative(path.join(place, "over"), readlinkSync(`/proc/self/fd/${String(fd)}`))
          .replace(/tmp-[^/]+/, "tmp");
        const found = fstatSync(fd);
        flushed.push(found.isFile() ? `${name} with ${String(found.size)} bytes` : name);
      },
    });
    await nodePlaceFiles(target(), FILES);
    expect(flushed).toEqual(["a/b.tmp/program with 3 bytes", "a/b.tmp/text with 4 bytes", "a"]);
    expect(openBelow(place)).toEqual([]);
    await fs.writeFile(path.join(target(), "text"), "changed");
    await nodePlaceFiles(target(), FILES);
    expect(flushed.slice(3)).toEqual(["a/b.tmp/program with 3 bytes", "a/b.tmp/text with 4 bytes", "a/b", "a"]);
    expect(openBelow(place)).toEqual([]);
  },
);

test.each<readonly [string, Parameters<typeof replaceCalls>[0]]>([
  ["a file cannot be flushed", { sync: broken }],
  ["a folder cannot be flushed", { sync: (fd) => (isFolder(fd) ? broken() : Promise.resolve()) }],
  ["a file cannot be closed", { close: (fd, close) => (isFolder(fd) ? close() : close().then(broken)) }],
  ["a folder cannot be closed", { close: (fd, close) => (isFolder(fd) ? close().then(broken) : close()) }],
])("it is an error if %s, and nothing stays open", async (_, calls) => {
  await nodePlaceFiles(target(), FILES);
  await fs.writeFile(path.join(target(), "text"), "changed");
  replaceCalls(calls);
  for (const folder of [target(), path.join(place, "new")])
    await expect(nodePlaceFiles(folder, FILES)).rejects.toThrow("EIO");
  if (platform === "linux") expect(openBelow(place)).toEqual([]);
  expect(await fs.readdir(path.dirname(target()))).toEqual(["b"]);
});

test("folders are not flushed on Windows, which cannot", async () => {
  Object.defineProperty(process, "platform", { value: "win32" });
  let folders = 0;
  replaceCalls({ sync: (fd) => Promise.resolve(void (folders += Number(isFolder(fd)))) });
  expect(await nodePlaceFiles(target(), FILES)).toBe(true);
  expect(folders).toBe(0);
});

test("nothing is left where files cannot be placed", async () => {
  await fs.writeFile(path.join(place, "file"), "");
  await expect(nodePlaceFiles(path.join(place, "file"), FILES)).rejects.toMatchObject({ code: "ENOTDIR" });
  expect(await fs.readdir(place)).toEqual(["file"]);
});

test("nothing is placed where a link leads", async () => {
  await fs.mkdir(path.join(place, "elsewhere"));
  await fs.symlink(path.join(place, "elsewhere"), path.join(place, "link"));
  await expect(nodePlaceFiles(path.join(place, "link"), FILES)).rejects.toMatchObject({ code: "ENOTDIR" });
  expect(await fs.readdir(path.join(place, "elsewhere"))).toEqual([]);
});

test("a folder whose temporary name is too long is an error", async () => {
  await expect(nodePlaceFiles(path.join(place, "x".repeat(240)), FILES)).rejects.toMatchObject({
    code: "ENAMETOOLONG",
  });
  expect(await fs.readdir(place)).toEqual([]);
});
