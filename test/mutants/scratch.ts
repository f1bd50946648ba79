import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { ProvidedContext } from "vitest";
import type { TestProject } from "vitest/node";
import { BUILT_FOLDERS } from "../../src/generate/built-sources.ts";
import { setup } from "../core/state/pg/shared-postgres.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export interface Scratch {
  readonly folder: string;
  /** What tests share: a PostgreSQL server, which starts when the first test asks. */
  readonly provided: Partial<ProvidedContext>;
  remove(): Promise<void>;
}

/** A copy of the tree in the system's temporary folder, without what git ignores, but with what is installed and built. */
export async function scratchCopy(): Promise<Scratch> {
  const folder = mkdtempSync(path.join(tmpdir(), "outreach-mutants-"));
  const listed = execFileSync(
    "git",
    ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"],
    {
      cwd: ROOT,
      encoding: "utf8",
      maxBuffer: 2 ** 26,
    },
  );
  for (const file of listed.split("\0").filter((name) => name !== "")) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    cpSync(path.join(ROOT, file), path.join(folder, file));
  }
  for (const built of ["dist", ...BUILT_FOLDERS])
    cpSync(path.join(ROOT, built), path.join(folder, built), { recursive: true });
  symlinkSync(path.join(ROOT, "node_modules"), path.join(folder, "node_modules"));
  const provided: Record<string, unknown> = {};
  const provide = (name: string, value: unknown): void => void (provided[name] = value);
  const stop = await setup({ provide } as unknown as TestProject);
  return {
    folder,
    provided,
    remove: async () => {
      rmSync(folder, { recursive: true, force: true });
      await stop();
    },
  };
}
