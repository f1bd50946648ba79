import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach } from "vitest";
import type { Sandbox } from "../../../src/sandbox/server.ts";
import { sandboxForTest } from "./provider-under-test.ts";

/** For each test a sandbox and a folder of the journal, which processes use in turn. */
export function processesInTurn(): {
  readonly sandbox: () => Sandbox;
  readonly next: () => { readonly folder: string; readonly pid: number };
} {
  let sandbox: Sandbox;
  let folder = "";
  let pid = 0;
  beforeEach(async () => {
    sandbox = await sandboxForTest();
    folder = mkdtempSync(path.join(tmpdir(), "journal-"));
  });
  afterEach(async () => {
    await sandbox.close();
    rmSync(folder, { recursive: true });
  });
  return { sandbox: () => sandbox, next: () => ({ folder, pid: ++pid }) };
}
