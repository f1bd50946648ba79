import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { attributesOf } from "../../src/core/model/attribute.ts";
import { SECTIONS } from "../../src/frontends/yaml/sections.ts";
import { commandsReference } from "../../src/generate/commands-reference.ts";
import { BUILT_FOLDERS, builtSources } from "../../src/generate/built-sources.ts";
import { EDITOR_KEYWORDS } from "../../src/generate/editor-schema.ts";
import { fileChanges } from "../../src/generate/file-changes.ts";
import { generatedFiles } from "../../src/generate/generated-files.ts";
import { EVENT_TYPES } from "../../src/service/events/event-catalog.ts";
import { catalog } from "../../src/service/resources/catalog.ts";

const ROOT = path.join(import.meta.dirname, "../..");

const environment = { ...process.env };
const built = await builtSources();
const first = new Map([...built, ...(await generatedFiles())]);

test("the build hides terraform from no later program, and its generators never send telemetry", () => {
  expect({ ...process.env }).toEqual({ ...environment, CHECKPOINT_DISABLE: "1" });
});

test("generation is deterministic", async () => {
  expect(new Map([...(await builtSources()), ...(await generatedFiles())])).toEqual(first);
}, 180_000);

test("the built sources on the disk are those of the definitions", async () => {
  expect(await fileChanges({ files: built, folders: BUILT_FOLDERS })).toEqual({ outdated: [], leftOver: [] });
});

describe("the build of sources", () => {
  const FILE = "src/service/receiver/generated/events.ts";
  let copy = "";
  beforeAll(() => {
    copy = mkdtempSync(path.join(tmpdir(), "outreach-build-"));
    for (const part of [
      "build.mjs",
      "docs/reference",
      "package.json",
      "package-lock.json",
      "tsconfig.json",
      "src",
      "dist",
    ])
      cpSync(path.join(ROOT, part), path.join(copy, part), { recursive: true });
    symlinkSync(path.join(ROOT, "node_modules"), path.join(copy, "node_modules"));
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));
  const build = (): void => void execFileSync(process.execPath, ["build.mjs", "--sources"], { cwd: copy });
  const read = (file: string): string => readFileSync(path.join(copy, file), "utf8");
  const change = (file: string, from: string, to: string): void =>
    writeFileSync(path.join(copy, file), read(file).replace(from, to));

  test("follows a changed definition, and replaces edited files", () => {
    change("src/service/events/event-catalog.ts", "A lead replied", "A lead has replied");
    build();
    expect(read(FILE)).toContain("A lead has replied");
    change(FILE, "EventFields", "Fields");
    writeFileSync(path.join(copy, path.dirname(FILE), "left.ts"), "");
    build();
    expect(read(FILE)).toContain("interface EventFields");
    expect(readdirSync(path.join(copy, path.dirname(FILE)))).toEqual([
      "email-address.ts",
      "events.ts",
      "field-forms.ts",
    ]);
  });
});

test("generated files contain nothing machine-specific", () => {
  for (const [file, text] of first) expect(text.includes(process.cwd()), file).toBe(false);
});

test("every schema is of one draft, and a validator in its strict mode has nothing to say about it", () => {
  const schemas = [...first].filter(([file]) => /^schemas\/.*\.schema\.json$/.test(file));
  expect(schemas.length).toBeGreaterThan(EVENT_TYPES.length);
  for (const [file, text] of schemas) {
    const schema = JSON.parse(text) as { readonly $schema: string };
    expect(schema.$schema, file).toBe("https://json-schema.org/draft/2020-12/schema");
    const said: string[] = [];
    const log = (message: string): void => void said.push(message);
    const ajv = new Ajv2020({ logger: { log, warn: log, error: log } }).addVocabulary(EDITOR_KEYWORDS);
    addFormats.default(ajv);
    ajv.compile(schema);
    expect(said, file).toEqual([]);
  }
});

