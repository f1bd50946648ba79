import type { SecretSource } from "../model/declaration.ts";
import type { Diagnostic, Result } from "../model/diagnostic.ts";
import type { Path } from "../model/path.ts";
import type { BackendDefinition, BackendSetting } from "../model/backend-definition.ts";
import { STATE_BACKENDS } from "../model/state-backends.ts";
import { type Value, isUnknown } from "../model/value.ts";

/** Settings as a configuration or a URL has them, by name. A secret is a reference: `{ env }`, `{ file }`, `{ command }`; of a URL also `{ value }`. */
export interface StateSettings {
  readonly [name: string]: Value;
}

/** The sound settings of one backend: those that are set, with their defaults. */
export interface ReadSettings {
  text(name: string): string | null;
  flag(name: string): boolean | null;
  count(name: string): number | null;
  secret(name: string): SecretSource | null;
  texts(name: string): readonly (readonly [name: string, value: string | SecretSource])[];
  /** Whether a URL names the state: then only the environment has other settings. */
  readonly isUrl: boolean;
  /** Where a setting comes from, for messages. */
  origin(name: string): SettingOrigin;
}

type Environment = { readonly [name: string]: string | undefined };
type Setting = string | boolean | number | SecretSource | ReadonlyMap<string, string | SecretSource>;

/** Checks the settings of a backend. Errors `state_setting_unknown`, `state_setting_missing` and `state_setting_invalid`, each with the setting's path. */
export function readSettings(
  definition: BackendDefinition,
  settings: StateSettings,
  environment: Environment,
  { isUrl = false }: { readonly isUrl?: boolean } = {},
): Result<ReadSettings | null> {
  const diagnostics = Object.keys(settings).flatMap((name) => (definition.settings.some((one) => one.name === name) ? [] : [unknownSetting(definition, name)]));
  const read = new Map<string, Setting>();
  const variables = new Map<string, string>();
  for (const setting of definition.settings) {
    const { value, problem, variable } = valueOf(setting, settings, environment);
    if (variable !== undefined) variables.set(setting.name, variable);
    if (problem) diagnostics.push(problem);
    else if (value !== null) read.set(setting.name, value);
    else if (setting.isRequired) diagnostics.push(missingSetting(definition, setting));
  }
  if (diagnostics.length > 0) return { value: null, diagnostics };
  const get = (name: string): Setting | null => read.get(name) ?? null;
  return {
    value: {
      isUrl,
      text: (name) => get(name) as string | null,
      flag: (name) => get(name) as boolean | null,
      count: (name) => get(name) as number | null,
      secret: (name) => get(name) as SecretSource | null,
      texts: (name) => [...((get(name) as ReadonlyMap<string, string | SecretSource> | null) ?? [])],
      origin: (name) => {
        const variable = variables.get(name);
        return variable === undefined ? { path: [name], from: name } : { path: [], from: variable };
      },
    },
    diagnostics: [],
  };
}

interface Found {
  readonly value: Setting | null;
  readonly problem?: Diagnostic;
  /** The environment variable that sets it; absent for any other. */
  readonly variable?: string;
}

function valueOf(setting: BackendSetting, settings: StateSettings, environment: Environment): Found {
  const given = settings[setting.name];
  if (given !== undefined && given !== null) return checked(setting, given, { path: [setting.name], from: setting.name });
  const variable = setting.environment?.find((name) => (environment[name] ?? "") !== "");
  if (variable === undefined) return { value: setting.default ?? null };
  const text = environment[variable] ?? "";
  return setting.kind === "secret"
    ? { value: { kind: "env", name: variable }, variable }
    : { ...checked(setting, fromText(setting, text), { path: [], from: variable }), variable };
}

/** Environment variables are text. */
function fromText({ kind }: BackendSetting, text: string): Value {
  if (kind === "flag" && (text === "true" || text === "false")) return text === "true";
  return kind === "count" && /^\d{1,9}$/.test(text) ? Number(text) : text;
}

