import { invalidSetting, type SettingOrigin } from "./store-errors.ts";
import type { SecretSource } from "../model/declaration.ts";
import { type Diagnostic, type Result, errorOf } from "../model/diagnostic.ts";
import { type Value, isUnknown } from "../model/value.ts";
import type {
  BackendSetting,
  BackendSettings,
  SettingsOf,
  SettingsSource,
  StateBackend,
  StateSettings,
} from "./backend.ts";

/** The sound settings of one backend: those that are set, with their defaults. */
export interface ReadSettings<S extends BackendSettings> extends SettingsSource {
  readonly values: SettingsOf<S>;
}

type Environment = { readonly [name: string]: string | undefined };
type Setting = SettingsOf<BackendSettings>[string];

interface Reading {
  readonly environment: Environment;
  readonly isUrl?: boolean;
  /** Every backend there is, to name the one that a setting belongs to. */
  readonly backends?: readonly StateBackend[];
}

/** Checks the settings of a backend. Errors `state_setting_unknown`, `state_setting_missing` and `state_setting_invalid`, each with the setting's path. */
export function readSettings<S extends BackendSettings>(
  backend: Pick<StateBackend<S>, "name" | "settings">,
  settings: StateSettings,
  { environment, isUrl = false, backends = [] }: Reading,
): Result<ReadSettings<S> | null> {
  const diagnostics = Object.keys(settings).flatMap((name) =>
    Object.hasOwn(backend.settings, name) ? [] : [unknownSetting(backend, name, backends)],
  );
  const values: { [name: string]: Setting } = {};
  const variables = new Map<string, string>();
  for (const [name, setting] of Object.entries<BackendSetting>(backend.settings)) {
    const { value, problem, variable } = valueOf(name, setting, { settings, environment });
    values[name] = value ?? (setting.kind === "texts" ? [] : null);
    if (variable !== undefined) variables.set(name, variable);
    if (problem) diagnostics.push(problem);
    else if (value === null && setting.isRequired) diagnostics.push(missingSetting(backend.name, name, setting));
  }
  if (diagnostics.length > 0) return { value: null, diagnostics };
  const origin = (name: string): SettingOrigin => {
    const variable = variables.get(name);
    return variable === undefined ? { path: [name], from: name } : { path: [], from: variable };
  };
  return { value: { isUrl, values: values as SettingsOf<S>, origin }, diagnostics: [] };
}

interface Found {
  readonly value: Setting | null;
  readonly problem?: Diagnostic;
  /** The environment variable that sets it; absent for any other. */
  readonly variable?: string;
}

function valueOf(
  name: string,
  setting: BackendSetting,
  { settings, environment }: { readonly settings: StateSettings; readonly environment: Environment },
): Found {
  const given = settings[name];
  if (given !== undefined && given !== null) return checked(setting, given, { path: [name], from: name });
  const variable = setting.environment?.find((one) => (environment[one] ?? "") !== "");
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
      return typeof given === "number" && Number.isInteger(given) && given >= 0
        ? { value: given }
        : invalid(at, "It must be a whole number, 0 or more.");
    case "secret": {
      const source = secretSource(given);
      return source
        ? { value: source }
        : invalid(at, "It is a secret, so a configuration only refers to it.", SECRET_FORMS);
    }
    case "texts":
      return textsOf(given, at);
  }
}

function textsOf(given: Value, at: SettingOrigin): Found {
  const entries = Object.entries(isMap(given) ? given : { "": null });
  const read = entries.flatMap(([name, value]) => {
    const one = typeof value === "string" ? value : secretSource(value);
    return one === null ? [] : [[name, one] as const];
  });
  return read.length === entries.length
    ? { value: read }
    : invalid(at, "It must map names to strings, or to references to secrets.", `Write NAME: TEXT. ${SECRET_FORMS}`);
}

const SECRET_FORMS = "Write { env: NAME }, { file: PATH } or { command: [PROGRAM, ARGUMENT] }.";

export function isMap(value: Value): value is { readonly [name: string]: Value } {
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

function unknownSetting(
  { name: backend, settings }: Pick<StateBackend, "name" | "settings">,
  name: string,
  backends: readonly StateBackend[],
): Diagnostic {
  const others = backends.filter((one) => Object.hasOwn(one.settings, name)).map((one) => one.name);
  const whose = others.length === 0 ? "" : ` It is a setting of ${others.join(" and ")}.`;
  return errorOf("state_setting_unknown", "Unsupported state setting", {
    detail: `The state backend ${backend} has no setting ${name}.${whose}`,
    hint: `It has: ${Object.keys(settings).join(", ")}.${others.length === 1 ? ` To use ${others.join("")}, set state.backend: ${others.join("")}.` : ""}`,
    path: [name],
  });
}

function missingSetting(
  backend: string,
  name: string,
  { kind, environment = [], examples: [example] = [] }: BackendSetting,
): Diagnostic {
  const shown = kind === "secret" ? "{ env: NAME }" : example;
  return errorOf("state_setting_missing", "Missing state setting", {
    detail: `The state backend ${backend} needs ${name}, which is not set.`,
    hint: `Set state.${name}${environment.map((variable) => `, or ${variable}`).join("")}.${shown === undefined ? "" : ` For example: ${name}: ${shown}`}`,
    path: ["backend"],
  });
}

function invalid(at: SettingOrigin, why: string, hint?: string): Found {
  return { value: null, problem: invalidSetting(at, why, hint) };
}
