import { execFile } from "node:child_process";
import { cpSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "../../src/library/index.ts";
import { type LinkedProject, openLinkedProject } from "./linked-project.ts";
import { fencesOf } from "./markdown.ts";
import { ROOT, read } from "./pages.ts";

const PAGE = "docs/guides/library.md";
const run = promisify(execFile);

/** The programs of the page, by file. */
const programs = new Map(
  fencesOf(read(PAGE)).flatMap(({ language, words: [file = ""], text }) =>
    ["ts", "js"].includes(language) ? [[file, text] as const] : [],
  ),
);

let project: LinkedProject;
let sandbox: Sandbox;
beforeAll(() => {
  project = openLinkedProject(["@types/node", "vitest"]);
  cpSync(path.join(ROOT, "examples/quick-start/outreach.yaml"), path.join(project.folder, "outreach.yaml"));
  const compilerOptions = {
    target: "es2023",
    lib: ["es2023"],
    module: "nodenext",
    types: ["node"],
    strict: true,
    skipLibCheck: true,
    allowJs: true,
    checkJs: true,
  };
  writeFileSync(path.join(project.folder, "package.json"), '{"type":"module"}\n');
  writeFileSync(
    path.join(project.folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions, include: ["*.ts", "*.mjs"] }),
  );
  for (const [file, text] of programs) writeFileSync(path.join(project.folder, file), text);
});
afterAll(() => project.remove());
beforeEach(async () => {
  sandbox = await startSandbox();
});
afterEach(() => sandbox.close());

async function printed(file: string): Promise<string> {
  const service = {
    OUTREACH_BASE_URL: sandbox.baseUrl,
    OUTREACH_API_KEY: sandbox.apiKey,
    CRM_HOOK_SECRET: "a-secret",
    OUTREACH_SETTLE: "0s",
  };
  const { stdout } = await run(process.execPath, [file], { cwd: project.folder, env: { ...process.env, ...service } });
  return stdout;
}

test("the programs pass the type check", async () => {
  expect([...programs.keys()]).toEqual([
    "plan-and-apply.mjs",
    "mistakes.mjs",
    "saved.mjs",
    "others.mjs",
    "outreach.test.ts",
  ]);
  expect(await project.typeCheck()).toBe("");
});

test("the programs do what the page says", async () => {
  expect(await printed("plan-and-apply.mjs")).toBe("changed 1\ncomplete\n");
  expect(sandbox.webhooks()).toMatchObject([{ type: "emailsReplied", secret: "a-secret" }]);
  expect(await printed("saved.mjs")).toBe("complete\n");
  const others = await printed("others.mjs");
  // Nothing is live that nothing manages.
  expect(others).toMatch(/^none 0 0\n.*\nnull\n$/);
  expect(await printed("mistakes.mjs")).toMatch(/^failed\nerror \w+ /);
});

test("the test of a configuration passes", { timeout: 60_000 }, async () => {
  const { stdout } = await run(
    process.execPath,
    [path.join(ROOT, "node_modules/vitest/vitest.mjs"), "run", "--root", "."],
    {
      cwd: project.folder,
      env: { ...process.env, NO_COLOR: "1" },
    },
  );
  expect(stdout).toContain("1 passed");
});