test("the provider's schema contains every definition, with sorted keys and without versions", () => {
  const text = first.get("schemas/provider-schema.json") ?? "";
  const schema = JSON.parse(text) as {
    readonly provider_schemas: { readonly [address: string]: { readonly [part: string]: object } };
  };
  expect(schema).not.toHaveProperty("provider_versions");
  const provider = schema.provider_schemas["registry.terraform.io/outreach-as-code/outreach"] ?? {};
  expect(Object.keys(provider["resource_schemas"] ?? {})).toEqual(catalog.resources.map(({ type }) => type).toSorted());
  expect(Object.keys(provider["data_source_schemas"] ?? {})).toEqual(
    catalog.dataSources.map(({ type }) => type).toSorted(),
  );
  expect(text).toBe(`${JSON.stringify(sorted(schema), null, 2)}\n`);
});

test("everything in the provider has its own page in the registry's layout", () => {
  const pages = [...first].filter(
    ([file]) => /^docs\/(index|[a-z-]+\/\w+)\.md$/.test(file) && !file.startsWith("docs/reference/"),
  );
  const short = (type: string): string => type.replace("outreach_", "");
  const expected = [
    "docs/index.md",
    ...catalog.resources.map(({ type }) => `docs/resources/${short(type)}.md`),
    ...catalog.dataSources.map(({ type }) => `docs/data-sources/${short(type)}.md`),
    ...(catalog.functions ?? []).map(({ name }) => `docs/functions/${name}.md`),
    ...(catalog.actions ?? []).map(({ type }) => `docs/actions/${short(type)}.md`),
    ...catalog.resources.flatMap(({ type, search }) => (search ? [`docs/list-resources/${short(type)}.md`] : [])),
  ];
  expect(pages.map(([file]) => file).toSorted()).toEqual(expected.toSorted());
  for (const [file, text] of pages) {
    expect(text, file).toMatch(/^---\npage_title: ".+"\nsubcategory: ""\ndescription: \|-\n {2}\S.*\n---\n/);
    expect(text, file).toContain("\n## Example Usage\n");
    expect(Buffer.byteLength(text), `${file}: the registry cuts longer pages off`).toBeLessThan(500_000);
  }
});

test("a provider page lists every attribute, including nested ones", () => {
  for (const { type, schema } of [...catalog.resources, ...catalog.dataSources]) {
    const name = type.replace("outreach_", "");
    const page = first.get(`docs/resources/${name}.md`) ?? first.get(`docs/data-sources/${name}.md`) ?? "";
    for (const [attribute] of attributesOf(schema, "terraform"))
      expect(page, `${type}.${attribute}`).toContain(`\n- \`${attribute}\` (`);
    for (const [attribute] of attributesOf(schema, "yaml").filter(([, { frontends }]) => frontends))
      expect(page, `${type}.${attribute}`).not.toContain(`\n- \`${attribute}\` (`);
  }
  const campaigns = first.get("docs/data-sources/campaigns.md") ?? "";
  expect(campaigns).toContain("[below for nested schema](#nestedatt--campaigns)");
  expect(campaigns).toMatch(
    /<a id="nestedatt--campaigns"><\/a>\n### Nested Schema for `campaigns`\n\nRead-Only:\n\n(- .*\n)*- `senders_json` \(String\)/,
  );
});

