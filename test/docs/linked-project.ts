import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { ROOT } from "./pages.ts";

/** A folder outside of the repository, in which `outreach-as-code` and other packages of the repository can be imported. */
export interface LinkedProject {
  readonly folder: string;
  /** The messages of the type check, according to the folder's tsconfig.json; empty: no mistake. */
  typeCheck(): Promise<string>;
  remove(): void;
}

export function openLinkedProject(packages: readonly string[]): LinkedProject {
  const folder = mkdtempSync(path.join(tmpdir(), "outreach-linked-"));
  const link = (target: string, name: string): void => {
    const place = path.join(folder, "node_modules", name);
    mkdirSync(path.dirname(place), { recursive: true });
    symlinkSync(target, place);
  };
  for (const name of packages) link(path.join(ROOT, "node_modules", name), name);
  link(ROOT, "outreach-as-code");
  return {
    folder,
    typeCheck: async () => {
      const compiler = path.join(ROOT, "node_modules/typescript/bin/tsc");
      const checked = promisify(execFile)(process.execPath, [compiler, "--noEmit"], { cwd: folder });
      return (await checked.catch((error: unknown) => error as { readonly stdout: string })).stdout;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
