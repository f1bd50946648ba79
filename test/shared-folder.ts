import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { inject } from "vitest";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The place of this run's shared folders. */
    readonly sharedFolders: string;
  }
}

const LONGEST_WAIT_MS = 60_000;

/** Runs once for all test files, in vitest's own process. */
export function setup(project: TestProject): () => void {
  const place = mkdtempSync(path.join(tmpdir(), "outreach-shared-"));
  project.provide("sharedFolders", place);
  project.onTestsRerun(() => {
    rmSync(place, { recursive: true, force: true });
    mkdirSync(place);
  });
  return () => rmSync(place, { recursive: true, force: true });
}

/** The folder of this name. The first test file that needs it fills it, for all test files. */
export async function sharedFolder(name: string, fill: (folder: string) => Promise<unknown>): Promise<string> {
  const folder = path.join(inject("sharedFolders"), name);
  const ready = `${folder}.ready`;
  // The process that makes the folder fills it. The others wait.
  if (mkdirSync(folder, { recursive: true }) !== undefined) {
    await fill(folder);
    writeFileSync(ready, "");
  }
  for (let waited = 0; !existsSync(ready); waited += 50) {
    if (waited > LONGEST_WAIT_MS)
      throw new Error(`the shared folder ${name} was not filled: see the test file that was to fill it`);
    await delay(50);
  }
  return folder;
}
