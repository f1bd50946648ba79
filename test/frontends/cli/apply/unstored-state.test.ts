import { mkdtemp, readFile, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Ports } from "../../../../src/operations/context.ts";
import { keepUnstoredState } from "../../../../src/operations/state/unstored-state.ts";
import { nodeFiles } from "../../../../src/platform/node-files.ts";
import { forgetfulDisk } from "../../../core/state/local/forgetful-disk.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "outreach-unstored-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("a state that its store did not take is kept in the working folder, for its owner alone, next to those before it", async () => {
  const names: string[] = [];
  for (const text of ["one", "two", "three"])
    names.push(await keepUnstoredState({ files: nodeFiles(), folder } as Ports, new TextEncoder().encode(text)));
  expect(names).toEqual([
    "errored.outreach.state.json",
    "errored-2.outreach.state.json",
    "errored-3.outreach.state.json",
  ]);
  expect((await readdir(folder)).toSorted()).toEqual(names.toSorted());
  expect(await Promise.all(names.map((name) => readFile(path.join(folder, name), "utf8")))).toEqual([
    "one",
    "two",
    "three",
  ]);
  expect((await stat(path.join(folder, names[0] ?? ""))).mode & 0o777).toBe(0o600);
});

test("it survives a power failure", async () => {
  const disk = forgetfulDisk();
  const files = nodeFiles(disk);
  const name = await keepUnstoredState({ files, folder } as Ports, new TextEncoder().encode("one"));
  disk.restart("lost");
  expect(new TextDecoder().decode((await files.read(path.join(folder, name))) ?? new Uint8Array())).toBe("one");
});
