import { type Configuration, type Hide, NOTHING_DECLARED } from "../../core/config/block.ts";
import { type Scope, evaluateArgument } from "../../core/config/blocks/evaluate-argument.ts";
import { evaluator } from "../../core/config/evaluate.ts";
import { ignoredBy } from "../../core/config/ignored-by.ts";
import { settingsScope } from "../../core/config/settings-scope.ts";
import { unusedVariables } from "../../core/config/unused-variables.ts";
import { type VariableInput, type VariableValue, resolveVariables } from "../../core/config/variables/variables.ts";
import type { Evaluate, Evaluation } from "../../core/model/declaration.ts";
import { type Diagnostic, DiagnosticsError, hasErrors, type Result } from "../../core/model/diagnostic.ts";
import { type IgnoredWarnings, NONE_IGNORED, withoutIgnored } from "../../core/model/ignored-warnings.ts";
import { getOrMake } from "../../core/model/maps.ts";
import { UNKNOWN, type Value, isUnknown } from "../../core/model/value.ts";
import { MASK } from "../../core/secrets/redactor.ts";
import { DEFAULT_STATE } from "../../frontends/yaml/sections.ts";
import { withAddressLists } from "./address-lists.ts";
import { API_KEY_VARIABLE } from "./environment-names.ts";
import { type OperationOptions, DEFAULT_CONFIG } from "../options.ts";
import { learnDeclarations, personalTexts } from "../personal-data.ts";
import { resolvePath } from "./named-file.ts";
import { ambientValues, givenValues } from "./given-values.ts";
import { openConfiguration } from "./read-configuration.ts";
import type { OperationContext, Ports, SettledConfiguration, TeamsInCommon } from "../context.ts";
import type { HidingConfiguration } from "./reveal-secrets.ts";
import { secretVariablesOf, withSecretSources } from "./secret-sources.ts";
import { differingServices } from "./same-service.ts";
import { instanceKeys, keysAsSecrets } from "./key-as-secret.ts";
import { notifyProblems } from "./notify-problems.ts";
import { chosenTeam, forTeam, teamMistakes } from "./team-configuration.ts";

export interface LoadedConfiguration extends HidingConfiguration {
  /** Without the values of a saved plan. */
  readonly ofJob: () => SettledConfiguration;
  readonly evaluate: Evaluate;
  readonly ignored: IgnoredWarnings;
  /** False with `--no-secrets`. */
  readonly withSecrets: boolean;
  /** The mistakes that leave variables without a value. */
  readonly missing: readonly Diagnostic[];
}

export interface LoadingOptions {
  /** Whether the commands of lists run. */
  readonly runsLists?: boolean;
  /** The values of variables in a saved plan, for those that the command line does not set. */
  readonly ofPlan?: VariableInput["assigned"];
}

/** Reads the configuration of `-c` and the variables. Throws only if nothing can be read. */
export async function loadConfiguration(
  context: OperationContext,
  options: OperationOptions,
  { runsLists = false, ofPlan = new Map() }: LoadingOptions = {},
): Promise<Result<LoadedConfiguration>> {
  const read = await openConfiguration(context, options);
  const { isStack = false } = read.value;
  const written = ofChosenTeam(read, options.team);
  const given = await givenValues(context, options);
  const ambient = ambientValues(context, read.value);
  const input = { assigned: new Map([...ofPlan, ...given.value]), ambient };
  const declared = options.secrets === false ? masking(written, input, context) : written;
  const { value: settled, diagnostics: unsettled } = settledFor(declared, input);
  const { variables, settings } = settled;
  // A default in plain text is a mistake, whose line messages may show.
  const mistaken = written.variables.map(({ sensitive, default: value = null }) => ({ sensitive, value }));
  for (const { value, sensitive } of [...variables.values(), ...mistaken])
    if (sensitive) for (const text of textsIn(value)) context.redactor.add(text);
  const { mistakes, ...inCommon } = getOrMake(read.inCommon, assignedText(input.assigned), () =>
    teamsInCommon(read.value, { input, configuration: settled.configuration, environment: context.environment }),
  );
  const hiding = { ...settled, ...inCommon };
  // Few configurations have such commands, so this module is loaded only for runs.
  const { runOnce } = runsLists ? await import("./reveal-secrets.ts") : { runOnce: null };
  const runCommand = runOnce && ((command: readonly string[]) => runOnce(context, command, hiding));
  const { value: configuration, diagnostics } = await withAddressLists(settled, { context, runCommand });
  context.personal.add(personalTexts(configuration, context.catalog));
  for (const text of sensitiveAddresses(configuration, settings)) context.redactor.add(text);
  const evaluate = evaluator(configuration, variables, context.catalog);
  const ignored = ignoredBy(configuration);
  const found = withoutIgnored(
    [
      ...read.diagnostics,
      ...mistakes,
      ...given.diagnostics,
      ...(isUnread(read) ? unsettled.filter(({ code }) => code !== "variable_undeclared") : unsettled),
      ...diagnostics,
      ...keysAsSecrets(configuration.blocks, inCommon.keyVariables),
      ...differingServices(context, configuration.service, settings),
      ...notifyProblems(settled),
    ],
    ignored,
  );
  // A stack may use a variable in what is not read here, and a mistake may be what leaves it unused.
  const unused = isStack || hasErrors(found) ? [] : unusedVariables(declared);
  return {
    value: {
      ...hiding,
      configuration,
      ofJob: () => settledFor(written, { assigned: given.value, ambient }).value,
      evaluate: (seen) => {
        const evaluated = instanceKeys(
          learnReads(learnDeclarations(evaluate(seen), context), context),
          configuration.blocks,
          inCommon.keyVariables,
        );
        const more = hasErrors(evaluated.diagnostics) ? [] : unused;
        return { ...evaluated, diagnostics: withoutIgnored([...evaluated.diagnostics, ...more], ignored) };
      },
      ignored,
      withSecrets: options.secrets !== false,
      missing: found.filter(({ unknown }) => unknown === "value" || unknown === "refused value"),
    },
    diagnostics: found,
  };
}

