import type { Command, CommanderError, Option } from "commander";
import { type Diagnostic, DiagnosticsError } from "../../../core/model/diagnostic.ts";
import { shellWord } from "../../../core/model/shell-word.ts";

/** What users read about a command line that cannot be understood. */
type Mistake = Pick<Diagnostic, "summary" | "detail" | "hint">;

/** Turns commander's errors into diagnostics. Throws what is no mistake, such as the end of `--help`, unchanged. */
export function throwMistake(error: CommanderError, command: Command): never {
  const mistake = mistakeOf(error, command);
  throw mistake === null ? error : mistakeIn(command, mistake);
}

/** Watches the options of a command for values that cannot be meant, which commander accepts. */
export function watchValues(command: Command): void {
  for (const option of command.options) {
    if (!option.required) continue;
    const isList = Array.isArray(option.defaultValue);
    let before: string | null = null;
    command.on(`option:${option.name()}`, (value: string) => {
      const mistake =
        valueMistake(command, option, value) ??
        (isList || before === null || before === value ? null : givenTwice(option, [before, value]));
      if (mistake) throw mistakeIn(command, mistake);
      before = value;
    });
  }
}

/** The options of a command have no effect on a command behind it. */
export function assertNoOptionsBefore(command: Command): void {
  const { parent } = command;
  if (!parent?.parent) return;
  const lost = parent.options.find((option) => parent.getOptionValueSource(option.attributeName()) === "cli");
  if (lost)
    throw mistakeIn(command, {
      summary: "Unexpected option",
      detail: `${flagOf(lost)} belongs to ${nameOf(parent)}, and has no effect on ${nameOf(command)}.`,
    });
}

function mistakeIn(command: Command, { hint, ...mistake }: Mistake): DiagnosticsError {
  const help = `Show its help: ${nameOf(command)} --help`;
  return new DiagnosticsError([
    { code: "command_line", severity: "error", ...mistake, hint: hint === undefined ? help : `${hint}\n${help}` },
  ]);
}

/** Null for what is no mistake. */
function mistakeOf({ code, message }: CommanderError, command: Command): Mistake | null {
  const [, quoted = ""] = /'(.*?)'/s.exec(message) ?? [];
  const name = nameOf(command);
  switch (code) {
    case "commander.unknownOption":
      return {
        summary: "Unknown option",
        detail: `${name} has no option ${quoted}.`,
        ...hinted(suggestionIn(message) ?? (command.parent === null ? OPTIONS_FOLLOW : null)),
      };
    case "commander.unknownCommand":
      return {
        summary: "Unknown command",
        detail: `${name} has no command ${quoted}.`,
        ...hinted(suggestionIn(message)),
      };
    case "commander.excessArguments":
      return excessArgument(command);
    case "commander.missingArgument":
      return {
        summary: "Missing argument",
        detail: `The argument ${quoted} is missing.`,
        hint: `Usage: ${name} ${command.usage()}`,
      };
    case "commander.optionMissingArgument":
      return missingValue(quoted);
    case "commander.missingMandatoryOptionValue":
      return { summary: "Missing option", detail: `${name} needs the option ${quoted}.` };
    case "commander.invalidArgument":
      return invalidValue(message);
    default:
      return null;
  }
}

/** The full name of a command, as users type it. */
function nameOf(command: Command): string {
  return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}

function hinted(hint: string | null): Pick<Mistake, "hint"> {
  return hint === null ? {} : { hint };
}

const OPTIONS_FOLLOW = "Options follow the command, as in outreach plan -c outreach.yaml.";

function suggestionIn(message: string): string | null {
  return /\((Did you mean .*\?)\)/s.exec(message)?.[1] ?? null;
}

const CONFIGURATION = /\.ya?ml$|\/$|^\.$|(?:^|\/)(?:cdk\.tf\.json|cdktf\.json|cdktf\.out)(?:\/|$)/;

function excessArgument(command: Command): Mistake {
  const name = nameOf(command);
  const taken = command.registeredArguments.length;
  const [first = ""] = command.args.slice(taken);
  if (command.commands.length > 0) {
    const hint = `Its commands: ${command.commands.map((one) => nameOf(one)).join(", ")}`;
    return { summary: "Unknown command", detail: `${name} has no command ${first}.`, hint };
  }
  const takes = taken === 0 ? "no arguments" : taken === 1 ? "one argument" : `${String(taken)} arguments`;
  const detail = `${name} takes ${takes}, so ${first} has no meaning here.`;
  return { summary: "Unexpected argument", detail, ...hinted(meantBy(command, first)) };
}

/** The option that an argument was meant for. */
function meantBy(command: Command, word: string): string | null {
  const name = nameOf(command);
  const has = (long: string): boolean => command.options.some((option) => option.long === long);
  if (has("--config") && CONFIGURATION.test(word))
    return `Name the configuration with -c: ${name} -c ${shellWord(word)}`;
  if (has("--target") && word.startsWith("outreach_")) return `Plan one address: ${name} --target ${shellWord(word)}`;
  return name === "outreach plan" && word.includes("plan")
    ? `Apply a saved plan: outreach apply ${shellWord(word)}`
    : null;
}

function valueMistake(command: Command, option: Option, value: string): Mistake | null {
  if (value === "")
    return {
      ...missingValue(option.flags),
      detail: `The value of ${flagOf(option)} is an empty string. Is a variable of the shell not set?`,
    };
  const [word] = value.split("=", 1);
  const isOption = command.options.some(({ long, short }) => word === long || word === short);
  return isOption ? missingValue(option.flags) : null;
}

function missingValue(flags: string): Mistake {
  return { summary: "Missing value", detail: `The option ${flags} needs a value.` };
}

function givenTwice(option: Option, values: readonly [string, string]): Mistake {
  const flag = flagOf(option);
  return {
    summary: `${flag} is given twice`,
    detail: `${flag} names ${values.join(" and ")}, but takes one value.`,
    ...(option.long === "--config"
      ? { hint: "Run the command once for each, or put the files into one folder and name it: -c FOLDER." }
      : {}),
  };
}

function flagOf({ short, long }: Option): string {
  return short ?? long ?? "";
}

/** The message of commander, as in `error: option '--to <form>' argument 'json' is invalid. Allowed choices are yaml, hcl, cdk.` */
function invalidValue(message: string): Mistake {
  const [, option = "", value = "", reason = ""] =
    /option '([^ ']*).*?' argument '(.*)' is invalid\. (.*)$/s.exec(message) ?? [];
  if (option !== "")
    return { summary: "Invalid value", detail: `${flagWithout(option)} does not accept ${value}.`, hint: reason };
  const [, word = "", argument = "", why = ""] =
    /value '(.*)' is invalid for argument '(.*?)'\. (.*)$/s.exec(message) ?? [];
  return { summary: "Invalid value", detail: `The argument ${argument} does not accept ${word}.`, hint: why };
}

function flagWithout(flags: string): string {
  return flags.replace(/,$/, "");
}
