import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { nodeUserFolder } from "../../src/platform/node-user-folder.ts";

afterEach(() => vi.restoreAllMocks());

test("the user's folder is in the system's folder for the user, else among temporary files with the user's number", () => {
  const owner = process.getuid?.() ?? null;
  expect(nodeUserFolder({ XDG_RUNTIME_DIR: "/run/user/7" })).toEqual({ folder: "/run/user/7/outreach-as-code", owner });
  const other = {
    folder: path.join(tmpdir(), owner === null ? "outreach-as-code" : `outreach-as-code-${String(owner)}`),
    owner,
  };
  for (const environment of [{}, { XDG_RUNTIME_DIR: "" }, { XDG_RUNTIME_DIR: "here" }])
    expect(nodeUserFolder(environment)).toEqual(other);
});

test.runIf(process.getuid)("the user's folder has no number on a system without user ids", () => {
  vi.spyOn(process as { getuid: () => unknown }, "getuid").mockReturnValue(undefined);
  expect(nodeUserFolder({})).toStrictEqual({ folder: path.join(tmpdir(), "outreach-as-code"), owner: null });
});
