import { fstatSync, readdirSync, readlinkSync } from "node:fs";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
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
    FILES.map(async ({ name }) => [await fs.readFile(path.join(target(), name), "utf8"), (await fs.stat(path.join(target(), name))).mode & 0o777]),
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

test.runIf(process.platform === "linux")("files are flushed before they get their place, then its folder is, and all are closed", async () => {
  const opened = await fs.open(place);
  const handle = Object.getPrototypeOf(opened) as fs.FileHandle;
  await opened.close();
  const flushed: string[] = [];
  const sync = vi.spyOn(handle, "sync").mockImplementation(async function (this: fs.FileHandle) {
    await new Promise(setImmediate);
    const name = path.relative(path.join(place, "over"), readlinkSync(`/proc/self/fd/${String(this.fd)}`)).replace(/tmp-[^/]+/, "tmp");
    const found = fstatSync(this.fd);
    flushed.push(found.isFile() ? `${name} with ${String(found.size)} bytes` : name);
  });
  try {
    await nodePlaceFiles(target(), FILES);
    expect(flushed).toEqual(["a/b.tmp/program with 3 bytes", "a/b.tmp/text with 4 bytes", "a"]);
    expect(openBelow(place)).toEqual([]);
    await fs.writeFile(path.join(target(), "text"), "changed");
    await nodePlaceFiles(target(), FILES);
    expect(flushed.slice(3)).toEqual(["a/b.tmp/program with 3 bytes", "a/b.tmp/text with 4 bytes", "a/b", "a"]);
    expect(openBelow(place)).toEqual([]);
    sync.mockRejectedValue(new Error("EIO"));
    await expect(nodePlaceFiles(path.join(place, "c"), FILES)).rejects.toThrow("EIO");
    expect(openBelow(place)).toEqual([]);
  } finally {
    vi.restoreAllMocks();
  }
});

test("nothing is left where files cannot be placed", async () => {
  await fs.writeFile(path.join(place, "file"), "");
  await expect(nodePlaceFiles(path.join(place, "file"), FILES)).rejects.toMatchObject({ code: "ENOTDIR" });
  expect(await fs.readdir(place)).toEqual(["file"]);
});
