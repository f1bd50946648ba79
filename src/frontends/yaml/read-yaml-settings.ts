import type { Check, Configuration, Locate, NotifyTarget, Output, Team, Variable } from "../../core/config/block.ts";
import { type Diagnostic, type Place, type Result, errorOf } from "../../core/model/diagnostic.ts";
import { UNKNOWN } from "../../core/model/value.ts";
import { ignoreForm } from "./configuration-form.ts";
import { type ReadKeys, readKeys } from "./form.ts";
import { DEFAULT_STATE, TEAM_NAME } from "./sections.ts";
import { NOTICES, SETTINGS, STATEMENTS } from "./settings-form.ts";
import type { ConfigFile } from "./config-file.ts";

const FORMS = { ...SETTINGS, ...STATEMENTS, ignore: ignoreForm([], ""), ...NOTICES };

type Read = ReadKeys<typeof FORMS>;
/** An entry of a list, or of a map of names. */
type EntryOf<K extends keyof Read> = NonNullable<Read[K]> extends readonly (infer E)[] ? E : never;
type Settings = Omit<Configuration, "blocks" | "folder">;

/** Reads everything except the blocks. One of the files sets each setting of the whole configuration. */
export function readSettings(files: readonly ConfigFile[], first: ConfigFile): Result<Settings> {
  const read = files.map((file) => readKeys(FORMS, file.root, { file, path: [] }));
  const holding = (setting: string): ConfigFile =>
    files.find(({ root }) => root !== null && Object.hasOwn(root, setting)) ?? first;
  const variables = read.flatMap((one) => one.variables ?? []).map(readVariable);
  const outputs = read.flatMap((one) => one.outputs ?? []).map(readOutput);
  const notify = read.flatMap((one) => one.notify ?? []).map(readNotify);
  const listed = read.flatMap((one) => one.teams_from ?? []);
  const teamsFrom = listed.flatMap(({ value }) => value ?? []);
  const { unsubscribe: irreversible, ...limits } = read.find((one) => one.limits)?.limits ?? {};
  return {
    value: {
      variables: variables.flatMap(({ value }) => value),
      teams: read.flatMap((one) => one.teams ?? []).flatMap(readTeam),
      ...(teamsFrom.length > 0 ? { teamsFrom } : {}),
      outputs: outputs.flatMap(({ value }) => value ?? []),
      imports: read.flatMap((one) => one.imports ?? []).map(({ value, locate }) => ({ ...value, locate })),
      moved: read.flatMap((one) => one.moved ?? []).map(({ value, locate }) => ({ ...value, locate })),
      removed: read
        .flatMap((one) => one.removed ?? [])
        .map(({ value, locate }) => ({ ...value, destroy: value.destroy ?? true, locate })),
      removals: read
        .flatMap((one) => one.removals ?? [])
        .map(({ value, locate }) => ({ ...value, type: REMOVED_TYPE, locate })),
      checks: read.flatMap((one) => one.checks ?? []).map(readCheck),
      notify: notify.flatMap(({ value }) => value ?? []),
      limits: { ...limits, ...(irreversible ? { irreversible } : {}) },
      ignore: (read.find((one) => one.ignore)?.ignore ?? []).map(({ value }) => value),
      service: readService(read.find((one) => one.service)?.service, holding("service")),
      state: readState(read.find((one) => one.state)?.state, holding("state")),
    },
    diagnostics: [...variables, ...outputs, ...notify, ...listed].flatMap(
      (one): readonly Diagnostic[] => one.diagnostics,
    ),
  };
}

/** Only webhooks can be deleted by an id that nothing manages. */
const REMOVED_TYPE = "outreach_webhook";

export function readService(read: Read["service"], file: ConfigFile): Configuration["service"] {
  const { base_url: baseUrl = null, api_key: apiKey = null, rate_share, unique_target_url, mark } = read ?? {};
  return {
    baseUrl,
    apiKey,
    rateShare: rate_share,
    exclusive: unique_target_url,
    mark,
    locate: below(file, "service"),
  };
}

function below(file: ConfigFile, setting: string): Locate {
  return (path, written) => file.parsed.locate([setting, ...path], written);
}

