import type { Configuration } from "../../core/config/block.ts";
import type { SecretSource } from "../../core/model/declaration.ts";
import { getOrMake } from "../../core/model/maps.ts";
import { type CommandOutput, type CommandPorts, commandOutput } from "../../core/secrets/command-output.ts";
import { type ResolvedSecret, resolveSecret } from "../../core/secrets/resolve-secret.ts";
import type { OperationContext, Ports, SettledConfiguration, TeamsInCommon } from "../context.ts";
import { VARIABLE_PREFIXES } from "./environment-names.ts";
import { ownVariables } from "./own-secrets.ts";
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
  const ports = { files: context.files, ...commandPorts(context, loaded) };
  return (source, { again = false } = {}) => {
    const key = JSON.stringify([loaded.configuration.folder, source]);
    const before = again ? undefined : revealed.get(key);
    if (before) return before;
    const revealing = resolveSecret(source, ports).then((resolved) => {
      if ("value" in resolved) context.redactor.add(resolved.value);
      return resolved;
    });
    revealed.set(key, revealing);
    return revealing;
  };
}

/** Runs the command of a list once a run. What it prints is no secret. */
export function runOnce(
  context: OperationContext,
  command: readonly string[],
  loaded: HidingConfiguration,
): Promise<CommandOutput> {
  const { folder } = loaded.configuration;
  return getOrMake(context.secrets.printed, JSON.stringify([folder, command]), () =>
    commandOutput(command, commandPorts(context, loaded), LIST_LIMIT),
  );
}

/** What a command of the configuration runs with. */
export function commandPorts(context: OperationContext, loaded: HidingConfiguration): CommandPorts {
  const { environment, stop: signal, process } = context;
  const { folder } = loaded.configuration;
  let hidden: ReadonlySet<string> | null = null;
  const hiddenFromCommands = (): ReadonlySet<string> => (hidden ??= hiddenVariables(context, loaded));
  return { environment, folder, hiddenFromCommands, signal, endGroup: process.endGroup };
}

/** The environment variables that no command of a configuration gets. */
function hiddenVariables(context: Ports, loaded: HidingConfiguration): ReadonlySet<string> {
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
