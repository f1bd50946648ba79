import { describe, expect, test } from "vitest";
import { readAddressList } from "../../../src/frontends/yaml/address-list.ts";
import { parseYaml } from "../../../src/frontends/yaml/parse-yaml.ts";
import { useProjects } from "../cli/project.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const openProject = useProjects();
const diagnosticsOf = (text: string) => parseYaml(bytes(text), "a.yaml", { secretKeys: ["secret"] }).diagnostics;
const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => `${line(index)}\n`).join("");

test.each([
  [
    "60,000 anchors",
    lines(60_000, (index) => `k${String(index)}: &a${String(index)} v`),
    "Too many tags and anchors",
    101,
    7,
  ],
  ["100,000 tags on a line", `a: ${"!t ".repeat(100_000)}x`, "Too many tags and anchors", 1, 304],
  ["2 million brackets", `a: ${"[".repeat(2_000_000)}`, "Nested too deeply", 1, 68],
  ["a million dashes", "- ".repeat(1_000_000), "Nested too deeply", 1, 129],
  ["a million empty items", `[${",".repeat(1_000_000)}]`, "Too many nodes", 1, 400_002],
  ["500,000 documents", "---\na\n".repeat(500_000), "Too many lines", 300_001, 1],
  ["100,000 brackets that close nothing", "]".repeat(100_000), "Invalid YAML", 1, 51],
  ["60,000 reserved signs", lines(60_000, (index) => `k${String(index)}: @x`), "Invalid YAML", 51, 6],
  ["100,000 question marks", lines(100_000, (index) => `? k${String(index)}`), "Too many tags and anchors", 101, 1],
  ["a million bad escapes", `a: "${String.raw`\q`.repeat(1_000_000)}"`, "Invalid YAML", 1, 4],
])("a file with %s is refused before it is parsed", (_name, text, summary, line, column) => {
  expect(diagnosticsOf(text)).toMatchObject([{ summary, place: { file: "a.yaml", line, column } }]);
});

test("the first of many mistakes are shown, and the others are counted", () => {
  const found = diagnosticsOf(lines(2_000, () => "a: 1"));
  expect(found).toHaveLength(51);
  expect(found[0]).toMatchObject({ summary: "Duplicate key", place: { line: 2, column: 1 } });
  expect(found.at(-1)).toMatchObject({ summary: "More mistakes", detail: "a.yaml has 1949 more mistakes like these." });
});

test("long runs of blanks and letters are read once", () => {
  expect(diagnosticsOf(`a: b${" ".repeat(1_000_000)}c`)).toEqual([]);
  expect(diagnosticsOf(`- a\nb: c\n${"a".repeat(1_000_000)}`)).not.toEqual([]);
});

test.each([
  ["12345678901234567890", "12345678901234567000"],
  ["007", "7"],
  ["1.10", "1.1"],
  ["0x10", "16"],
])("the number %s, which would be read as %s, must be in quotes", (written, read) => {
  expect(diagnosticsOf(`version: 1\na: ${written}\n`)).toMatchObject([
    {
      summary: "Number that changes",
      detail: `${written} is read as the number ${read}.`,
      hint: expect.stringContaining("in quotes"),
      place: { line: 2, column: 4 },
    },
  ]);
  expect(diagnosticsOf(`version: 1\na: "${written}"\n`)).toEqual([]);
});

test("a CSV row has no more cells than the header, except empty ones", () => {
  expect(readAddressList(bytes("email\na@x.test,b@x.test\nc@x.test,\n")).mistakes).toMatchObject([
    { detail: "The row has more cells than the header.", at: { line: 2, column: 10, text: "b@x.test" } },
  ]);
});

test.each([
  ["very many wrong cells in a row", `email\n${'"a"b,'.repeat(20_000)}`, 20_000],
  ["very many wrong rows", `email\n${'"a"b\n'.repeat(20_000)}`, 20_000],
])("of %s in a list, the first are told and the others counted", (_name, text, count) => {
  const { mistakes } = readAddressList(bytes(text));
  expect(mistakes).toHaveLength(51);
  expect(mistakes.at(-1)).toMatchObject({ detail: `${String(count - 50)} more rows are wrong.`, count: count - 50 });
});

test.each([
  ["a line of 5 MB", "a@x.test".repeat(600_000)],
  ["very wide rows", `email,${"x,".repeat(200_000)}\na@x.test,${"y,".repeat(200_001)}b\n`],
  ["only quotes", '"'.repeat(1_000_001)],
  ["NUL bytes", "\0".repeat(1_000_000)],
  ["a cell of line breaks", `email\n"${"\n".repeat(1_000_000)}x"\n`],
  ["many bad addresses", `email\n${"nobody\n".repeat(20_000)}`],
])("a list with %s gives a short message", async (_name, list) => {
  const { write, run } = await openProject();
  write("outreach.yaml", "version: 1\nlead_unsubscriptions:\n  a: { campaign_id: cam_1, emails_from: list.csv }\n");
  write("list.csv", list);
  const { code, err } = await run("validate");
  expect(code).toBe(1);
  expect(err).toMatch(/^Error: [\s\S]*on (list\.csv:\d+:\d+|outreach\.yaml:3:\d+)/);
  expect(err).not.toContain("bug in outreach");
  expect(err.length).toBeLessThan(100_000);
});

