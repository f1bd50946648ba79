import type { Configuration } from "../../core/config/block.ts";
import { evaluateArgument } from "../../core/config/blocks/evaluate-argument.ts";
import type { SecretSource } from "../../core/model/declaration.ts";
import { STATE_BACKENDS } from "../../core/state/backends.ts";
import { type Value, isUnknown } from "../../core/model/value.ts";
import type { Redactor } from "../../core/secrets/redactor.ts";
import { type ResolvedSecret, resolveSecret } from "../../core/secrets/resolve-secret.ts";
import { secretSource } from "../../core/state/settings.ts";
import type { Environment, Interrupt, Masks, WorkingFolder } from "../context.ts";
import { DATABASE_VARIABLE, TOKEN_VARIABLE, VARIABLE_PREFIXES } from "./environment-names.ts";
import type { LoadedConfiguration } from "./load-configuration.ts";
import { ownNames } from "./secret-sources.ts";

/** What reading secrets needs. */
export type SecretsContext = Environment & Interrupt & Masks & WorkingFolder;

/** The environment variables that hold secrets of state backends and of the controller. The URL of a state or a database may have a password. */
export const STATE_SECRETS: readonly string[] = [
  ...STATE_BACKENDS.flatMap(({ settings }) => Object.values(settings).flatMap(({ kind, environment = [] }) => (kind === "secret" ? environment : []))),
  "OUTREACH_STATE",
  "PGPASSWORD",
  DATABASE_VARIABLE,
  TOKEN_VARIABLE,
];

/** What was read, by the redactor of the run that has read it. */
const revealed = new WeakMap<Redactor, Map<string, Promise<ResolvedSecret>>>();

/** Reads each source once a run, and redacts its value in all output. `again`: the value before has expired. */
export function revealOnce(
  context: SecretsContext,
  loaded: LoadedConfiguration,
): (source: SecretSource, options?: { readonly again?: boolean }) => Promise<ResolvedSecret> {
  const known = revealed.get(context.redactor) ?? new Map<string, Promise<ResolvedSecret>>();
  revealed.set(context.redactor, known);
  let hidden: ReadonlySet<string> | null = null;
  const hiddenFromCommands = (): ReadonlySet<string> =>
    new Set([
      ...loaded.keyVariables,
      ...STATE_SECRETS,
      ...secretVariables(context, loaded),
      ...secretsOfTeams(context, loaded),
      ...variablesToHide(context, loaded.configuration),
    ]);
  return (source, { again = false } = {}) => {
    const key = JSON.stringify([loaded.configuration.folder, source]);
    const before = again ? undefined : known.get(key);
    if (before) return before;
    const revealing = resolveSecret(source, {
      files: context.files,
      environment: context.environment,
      folder: loaded.configuration.folder,
      hiddenFromCommands: source.kind === "command" ? (hidden ??= hiddenFromCommands()) : new Set(),
      signal: context.stop,
    }).then((resolved) => {
      if ("value" in resolved) context.redactor.add(resolved.value);
      return resolved;
    });
    known.set(key, revealing);
    return revealing;
  };
}

/** By the function that makes the configurations of all teams: each of them asks. */
const namesOfTeams = new WeakMap<LoadedConfiguration["ofTeams"], ReadonlySet<string>>();

function secretsOfTeams(context: Environment, { ofTeams }: LoadedConfiguration): ReadonlySet<string> {
  const names = namesOfTeams.get(ofTeams) ?? new Set(ofTeams().flatMap((team) => secretVariables(context, team)));
  namesOfTeams.set(ofTeams, names);
  return names;
}

/** The environment variables that the secrets of a configuration name: in its blocks and in its state. */
function secretVariables(
  { environment }: Environment,
  { configuration, settings }: Pick<LoadedConfiguration, "configuration" | "settings">,
): readonly string[] {
  const { blocks, state } = configuration;
  const secrets = blocks.flatMap((block) => Object.values(block.arguments)).filter((argument) => argument.kind === "secret");
  const patterns = secrets.flatMap(({ source, own }) => (source.kind === "env" && own && ownNames(own)) || []);
  const ofState = Object.values(state.settings).flatMap((argument) => sourcesIn(evaluateArgument(argument, settings).value));
  return [
    ...[...secrets.map(({ source }) => source), ...ofState].flatMap((source) => (source.kind === "env" ? [source.name] : [])),
    ...(patterns.length === 0 ? [] : Object.keys(environment).filter((name) => patterns.some((pattern) => pattern.test(name)))),
  ];
}

/** The environment variables that set variables, except of those that are declared and not sensitive. */
function variablesToHide({ environment }: Environment, { variables }: Configuration): readonly string[] {
  const shown = new Set(variables.flatMap(({ name, sensitive }) => (sensitive ? [] : VARIABLE_PREFIXES.map((prefix) => prefix + name))));
  return Object.keys(environment).filter((name) => VARIABLE_PREFIXES.some((prefix) => name.startsWith(prefix)) && !shown.has(name));
}

/** The references to secrets in a setting of the state, at any depth. */
function sourcesIn(value: Value): readonly SecretSource[] {
  if (typeof value !== "object" || value === null || isUnknown(value)) return [];
  const source = secretSource(value);
  return source ? [source] : Object.values(value as { readonly [name: string]: Value }).flatMap(sourcesIn);
}