function checked({ kind }: BackendSetting, given: Value, at: SettingOrigin): Found {
  switch (kind) {
    case "text":
      if (typeof given !== "string" || given === "") return invalid(at, "It must be a non-empty string.");
      return /\p{Cc}/u.test(given) ? invalid(at, "It contains a control character.") : { value: given };
    case "flag":
      return typeof given === "boolean" ? { value: given } : invalid(at, "It must be true or false.");
    case "count":
      return typeof given === "number" && Number.isInteger(given) && given >= 0 ? { value: given } : invalid(at, "It must be a whole number, 0 or more.");
    case "secret": {
      const source = secretSource(given);
      return source ? { value: source } : invalid(at, "It is a secret, so a configuration only refers to it.", SECRET_FORMS);
    }
    case "texts":
      return textsOf(given, at);
  }
}

export interface SettingOrigin {
  /** Empty for an environment variable. */
  readonly path: Path;
  /** The setting or the variable that it comes from. */
  readonly from: string;
}

function textsOf(given: Value, at: SettingOrigin): Found {
  const entries = Object.entries(isMap(given) ? given : { "": null });
  const read = entries.flatMap(([name, value]) => {
    const one = typeof value === "string" ? value : secretSource(value);
    return one === null ? [] : [[name, one] as const];
  });
  return read.length === entries.length
    ? { value: new Map(read) }
    : invalid(at, "It must map names to strings, or to references to secrets.", `Write NAME: TEXT. ${SECRET_FORMS}`);
}

const SECRET_FORMS = "Write { env: NAME }, { file: PATH } or { command: [PROGRAM, ARGUMENT] }.";

function isMap(value: Value): value is { readonly [name: string]: Value } {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isUnknown(value);
}

/** A reference to a secret; null for anything else. */
export function secretSource(given: Value): SecretSource | null {
  if (!isMap(given) || Object.keys(given).length !== 1) return null;
  const { env, file, command, value } = given;
  if (typeof env === "string" && /^[A-Za-z_]\w*$/.test(env)) return { kind: "env", name: env };
  if (typeof file === "string" && file !== "") return { kind: "file", path: file };
  if (Array.isArray(command) && command.length > 0) return { kind: "command", command: command.map(String) };
  return typeof value === "string" ? { kind: "value", value } : null;
}

function unknownSetting(definition: BackendDefinition, name: string): Diagnostic {
  const others = STATE_BACKENDS.filter(({ settings }) => settings.some((one) => one.name === name)).map((one) => one.name);
  const whose = others.length === 0 ? "" : ` It is a setting of ${others.join(" and ")}.`;
  return {
    code: "state_setting_unknown",
    severity: "error",
    summary: "Unsupported state setting",
    detail: `The state backend ${definition.name} has no setting ${name}.${whose}`,
    hint: `It has: ${definition.settings.map((one) => one.name).join(", ")}.${others.length === 1 ? ` To use ${others.join("")}, set state.backend: ${others.join("")}.` : ""}`,
    path: [name],
  };
}

function missingSetting({ name: backend }: BackendDefinition, { name, kind, environment = [], examples: [example] = [] }: BackendSetting): Diagnostic {
  const shown = kind === "secret" ? "{ env: NAME }" : example;
  return {
    code: "state_setting_missing",
    severity: "error",
    summary: "Missing state setting",
    detail: `The state backend ${backend} needs ${name}, which is not set.`,
    hint: `Set state.${name}${environment.map((variable) => `, or ${variable}`).join("")}.${shown === undefined ? "" : ` For example: ${name}: ${shown}`}`,
    path: ["backend"],
  };
}

function invalid(at: SettingOrigin, why: string, hint?: string): Found {
  return { value: null, problem: invalidSetting(at, why, hint) };
}

export function invalidSetting({ path, from }: SettingOrigin, why: string, hint?: string): Diagnostic {
  return {
    code: "state_setting_invalid",
    severity: "error",
    summary: "Invalid state setting",
    detail: `${from} is not valid. ${why}`,
    ...(hint === undefined ? {} : { hint }),
    ...(path.length > 0 ? { path } : {}),
  };
}
