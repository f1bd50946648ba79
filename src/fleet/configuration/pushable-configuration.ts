import path from "node:path";
import type { Configuration, Variable } from "../../core/config/block.ts";
import type { GivenValue } from "../../core/config/variables/variables.ts";
import { type Diagnostic, DiagnosticsError } from "../../core/model/diagnostic.ts";
import { VARIABLE_PREFIXES } from "../../operations/configuration/environment-names.ts";
import { ambientVariables, givenVariables } from "../../operations/configuration/load-configuration.ts";
import { resolvePath } from "../../operations/configuration/named-file.ts";
import { withTeamCommands } from "../../operations/configuration/team-commands.ts";
import type { OperationContext, TeamCommands } from "../../operations/context.ts";
import type { PushedConfiguration, TeamDigests } from "../database/pushes.ts";
import { originOf } from "./configuration-origin.ts";
import { recordedFiles } from "./pushed-files.ts";
import { type ReadOptions, readFleetConfiguration } from "./read-fleet-configuration.ts";

/** A configuration that can be pushed, and the digests of its teams. */
export interface PushableConfiguration {
  readonly configuration: PushedConfiguration;
  readonly teams: TeamDigests;
  readonly read: Configuration;
}

const MAX_BYTES = 10 * 1024 * 1024;
/** Where no files of this machine are. */
const ELSEWHERE = "/pushed";
const [, PREFIX] = VARIABLE_PREFIXES;

/** Reads and checks a configuration as the controller does, and collects what it was read from. Throws for mistakes. */
export async function pushableConfiguration(
  context: OperationContext,
  options: ReadOptions,
): Promise<PushableConfiguration> {
  const signal = context.stop;
  const recorded = recordedFiles(context.files);
  const teamCommand = onceEach(withTeamCommands(context).teamCommand);
  const { configuration: fleet, read } = await readFleetConfiguration(
    { ...context, teamCommand, configurationFiles: recorded.files },
    options,
    {
      signal,
      commit: undefined,
    },
  );
  const variables = await pushedVariables(context, { declared: read.value, isStack: read.stack }, options);
  const { files, config } = await relativeFiles(context, options, recorded.read());
  assertSize(files);
  const sensitive = read.value.variables.filter((one) => one.sensitive).map(({ name }) => name);
  const by = `${context.process.who} on ${context.process.host}`;
  const configuration: PushedConfiguration = { files, config, variables, sensitive, commit: fleet.commit, by };
  const elsewhere = originOf({ ...context, folder: ELSEWHERE }, configuration);
  const again = await readFleetConfiguration(
    { ...context, teamCommand, ...elsewhere.context, folder: ELSEWHERE },
    elsewhere.options,
    {
      signal,
      commit: null,
    },
  ).catch(incomplete);
  if (again.configuration.digest !== fleet.digest) throw new DiagnosticsError([INCOMPLETE]);
  return {
    configuration,
    teams: Object.fromEntries(fleet.teams.map(({ name, digest }) => [name, digest])),
    read: read.value,
  };
}

/** Each command runs once, whatever folder its configuration is in. */
function onceEach(teamCommand: TeamCommands["teamCommand"]): TeamCommands["teamCommand"] {
  const outputs = new Map<string, ReturnType<typeof teamCommand>>();
  return (command, configuration) => {
    const key = JSON.stringify(command);
    const output = outputs.get(key) ?? teamCommand(command, configuration);
    outputs.set(key, output);
    return output;
  };
}

/** What was read for the configuration, by its path in the configuration's folder: variables files are not a part of it. */
async function relativeFiles(
  { files, folder }: OperationContext,
  { config, varFile }: ReadOptions,
  read: ReadonlyMap<string, Uint8Array>,
): Promise<Pick<PushedConfiguration, "config" | "files">> {
  const full = path.resolve(resolvePath(folder, config));
  const isFolder = (await files.kind(await files.realPath(full))) === "folder";
  const root = isFolder ? full : path.dirname(full);
  const ofVariables = new Set(varFile.map((file) => resolvePath(folder, file)));
  const relative = [...read]
    .filter(([file]) => !ofVariables.has(file))
    .map(([file, bytes]) => [path.relative(root, path.resolve(file)), bytes] as const);
  return { config: isFolder ? "." : path.basename(full), files: new Map(relative) };
}

