import { spawnSync } from "node:child_process";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PackedPackage, installed, run } from "../../frontends/constructs/packed-package.ts";

let packed: PackedPackage;
let project = "";
beforeAll(async () => {
  packed = await PackedPackage.make();
  project = await packed.openProject(["@types/node", "undici-types", "hono"]);
});
afterAll(() => packed.remove());

const inProject = (file: string): string => path.join(project, file);
const libraryFolder = (): string => inProject("node_modules/outreach-as-code/dist/events");

test.for(["index.js", "index.cjs"])(
  "the library is one file, %s, of at most 35 KB, which imports nothing and uses nothing of Node",
  async (built) => {
    const text = await readFile(path.join(libraryFolder(), built), "utf8");
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(35_000);
    expect(text).not.toMatch(/^import |\bimport\(|\brequire\b|\bfrom "/m);
    expect(text).not.toMatch(/["']node:|\bBuffer\.|\bprocess\.|\b__dirname\b|\bsetTimeout\b/);
    const files = await readdir(libraryFolder(), { recursive: true });
    expect(files.filter((file) => /\.c?js$/.test(file)).toSorted()).toEqual(["index.cjs", "index.js"]);
  },
);

const VERIFIED = `
  const body = JSON.stringify({ _id: "act_1", type: "emailsSent", teamId: "tea_1", createdAt: "2026-01-02T03:04:05.000Z", secret: "s" });
  const { secret, type } = events.parseEvent(body, { secrets: ["s"] });
  console.log(JSON.stringify([Object.keys(events).sort(), type, secret ?? null]));`;
const NAMES = [
  "EVENT_TYPES",
  "EventError",
  "canonicalEmail",
  "createSuppressionWatch",
  "eventHandler",
  "isEmail",
  "isKnownEvent",
  "isVerification",
  "memoryStore",
  "parseEvent",
];
const PRINTED = [NAMES, "emailsSent", null];

test.for([
  ["import.mjs", `import * as events from "outreach-as-code/events";${VERIFIED}`],
  ["require.cjs", `const events = require("outreach-as-code/events");${VERIFIED}`],
] as const)("a project runs it where require finds no ES modules, as in Jest: %s", async ([file, text]) => {
  await writeFile(inProject(file), text);
  const { stdout } = await run(process.execPath, ["--no-experimental-require-module", file], { cwd: project });
  expect(JSON.parse(stdout)).toEqual(PRINTED);
});

test("importing it loads no other file of the package", async () => {
  await writeFile(
    inProject("loaded.mjs"),
    `import { register } from "node:module";
    const hooks = "data:text/javascript," + encodeURIComponent("export async function load(url, context, next) { if (!url.startsWith('node:')) console.log(url); return next(url, context); }");
    register(hooks);
    await import("outreach-as-code/events");`,
  );
  const { stdout } = await run(process.execPath, ["--no-warnings", "loaded.mjs"], { cwd: project });
  expect(stdout.trim().split("\n")).toEqual([expect.stringMatching(/\/outreach-as-code\/dist\/events\/index\.js$/)]);
});

/** What a user's project has, and how it resolves modules. */
const PROJECTS = [
  {
    name: "node16, with Node's types",
    module: "node16",
    resolution: "node16",
    types: ["node"],
    lib: ["es2022"],
    files: ["events.ts", "on-node.ts", "required.cts"],
  },
  {
    name: "bundler, with the types of a browser",
    module: "esnext",
    resolution: "bundler",
    types: [],
    lib: ["es2022", "dom"],
    files: ["events.ts", "on-fetch.ts"],
  },
  {
    name: "nodenext, with neither",
    module: "nodenext",
    resolution: "nodenext",
    types: [],
    lib: ["es2022"],
    files: ["events.ts", "required.cts"],
  },
] as const;

describe.for(["typescript", "typescript-5.9"])("%s compiles", (compiler) => {
  test.for(PROJECTS)(
    "a receiver in a project for $name",
    { timeout: 60_000 },
    async ({ module, resolution, types, lib, files }) => {
      const folder = inProject(`${compiler}-${resolution}`);
      await mkdir(folder);
      await writeFile(path.join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
      for (const file of files)
        await writeFile(path.join(folder, file), await readFile(new URL(`typed/${file}.txt`, import.meta.url), "utf8"));
      const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
      // TypeScript 5.9 checks the types of platforms for seconds.
      const skipLibCheck = compiler === "typescript-5.9" && resolution !== "nodenext";
      const compilerOptions = {
        target: "es2022",
        lib,
        module,
        moduleResolution: resolution,
        types,
        ...strict,
        skipLibCheck,
        noEmit: true,
      };
      await writeFile(path.join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
      const { stdout } = spawnSync(process.execPath, [path.join(installed(compiler), "bin/tsc"), "-p", "."], {
        cwd: folder,
        encoding: "utf8",
      });
      expect(stdout).toBe("");
    },
  );
});
