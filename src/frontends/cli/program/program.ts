import { Command, CommanderError, type Option, type OutputConfiguration } from "commander";
import { DiagnosticsError } from "../../../core/model/diagnostic.ts";
import type { Ports } from "../../../operations/context.ts";
import type { CommandContext, ExitCode } from "../command-context.ts";
import { CONFIG_VARIABLE } from "../../../operations/configuration/environment-names.ts";
import { VERSION } from "../../../operations/version.ts";
import type { CommandDefinition, Example, Invocation } from "./command-definition.ts";
import { assertNoOptionsBefore, throwMistake, watchValues } from "./command-line-mistakes.ts";
import { COMMANDS, type ListedCommand } from "./command-list.ts";

/** The command to run, and the options that the context depends on. */
export interface Chosen {
  /** Its first word's row in the table. */
  readonly entry: Pick<ListedCommand, "serves" | "writes">;
  readonly color: boolean;
  /** The format of its results on stdout. */
  readonly format: string;
  readonly showEmails: boolean;
  /** False with `--input=false`: nothing may be asked. */
  readonly input: boolean;
  /** The operands and option values that name resources. */
  readonly named: readonly string[];
  readonly run: (context: CommandContext) => Promise<ExitCode>;
}

/** The command that the words choose; for words that cannot be understood, one that fails with the mistake. An exit code means that help was printed. */
export async function readCommandLine(
  words: readonly string[],
  output: OutputConfiguration,
  asCalled: AsCalled,
): Promise<Chosen | { readonly exitCode: number }> {
  const chosen: Chosen["run"][] = [];
  let given: {
    readonly json?: boolean;
    readonly format?: string;
    readonly showEmails?: boolean;
    readonly input?: boolean;
  } = {};
  let named: readonly string[] = [];
  const program = await createProgram({ words, output, asCalled, choose: (run) => void chosen.push(run) });
  program.hook("preAction", (_program, command) => {
    given = command.opts();
    named = namedBy(command);
  });
  try {
    await program.parseAsync(words, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) return { exitCode: error.exitCode };
    if (error instanceof DiagnosticsError) return mistaken(words, error);
    throw error;
  }
  const [run] = chosen;
  if (!run) return { exitCode: 0 };
  const { color } = program.opts<{ color: boolean }>();
  const entry = COMMANDS.find(({ words: first }) => first === program.args[0]);
  const format = given.json === true ? "json" : (given.format ?? "text");
  return {
    entry: entry && "load" in entry ? entry : {},
    color,
    format,
    showEmails: given.showEmails === true,
    input: given.input !== false,
    named,
    run,
  };
}

function mistaken(words: readonly string[], mistake: DiagnosticsError): Chosen {
  return {
    entry: {},
    color: !words.includes("--no-color"),
    format: asksForJson(words) ? "json" : "text",
    showEmails: false,
    input: true,
    named: words,
    run: () => Promise.reject(mistake),
  };
}

/** By the words alone: the rest of them could not be read. */
function asksForJson(words: readonly string[]): boolean {
  return words.some(
    (word, index) =>
      word === "--json" || word === "--format=json" || (word === "--format" && words[index + 1] === "json"),
  );
}

const NAMING_OPTIONS = ["targets", "excludes", "replace", "adopt", "id"];

function namedBy(command: Command): readonly string[] {
  const takesFile = command.registeredArguments.some((argument) => argument.name().endsWith("file"));
  const values = NAMING_OPTIONS.flatMap(
    (name) => command.getOptionValue(name) as string | boolean | readonly string[] | undefined,
  );
  return [...(takesFile ? [] : command.args), ...values.filter((value) => typeof value === "string")];
}

/** Takes the chosen command. Help and mistakes in the command line need no context, so it is made later. */
type Choose = (run: Chosen["run"]) => void;

interface Use {
  readonly choose: Choose;
  readonly asCalled: AsCalled;
}

interface Creation {
  readonly words?: readonly string[];
  readonly choose?: Choose;
  /** The streams for help and mistakes in the words. */
  readonly output?: OutputConfiguration;
  readonly asCalled?: AsCalled;
}

/** Makes the command lines of an example call the program as the user does. */
type AsCalled = CommandContext["asCalled"];

/** The program with only the command that the words name; if they name none, with all commands, for help and completion. */
export async function createProgram({
  words = [],
  choose = () => undefined,
  output = {},
  asCalled = (text) => text,
}: Creation = {}): Promise<Command> {
  const program = new Command("outreach")
    // A mistake is printed as a diagnostic.
    .configureOutput({ ...output, outputError: () => undefined })
    .configureHelp({ optionDescription: describeOption })
    .description("Manages webhooks and lead unsubscriptions of the outreach automation service as configuration.")
    .option("--no-color", "no colors")
    .version(`outreach v${VERSION}`, "--version", "print the version")
    .addHelpText(
      "after",
      asCalled(`
Example, to write a starter configuration and apply the configuration to the service:
  outreach init && outreach plan && outreach apply

Environment: OUTREACH_BASE_URL and OUTREACH_API_KEY set the service and its key. "Commands" in the documentation
describes OUTREACH_CONFIG, OUTREACH_STATE, OUTREACH_VAR_name, OUTREACH_INPUT, OUTREACH_TIMEOUT, OUTREACH_SETTLE and OUTREACH_LOG.
Exit codes: 0 done or no changes, 1 error, 2 changes present (--detailed-exitcode), 3 an outcome is undecided.`),
    )
    .exitOverride((error) => throwMistake(error, program));
  for (const row of await loaded(words)) {
    const [first, inner] = row.words.split(" ");
    const before = inner === undefined ? program : program.commands.find((one) => one.name() === first);
    addCommand(before ?? program, row, { choose, asCalled });
  }
  return program;
}

