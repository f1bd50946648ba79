import type {
  Argument,
  Check,
  Configuration,
  Locate,
  NotifyTarget,
  Output,
  Team,
  Variable,
  ImportBlock,
  MovedBlock,
  RemovedBlock,
} from "../../core/config/block.ts";
import { type Diagnostic, type Place, type Result, errorOf } from "../../core/model/diagnostic.ts";
import { durationMs } from "../../core/model/iso-time.ts";
import type { Limit, Limits } from "../../core/model/limits.ts";
import type { Path } from "../../core/model/path.ts";
import { UNKNOWN, type Value } from "../../core/model/value.ts";
import { argumentOf, secretArgument, textArgument } from "./yaml-arguments.ts";
import { DEFAULT_STATE, TEAM_NAME, LIMIT_KEYS } from "./sections.ts";
import type { ConfigFile } from "./config-file.ts";
import { isTree, treeAt, type Tree } from "./plain-values.ts";

export function readService(file: ConfigFile): Configuration["service"] {
  const {
    base_url: baseUrl,
    rate_share: rateShare,
    unique_target_url: exclusive,
    mark,
    api_key: apiKey,
  } = treeAt(file.root, ["service"]);
  return {
    baseUrl: typeof baseUrl === "string" ? textArgument(baseUrl) : null,
    ...(typeof rateShare === "string" && /^\d+%$/.test(rateShare)
      ? { rateShare: Number(rateShare.slice(0, -1)) / 100 }
      : {}),
    ...(typeof exclusive === "boolean" ? { exclusive } : {}),
    ...(typeof mark === "boolean" ? { mark } : {}),
    apiKey: isTree(apiKey) && !file.isRefused(["service", "api_key"]) ? secretArgument(apiKey) : null,
    locate: (path, written) => file.parsed.locate(["service", ...path], written),
  };
}

/** Where the state is kept: in the file `outreach.state.json` next to the configuration, unless the file says otherwise. */
export function readState(file: ConfigFile): Configuration["state"] {
  const sound = Object.entries(treeAt(file.root, ["state"])).filter(([name]) => !file.isRefused(["state", name]));
  const { backend, ...given } = { backend: "local", ...Object.fromEntries(sound) };
  const settings = Object.entries({ ...(backend === "local" ? { path: DEFAULT_STATE } : {}), ...given });
  return {
    backend,
    ...(backend === "local" && !("path" in given) ? { isDefault: true as const } : {}),
    settings: Object.fromEntries(settings.map(([name, value]) => [name, settingOf(value)])),
    locate: (path, written) => file.parsed.locate(["state", ...path], written),
  };
}

/** References to secrets and maps are objects, whose texts may use variables. */
function settingOf(value: unknown): Argument {
  if (!isTree(value)) return argumentOf(value);
  return {
    kind: "object",
    entries: Object.entries(value).map(([name, one]) => [{ kind: "literal", value: name }, settingOf(one)]),
  };
}

/** The teams, with the parts that the schema accepts. */
export function readTeams({ root, parsed, isRefused }: ConfigFile): readonly Team[] {
  return Object.entries(treeAt(root, ["teams"])).flatMap(([name, body]): readonly Team[] => {
    const at = ["teams", name];
    if (!TEAM_NAME.test(name)) return [];
    const { base_url: baseUrl, api_key: apiKey } = isTree(body) ? body : {};
    const variables = Object.entries(treeAt(body, ["variables"])).filter(
      ([variable]) => !isRefused([...at, "variables", variable]),
    );
    return [
      {
        name,
        baseUrl: typeof baseUrl === "string" ? textArgument(baseUrl) : null,
        apiKey: isTree(apiKey) && !isRefused([...at, "api_key"]) ? secretArgument(apiKey) : null,
        variables: new Map(variables as readonly (readonly [string, string | number | boolean])[]),
        locate: (path, written) => parsed.locate([...at, ...path], written),
      },
    ];
  });
}

export function readLimits(file: ConfigFile): Limits {
  const given = treeAt(file.root, ["limits"]);
  const named = Object.entries(LIMIT_KEYS).filter(([, key]) => key in given && !file.isRefused(["limits", key]));
  return Object.fromEntries(named.map(([name, key]) => [name, limitOf(given[key])]));
}

