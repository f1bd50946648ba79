import { execFile } from "node:child_process";
import { cpSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { type LinkedProject, openLinkedProject } from "../docs/linked-project.ts";
import { ROOT, read } from "../docs/pages.ts";

interface Manifest {
  readonly dependencies: { readonly [name: string]: string };
  readonly devDependencies: { readonly [name: string]: string };
}

const { dependencies, devDependencies } = JSON.parse(read("examples/library/package.json")) as Manifest;

let project: LinkedProject;
beforeAll(() => {
  project = openLinkedProject(Object.keys(devDependencies));
  cpSync(path.join(ROOT, "examples/library"), project.folder, {
    recursive: true,
    filter: (file) => !file.includes(".state.json"),
  });
});
afterAll(() => project.remove());

test("the example depends on the packed package, and on the tested versions", () => {
  expect(dependencies).toEqual({ [manifest.name]: `file:${manifest.name}-${manifest.version}.tgz` });
  expect(manifest.devDependencies).toMatchObject(devDependencies);
});

test("a copy of the example passes the type check and its own tests", { timeout: 60_000 }, async () => {
  expect(await project.typeCheck()).toBe("");
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [path.join(ROOT, "node_modules/vitest/vitest.mjs"), "run", "--root", "."],
    {
      cwd: project.folder,
      env: { ...process.env, NO_COLOR: "1" },
    },
  );
  expect(stdout).toContain("3 passed");
});
