import { readFileSync, readdirSync } from "node:fs";
import type { Command } from "commander";
import { BACKEND_NAMES } from "../../src/core/state/backends.ts";
import { type ListedCommand, COMMANDS, commandWords } from "../../src/frontends/cli/program/command-list.ts";
import { createProgram } from "../../src/frontends/cli/program/program.ts";
import openapi from "../../schemas/service.openapi.json" with { type: "json" };
import { EVENT_TYPE_NAMES } from "../../src/service/resources/event-type.ts";
import { PAGES, read } from "../docs/pages.ts";
import type { CommandTrials } from "../frontends/cli/program/command-trial.ts";
import { EVERY_COMMAND, trialsFile } from "../frontends/cli/program/every-command.ts";
import { EVENT_TABLE } from "../sandbox/conformance/limits.ts";

/** What is declared in one place, and has parts elsewhere. */
export interface Kind {
  readonly declared: readonly string[];
  /** A sentence for each part that it still lacks: it names the file to edit. */
  readonly lacks: (name: string) => readonly string[];
  /** One that there is not, and the sentences about it. */
  readonly planted: readonly [name: string, ...sentences: string[]];
}

/** The sentences of the parts that are not there. */
function missing(parts: { readonly [sentence: string]: boolean }): readonly string[] {
  return Object.entries(parts).flatMap(([sentence, isThere]) => (isThere ? [] : [sentence]));
}

const ROOT = new URL("../../", import.meta.url);

/** The sources in a folder, by path. */
function sourcesIn(folder: string): ReadonlyMap<string, string> {
  return new Map(
    readdirSync(new URL(folder, ROOT), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !/node_modules|generated/.test(file))
      .map((file) => [`${folder}/${file}`, readFileSync(new URL(`${folder}/${file}`, ROOT), "utf8")]),
  );
}

const tests = new Map([...sourcesIn("test")].filter(([file]) => !file.startsWith("test/catalog/")));
const program = await createProgram();

function commandsIn(one: Command, before = ""): readonly (readonly [words: string, command: Command])[] {
  const words = `${before}${one.name()}`;
  return [[words, one], ...one.commands.flatMap((inner) => commandsIn(inner, `${words} `))];
}

/** The rows of commands, without words that only have commands behind them. */
export function rows(): readonly ListedCommand[] {
  return COMMANDS.flatMap((row) => ("load" in row ? [row] : []));
}

function command(words: string, trials: CommandTrials = EVERY_COMMAND): readonly string[] {
  const { lines, calls } = trials[words] ?? { lines: [] };
  const row = rows().find((one) => one.words === words);
  return missing({
    [`${words} has no lines: add it to ${trialsFile(words)}.`]: lines.length > 0,
    [`${words} has no calls: add it to ${trialsFile(words)}.`]: calls !== undefined || !row?.tool,
  });
}

const options = commandsIn(program).flatMap(([words, one]) =>
  one.options.map(({ long }) => `${words} ${String(long)}`),
);
/** With one dash or two. */
const namedInTests = new Set(
  [...tests.values()].flatMap((text) => [...text.matchAll(/(?<![\w-])--?([a-z][a-z-]+)/g)].map(([, name]) => name)),
);

/** Where its tests are: off the main path in the folder of its name. */
function testsOf(words: string): string {
  return trialsFile(words).replace(/[^/]+$/, "");
}

function option(name: string): readonly string[] {
  const [, words = "", long = ""] = /^outreach ?(.*) (--.*)$/.exec(name) ?? [];
  return missing({ [`${name} is in no test: add one to ${testsOf(words)}.`]: namedInTests.has(long.slice(2)) });
}

function backend(name: string): readonly string[] {
  const isInContract = [...tests].some(
    ([file, text]) =>
      text.includes("stateStoreContract({") &&
      (file.startsWith(`test/core/state/${name}/`) || text.includes(`/core/state/${name}/`)),
  );
  return missing({
    [`${name} is in no contract test: call stateStoreContract in test/core/state/${name}/.`]: isInContract,
    [`${name} is in no row of docs/guides/state-backends.md.`]: read("docs/guides/state-backends.md").includes(
      `[\`${name}\`](`,
    ),
  });
}

function eventType(name: string): readonly string[] {
  return missing({
    [`${name} is no webhook of the OpenAPI document: describe it in schemas/service.openapi.json.`]: Object.hasOwn(
      openapi.webhooks,
      name,
    ),
    [`${name} is not among the types of the specification: add it to test/sandbox/conformance/limits.ts.`]:
      Object.values(EVENT_TABLE).some((names) => names.split(" ").includes(name)),
  });
}

const contents = read("docs/README.md");

function page(name: string): readonly string[] {
  return missing({
    [`${name} is in no list of pages: name it in docs/README.md.`]: contents.includes(
      `](${name.slice("docs/".length)})`,
    ),
  });
}

const codes = [...sourcesIn("src")].flatMap(([file, text]) =>
  [...text.matchAll(/\b(?:errorOf|warningOf|noteOf|DiagnosticsError\.of)\(\s*"([^"]*)"/g)].map(
    ([, code = ""]) => `${code} in ${file}`,
  ),
);

function code(place: string): readonly string[] {
  const [name = "", file] = place.split(" in ");
  return missing({
    [`${name} is no code: write it in lower case with underscores in ${String(file)}.`]: /^[a-z][\da-z_]+$/.test(name),
  });
}

/** Everything but what `catalog.ts` declares. */
export const KINDS: { readonly [kind: string]: Kind } = {
  command: {
    declared: commandWords(),
    lacks: command,
    planted: ["drift frob", "drift frob has no lines: add it to test/frontends/cli/drift/trials.ts."],
  },
  option: {
    declared: options,
    lacks: option,
    planted: ["outreach drift --frobs", "outreach drift --frobs is in no test: add one to test/frontends/cli/drift/."],
  },
  "state backend": {
    declared: BACKEND_NAMES,
    lacks: backend,
    planted: [
      "drawer",
      "drawer is in no contract test: call stateStoreContract in test/core/state/drawer/.",
      "drawer is in no row of docs/guides/state-backends.md.",
    ],
  },
  "event type": {
    declared: EVENT_TYPE_NAMES,
    lacks: eventType,
    planted: [
      "emailsFrobbed",
      "emailsFrobbed is no webhook of the OpenAPI document: describe it in schemas/service.openapi.json.",
      "emailsFrobbed is not among the types of the specification: add it to test/sandbox/conformance/limits.ts.",
    ],
  },
  page: {
    declared: PAGES.filter((name) => /^docs\/.*\//.test(name)),
    lacks: page,
    planted: ["docs/guides/frobs.md", "docs/guides/frobs.md is in no list of pages: name it in docs/README.md."],
  },
  code: {
    declared: [...new Set(codes)],
    lacks: code,
    planted: ["Frob in src/x.ts", "Frob is no code: write it in lower case with underscores in src/x.ts."],
  },
};