function limitOf(value: unknown): Limit {
  return typeof value === "number"
    ? { kind: "count", count: value }
    : { kind: "percent", percent: Number(String(value).slice(0, -1)) };
}

/** The codes in a list `ignore`. */
export function readIgnore({ root, isRefused }: ConfigFile, above: readonly string[]): readonly string[] {
  const listed = treeAt(root, above)["ignore"];
  return (Array.isArray(listed) ? listed : []).flatMap((code, index) =>
    isRefused([...above, "ignore", index]) ? [] : [String(code)],
  );
}

export function readVariables({ root, parsed, isRefused }: ConfigFile): Result<readonly Variable[]> {
  const diagnostics: Diagnostic[] = [];
  const variables = Object.entries(treeAt(root, ["variables"])).map(([name, body]) => {
    const { default: given, sensitive, allowed } = isTree(body) ? body : {};
    if (sensitive === true && given !== undefined)
      diagnostics.push(literalDefault(name, parsed.locate(["variables", name, "default"])));
    const fallback = isRefused(["variables", name]) ? UNKNOWN : given;
    return {
      name,
      default: fallback as Value | undefined,
      sensitive: sensitive === true,
      ...(Array.isArray(allowed) && !isRefused(["variables", name])
        ? { allowed: allowed as NonNullable<Variable["allowed"]> }
        : {}),
      locate: (path: Path) => parsed.locate(["variables", name, ...path]),
    };
  });
  return { value: variables, diagnostics };
}

/** The line is not shown: it has the value. */
function literalDefault(name: string, { text: _, ...place }: Place): Diagnostic {
  return errorOf("secret_literal", "A secret in plain text", {
    detail: `The sensitive variable ${name} has a default, so anyone who can read the file can read it.`,
    hint: `Remove the default, and set OUTREACH_VAR_${name}.`,
    place,
  });
}

/** The keys of YAML by the names that messages of conditions have for them. */
const CHECK_KEYS: { readonly [name: string]: string } = { condition: "condition", error_message: "message" };

export function readChecks({ root, parsed, isRefused }: ConfigFile): Result<readonly Check[]> {
  const diagnostics: Diagnostic[] = [];
  const checks = Object.entries(treeAt(root, ["checks"])).flatMap(([name, body]): readonly Check[] => {
    const at = ["checks", name];
    const missing = isTree(body) ? Object.values(CHECK_KEYS).filter((key) => !(key in body)) : [];
    for (const key of missing)
      diagnostics.push(
        lacking(
          `${key} is required in checks.${name}`,
          "Write { condition: ${…}, message: TEXT }.",
          parsed.locateKey(at),
        ),
      );
    if (!isTree(body) || missing.length > 0 || isRefused(at)) return [];
    const { condition, message, severity } = body;
    const locate: Locate = ([first, ...path], written) =>
      parsed.locate([...at, ...(first === undefined ? [] : [CHECK_KEYS[String(first)] ?? first]), ...path], written);
    const asserts = [{ condition: argumentOf(condition), message: argumentOf(message), locate }];
    return [{ name, severity: severity === "error" ? "error" : "warning", asserts }];
  });
  return { value: checks, diagnostics };
}

const DAY_MS = 86_400_000;

export function readNotify({ root, parsed, isRefused }: ConfigFile): Result<readonly NotifyTarget[]> {
  const diagnostics: Diagnostic[] = [];
  const targets = Object.entries(treeAt(root, ["notify"])).flatMap(([name, body]): readonly NotifyTarget[] => {
    const at = ["notify", name];
    if (!isTree(body) || isRefused(at)) return [];
    const { url, command, format, on, remind } = body;
    if (url !== undefined && command !== undefined) {
      const detail = `notify.${name} has both url and command.`;
      diagnostics.push(
        errorOf("notify_target", "Conflicting arguments", {
          detail,
          hint: "Keep one of them, or write two blocks.",
          place: parsed.locateKey(at),
        }),
      );
      return [];
    }
    if (url === undefined && command === undefined) {
      diagnostics.push(
        lacking(
          `url or command is required in notify.${name}`,
          "Write { url: { env: NAME } } or { command: [PROGRAM] }.",
          parsed.locateKey(at),
        ),
      );
      return [];
    }
    return [
      {
        name,
        url: url === undefined ? null : secretArgument(url),
        command: Array.isArray(command) ? command.map(argumentOf) : [],
        format: format === "slack" || format === "teams" ? format : "json",
        events: Array.isArray(on) ? on.map(String) : null,
        remindMs: (typeof remind === "string" ? durationMs(remind) : null) ?? DAY_MS,
        locate: (path, written) => parsed.locate([...at, ...path], written),
      },
    ];
  });
  return { value: targets, diagnostics };
}