/** Of what only has commands behind it, without an action. */
type LoadedRow = Pick<CommandDefinition, "description" | "example"> &
  Partial<CommandDefinition> &
  Pick<ListedCommand, "words">;

/** The rows that the words name, with the word before a command; all, if they name none. */
async function loaded(words: readonly string[]): Promise<readonly LoadedRow[]> {
  const [first = "", second = ""] = words.filter((word) => !word.startsWith("-"));
  const named = COMMANDS.filter((row) => row.words.split(" ", 1)[0] === first);
  const inner = named.filter((row) => row.words === `${first} ${second}`);
  const chosen = inner.length === 0 ? named : named.filter((row) => row.words === first || inner.includes(row));
  const rows = chosen.length === 0 ? COMMANDS : chosen;
  // Both may have an option of the same name, and commander would take it for the first.
  const isBefore = (word: string): boolean =>
    rows.some((row) => row.words === `${word} ${words[words.indexOf(word) + 1] ?? ""}`);
  return Promise.all(
    rows.map(async (row) => {
      if (!("load" in row)) return row;
      const { definition } = await row.load();
      const { description, example } = definition;
      return isBefore(row.words) ? { words: row.words, description, example } : { words: row.words, ...definition };
    }),
  );
}

async function loadedTools(): ReturnType<Invocation<never, never>["tools"]> {
  const rows = COMMANDS.flatMap((row) => ("tool" in row && row.tool ? [[row.words, row.tool] as const] : []));
  return Promise.all(rows.map(async ([name, load]) => ({ name, ...(await load()).tool })));
}

function addCommand(parent: Command, row: LoadedRow, { choose, asCalled }: Use): void {
  const { words, description, example, declare, run } = row;
  const command = parent
    .command(words.split(" ").at(-1) ?? words)
    .description(description)
    .addHelpText("after", exampleText(example, asCalled));
  command.exitOverride((error) => throwMistake(error, command));
  if (!run) return;
  declare?.(command);
  watchValues(command);
  const given: Option[] = [];
  for (const option of command.options) command.on(`option:${option.name()}`, () => given.push(option));
  command.action(() => {
    assertNoOptionsBefore(command);
    // Commander has no types: each definition declares its operands and options, and their types.
    const operands = command.processedArgs as never;
    const programFor = (named: readonly string[]): Promise<Command> => createProgram({ words: named });
    choose((context) =>
      runDefinition(
        context,
        { ...row, run },
        {
          operands,
          options: optionsOf(command, context) as never,
          given,
          programFor,
          tools: loadedTools,
        },
      ),
    );
  });
}

async function runDefinition(
  context: CommandContext,
  { forTeams, run }: Pick<CommandDefinition, "forTeams" | "run">,
  invocation: Invocation<never, never>,
): Promise<ExitCode> {
  if (!forTeams) return run(context, invocation);
  const { runForTeams } = await import("../teams/run-for-teams.ts");
  return runForTeams(context, { run, forTeams } as never, invocation);
}

/** The options of a command: those on the command line, else those of the environment, else the defaults. */
function optionsOf(command: Command, { environment }: Ports): object {
  const config = environment[CONFIG_VARIABLE] ?? "";
  const isNamed = config !== "" && command.getOptionValueSource("config") === "default";
  return isNamed ? { ...command.opts(), config } : command.opts();
}

/** What the lines are for, as in `Example, for a pull request:`. */
export function exampleHeading({ purpose, lines }: Example): string {
  return `Example${lines.length > 1 ? "s" : ""}${purpose === undefined ? "" : `, ${purpose}`}:`;
}

function exampleText(example: Example, asCalled: AsCalled): string {
  const text = `\n${exampleHeading(example)}\n${example.lines.map((line) => `  ${line}`).join("\n")}`;
  return example.needsPath ? text : asCalled(text);
}

function describeOption(option: Option): string {
  const choices = option.argChoices ? [`one of ${option.argChoices.join(", ")}`] : [];
  const fallback = defaultOf(option);
  const more = [...choices, ...(fallback === "" ? [] : [`default: ${fallback}`])];
  return more.length === 0 ? option.description : `${option.description} (${more.join("; ")})`;
}

/** The default of an option, as help shows it; empty for switches and lists. */
export function defaultOf({ defaultValue, defaultValueDescription }: Option): string {
  if (defaultValue === undefined || defaultValue === false || Array.isArray(defaultValue)) return "";
  return defaultValueDescription ?? String(defaultValue);
}
