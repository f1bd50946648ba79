import type { Configuration } from "../../core/config/block.ts";
import type { SecretSource } from "../../core/model/declaration.ts";
import { getOrMake } from "../../core/model/maps.ts";
import { type CommandOutput, commandOutput } from "../../core/secrets/command-output.ts";
import { type ResolvedSecret, resolveSecret } from "../../core/secrets/resolve-secret.ts";
import type { OperationContext, Ports, SettledConfiguration, TeamsInCommon } from "../context.ts";
import { VARIABLE_PREFIXES } from "./environment-names.ts";
import { ownVariables } from "./own-secrets.ts";
import type { RunListCommand } from "./address-lists.ts";
import { LIST_LIMIT } from "./list-source.ts";
import { secretVariablesOf } from "./secret-sources.ts";

/** What decides which variables of the environment a command must not see. */
export interface HidingConfiguration extends Omit<TeamsInCommon, "mistakes">, SettledConfiguration {}

/** Reads each source once a run, and redacts its value in all output. `again`: the value before has expired. */
export function revealOnce(
  context: OperationContext,
  loaded: HidingConfiguration,
): (source: SecretSource, options?: { readonly again?: boolean }) => Promise<ResolvedSecret> {
  const { revealed } = context.secrets;
  let hidden: ReadonlySet<string> | null = null;
  return (source, { again = false } = {}) => {
    const key = JSON.stringify([loaded.configuration.folder, source]);
    const before = again ? undefined : revealed.get(key);
    if (before) return before;
    const revealing = resolveSecret(source, {
      files: context.files,
      environment: context.environment,
      folder: loaded.configuration.folder,
      hiddenFromCommands: source.kind === "command" ? (hidden ??= hiddenFromCommands(context, loaded)) : new Set(),
      signal: context.stop,
      endGroup: context.process.endGroup,
    }).then((resolved) => {
      if ("value" in resolved) context.redactor.add(resolved.value);
      return resolved;
    });
    revealed.set(key, revealing);
    return revealing;
  };
}

interface CommandPlace {
  readonly folder: string;
  readonly hidden: () => ReadonlySet<string>;
}

/** Runs the command of a list once a run. What it prints is no secret. */
export function runListOnce(context: OperationContext, loaded: HidingConfiguration): RunListCommand {
  const { folder } = loaded.configuration;
  return (command) => runOnce(context, command, { folder, hidden: () => hiddenFromCommands(context, loaded) });
}

/** Runs a command once a run, without the environment variables of `hidden`. */
export function runOnce(
  context: OperationContext,
  command: readonly string[],
  { folder, hidden }: CommandPlace,
): Promise<CommandOutput> {
  const { environment, stop: signal, process, secrets } = context;
  return getOrMake(secrets.printed, JSON.stringify([folder, command]), () =>
    commandOutput(
      command,
      { environment, folder, hiddenFromCommands: hidden(), signal, endGroup: process.endGroup },
      LIST_LIMIT,
    ),
  );
}

/** The environment variables that no command of a configuration gets. */
export function hiddenFromCommands(context: Ports, loaded: HidingConfiguration): ReadonlySet<string> {
  return new Set([
    ...loaded.keyVariables,
    ...ownVariables(context),
    ...secretVariablesOf(loaded, context.environment),
    ...loaded.secretVariables(),
    ...variablesToHide(context, loaded.configuration),
  ]);
}

/** The environment variables that set variables, except of those that are declared and not sensitive. */
function variablesToHide({ environment }: Ports, { variables }: Configuration): readonly string[] {
  const shown = new Set(
    variables.flatMap(({ name, sensitive }) => (sensitive ? [] : VARIABLE_PREFIXES.map((prefix) => prefix + name))),
  );
  return Object.keys(environment).filter(
    (name) => VARIABLE_PREFIXES.some((prefix) => name.startsWith(prefix)) && !shown.has(name),
  );
}
