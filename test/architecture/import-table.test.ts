import { spawnSync } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import table from "../../src/import-table.json" with { type: "json" };

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const OXLINT = path.join(ROOT, "node_modules/oxlint/bin/oxlint");

interface Uses {
  readonly modules: readonly string[];
  readonly libraries: readonly string[];
}

const EVERYTHING = "everything";
const entries = Object.entries(table.modules) as readonly (readonly [string, Uses | typeof EVERYTHING])[];
const modules = entries.map(([module]) => module);
const governed = entries.filter((entry): entry is readonly [string, Uses] => entry[1] !== EVERYTHING);
const files = Object.entries(table.files) as readonly (readonly [string, Uses])[];
const packages = [
  ...new Set(
    [...governed, ...files].flatMap(([, { libraries }]) => libraries).filter((name) => !name.startsWith("node:")),
  ),
];
const libraries = [
  ...builtinModules.filter((name) => !name.startsWith("_")).flatMap((name) => [`node:${name}`, name]),
  ...packages,
  "left-pad",
  "outreach-as-code/cdktf/lib/webhook",
];
const AMBIENT = [
  "process.exit()",
  "globalThis.process",
  "setTimeout(f)",
  "setInterval(f)",
  "setImmediate(f)",
  "queueMicrotask(f)",
  "fetch(f)",
  "performance.now()",
  "crypto.randomUUID()",
  "Date.now()",
  "new Date()",
  "Math.random()",
];
const CHANCE = ["randomBytes", "randomUUID", "randomInt", "webcrypto"];

/** One planted line: what it plants, and whether the table forbids it. */
interface Plant {
  readonly text: string;
  readonly forbidden: boolean;
}

let folder = "";
let found: ReadonlyMap<string, ReadonlySet<number>> = new Map();
const planted = new Map<string, readonly Plant[]>();

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "outreach-modules-"));
  for (const [module, uses] of governed) {
    const ambient = module === "platform";
    for (const place of placesIn(module))
      planted.set(`${place}/planted.ts`, plants({ module, uses, folder: place, ambient }));
  }
  for (const [file, also] of files) {
    const [module, own] = governed.find(([name]) => file.startsWith(`${name}/`)) ?? [
      "",
      { modules: [], libraries: [] },
    ];
    const uses = { modules: [...own.modules, ...also.modules], libraries: [...own.libraries, ...also.libraries] };
    const place = `src/${path.posix.dirname(file)}`;
    planted.set(`src/${file}`, plants({ module, uses, folder: place, ambient: file.endsWith("/main.ts") }));
  }
  for (const free of [
    "src/generate/planted.ts",
    "src/release/planted.ts",
    "test/planted.test.ts",
    "examples/planted.ts",
  ]) {
    const all = modules.map((module) => ({ text: `import "../src/${module}/x.ts";`, forbidden: false }));
    planted.set(free, [...all, ...AMBIENT.map((text) => ({ text: `${text};`, forbidden: false }))]);
  }
  found = await lint();
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test("the plants are many, and of both kinds", () => {
  const all = [...planted.values()].flat();
  expect(all.filter(({ forbidden }) => forbidden).length).toBeGreaterThan(1000);
  expect(all.filter(({ forbidden }) => !forbidden).length).toBeGreaterThan(200);
});

test.for([
  "src/generate/planted.ts",
  "src/release/planted.ts",
  "test/planted.test.ts",
  "examples/planted.ts",
  ...governed.flatMap(([module]) => placesIn(module).map((place) => `${place}/planted.ts`)),
  ...files.map(([file]) => `src/${file}`),
])("lint allows and forbids in %s what the table says", (file) => {
  const plantsOfFile = planted.get(file) ?? [];
  const wrong = plantsOfFile.filter(({ forbidden }, index) => forbidden !== (found.get(file)?.has(index + 1) ?? false));
  expect(wrong).toEqual([]);
});