/** Outputs as `NAME: EXPRESSION`, or as `NAME: { value, sensitive, description }`. */
export function readOutputs({ root, parsed, isRefused }: ConfigFile): Result<readonly Output[]> {
  const diagnostics: Diagnostic[] = [];
  const outputs = Object.entries(treeAt(root, ["outputs"])).flatMap(([name, body]): readonly Output[] => {
    const at = ["outputs", name];
    if (isRefused(at)) return [];
    if (!isTree(body))
      return [{ name, value: argumentOf(body), sensitive: false, locate: (_, written) => parsed.locate(at, written) }];
    if ("value" in body)
      return [
        {
          name,
          value: argumentOf(body["value"]),
          sensitive: body["sensitive"] === true,
          locate: (path, written) => parsed.locate([...at, ...path], written),
        },
      ];
    const hint = "Add value: what the output shows, as in ${data.outreach_campaign.q3.id}.";
    diagnostics.push({ ...lacking("value is required", hint, parsed.locateKey(at)), address: `output.${name}` });
    return [];
  });
  return { value: outputs, diagnostics };
}

/** The statements of a file about addresses and ids: the lists `imports`, `moved`, `removed` and `removals`. */
export function readStatements(
  file: ConfigFile,
): Result<Required<Pick<Configuration, "imports" | "moved" | "removed" | "removals">>> {
  const imports = items(file, "imports", ["to", "id"]);
  const moved = items(file, "moved", ["from", "to"]);
  const removed = items(file, "removed", ["from"]);
  const removals = items(file, "removals", ["id", "reason"]);
  return {
    value: {
      imports: imports.value.map(({ body, locate }): ImportBlock => ({
        to: String(body["to"]),
        id: textArgument(String(body["id"])),
        locate,
      })),
      moved: moved.value.map(({ body, locate }): MovedBlock => ({
        from: String(body["from"]),
        to: String(body["to"]),
        locate,
      })),
      removed: removed.value.map(({ body, locate }): RemovedBlock => ({
        from: String(body["from"]),
        destroy: body["destroy"] !== false,
        locate,
      })),
      removals: removals.value.map(({ body, locate }) => ({
        type: REMOVED_TYPE,
        id: String(body["id"]),
        reason: String(body["reason"]),
        locate,
      })),
    },
    diagnostics: [imports, moved, removed, removals].flatMap(({ diagnostics }) => diagnostics),
  };
}

interface Item {
  readonly body: Tree;
  readonly locate: Locate;
}

/** The valid and complete items of a list. */
function items(
  { root, parsed, isRefused }: ConfigFile,
  section: string,
  required: readonly string[],
): Result<readonly Item[]> {
  const diagnostics: Diagnostic[] = [];
  const listed = root?.[section];
  const value = (Array.isArray(listed) ? (listed as readonly unknown[]) : []).flatMap(
    (body, index): readonly Item[] => {
      const at = [section, index];
      const missing = isTree(body) ? required.filter((name) => !(name in body)) : [];
      const hint = `Write { ${required.map((one) => `${one}: ${EXAMPLES[one] ?? ""}`).join(", ")} }.`;
      diagnostics.push(...missing.map((name) => lacking(`${name} is required in ${section}`, hint, parsed.locate(at))));
      if (!isTree(body) || missing.length > 0 || isRefused(at)) return [];
      return [{ body, locate: (path, written) => parsed.locate([...at, ...path], written) }];
    },
  );
  return { value, diagnostics };
}

function lacking(what: string, hint: string, place: Place): Diagnostic {
  return errorOf("attribute_missing", "Missing required argument", { detail: `${what}, but is not set.`, hint, place });
}

const EXAMPLES: { readonly [name: string]: string } = {
  from: "outreach_webhook.OLD",
  to: "outreach_webhook.NEW",
  id: "hoo_000001",
  reason: "WHY",
};

/** Only webhooks can be deleted by an id that nothing manages. */
const REMOVED_TYPE = "outreach_webhook";