/** The values of variables that come from the command line. */
function assignedText(given: VariableInput["assigned"]): string {
  return JSON.stringify([...given].map(([name, { value }]) => [name, value]));
}

/** An untrusted configuration, in which values of the environment are sensitive: in hosts, too, which it could make from them. */
function masking(
  configuration: Configuration,
  { assigned, ambient }: VariableInput,
  { redactor }: OperationContext,
): Configuration {
  const written = JSON.stringify(configuration.blocks.map((block) => block.arguments));
  const hide: Hide = (text, { isHost = false } = {}) => {
    if (!isHost || !written.includes(text)) redactor.add(text, { isInHosts: true });
    // Both ways look the same, so that nobody learns whether they are.
    else for (const form of [`(host ${text})`, `//${text}/${MASK}`]) redactor.replace(form, form.replace(text, MASK));
  };
  const variables = configuration.variables.map((variable) => {
    const value = assigned.has(variable.name) ? undefined : ambient.get(variable.name)?.value;
    if (value === undefined) return variable;
    for (const text of textsIn(value)) hide(text);
    // What is allowed would tell what the value is.
    const { allowed: _, ...shown } = variable;
    return { ...shown, sensitive: true };
  });
  return { ...configuration, variables, hide };
}

/** What a file that cannot be read declares is unknown, so no name is undeclared. */
function isUnread({ diagnostics }: Result<Configuration>): boolean {
  return diagnostics.some(({ severity, unknown }) => severity === "error" && unknown === "everything");
}

/** The configuration as it applies to the chosen team. Mistakes in the file come before those in the choice. */
function ofChosenTeam({ value, diagnostics }: Result<Configuration>, named: readonly string[]): Configuration {
  try {
    const team = chosenTeam(value, named);
    return team ? forTeam(value, team) : value;
  } catch (error) {
    throw error instanceof DiagnosticsError && hasErrors(diagnostics) ? new DiagnosticsError(diagnostics) : error;
  }
}

function teamsInCommon(
  declared: Configuration,
  {
    input,
    configuration,
    environment,
  }: {
    readonly input: VariableInput;
    readonly configuration: Configuration;
    readonly environment: Ports["environment"];
  },
): TeamsInCommon {
  const { teams = [] } = declared;
  const keysOfTeams = teams.map(
    (team) => settledFor({ ...forTeam(declared, team), blocks: [] }, input).value.configuration,
  );
  let names: ReadonlySet<string> | null = null;
  return {
    mistakes: teamMistakes(declared),
    keyVariables: new Set([API_KEY_VARIABLE, ...[configuration, ...keysOfTeams].flatMap(keyVariableOf)]),
    secretVariables: () =>
      (names ??= new Set(
        teams.flatMap((team) => secretVariablesOf(settledFor(forTeam(declared, team), input).value, environment)),
      )),
  };
}

