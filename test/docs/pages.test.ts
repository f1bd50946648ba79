import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import type { Command } from "commander";
import { beforeAll, expect, inject, test } from "vitest";
import { parseDocument } from "yaml";
import { longOption } from "../../src/frontends/cli/run-command.ts";
import { createProgram } from "../../src/frontends/cli/program/program.ts";
import { PROFILES } from "../../src/sandbox/profiles.ts";
import { type BundledCommand, bundledCommand } from "../frontends/cli/bundled-command.ts";
import { anchorsOf, codeSpansOf, fencesOf, linksOf } from "./markdown.ts";
import { PAGES, ROOT, read } from "./pages.ts";
import { type Done, runPage } from "./run-page.ts";

const program = await createProgram();

const command = inject("commandFile");
let bundled: BundledCommand;
beforeAll(async () => {
  bundled = await bundledCommand();
});

/** A YAML block is a whole configuration, unless one of these words marks it as a part, a mistake, or a CI workflow. */
const OTHERS = ["fragment", "mistaken", "workflow"];

const blocks = PAGES.flatMap((page) =>
  fencesOf(read(page)).flatMap(({ language, words, text, from }) =>
    language === "yaml"
      ? [{ place: `${page}:${String(from)}`, text, kind: words.find((word) => OTHERS.includes(word)) ?? "whole" }]
      : [],
  ),
);
const ofKind = (kind: string): typeof blocks => blocks.filter((block) => block.kind === kind);

test.for(PAGES.filter((page) => page.startsWith("docs/guides/")))("%s has at most 1,500 words", (page) => {
  expect(
    read(page)
      .split(/\s+/)
      .filter((word) => word !== "").length,
  ).toBeLessThanOrEqual(1500);
});

test("the configurations of the pages are found", () => {
  expect(ofKind("whole").length).toBeGreaterThan(20);
});

test.for(ofKind("whole"))("the configuration at $place is valid", async ({ text }) => {
  expect(await validated(text)).toMatchObject({
    code: 0,
    printed: expect.stringContaining("Success! The configuration is valid.\n") as string,
  });
});

test.for(ofKind("mistaken"))(
  "the configuration at $place has the mistake that its label promises",
  async ({ text }) => {
    expect(await validated(text)).toMatchObject({ code: 1 });
  },
);

test.for(blocks.filter(({ kind }) => ["fragment", "workflow"].includes(kind)))(
  "what is no configuration, at $place, is YAML",
  ({ text }) => {
    expect(parseDocument(text).errors).toEqual([]);
  },
);

interface Job {
  readonly if?: string;
  readonly needs?: string | readonly string[];
  readonly environment?: string;
  readonly concurrency?: { readonly group?: string };
  readonly steps?: readonly { readonly run?: string }[];
}

interface Workflow {
  readonly concurrency?: unknown;
  readonly jobs?: { readonly [name: string]: Job };
}

const runsIn = ({ steps = [] }: Job, pattern: RegExp): boolean => steps.some(({ run = "" }) => pattern.test(run));

/** What lets a plan be approved before it exists, or a waiting apply be cancelled. */
function mistakesIn({ concurrency, jobs = {} }: Workflow): readonly string[] {
  return [
    ...(concurrency === undefined ? [] : ["one group for plans and applies"]),
    ...Object.entries(jobs).flatMap(([name, job]) => {
      if (!runsIn(job, /outreach apply/)) return [];
      const before = [job.needs ?? []].flat().flatMap((one) => jobs[one] ?? []);
      const planned = before.some((one) => runsIn(one, /outreach plan .*--out/));
      return [
        ...(job.environment === undefined || (planned && !runsIn(job, /outreach plan/))
          ? []
          : [`${name} is approved before its plan exists`]),
        ...(job.concurrency === undefined ? [] : [`${name} can be cancelled while it waits`]),
      ];
    }),
  ];
}

const EXAMPLE_WORKFLOWS = "examples/ci/github/.github/workflows";
const examples = readdirSync(path.join(ROOT, EXAMPLE_WORKFLOWS)).map((name) => ({
  place: `${EXAMPLE_WORKFLOWS}/${name}`,
  text: read(`${EXAMPLE_WORKFLOWS}/${name}`),
}));
const workflows = [...ofKind("workflow"), ...examples].map(({ place, text }) => ({
  place,
  workflow: parseDocument(text).toJS() as Workflow,
}));

test("workflows that apply are found", () => {
  expect(
    workflows.filter(({ workflow: { jobs = {} } }) => Object.values(jobs).some((job) => runsIn(job, /outreach apply/)))
      .length,
  ).toBeGreaterThan(0);
});

test.for(workflows)(
  "the workflow at $place approves a plan that exists, and nothing cancels its apply",
  ({ workflow }) => {
    expect(mistakesIn(workflow)).toEqual([]);
  },
);

test("a workflow that approves too early, or shares a group, is found", () => {
  const apply = {
    environment: "production",
    steps: [{ run: "outreach plan --out saved.plan" }, { run: "outreach apply saved.plan" }],
  };
  expect(mistakesIn({ concurrency: "outreach", jobs: { apply } })).toEqual([
    "one group for plans and applies",
    "apply is approved before its plan exists",
  ]);
});