test.for(["cdktf", "cdktn"])("every definition has a construct for %s", (flavour) => {
  const folders = [
    ...catalog.resources.map(({ type }) => kebab(type.replace("outreach_", ""))),
    ...catalog.dataSources.map(({ type }) => `data-${kebab(type)}`),
    "provider",
    // cdktf does not support provider functions.
    ...(flavour === "cdktn" ? ["provider-functions"] : []),
  ];
  const handMade = [
    "event-type/index.ts",
    "fan-out.ts",
    "literal-checks.ts",
    "suppression-list/address-list.ts",
    "suppression-list/csv-rows.ts",
    "suppression-list/email-address.ts",
    "suppression-list/file-text.ts",
    "suppression-list/index.ts",
    "webhook-set/index.ts",
  ];
  const below = `src/frontends/constructs/generated/${flavour}/lib/`;
  const made = [...first.keys()].filter((file) => file.startsWith(below)).map((file) => file.slice(below.length));
  expect(made.toSorted()).toEqual(
    [...folders.map((folder) => `${folder}/index.ts`), ...handMade, "index.ts"].toSorted(),
  );
  const described = [...catalog.resources, ...catalog.dataSources].map(
    ({ docs }, index) => [folders[index], docs] as const,
  );
  for (const [folder, docs] of described)
    expect(first.get(`${below}${String(folder)}/index.ts`), folder).toContain(`/**\n* ${docs}\n*\n* Represents a`);
  for (const file of handMade)
    expect(first.get(`${below}${file}`), file).not.toContain(flavour === "cdktf" ? "cdktn" : "cdktf");
});

test("the configuration reference lists every attribute that can be declared or referred to", () => {
  const page = first.get("docs/reference/configuration.md") ?? "";
  for (const { schema } of [...catalog.resources, ...catalog.dataSources])
    for (const [name] of attributesOf(schema, "yaml")) expect(page, name).toContain(`| \`${name}\` |`);
  for (const { path } of SECTIONS) expect(page).toContain(`\n${"#".repeat(path.length + 1)} ${path.join(".")}\n`);
});

test("the command reference has an example for each command, and is the same on a wide terminal", async () => {
  const page = first.get("docs/reference/commands.md") ?? "";
  const sections = page.split("\n## outreach ").slice(1);
  expect(sections.length).toBeGreaterThan(20);
  for (const section of sections) expect(section).toMatch(/\nExample.*\n\n```sh\n(?:.*\n)*.*outreach /);
  const { isTTY, columns } = process.stdout;
  Object.assign(process.stdout, { isTTY: true, columns: 300 });
  try {
    expect(await commandsReference()).toBe(page);
  } finally {
    Object.assign(process.stdout, { isTTY, columns });
  }
});

test("the command reference describes each option that commands share once, and names it at each of them", () => {
  const page = first.get("docs/reference/commands.md") ?? "";
  const [, common = "", plan = ""] =
    /\n## Common options\n([^]*?)\n## [^]*?\n## outreach plan\n([^]*?)\n## /.exec(page) ?? [];
  const rows = [...page.matchAll(/^\| `--.*\|$/gm)].map(([row]) => row);
  const optionOf = (row: string): string => /--[\w-]+/.exec(row)?.[0] ?? "";
  const shared = new Set(rows.filter((row) => common.includes(`${row}\n`)).map(optionOf));
  // Where commands describe an option in several ways, the common row has the way of most.
  const repeated = rows.filter((row) => {
    const isCommon = common.includes(`${row}\n`);
    return (isCommon || !shared.has(optionOf(row))) && rows.filter((one) => one === row).length > (isCommon ? 1 : 2);
  });
  expect(repeated).toEqual([]);
  expect(common).toContain("| `--lock-timeout <duration>` | how long to wait for the lock");
  expect(plan).toMatch(/\[Common options\]\(#common-options\): .*`--config`.*`--lock-timeout`/);
  expect(plan).not.toContain("| `--lock-timeout <duration>`");
  expect(plan).toContain("| `--detailed-exitcode` |");
});

function kebab(name: string): string {
  return name.replaceAll("_", "-");
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

test("every type, field and value of the events for receivers has a comment, and none is the secret", () => {
  const lines = (first.get("src/service/receiver/generated/events.ts") ?? "").split("\n");
  const undocumented = lines.filter(
    (line, index) => /^(?:export| {2}readonly) /.test(line) && !/^ *(?:\/\*\* \S.*)?\*\/$/.test(lines[index - 1] ?? ""),
  );
  expect(undocumented).toEqual([]);
  expect(lines.filter((line) => line.startsWith("export interface ")).length).toBeGreaterThan(EVENT_TYPES.length);
  expect(lines.join()).not.toMatch(/\bsecret\b|\bany\b[^ ]/);
});
