import type { Command } from "commander";
import { createProgram, defaultOf } from "../frontends/cli/program/program.ts";
import { code, markdownTable, sentence } from "./markdown-table.ts";

const INTRODUCTION = `# Commands

This page is generated from the help of the command.

Long options accept one dash, as in Terraform: \`-auto-approve\` is \`--auto-approve\`. Results go to stdout, and messages to stderr. Output has colors only
in a terminal. \`NO_COLOR\` or \`--no-color\` turns them off, and \`FORCE_COLOR\` or \`CLICOLOR_FORCE\` turns them on elsewhere.

| exit code | meaning |
|---|---|
| 0 | success, or no changes |
| 1 | error |
| 2 | changes present (\`plan --detailed-exitcode\`) |
| 3 | an outcome is undecided: run \`outreach resolve\` |

Press Ctrl-C once to finish the requests in flight, record their results, and exit. Press it twice to exit immediately: the next run recovers
the outcome of the requests. Closing the terminal counts as one Ctrl-C.
`;

const ENVIRONMENT: readonly (readonly [name: string, meaning: string])[] = [
  ["OUTREACH_BASE_URL", "Base address of the service's API. It takes precedence over `service.base_url`."],
  ["OUTREACH_API_KEY", "API key, unless `service.api_key` names another source."],
  ["OUTREACH_VAR_name", "Value of the variable `name`."],
  ["OUTREACH_CONFIG", "The configuration without `-c`."],
  ["OUTREACH_STATE", "Path or URL of the state, like `--state`. Empty counts as not set."],
  ["OUTREACH_INPUT", "`0` or `false`: no command asks a question, like `--input=false`. Without a terminal, no command asks anyway."],
  ["OUTREACH_LOG", "Log level on stderr: `error` (default), `warn`, `info` or `debug`. `debug` logs every request."],
  ["OUTREACH_TIMEOUT", "Timeout of one request. Default: `30s`. A duration without a unit is in seconds."],
  ["OUTREACH_SETTLE", "How long a new webhook can take to appear in the service's list. Default: `10s`, and `60s` after a request without an answer."],
  ["OUTREACH_DATABASE", "The PostgreSQL database of a fleet, like `--database` of `outreach controller`. See [Fleets](../guides/fleet.md)."],
  ["OUTREACH_CONTROLLER_TOKEN", "The token that a controller asks for before it changes something over HTTP. Without it, it changes nothing over HTTP."],
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "Where a controller sends its traces. Without it, it sends none."],
  ["HTTPS_PROXY, NO_PROXY", "Proxy for the service, and hosts to reach without it. See [Proxies and certificates](../guides/network.md)."],
  ["NODE_EXTRA_CA_CERTS", "PEM file with certificates of private authorities to trust."],
];

/** The reference page of all commands. */
export async function commandsReference(): Promise<string> {
  const commands = leavesOf(await createProgram());
  const contents = commands.map(({ path, command }) => [`[${code(path)}](#${path.replaceAll(" ", "-")})`, sentence(command.description())]);
  return [
    INTRODUCTION,
    ...markdownTable(
      ["environment variable", "meaning"],
      ENVIRONMENT.map(([name, meaning]) => [code(name), meaning]),
    ),
    "",
    ...markdownTable(["command", "description"], contents),
    "",
    ...commands.flatMap(({ path, command }) => [...section(path, command), ""]),
  ].join("\n");
}

interface Leaf {
  readonly path: string;
  readonly command: Command;
}

/** The commands that do something themselves, by full name, in the order of the help. Words with only commands behind them have no options. */
function leavesOf(command: Command, before = ""): readonly Leaf[] {
  const path = `${before}${command.name()}`;
  const inner = command.commands.flatMap((one) => leavesOf(one, `${path} `));
  const isGroup = inner.length > 0 && (command.parent === null || command.options.length === 0);
  return isGroup ? inner : [{ path, command }, ...inner];
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
    ...(args.length === 0 ? [] : [...markdownTable(["argument", "description"], args), ""]),
    ...(options.length === 0 ? [] : [...markdownTable(["option", "description", "default"], options), ""]),
    ...examples(command),
  ];
}

function choices(of: readonly string[] | undefined): string {
  return of ? `one of ${of.map(code).join(", ")}` : "";
}

/** The end of the command's help: a heading and indented lines. */
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