describe("the table", () => {
  test("names the modules that there are", async () => {
    const folders = await readdir(path.join(ROOT, "src"), { withFileTypes: true });
    const wings = ["core", "service", "frontends", "output"];
    const names = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    const inner = await Promise.all(
      wings.map(async (wing) => (await readdir(path.join(ROOT, "src", wing))).map((name) => `${wing}/${name}`)),
    );
    expect([...names.filter((name) => !wings.includes(name)), ...inner.flat()].toSorted()).toEqual(modules.toSorted());
  });

  test("governs every file: none lies deeper than lint looks", async () => {
    const all = await readdir(path.join(ROOT, "src"), { recursive: true });
    const deep = all.filter(
      (file) =>
        file.endsWith(".ts") &&
        !file.includes("generated") &&
        file.split(path.sep).length > (/^(?:core|service|frontends|output)\b/.test(file) ? 5 : 4),
    );
    expect(deep).toEqual([]);
  });

  test("has the folders that src/README.md describes", async () => {
    const text = await readFile(path.join(ROOT, "src/README.md"), "utf8");
    const map = text.slice(text.indexOf("## Code map"), text.indexOf("## Invariants"));
    const described = [...map.matchAll(/^\| (`.+?`) \| .+ \|$/gm)].flatMap(([, names = ""]) =>
      [...names.matchAll(/`(.+?)`/g)].map(([, name = ""]) => name),
    );
    expect(described.toSorted()).toEqual(modules.toSorted());
  });
});

/** As deep as lint looks. */
function placesIn(module: string): readonly string[] {
  return [`src/${module}`, `src/${module}/inner`, `src/${module}/inner/most`];
}

function plants({
  module,
  uses,
  folder: from,
  ambient,
}: {
  readonly module: string;
  readonly uses: Uses;
  readonly folder: string;
  readonly ambient: boolean;
}): readonly Plant[] {
  const withChance = ["platform", "frontends/terraform"].includes(module);
  const isAllowedModule = (target: string): boolean =>
    target === module || uses.modules.some((name) => target === name || target.startsWith(`${name}/`));
  const isAllowedLibrary = (name: string): boolean =>
    [...uses.libraries, ...table.pureLibraries].some(
      (allowed) => allowed === name || (!allowed.startsWith("node:") && name.startsWith(`${allowed}/`)),
    );
  const way = (target: string): string => {
    const relative = path.posix.relative(from, `src/${target}/x.ts`);
    return relative.startsWith(".") ? relative : `./${relative}`;
  };
  return [
    ...modules.flatMap((target) => forms(way(target)).map((text) => ({ text, forbidden: !isAllowedModule(target) }))),
    ...libraries.map((name) => ({ text: `import "${name}";`, forbidden: !isAllowedLibrary(name) })),
    { text: `import "./inner/../../${"../".repeat(module.split("/").length)}src/generate/x.ts";`, forbidden: true },
    { text: `import "./../x.ts";`, forbidden: true },
    { text: 'import fs = require("node:fs");', forbidden: true },
    ...CHANCE.map((name) => ({
      text: `import { ${name} } from "node:crypto";`,
      forbidden: !(withChance && isAllowedLibrary("node:crypto")),
    })),
    ...AMBIENT.map((text) => ({ text: `${text};`, forbidden: !ambient })),
  ];
}

/** Every name is a new one: a file that does not parse is not linted. */
function forms(target: string): readonly string[] {
  const name = target.replaceAll(/\W/g, "_");
  return [
    `import "${target}";`,
    `import type { ${name} } from "${target}";`,
    `export { ${name} as out${name} } from "${target}";`,
    `export * from "${target}";`,
    `void import("${target}");`,
  ];
}

/** Where lint complains, by file and line. One run over everything that is planted. */
async function lint(): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
  await mkdir(path.join(folder, "src"));
  for (const file of ["oxlint.config.mjs", "src/import-table.json"])
    await copyFile(path.join(ROOT, file), path.join(folder, file));
  for (const [file, lines] of planted) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), lines.map(({ text }) => `${text}\n`).join(""));
  }
  const { stdout } = spawnSync(process.execPath, [OXLINT, "-c", "oxlint.config.mjs", "--format", "json"], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  const { diagnostics } = JSON.parse(stdout) as { readonly diagnostics: readonly Problem[] };
  const lines = new Map<string, Set<number>>();
  for (const { code, filename, labels } of diagnostics) {
    if (!/no-restricted|no-require-imports/.test(code)) continue;
    const ofFile = lines.get(filename) ?? new Set<number>();
    lines.set(filename, ofFile.add(labels[0]?.span.line ?? 0));
  }
  return lines;
}

interface Problem {
  readonly code: string;
  readonly filename: string;
  readonly labels: readonly { readonly span: { readonly line: number } }[];
}