async function pushedVariables(
  context: OperationContext,
  { declared, isStack }: { readonly declared: Configuration; readonly isStack: boolean },
  options: ReadOptions,
): Promise<PushedConfiguration["variables"]> {
  const assigned = (await givenVariables(context, options)).value;
  const ambient = ambientVariables(context, isStack);
  const sensitive = declared.variables.filter((one) => one.sensitive);
  const refused = sensitive.flatMap((variable) => {
    const given = assigned.get(variable.name);
    return [
      ...(given ? [sensitiveValue(variable, given.from, variable.locate([]))] : []),
      ...writtenValues(variable, declared),
    ];
  });
  const unstorable = declared.variables.flatMap(({ name, sensitive: isSensitive }) => {
    const given = isSensitive ? undefined : assigned.get(name);
    return given && typeof given.value === "string" && UNSTORABLE.test(given.value)
      ? [valueUnstorable(name, given)]
      : [];
  });
  if (refused.length + unstorable.length > 0) throw new DiagnosticsError([...refused, ...unstorable]);
  const values = declared.variables.flatMap(({ name, sensitive: isSensitive }) => {
    const given = isSensitive ? undefined : (assigned.get(name) ?? ambient.get(name))?.value;
    return typeof given === "string" || typeof given === "number" || typeof given === "boolean"
      ? [[name, given] as const]
      : [];
  });
  return Object.fromEntries(values);
}

/** NUL and halves of characters: PostgreSQL cannot store them in a text. */
const UNSTORABLE = /[\0\p{Cs}]/u;

function valueUnstorable(name: string, { from, place }: GivenValue): Diagnostic {
  return {
    code: "push_value",
    severity: "error",
    summary: "A value cannot be pushed",
    detail: `The value of the variable ${name}, which comes from ${from}, contains a NUL character or half of a character, and PostgreSQL cannot store it.`,
    hint: "Correct the value. Nothing was pushed.",
    ...(place ? { place } : {}),
  };
}

/** Values of a sensitive variable in the configuration itself. */
function writtenValues(variable: Variable, { teams = [] }: Configuration): readonly Diagnostic[] {
  const { name, default: fallback } = variable;
  const own =
    fallback === undefined || fallback === null ? [] : [sensitiveValue(variable, null, variable.locate(["default"]))];
  const ofTeams = teams.flatMap((team) =>
    team.variables.has(name) ? [sensitiveValue(variable, null, team.locate(["variables", name]))] : [],
  );
  return [...own, ...ofTeams];
}

/** `from`: where the value comes from; null: the configuration itself. */
function sensitiveValue({ name }: Variable, from: string | null, place: Diagnostic["place"]): Diagnostic {
  const variable = `${PREFIX}${name}`;
  const [why, way] =
    from === null
      ? ["the configuration contains a value of it", `Remove the value, and set ${variable} here`]
      : [`its value comes from ${from}`, `Set ${variable} instead, here for the check`];
  return {
    code: "push_sensitive",
    severity: "error",
    summary: "Sensitive value in a push",
    detail: `The variable ${name} is sensitive, and ${why}. A push stores no secrets in the database.`,
    hint: `${way} and wherever a controller runs: a push never stores its value.`,
    ...(place ? { place } : {}),
  };
}

function assertSize(files: PushedConfiguration["files"]): void {
  const bytes = sizeOf(files);
  if (bytes <= MAX_BYTES) return;
  const [largest] = [...files].toSorted(([, one], [, other]) => other.length - one.length);
  throw new DiagnosticsError([
    {
      code: "push_too_large",
      severity: "error",
      summary: "Configuration too large to push",
      detail: `The files of the configuration have ${megabytes(bytes)} MB together, and a push at most ${megabytes(MAX_BYTES)} MB. The largest is ${JSON.stringify(largest?.[0])}.`,
      hint: "Give the controllers a folder with the configuration instead: outreach controller -c PATH",
    },
  ]);
}

export function sizeOf(files: PushedConfiguration["files"]): number {
  return [...files.values()].reduce((sum, { length }) => sum + length, 0);
}

/** A size in megabytes, rounded up. */
function megabytes(bytes: number): string {
  return String(Math.ceil((bytes / 1024 / 1024) * 10) / 10);
}

const INCOMPLETE: Diagnostic = {
  code: "push_incomplete",
  severity: "error",
  summary: "The configuration cannot be pushed",
  detail: "It means something else without the other files of this machine.",
  hint: "Name every file by its path relative to the configuration, and change no file during the push.",
};

function incomplete(error: unknown): never {
  throw error instanceof DiagnosticsError ? new DiagnosticsError([INCOMPLETE, ...error.diagnostics]) : error;
}
