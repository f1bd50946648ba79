import type { Command } from "commander";
import { createProgram, defaultOf } from "../frontends/cli/program/program.ts";
import { code, markdownTable, sentence } from "./markdown.ts";

const INTRODUCTION = `# Commands

This page is generated from the command's own help.

Long options may be written with one dash, as Terraform's are: \`-auto-approve\` is \`--auto-approve\`. Results go to the standard output,
messages to the standard error. There are colours on a terminal only, unless \`NO_COLOR\` or \`--no-color\` says otherwise.

| exit code | meaning |
|---|---|
| 0 | done, or no changes |
| 1 | an error |
| 2 | there are changes (\`plan --detailed-exitcode\`) |
| 3 | an outcome is undecided, and needs \`outreach resolve\` |

Ctrl-C once: requests in flight are finished, what came of them is recorded, and the command ends. Twice: it ends at once, and the next
run finds out what became of the requests.
`;

const ENVIRONMENT: readonly (readonly [name: string, meaning: string])[] = [
  ["OUTREACH_BASE_URL", "The service's API base address. It wins over `service.base_url`."],
  ["OUTREACH_API_KEY", "The API key, unless `service.api_key` names another place."],
  ["OUTREACH_VAR_name", "The value of the variable `name`."],
  ["OUTREACH_STATE", "Where the state is, as with `--state`."],
  [
    "OUTREACH_LOG",
    "How much is told on stderr of what goes on: `error`, `warn`, `info` or `debug`; `error` when it is not set. `debug` tells of every request.",
  ],
  ["OUTREACH_TIMEOUT", "How long one request may take: `30s`. A duration without a unit counts seconds."],
  ["OUTREACH_SETTLE", "How long a new webhook may take to appear in the service's list: `10s`; `60s` after a request without an answer."],
];

/** What every command is called with, as a page of the docs. */
export async function commandsReference(): Promise<string> {
  const commands = leavesOf(await createProgram());
  const contents = commands.map(({ path, command }) => [`[${code(path)}](#${path.replaceAll(" ", "-")})`, sentence(command.description())]);
  return [
    INTRODUCTION,
    ...markdownTable(
      ["environment", "what it says"],
      ENVIRONMENT.map(([name, meaning]) => [code(name), meaning]),
    ),
    "",
    ...markdownTable(["command", "what it does"], contents),
    "",
    ...commands.flatMap(({ path, command }) => [...section(path, command), ""]),
  ].join("\n");
}

interface Leaf {
  readonly path: string;
  readonly command: Command;
}

/** The commands that do something, by their full names, in the order of the help. */
function leavesOf(command: Command, before = ""): readonly Leaf[] {
  const path = `${before}${command.name()}`;
  return command.commands.length === 0 ? [{ path, command }] : command.commands.flatMap((inner) => leavesOf(inner, `${path} `));
}

function section(path: string, command: Command): readonly string[] {
  const args = command.registeredArguments.map((argument) => [
    code(argument.name()),
    [argument.required ? "" : "optional", argument.description, choices(argument.argChoices)].filter((part) => part !== "").join("; "),
  ]);
  const options = command.options.map((option) => [
    code(option.flags),
    [option.description, choices(option.argChoices)].filter((part) => part !== "").join("; "),
    defaultOf(option) && code(defaultOf(option)),
  ]);
  return [
    `## ${path}`,
    "",
    sentence(command.description()),
    "",
    "```text",
    `${path} ${command.usage()}`,
    "```",
    "",
    ...(args.length === 0 ? [] : [...markdownTable(["argument", "what it is"], args), ""]),
    ...(options.length === 0 ? [] : [...markdownTable(["option", "what it does", "default"], options), ""]),
    ...examples(command),
  ];
}

function choices(of: readonly string[] | undefined): string {
  return of ? `one of ${of.map(code).join(", ")}` : "";
}

/** What the command's help ends with: a heading and indented lines. */
function examples(command: Command): readonly string[] {
  let help = "";
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  const [, heading, lines] = /^(Example.*)\n((?: {2}.*\n?)+)\s*$/m.exec(help) ?? [];
  if (heading === undefined || lines === undefined) throw new Error(`the help of ${command.name()} does not end with an example`);
  const commands = lines
    .trimEnd()
    .split("\n")
    .map((line) => line.trim());
  return [heading, "", "```sh", ...commands, "```"];
}