describe("a variables file", () => {
  test.each([
    [
      "undeclared variables",
      lines(2_000, (index) => `v${String(index)}: a`),
      "vars.yaml has 450 more mistakes like these.",
    ],
    ["lists", lines(2_000, (index) => `v${String(index)}: [a]`), "vars.yaml has 1950 more mistakes like these."],
    ["brackets", `a: ${"[".repeat(1_000_000)}`, "on vars.yaml:1:68"],
  ])("of very many %s gives a short message", async (_name, values, said) => {
    const { write, run } = await openProject();
    write("outreach.yaml", "version: 1\n");
    write("vars.yaml", values);
    const { code, err } = await run("validate --var-file vars.yaml");
    expect(code).toBe(1);
    expect(err).toContain(said);
    expect(err.length).toBeLessThan(100_000);
  });

  test("that never ends is not read to its end", async () => {
    const { write, run } = await openProject();
    write("outreach.yaml", "version: 1\n");
    expect(await run("validate --var-file /dev/zero")).toMatchObject({
      code: 1,
      err: expect.stringContaining("is larger than 268435456 bytes"),
    });
  });
});

test("a long line of a list is shortened in messages", () => {
  const { mistakes } = readAddressList(bytes(`a@x.test,${"b".repeat(1_000_000)}\n`));
  expect(JSON.stringify(mistakes).length).toBeLessThan(1000);
});

describe("what a command prints of many and of long mistakes", () => {
  const hooks = (count: number, hook: (index: number) => string): string =>
    `version: 1\nwebhooks:\n${lines(count, (index) => `  h${String(index)}:\n${hook(index)}`)}`;
  const URL_LINE = "    target_url: https://crm.example.com/x";

  test.each([
    ["unknown keys", `version: 1\n${lines(1_000, (index) => `k${String(index)}: v`)}`, 1_000],
    ["unknown types", hooks(300, (index) => `    type: nothing${String(index)}\n${URL_LINE}/${String(index)}`), 300],
    ["undeclared variables", hooks(300, (index) => `    type: emailsSent\n${URL_LINE}/\${var.x${String(index)}}`), 300],
    ["merge keys", lines(1_000, () => "<<: 1"), 999],
  ])("%s: the first 50, and a count of the others", async (_name, yaml, count) => {
    const { write, run } = await openProject();
    write("outreach.yaml", yaml);
    const text = await run("validate");
    expect(text.code).toBe(1);
    expect(text.err.match(/^Error: /gm)).toHaveLength(51);
    expect(text.err).toContain(`outreach.yaml has ${String(count - 50)} more mistakes like these.`);
    expect(text.err.length).toBeLessThan(100_000);
    const json = await run("validate --json");
    expect(json.out.length).toBeLessThan(100_000);
    expect(JSON.parse(json.out)).toMatchObject({ valid: false, error_count: count });
  });

  test.each([
    ["a type", hooks(1, () => `    type: ${"x".repeat(500_000)}\n${URL_LINE}`)],
    ["a key", hooks(1, () => `    type: emailsSent\n    "${"k".repeat(900)}": v\n${URL_LINE}`)],
    ["an expression", hooks(1, () => `    type: emailsSent\n    target_url: "\${${"(".repeat(100_000)}1"`)],
    ["a name", hooks(1, () => `    type: emailsSent\n    target_url: "\${var.${"a".repeat(500_000)}}"`)],
    ["a row of sums", hooks(1, () => `    type: emailsSent\n    target_url: "\${1${" + 1".repeat(100_000)}}"`)],
  ])("%s that is long is cut", async (_name, yaml) => {
    const { write, run } = await openProject();
    write("outreach.yaml", yaml);
    const { code, err } = await run("validate");
    expect(code).toBe(1);
    expect(err).toMatch(/^Error: /m);
    expect(err.length).toBeLessThan(5_000);
  });
});