/** A configuration for one team, with the values of its variables and the sources of its secrets. */
function settledFor(declared: Configuration, input: VariableInput): Result<SettledConfiguration> {
  const resolved = resolveVariables(declared.variables, input);
  const variables = withMissing(declared, resolved.value);
  const settings = settingsScope(declared, variables);
  const settled = { configuration: declared, variables, settings };
  // A stack has no such references: there, secrets are sensitive variables.
  if (declared.isStack) return { value: settled, diagnostics: resolved.diagnostics };
  const secrets = withSecretSources(settled);
  return {
    value: { ...settled, configuration: secrets.value },
    diagnostics: [...resolved.diagnostics, ...secrets.diagnostics],
  };
}

function keyVariableOf({ service: { apiKey } }: Configuration): readonly string[] {
  return apiKey?.kind === "secret" && apiKey.source.kind === "env" ? [apiKey.source.name] : [];
}

/** Messages about failed lookups quote the configuration of data sources, so its sensitive values are redacted. */
function learnReads(evaluation: Evaluation, { redactor }: OperationContext): Evaluation {
  for (const { config, masked = [] } of evaluation.reads)
    for (const name of masked) for (const text of textsIn(config[name] ?? "")) redactor.add(text);
  return evaluation;
}

/** Base URLs that were made from something sensitive. */
function sensitiveAddresses({ service }: Configuration, settings: Scope): readonly string[] {
  return [service, ...(service.others ?? [])].flatMap(({ baseUrl }) => {
    if (!baseUrl || baseUrl.kind === "secret") return [];
    const { value, sensitive } = evaluateArgument(baseUrl, settings);
    return sensitive && typeof value === "string" ? [value] : [];
  });
}

/** Every string in a value, and the text forms of its other plain values. */
function textsIn(value: Value): readonly string[] {
  if (typeof value !== "object" || value === null) return [typeof value === "string" ? value : JSON.stringify(value)];
  return isUnknown(value) ? [] : Object.values(value as { readonly [name: string]: Value }).flatMap(textsIn);
}

/** Reads the configuration for operations that need only some sections. Throws for mistakes in these; other mistakes do not block it. */
export async function loadSection(
  context: OperationContext,
  options: OperationOptions,
  ...sections: readonly Section[]
): Promise<LoadedConfiguration> {
  const loaded = await loadConfiguration(context, options);
  assertSound(loaded, ...sections);
  return loaded.value;
}

type Section = "service" | "state";

/** Throws for mistakes in some sections. */
export function assertSound({ diagnostics }: Result<LoadedConfiguration>, ...sections: readonly Section[]): void {
  const isNeeded = ({ path: [section] = [] }: Diagnostic): boolean => sections.some((one) => one === section);
  const inTheWay = diagnostics.filter(
    (one) => one.severity === "error" && (one.unknown === "everything" || isNeeded(one)),
  );
  if (inTheWay.length > 0) throw new DiagnosticsError(inTheWay);
}

/** As `loadSection`; without a configuration, the environment and the command line have what is needed. */
export async function loadSettings(
  context: OperationContext,
  options: OperationOptions,
  ...sections: readonly Section[]
): Promise<LoadedConfiguration> {
  const isThere = await hasConfiguration(context, options);
  return isThere ? loadSection(context, options, ...sections) : withoutConfiguration(context, options);
}

/** Whether there is a configuration, or the user names one. */
export async function hasConfiguration({ files, folder }: Ports, { config }: OperationOptions): Promise<boolean> {
  return config !== DEFAULT_CONFIG || (await files.kind(resolvePath(folder, config))) !== null;
}

/** A variable without a value has been reported once: values that refer to it are unknown, and not reported again. */
function withMissing(
  { variables }: Configuration,
  values: ReadonlyMap<string, VariableValue>,
): ReadonlyMap<string, VariableValue> {
  return new Map(variables.map(({ name, sensitive }) => [name, values.get(name) ?? { value: UNKNOWN, sensitive }]));
}

/** An empty configuration, for commands that work without one. */
export function withoutConfiguration(
  { folder, catalog }: OperationContext,
  { secrets = true }: Pick<OperationOptions, "secrets"> = {},
): LoadedConfiguration {
  const configuration: Configuration = {
    ...NOTHING_DECLARED,
    service: { baseUrl: null, apiKey: null, locate: () => undefined },
    state: { backend: "local", settings: { path: { kind: "literal", value: DEFAULT_STATE } } },
    folder,
  };
  const settled = { configuration, variables: new Map(), settings: settingsScope(configuration, new Map()) };
  return {
    ...settled,
    ofJob: () => settled,
    evaluate: evaluator(configuration, settled.variables, catalog),
    ignored: NONE_IGNORED,
    keyVariables: new Set([API_KEY_VARIABLE]),
    secretVariables: () => new Set(),
    withSecrets: secrets,
    missing: [],
  };
}
