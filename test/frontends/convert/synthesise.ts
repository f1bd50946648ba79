import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect } from "vitest";
import type { Project } from "../cli/project.ts";
import { linkPythonClasses, runPython } from "../constructs/python.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const run = promisify(execFile);

/** The folder of a converted program's stack. */
export const STACK = "cdktf.out/stacks/webhooks";

/** Compiles and runs a program with the packages installed. */
export async function synthesise(project: Project, program: string): Promise<void> {
  mkdirSync(path.join(project.folder, "node_modules"), { recursive: true });
  for (const name of ["cdktn", "constructs", "@types", "tsx"])
    symlinkSync(path.join(ROOT, "node_modules", name), path.join(project.folder, "node_modules", name));
  symlinkSync(ROOT, path.join(project.folder, "node_modules/outreach-as-code"));
  project.write("main.ts", program);
  project.write("package.json", '{ "type": "module" }');
  const options = {
    target: "es2022",
    module: "nodenext",
    strict: true,
    noEmit: true,
    noUnusedLocals: true,
    types: ["node"],
    skipLibCheck: true,
  };
  project.write("tsconfig.json", JSON.stringify({ compilerOptions: options, files: ["main.ts"] }));
  const compiled = await run(process.execPath, [
    path.join(ROOT, "node_modules/typescript/bin/tsc"),
    "-p",
    project.folder,
  ]).catch(({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => ({
    refused: `${stdout}${stderr}`,
  }));
  expect(compiled).toEqual({ stdout: "", stderr: "" });
  await run(process.execPath, ["--import", "tsx", "main.ts"], {
    cwd: project.folder,
    env: { ...process.env, CHECKPOINT_DISABLE: "1" },
  });
}

/** Runs a program in Python with the classes of the provider. */
export async function synthesiseInPython(project: Project, program: string): Promise<void> {
  await linkPythonClasses(project.folder);
  project.write("main.py", program);
  await runPython(project.folder, ["main.py"]);
}
