import type { Argument, Configuration, Team, ValueSource } from "../../core/config/block.ts";
import { type Diagnostic, type Place, type Result, errorOf } from "../../core/model/diagnostic.ts";
import { capitalised } from "../../core/model/words.ts";
import { type CommandProblem, commandName } from "../../core/secrets/command-output.ts";
import { TEAMS_FROM } from "../../frontends/yaml/sections.ts";
import { type ListedTeam, readTeamList } from "../../frontends/yaml/team-list.ts";
import type { OperationContext, Ports } from "../context.ts";
import { isBlank, listFile, placeIn } from "./list-source.ts";
import { teamOutput } from "./team-commands.ts";

/** Adds the teams of the files and commands of `teams_from`, in the order of their names. */
export async function withTeamLists(
  read: Result<Configuration>,
  context: OperationContext,
  runsCommands: boolean,
): Promise<Result<Configuration>> {
  const { value: configuration } = read;
  const { teams = [], teamsFrom = [] } = configuration;
  if (teamsFrom.length === 0) return read;
  const lists: List[] = [];
  for (const source of teamsFrom) lists.push(await readSource(source, configuration, runsCommands, context));
  const diagnostics = lists.flatMap((list) => list.diagnostics);
  const taken = new Map(teams.map(({ name, locate }) => [name, locate([])]));
  const listed: Team[] = [];
  for (const { name: file, isPrinted, teams: found } of lists)
    for (const one of found) {
      const at = placeIn(file, { ...one.at, text: one.name });
      if (taken.has(one.name)) diagnostics.push(twice(one.name, at, taken.get(one.name)));
      else listed.push(teamOf(one, { file, isPrinted }));
      taken.set(one.name, taken.get(one.name) ?? at);
    }
  const all = [...teams, ...listed.toSorted((one, other) => (one.name < other.name ? -1 : 1))];
  return {
    value: { ...configuration, teams: all.length === 0 ? [EXAMPLE] : all },
    diagnostics: [...read.diagnostics, ...diagnostics],
  };
}

/** What is checked in place of teams that nobody knows here. */
const EXAMPLE: Team = { name: "example", baseUrl: null, apiKey: null, variables: new Map(), locate: () => undefined };

/** What a source has. */
interface List {
  /** The file, in messages. */
  readonly name: string;
  readonly isPrinted: boolean;
  readonly teams: readonly ListedTeam[];
  readonly diagnostics: readonly Diagnostic[];
}

async function readSource(
  { from, column, locate }: ValueSource,
  configuration: Configuration,
  runsCommands: boolean,
  context: OperationContext,
): Promise<List> {
  const about = { path: [TEAMS_FROM.key], unknown: "everything" } as const;
  const isPrinted = from.kind === "command";
  const without = (problem: Diagnostic): List => ({ name: "", isPrinted, teams: [], diagnostics: [problem] });
  const failed = (problem: CommandProblem): List =>
    without(errorOf("team_list", "Cannot read teams", { ...problem, ...about, place: locate([]) }));
  if (from.kind === "command" && !runsCommands) return without(unreadList(from.command, locate([])));
  const read =
    from.kind === "command"
      ? await printedBy(from.command, configuration, context)
      : await contentOf(from.path, configuration, context);
  if (!("bytes" in read)) return failed(read);
  const { teams, mistakes } = readTeamList(read.bytes, {
    column,
    variables: configuration.variables.map(({ name }) => name),
  });
  if (teams.length + mistakes.length === 0)
    return failed({
      detail: `${capitalised(from.kind === "file" ? `the file ${read.name}` : `the ${read.name}`)} has no teams.`,
      hint: "An empty list is probably a mistake. To use it no longer, remove it from teams_from.",
    });
  const invalid = mistakes.map(({ detail, hint, at, count }) =>
    errorOf("team_list_invalid", "Invalid list of teams", {
      detail,
      hint,
      count,
      ...about,
      place: placeIn(read.name, at),
    }),
  );
  return { name: read.name, isPrinted, teams, diagnostics: invalid };
}

function unreadList(command: readonly string[], place: Place | undefined): Diagnostic {
  return errorOf("team_list_unread", "Cannot read teams", {
    detail: `Teams come from ${commandName(command)}, and no command runs here.`,
    hint: "Run the command by hand, save what it prints to a file, and name the file in teams_from.",
    path: [TEAMS_FROM.key],
    unknown: "everything",
    place,
  });
}

type Content = { readonly bytes: Uint8Array; readonly name: string } | CommandProblem;

function contentOf(path: Argument, { folder: root }: Configuration, ports: Ports): Promise<Content> {
  if (path.kind === "literal" && typeof path.value === "string")
    return listFile(path.value, { root, key: TEAMS_FROM.key }, ports);
  return Promise.resolve({
    detail: "The path has an expression, and each team may have other variables.",
    hint: "Write the path without ${…}.",
  });
}

async function printedBy(
  command: readonly string[],
  configuration: Configuration,
  context: OperationContext,
): Promise<Content> {
  const what = commandName(command);
  const output = await teamOutput(context, command, configuration);
  if (!("bytes" in output)) return output;
  if (!output.bytes.every(isBlank)) return { bytes: output.bytes, name: `output of ${what}` };
  return {
    detail: `${capitalised(what)} printed nothing.`,
    hint: "Run it by hand. A list of teams has a header, such as team, and at least one row.",
  };
}

function teamOf(
  { name, at, variables }: ListedTeam,
  { file, isPrinted }: { readonly file: string; readonly isPrinted: boolean },
): Team {
  return {
    name,
    baseUrl: null,
    apiKey: null,
    isPrinted,
    variables: new Map([...variables].map(([variable, { text }]) => [variable, text])),
    locate: ([, variable]) => placeIn(file, variables.get(String(variable)) ?? { ...at, text: name }),
  };
}

function twice(name: string, place: Place, first: Place | undefined): Diagnostic {
  const where = first ? ` in ${[first.file, first.line].filter((part) => part !== undefined).join(":")}` : "";
  return errorOf("team_list_invalid", "Invalid list of teams", {
    detail: `The team ${name} is already declared${where}.`,
    hint: "Remove one of the two.",
    path: [TEAMS_FROM.key],
    place,
    unknown: "everything",
  });
}
