import { firstFew } from "../../core/model/words.ts";
import type { Argument, Configuration, Team, Variable } from "../../core/config/block.ts";
import { referencesIn } from "../../core/config/blocks/references.ts";
import { type Diagnostic, DiagnosticsError, type Place, nearest, errorOf } from "../../core/model/diagnostic.ts";
import { teamState } from "../../frontends/yaml/sections.ts";

/** The configuration as it applies to one team: its name, and its address, key and values in place of the common ones. */
export function forTeam(configuration: Configuration, team: Team): Configuration {
  const { service, state, variables } = configuration;
  const own: { readonly [key: string]: Argument | null } = { base_url: team.baseUrl, api_key: team.apiKey };
  return {
    ...configuration,
    team: team.name,
    service: {
      ...service,
      baseUrl: team.baseUrl ?? service.baseUrl,
      apiKey: team.apiKey ?? service.apiKey,
      locate: (path, written) => (own[String(path[0])] ? team.locate(path, written) : service.locate(path, written)),
    },
    state: state.isDefault
      ? { ...state, settings: { ...state.settings, path: { kind: "literal", value: teamState(team.name) } } }
      : state,
    variables: variables.map((variable) => withOwnDefault(variable, team)),
  };
}

/** A team's value stands in for the default: values from outside take precedence over both. */
function withOwnDefault(variable: Variable, { name, variables, locate }: Team): Variable {
  const own = variables.get(variable.name);
  if (own === undefined) return variable;
  return {
    ...variable,
    default: own,
    defaultFrom: `teams.${name}.variables`,
    locate: (path, written) =>
      path[0] === "default" ? locate(["variables", variable.name]) : variable.locate(path, written),
  };
}

/** Mistakes in the teams of a configuration. */
export function teamMistakes(configuration: Configuration): readonly Diagnostic[] {
  const { teams = [], variables } = configuration;
  const names = variables.map(({ name }) => name);
  const undeclared = teams.flatMap((team) =>
    [...team.variables.keys()]
      .filter((name) => !names.includes(name))
      .map((name) => undeclaredVariable(name, team, names)),
  );
  const sensitive = variables.flatMap(({ name, sensitive: isSensitive }) => (isSensitive ? [name] : []));
  const literal = teams.flatMap((team) =>
    sensitive.flatMap((name) => (team.variables.has(name) && !team.isPrinted ? [literalValue(name, team)] : [])),
  );
  return [
    ...undeclared,
    ...literal,
    ...(teams.length > 1 && sharesState(configuration) ? [sharedState(configuration)] : []),
  ];
}

function undeclaredVariable(name: string, team: Team, names: readonly string[]): Diagnostic {
  const suggestion = nearest(name, names);
  const place = team.locate(["variables", name]);
  return errorOf("variable_undeclared", "Value for undeclared variable", {
    detail: `The team ${team.name} sets the variable ${name}, but the configuration does not declare it.`,
    hint: suggestion === null ? "Declare the variable, or remove the value." : `Did you mean ${suggestion}?`,
    unknown: "everything",
    place,
  });
}

function literalValue(name: string, team: Team): Diagnostic {
  const place = team.locate(["variables", name]);
  return errorOf("secret_literal", "A secret in plain text", {
    detail: `The team ${team.name} sets the sensitive variable ${name}, so anyone who can read the file can read it.`,
    hint: `Remove the value, and set OUTREACH_VAR_${name}. For a value of this team alone, run the command with --team ${team.name}.`,
    place: place && withoutText(place),
  });
}

/** A place whose line is not shown: it has the value. */
function withoutText({ text: _, ...place }: Place): Place {
  return place;
}

/** The settings of each backend that make its place. */
const PLACES: { readonly [backend: string]: readonly string[] } = {
  local: ["path"],
  http: ["address"],
  s3: ["bucket", "key", "endpoint"],
  pg: ["url", "schema", "name"],
};

function sharesState({ state: { backend, settings, isDefault } }: Configuration): boolean {
  return !isDefault && !placesOf(backend).some((name) => namesTeam(settings[name]));
}

/** The name itself, which is another one for each team: what a function makes of it may be the same for two. */
const TEAM_NAME = /(?<!\$)\$\{\s*team\.name\s*\}/;

function namesTeam(argument: Argument | undefined): boolean {
  if (argument?.kind === "template") return TEAM_NAME.test(argument.text);
  return (
    argument !== undefined &&
    referencesIn(argument).some(({ steps: [root, name] }) => root === "team" && name === "name")
  );
}

function placesOf(backend: string): readonly string[] {
  return PLACES[backend] ?? [];
}

function sharedState({ state: { backend, locate } }: Configuration): Diagnostic {
  const names = placesOf(backend);
  const place = names.map((name) => locate?.([name])).find((found) => found !== undefined) ?? locate?.([]);
  const [last = "key"] = names.slice(-1);
  return errorOf("state_shared", "All teams would share one state", {
    detail: `The place of the state does not depend on the team: no ${names.join(", ")} contains \${team.name}.`,
    hint: `Add the team's name to state.${last}, as in ${last}: ${backend === "local" ? "outreach.${team.name}.state.json" : "outreach-${team.name}"}.`,
    path: ["state"],
    place,
  });
}

/** The team that a command is about: the one that --team names, or the only one. Null for a configuration without teams. */
export function chosenTeam({ teams = [] }: Configuration, named: readonly string[]): Team | null {
  const [team, ...others] = named.length === 0 ? teams : teamsNamed(teams, named);
  if (others.length > 0) throw severalTeams(named.length === 0 ? teams.map(({ name }) => name) : named);
  return team ?? null;
}

/** The teams that --team names, in their declared order. Throws for names that are not declared. */
export function teamsNamed(teams: readonly Team[], named: readonly string[]): readonly Team[] {
  const names = teams.map(({ name }) => name);
  const unknown = named.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new DiagnosticsError(unknown.map((name) => unknownTeam(name, names)));
  return teams.filter(({ name }) => named.includes(name));
}

const SHOWN = 10;

/** The first few names, and how many more there are. */
function namesText(names: readonly string[]): string {
  return firstFew(names, SHOWN, { last: ", " });
}

function severalTeams(names: readonly string[]): DiagnosticsError {
  return DiagnosticsError.of("team_required", "Several teams", {
    detail: `This command is about one team, but the configuration has ${String(names.length)}: ${namesText(names)}.`,
    hint: `Name one, as in --team ${names[0] ?? "NAME"}.`,
    unknown: "everything",
  });
}

function unknownTeam(name: string, names: readonly string[]): Diagnostic {
  const suggestion = nearest(name, names);
  const declared =
    names.length === 0 ? "The configuration declares no teams." : `The configuration declares ${namesText(names)}.`;
  return errorOf("team_unknown", "Team not found", {
    detail: `--team names ${JSON.stringify(name)}. ${declared}`,
    hint:
      suggestion !== null
        ? `Did you mean --team ${suggestion}?`
        : names.length === 0
          ? "Omit --team, or declare the team under teams."
          : name.includes(",")
            ? "To name several, repeat the option: --team NAME --team NAME."
            : "Name one of them.",
    unknown: "everything",
  });
}

/** The error of one place for the states of several teams. */
export function stateOfSeveral(teams: readonly Team[]): Diagnostic {
  const names = teams.map(({ name }) => name);
  return errorOf("state_of_several_teams", "One state for several teams", {
    detail: `--state and OUTREACH_STATE name one state, but this command runs for ${namesText(names)}.`,
    hint: `Write \${team.name} into the place, or declare it so under state. Or name one team, as in --team ${names[0] ?? "NAME"}.`,
  });
}
