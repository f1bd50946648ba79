import { existsSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeFolder } from "../../src/platform/make-folder.ts";

let place: string;
beforeEach(() => (place = realpathSync(mkdtempSync(path.join(tmpdir(), "folder-")))));
afterEach(() => rmSync(place, { recursive: true }));

test("a folder is created with its parents, once or concurrently", async () => {
  const folder = path.join(place, "a/b/c");
  await Promise.all([makeFolder(folder), makeFolder(folder), makeFolder(path.join(place, "a/b/d"))]);
  await makeFolder(folder);
  expect(statSync(folder).isDirectory()).toBe(true);
  expect(statSync(folder).mode & 0o777).toBe(0o777 & ~process.umask());
});

test("a link to a folder is a folder, a file is not", async () => {
  symlinkSync(place, path.join(place, "link"));
  await makeFolder(path.join(place, "link/inside"));
  expect(existsSync(path.join(place, "inside"))).toBe(true);
  writeFileSync(path.join(place, "file"), "");
  await expect(makeFolder(path.join(place, "file"))).rejects.toMatchObject({ code: "EEXIST" });
  await expect(makeFolder(path.join(place, "file/inside"))).rejects.toMatchObject({ code: "ENOTDIR" });
});

test.runIf(process.platform === "linux")("a folder that cannot be created is an error", async () => {
  await expect(makeFolder("/proc/sys/nothing/here")).rejects.toThrow(/mkdir/);
});