/** Where the state is kept: in the file `outreach.state.json` next to the configuration, unless the file says otherwise. */
export function readState(read: Read["state"], file: ConfigFile): Configuration["state"] {
  const { backend: named, ...given } = read ?? {};
  const backend = named?.kind === "literal" && typeof named.value === "string" ? named.value : "local";
  const isLocal = backend === "local";
  return {
    backend,
    ...(isLocal && !("path" in given) ? { isDefault: true as const } : {}),
    settings: isLocal ? { path: { kind: "literal", value: DEFAULT_STATE }, ...given } : given,
    locate: below(file, "state"),
  };
}

/** Reads the valid parts of a team. */
function readTeam({ name, value, locate }: EntryOf<"teams">): readonly Team[] {
  if (!TEAM_NAME.test(name)) return [];
  const { base_url: baseUrl = null, api_key: apiKey = null, variables = [] } = value;
  return [
    { name, baseUrl, apiKey, variables: new Map(variables.map((one) => [one.name, one.value] as const)), locate },
  ];
}

function readVariable({ name, value, isSound, locate }: EntryOf<"variables">): Result<Variable> {
  const { default: given, sensitive = false, allowed } = value;
  const variable = {
    name,
    default: isSound ? given : UNKNOWN,
    sensitive,
    ...(isSound && allowed ? { allowed: allowed.map((one) => one.value) } : {}),
    locate,
  };
  return {
    value: variable,
    diagnostics: sensitive && given !== undefined ? [literalDefault(name, locate(["default"]))] : [],
  };
}

/** The line is not shown: it has the value. */
function literalDefault(name: string, { text: _, ...place }: Place): Diagnostic {
  return errorOf("secret_literal", "A secret in plain text", {
    detail: `The sensitive variable ${name} has a default, so anyone who can read the file can read it.`,
    hint: `Remove the default, and set OUTREACH_VAR_${name}.`,
    place,
  });
}

function readCheck({ name, value, locate }: EntryOf<"checks">): Check {
  const { condition, message, severity = "warning" } = value;
  // Conditions locate their message by Terraform's name for it.
  const named: Locate = ([first, ...path], written) =>
    locate(first === undefined ? path : [first === "error_message" ? "message" : first, ...path], written);
  return { name, severity, asserts: [{ condition, message, locate: named }] };
}

const DAY_MS = 86_400_000;

function readNotify({ name, value, locate }: EntryOf<"notify">): Result<NotifyTarget | null> {
  const { url = null, command = [], format = "json", on, remind } = value;
  const given = [url !== null, command.length > 0].filter(Boolean).length;
  if (given !== 1) return { value: null, diagnostics: [notOneTarget(name, { isBoth: given > 1, place: locate([]) })] };
  const events = on?.map((one) => one.value) ?? null;
  return { value: { name, url, command, format, events, remindMs: remind ?? DAY_MS, locate }, diagnostics: [] };
}

function notOneTarget(
  name: string,
  { isBoth, place }: { readonly isBoth: boolean; readonly place: Place },
): Diagnostic {
  return isBoth
    ? errorOf("notify_target", "Conflicting arguments", {
        detail: `notify.${name} has both url and command.`,
        hint: "Keep one of them, or write two blocks.",
        place,
      })
    : errorOf("attribute_missing", "Missing required argument", {
        detail: `url or command is required in notify.${name}, but is not set.`,
        hint: "Write { url: { env: NAME } } or { command: [PROGRAM] }.",
        place,
      });
}

/** Outputs as `NAME: EXPRESSION`, or as `NAME: { value, sensitive, description }`. */
function readOutput({ name, value: given, locate }: EntryOf<"outputs">): Result<Output | null> {
  const { value, sensitive = false, isMap } = given;
  if (value)
    return {
      value: { name, value, sensitive, locate: isMap ? locate : (_, written) => locate([], written) },
      diagnostics: [],
    };
  const missing = errorOf("attribute_missing", "Missing required argument", {
    detail: "value is required, but is not set.",
    hint: "Add value: what the output shows, as in ${data.outreach_campaign.q3.id}.",
    place: locate([]),
  });
  return { value: null, diagnostics: [{ ...missing, address: `output.${name}` }] };
}