describe("a check of very many mistakes", () => {
  const header = "version: 1\n";

  test.each([
    [
      "bad references",
      `${header}outputs:\n${lines(1_000, (index) => `  o${String(index)}: \${var.x${String(index)}}`)}`,
    ],
    [
      "bad types",
      `${header}webhooks:\n${lines(1_000, (index) => `  h${String(index)}: { target_url: https://crm.example.com/${String(index)}, type: x${String(index)} }`)}`,
    ],
    [
      "unknown campaigns",
      `${header}webhooks:\n${lines(1_000, (index) => `  h${String(index)}: { target_url: https://crm.example.com/${String(index)}, campaign: x${String(index)} }`)}`,
    ],
    [
      "a list of bad references",
      `${header}webhooks:\n  h:\n    types: [${Array.from({ length: 1_000 }, (_, index) => `"\${var.x${String(index)}}"`).join(", ")}]\n`,
    ],
    [
      "imports without a declaration",
      `${header}imports:\n${lines(1_000, (index) => `  - { to: outreach_webhook.h${String(index)}, id: hoo_${String(index)} }`)}`,
    ],
  ])("ends early: %s", async (_name, yaml) => {
    const { write, run } = await openProject();
    write("outreach.yaml", yaml);
    const { code, err } = await run("validate");
    expect(code).toBe(1);
    expect(err).toContain("The check ended after 500 mistakes, so not everything is checked.");
    expect(err).toMatch(/outreach\.yaml has \d+ more mistakes like these\./);
    expect(err.length).toBeLessThan(100_000);
    expect(JSON.parse((await run("validate --json")).out)).toMatchObject({
      valid: false,
      error_count: expect.any(Number),
    });
  });

  test.each([
    [10_000, 50, "The configuration does not declare the variable x0."],
    [10_001, 1, "This text has more than 10000 references."],
  ])("a text with %i undeclared references has %i mistakes", async (references, count, said) => {
    const { write, run } = await openProject();
    write(
      "outreach.yaml",
      `${header}outputs:\n  o: "${Array.from({ length: references }, (_, index) => `\${var.x${String(index)}}`).join("")}"\n`,
    );
    const { code, err } = await run("validate");
    expect(code).toBe(1);
    expect(err.match(/^Error: /gm)).toHaveLength(count);
    expect(err).toContain(said);
  });

  test.each([
    ["with", "secret: hidden"],
    ["without", "secret"],
  ])("very many secrets in braces %s values are hidden", (_name, entry) => {
    const [first] = diagnosticsOf(`a: { secret: hidden, ${`${entry}, `.repeat(10_000)}}\n`);
    expect(first).toMatchObject({ summary: "Duplicate key", place: { line: 1 } });
    expect(first?.place?.text).not.toContain("hidden");
  });

  test("a line with very many secrets is masked once, wherever the mistakes are", async () => {
    const { write, run } = await openProject();
    write(
      "outreach.yaml",
      `${header}webhooks: { ${Array.from({ length: 2_000 }, (_, index) => `h${String(index)}: { secret: hidden${String(index)} }`).join(", ")} }\n`,
    );
    const { code, err } = await run("validate");
    expect(code).toBe(1);
    expect(err).not.toContain("hidden");
    expect(err.length).toBeLessThan(100_000);
  });
});

test("an expression that fails very often and catches it is too much", async () => {
  const project = await openProject();
  project.write(
    "outreach.yaml",
    `version: 1\noutputs:\n${lines(600, (index) => `  o${String(index)}: "\${length([for i in range(1000) : try(tonumber(\\"a\\"), i)])}"`)}`,
  );
  const { code, out, err } = await project.run("validate");
  expect(code).toBe(1);
  expect(`${out}${err}`).toContain(
    "The expressions of this configuration take more than 2000000 steps together.\nLet fewer expressions go through long lists, or divide the configuration.",
  );
});

describe("what other programs leave in a configuration is named", () => {
  const HOOK = "webhooks:\n  crm:\n    target_url: https://crm.example.com/a\n";
  test.each([
    ["a merge conflict", `version: 1\n<<<<<<< HEAD\n${HOOK}=======\n>>>>>>> main\n`, "merge conflict", 2, 1],
    [
      "a non-breaking space before a key",
      `version: 1\n${HOOK.replace("    target", "\u{a0}\u{a0}\u{a0} target")}`,
      "non-breaking space",
      4,
      1,
    ],
    ["one behind spaces", `version: 1\n${HOOK.replace("    target", "   \u{a0}target")}`, "non-breaking space", 4, 4],
    [
      "typographic quotes",
      `version: 1\n${HOOK.replace("https://crm.example.com/a", "“https://crm.example.com/a”")}`,
      "typographic quotation mark",
      4,
      17,
    ],
    [
      "typographic quotes around a key",
      `version: 1\n${HOOK.replace("crm:", "“crm”:")}`,
      "typographic quotation mark",
      3,
      3,
    ],
  ])("%s", (_, text, said, line, column) => {
    expect(diagnosticsOf(text)).toMatchObject([
      { detail: expect.stringContaining(said) as string, place: { line, column } },
    ]);
  });

  test("a pointer of Git LFS", () => {
    expect(diagnosticsOf("version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 1\n")).toMatchObject([
      { hint: expect.stringContaining("git lfs pull") as string },
    ]);
  });

  test("UTF-16 is read", () => {
    const utf16 = Buffer.from(`\u{feff}version: 1\n${HOOK}`, "utf16le");
    expect(parseYaml(utf16, "a.yaml", { secretKeys: [] })).toMatchObject({
      diagnostics: [],
      parsed: { value: { version: 1 } },
    });
  });
});
