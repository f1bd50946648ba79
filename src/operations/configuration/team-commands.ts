import type { Configuration } from "../../core/config/block.ts";
import { settingsScope } from "../../core/config/settings-scope.ts";
import { UNKNOWN } from "../../core/model/value.ts";
import { textArgument } from "../../frontends/yaml/yaml-arguments.ts";
import type { CommandOutput } from "../../core/secrets/command-output.ts";
import type { OperationContext, Ports } from "../context.ts";
import { API_KEY_VARIABLE } from "./environment-names.ts";
import { type HidingConfiguration, runOnce } from "./reveal-secrets.ts";
import { ownNames } from "./secret-sources.ts";

/** What a command of `teams_from` prints. */
export function teamOutput(
  context: OperationContext,
  command: readonly string[],
  configuration: Configuration,
): Promise<CommandOutput> {
  return runOnce(context, command, hidingBeforeTeams(configuration, context));
}

/** Hides the variables of secrets of all teams, as far as their names say so: nobody knows the teams yet. */
function hidingBeforeTeams(configuration: Configuration, { environment }: Ports): HidingConfiguration {
  const { service, variables, blocks, notify = [], teams = [] } = configuration;
  const secrets = [
    service.apiKey,
    ...teams.map(({ apiKey }) => apiKey),
    ...notify.map(({ url }) => url),
    ...blocks.flatMap((block) => Object.values(block.arguments)),
  ];
  const named = secrets.flatMap((one) =>
    one?.kind === "secret" && one.source.kind === "env" ? [one.source.name] : [],
  );
  const patterns = named.flatMap((name) => ownNames(textArgument(name)) ?? []);
  const isSecret = (name: string): boolean =>
    name.startsWith(API_KEY_VARIABLE) || patterns.some((pattern) => pattern.test(name));
  const values = new Map(variables.map(({ name, sensitive }) => [name, { value: UNKNOWN, sensitive }]));
  return {
    configuration,
    variables: values,
    settings: settingsScope(configuration, values),
    keyVariables: new Set([...named, ...Object.keys(environment).filter(isSecret)]),
    secretVariables: () => new Set(),
  };
}