/** The output of `outreach validate` for a configuration. Creates the files that it names. */
async function validated(text: string): Promise<Done | undefined> {
  const lists = [...text.matchAll(/(?:emails_from:|^ +-) ([\w./-]+\.(?:csv|txt))/gm)].map(
    ([, file = ""]) => `\`\`\`text ${file}\nada@example.com\n\`\`\`\n`,
  );
  const page = `${lists.join("")}\`\`\`yaml outreach.yaml\n${text}\n\`\`\`\n\`\`\`console\n$ npx outreach-as-code validate\n\`\`\``;
  return (await runPage(page, { command, ...bundled, folders: {}, service: PROFILES.documented })).at(-1);
}

/** The command lines of a page, in blocks and inline code. */
function commandLines(page: string): readonly string[] {
  const text = read(page);
  const inBlocks = fencesOf(text).flatMap(({ language, text: block }) =>
    language === "sh"
      ? block.split("\n")
      : language === "console"
        ? block.split("\n").flatMap((line) => (line.startsWith("$ ") ? [line.slice(2)] : []))
        : [],
  );
  return [...inBlocks, ...codeSpansOf(text)].flatMap((line) =>
    [...line.matchAll(/(?:^|[\s(])outreach(?:-as-code)?((?: [^|;&>#)]+)?)/g)].map(([, words = ""]) => words.trim()),
  );
}

/** The mistake in the words after `outreach`, if any. Words without a command are fine. */
function mistakeIn(words: readonly string[]): string | null {
  let found: Command = program;
  const rest = [...words];
  for (;;) {
    const inner = found.commands.find((one) => one.name() === rest[0]);
    if (!inner) break;
    found = inner;
    rest.shift();
  }
  if (found === program && rest[0] !== undefined && !rest[0].startsWith("-")) return `no command ${rest[0]}`;
  const known = [...found.options, ...program.options].flatMap(({ short, long }) => [short, long]);
  const given = rest
    .filter((word) => word.startsWith("-") && word !== "-")
    .map((word) => longOption(word).replace(/=.*/, ""));
  const unknown = given.find((option) => !["--help", ...known].includes(option));
  return unknown === undefined ? null : `no option ${unknown} of ${found.name()}`;
}

test.for(PAGES)("%s names commands and options that there are", (page) => {
  const wrong = commandLines(page).flatMap((line) => mistakeIn(wordsOf(line)) ?? []);
  const options = new Set(allCommands(program).flatMap(({ options: of }) => of.map(({ long }) => long)));
  const unknown = codeSpansOf(read(page)).flatMap((span) =>
    (/^--[a-z-]+/.exec(span) ?? []).filter((option) => option !== "--help" && !options.has(option)),
  );
  expect([...wrong, ...unknown]).toEqual([]);
});

test("the command lines of the pages are found", () => {
  expect(PAGES.flatMap(commandLines).length).toBeGreaterThan(150);
});

test("a mistyped command or option in a page is found", () => {
  expect(mistakeIn(["plam"])).toBe("no command plam");
  expect(mistakeIn(["state", "list", "--adopt"])).toBe("no option --adopt of list");
  expect(mistakeIn(["apply", "-auto-approve", "saved.plan"])).toBeNull();
});

function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/'[^']*'|\S+/g)].map(([word]) => word).filter((word) => word !== "COMMAND");
}

function allCommands(one: Command): readonly Command[] {
  return [one, ...one.commands.flatMap(allCommands)];
}

test.for(PAGES)("the links of %s lead somewhere", (page) => {
  const broken = linksOf(read(page)).filter((link) => !/^https?:/.test(link) && !leadsSomewhere(page, link));
  expect(broken).toEqual([]);
});

function leadsSomewhere(page: string, link: string): boolean {
  const [target = "", anchor] = link.split("#");
  const file = target === "" ? page : path.join(path.dirname(page), target);
  if (!existsSync(path.join(ROOT, file))) return false;
  return (
    anchor === undefined || (!statSync(path.join(ROOT, file)).isDirectory() && anchorsOf(read(file)).includes(anchor))
  );
}

/** The first lines of the product's messages, with the nouns of the service, and of what it keeps, for the parts that vary. */
const SUMMARIES = readdirSync(path.join(ROOT, "src"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.includes("generated"))
  .flatMap((file) => [
    ...readFileSync(path.join(ROOT, "src", file), "utf8").matchAll(
      /summary:.*|\b(?:errorOf|warningOf|noteOf|DiagnosticsError\.of)\([^]*?\{\s/g,
    ),
  ])
  .flatMap(([written]) => [...written.matchAll(/"([^"]+)"|`([^`]+)`/g)])
  .map(([, plain, template]) =>
    (plain ?? template ?? "").replace(/\$\{[^}]+\}/g, "@").replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`),
  )
  .map((pattern) => new RegExp(`^${pattern.replaceAll("@", "(?:webhooks?|leads?|state)")}$`));
/** Messages of Terraform's own. */
const TERRAFORM_MESSAGES = ["Failed to query available provider packages", "Inconsistent dependency lock file"];

const TROUBLESHOOTING = ["docs/guides/troubleshooting.md", "docs/guides/troubleshooting-state.md"];

test.for(TROUBLESHOOTING)("each heading of %s is a message of the product, and none is there twice", (page) => {
  const headings = [...read(page).matchAll(/^### (.+)$/gm)].map(([, heading = ""]) => heading);
  expect(headings).toEqual([...new Set(headings)]);
  const missing = headings.filter(
    (heading) => !TERRAFORM_MESSAGES.includes(heading) && !SUMMARIES.some((summary) => summary.test(heading)),
  );
  expect(headings.length).toBeGreaterThan(10);
  expect(missing).toEqual([]);
});
