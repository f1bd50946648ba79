import { NAME_PATTERN } from "../../core/model/address.ts";
import type { Argument } from "../../core/config/block.ts";
import { durationMs } from "../../core/model/iso-time.ts";
import type { Limit } from "../../core/model/limits.ts";
import { NOTICE_EVENTS } from "../../core/model/notice.ts";
import type { BackendSetting } from "../../core/state/backend.ts";
import { LOCAL_BACKEND, STATE_BACKENDS } from "../../core/state/backends.ts";
import {
  type Form,
  atomic,
  anyText,
  choice,
  count,
  flag,
  list,
  listOfText,
  map,
  named,
  notation,
  oneKeyOf,
  orOne,
  program,
  SCALARS,
  type ReadKeys,
  scalar,
  secret,
  shared,
  template,
  text,
  textOrSecret,
} from "./form.ts";
import { isTree } from "./plain-values.ts";
import { DEFAULT_STATE, TEAMS_FROM, TEAM_NAME, TEAM_NAMES_HINT } from "./sections.ts";
import { sourcesForm } from "./value-sources.ts";
import { argumentOf } from "./yaml-arguments.ts";

/** Names that users choose. */
export const NAMES = {
  pattern: NAME_PATTERN,
  namesHint: "Names are letters, digits, - and _, and begin with a letter or _.",
};

const SERVICE = map(
  {
    base_url: template(
      anyText({
        docs: "Base address of the service's API. OUTREACH_BASE_URL takes precedence over it.",
        examples: ["https://api.example.com/api"],
      }),
    ),
    rate_share: notation("a percentage", {
      pattern: "^(100|[1-9][0-9]?)%$",
      parse: (share) => Number(share.slice(0, -1)) / 100,
      docs: "Share of the service's rate limit to use: 1% to 100%. A smaller share leaves room for other users of the key.",
      default: "100%",
      examples: ["50%"],
    }),
    unique_target_url: flag({
      docs: "Whether the service allows one webhook per target URL, as users observed: plans then stop before they create a second one.",
      default: false,
      examples: [true],
    }),
    mark: flag({
      docs: "Whether each create carries a mark, a random query parameter `outreach` in the target URL, by which a lost answer can be decided. Turning it on replaces nothing.",
      default: false,
      examples: [true],
    }),
    api_key: secret({ docs: "Source of the API key.", default: { env: "OUTREACH_API_KEY" } }),
  },
  { docs: "The service to manage." },
);

const PASSPHRASE_OR_KEY = ["passphrase", "key"];

const PREVIOUS = oneKeyOf(
  map({
    passphrase: secret({ docs: "Source of the previous passphrase." }),
    key: secret({ docs: "Source of the previous key." }),
  }),
  PASSPHRASE_OR_KEY,
);

/** `state.encryption`: for every backend. */
const ENCRYPTION = oneKeyOf(
  map(
    {
      passphrase: secret({
        docs: "Source of a passphrase of at least 16 characters. The key is derived from it by scrypt.",
      }),
      key: secret({ docs: "Source of a key: 32 random bytes in base64, as openssl rand -base64 32 prints them." }),
      fallback: {
        ...PREVIOUS,
        schema: {
          description:
            "The previous passphrase or key, while it changes: it only decrypts. Or plain, while a state in plain text is encrypted for the first time.",
          oneOf: [
            { const: "plain", description: "Reads a state in plain text. The next apply encrypts it." },
            PREVIOUS.schema,
          ],
        },
      },
    },
    {
      docs: "Encrypts the state, its journal and backup, and saved plans, with AES-256-GCM. With only a fallback, the next apply stores them in plain text.",
      examples: [{ passphrase: { env: "STATE_PASSPHRASE" } }],
    },
  ),
  PASSPHRASE_OR_KEY,
);

const ENCRYPTION_AND_BACKEND = {
  backend: choice(
    STATE_BACKENDS.map(({ name }) => name),
    {
      docs: STATE_BACKENDS.map(({ name, description }) => `${name}: ${description}`).join(" "),
      default: "local",
    },
  ),
  encryption: ENCRYPTION,
};

/** The default place of the state. */
const LOCAL_PATH = { default: DEFAULT_STATE, examples: ["outreach.${var.stage}.state.json"] };

/** The settings of all backends. `readSettings` checks later, with the values of variables, that a setting belongs to the chosen backend. */
const STATE: Form<{ readonly [name: string]: Argument }> = {
  ...map(
    {
      ...ENCRYPTION_AND_BACKEND,
      ...Object.fromEntries(
        STATE_BACKENDS.flatMap(({ name: backend, settings }) =>
          Object.entries(settings).map(([name, setting]) => [name, stateSetting(backend, setting)]),
        ),
      ),
    },
    { docs: "Where to store the state." },
  ),
  suggestedKeys: ({ backend: given = LOCAL_BACKEND.name }) => {
    const backend = STATE_BACKENDS.find(({ name }) => name === given);
    return backend && [...Object.keys(ENCRYPTION_AND_BACKEND), ...Object.keys(backend.settings)];
  },
  read: (value, { file, path }) =>
    Object.fromEntries(
      Object.entries(isTree(value) ? value : {}).flatMap(([name, given]) =>
        file.isRefused([...path, name]) ? [] : [[name, settingOf(given)]],
      ),
    ),
};

/** References to secrets and maps are objects, whose texts may use variables. */
function settingOf(value: unknown): Argument {
  if (!isTree(value)) return argumentOf(value);
  return {
    kind: "object",
    entries: Object.entries(value).map(([name, one]) => [{ kind: "literal", value: name }, settingOf(one)]),
  };
}

function stateSetting(backend: string, setting: BackendSetting): Form {
  const { kind, description, environment = [], ...more } = { ...setting, ...(backend === "local" ? LOCAL_PATH : {}) };
  const variables = environment.length === 0 ? "" : ` Without it, ${environment.join(" or ")} sets it.`;
  const docs = {
    docs: `${backend === "local" ? "" : `Of the backend ${backend}. `}${description}${variables}`,
    ...more,
  };
  switch (kind) {
    case "text":
      return text(docs);
    case "flag":
      return flag(docs);
    case "count":
      return count(docs);
    case "secret":
      return secret(docs);
    case "texts": {
      const item = textOrSecret(anyText({}), {});
      return {
        schema: { type: "object", additionalProperties: item.schema, description: docs.docs },
        kind: "a map",
        item,
        read: settingOf,
      };
    }
  }
}

const VARIABLE = {
  ...map(
    {
      default: scalar({ docs: "Value if none is set. Without a default, the variable is required." }),
      allowed: list(scalar({}), {
        minItems: 1,
        docs: "The only values that it may have, whether from its default or from outside.",
        examples: [["staging", "production"]],
      }),
      sensitive: flag({
        default: false,
        docs: "Whether to mask values that contain it in output. The state still stores attributes with it. It has no default, and no value below teams: set OUTREACH_VAR_NAME.",
      }),
      description: anyText({ docs: "Purpose, for readers." }),
    },
    { isNullable: true },
  ),
  typeHint: (value: unknown, name: string) => (isPlain(value) ? `Write ${name}: { default: VALUE }.` : null),
};

function isPlain(value: unknown): boolean {
  return value !== null && typeof value !== "object";
}

const TEAM = map(
  {
    api_key: secret({ docs: "Source of the team's API key, instead of service.api_key." }),
    base_url: template(
      anyText({
        docs: "Base address of the service's API for this team, instead of service.base_url. OUTREACH_BASE_URL takes precedence over it.",
        examples: ["https://emea.api.example.com/api"],
      }),
    ),
    variables: named(scalar({}), {
      ...NAMES,
      docs: "Values of variables, instead of their defaults. --var, --var-file and OUTREACH_VAR_NAME take precedence over them.",
      examples: [{ crm: "crm-emea.example.com" }],
    }),
  },
  { isNullable: true },
);

const NOTIFY = atomic(
  map({
    url: textOrSecret(text({}), {
      docs: "Where to POST the notice: the source of a secret, because the URLs of chat tools are secrets, or a text. https; http only to this machine.",
      examples: [{ env: "SLACK_WEBHOOK_URL" }],
    }),
    command: program({
      docs: "Program and its arguments, in place of url. It gets the notice as JSON on its standard input, runs without the secrets of the environment, and has 10 s.",
      examples: [["./page-on-call.sh", "${team.name}"]],
    }),
    format: choice(["json", "slack", "teams"], {
      default: "json",
      docs: "Form of the request: json for a program, slack or teams for a channel.",
    }),
    on: list(choice(NOTICE_EVENTS, {}), {
      minItems: 1,
      docs: "What to send. Default: everything.",
      examples: [["drift", "failed"]],
    }),
    remind: notation("a duration", {
      pattern: "^[0-9]+(\\.[0-9]+)?(ms|s|m|h|d)$",
      parse: durationMs,
      default: "24h",
      docs: "How long the controller waits before it sends a finding that persists again.",
      examples: ["4h"],
    }),
  }),
);

const OUTPUT_KEYS = {
  value: orOne(
    listOfText(scalar({}), { docs: "Value to show.", examples: ["${data.outreach_campaign.q3.id}"] }),
    scalar({}),
  ),
  sensitive: flag({
    default: false,
    docs: "Whether to mask it in the list of all outputs. A value from a sensitive variable is always masked, and stored only if this is true.",
  }),
  description: anyText({ docs: "Purpose, for readers." }),
};

const OUTPUT_MAP = map(OUTPUT_KEYS);

/** `NAME: EXPRESSION`, or `NAME: { value, sensitive, description }`. */
const OUTPUT: Form<ReadKeys<typeof OUTPUT_KEYS> & { readonly isMap: boolean }> = {
  ...atomic(OUTPUT_MAP),
  schema: {
    ...OUTPUT_MAP.schema,
    type: [...SCALARS, "array", "object"],
    items: { type: SCALARS },
    description: "Expression, or a map with value, sensitive and description.",
    examples: ["${data.outreach_campaign.q3.id}"],
  },
  read: (value, part) =>
    isTree(value) ? { ...OUTPUT_MAP.read(value, part), isMap: true } : { value: argumentOf(value), isMap: false },
};

const CHECK = atomic(
  map(
    {
      condition: template(
        text({
          docs: "Expression that must be true. It can use variables, data and attributes of managed objects.",
          examples: ["${length(data.outreach_webhooks.all.webhooks) <= 90}"],
        }),
      ),
      message: template(
        text({
          docs: "Text to show if it is not true. It may contain expressions.",
          examples: ["Too many webhooks."],
        }),
      ),
      severity: choice(["warning", "error"], {
        default: "warning",
        docs: "What a failure means: a warning is shown, an error stops the apply.",
      }),
    },
    { required: ["condition", "message"], missingHint: "Write { condition: ${…}, message: TEXT }." },
  ),
);

function address(docs: string, example: string): Form<string> {
  return text({ docs, examples: [example] });
}

const IMPORT = atomic(
  map(
    {
      to: address("Address that declares the object.", "outreach_webhook.crm-replies"),
      id: template(
        text({
          docs: "Id of the webhook, or CAMPAIGN_ID/EMAIL of an unsubscription that is already done.",
          examples: ["hoo_000001"],
        }),
      ),
    },
    { required: ["to", "id"], missingHint: "Write { to: outreach_webhook.NEW, id: hoo_000001 }." },
  ),
);

const MOVED = atomic(
  map(
    {
      from: address("Old address of a block or an instance.", "outreach_webhook.crm"),
      to: address("New address.", "outreach_webhook.crm-replies"),
    },
    { required: ["from", "to"], missingHint: "Write { from: outreach_webhook.OLD, to: outreach_webhook.NEW }." },
  ),
);

const REMOVED = atomic(
  map(
    {
      from: address("Address of the block. It includes all instances.", "outreach_webhook.audit"),
      destroy: flag({
        default: true,
        docs: "Whether to delete the objects in the service. If false, outreach only forgets them.",
      }),
    },
    { required: ["from"], missingHint: "Write { from: outreach_webhook.OLD }." },
  ),
);

const REMOVAL = atomic(
  map(
    {
      id: text({ docs: "Id of the webhook. Once it is deleted, remove the entry.", examples: ["hoo_000001"] }),
      reason: text({
        docs: "Why nobody needs it, for the person who approves the plan.",
        examples: ["left by an automation tool"],
      }),
    },
    { required: ["id", "reason"], missingHint: "Write { id: hoo_000001, reason: WHY }." },
  ),
);

/** A number, or a percentage. */
function limit(docs: string, example: string | number, fallback?: number): Form<Limit> {
  return {
    schema: {
      type: ["integer", "string"],
      minimum: 0,
      pattern: "^(100|[1-9]?[0-9])%$",
      description: docs,
      examples: [example],
      ...(fallback === undefined ? {} : { default: fallback }),
    },
    kind: "a number, or a percentage",
    read: readLimit,
    problem: badLimit(example),
  };
}

function readLimit(value: unknown): Limit {
  return typeof value === "number"
    ? { kind: "count", count: value }
    : { kind: "percent", percent: Number(String(value).slice(0, -1)) };
}

function badLimit(example: string | number): NonNullable<Form["problem"]> {
  return (shown, key) => ({
    code: "schema_invalid",
    summary: "Invalid limit",
    detail: `limits.${key} is ${shown}, but must be a whole number from 0, or a percentage from 0% to 100%.`,
    hint: `Write ${key}: ${String(example)}, for example.`,
  });
}

const LIMITS = map(
  {
    delete: limit(
      "Maximum deletes, as a number or a percentage of the managed webhooks, and of those under removals. Default: a plan fails if it deletes more than 3 and more than 30%.",
      "30%",
    ),
    replace: limit(
      "Maximum webhooks to replace for another reason than a new secret, as a number or a percentage. Default: a plan fails if it replaces more than 3 and more than 30%.",
      "30%",
    ),
    recreate: limit(
      "Maximum missing webhooks to create again, as a number or a percentage. Default: a plan fails if more than 3 and more than 20% are missing.",
      "20%",
    ),
    unsubscribe: limit(
      "Maximum people on no list before whom a plan unsubscribes although nobody types yes: with --auto-approve, and of a saved plan.",
      50,
      100,
    ),
    shrink: limit(
      "Maximum people that a list of unsubscriptions may lose, as a number or a percentage. Default: a plan fails if a list loses more than 3 and more than 30%.",
      "30%",
    ),
    recheck: {
      ...count({
        default: 600,
        docs: "Maximum requests of one run that look for watched leads, or send a done unsubscription again.",
        examples: [600],
      }),
      read: readLimit,
      problem: badLimit(600),
    },
  },
  { docs: "Limits of one apply. A plan that exceeds a limit fails, and names the flag that allows it." },
);

/** The settings that the reference lists before the blocks. */
export const SETTINGS = {
  service: SERVICE,
  state: STATE,
  variables: named(VARIABLE, {
    ...NAMES,
    docs: "Values that differ between runs. Set them with --var NAME=VALUE, --var-file, or OUTREACH_VAR_NAME.",
  }),
  teams: named(TEAM, {
    pattern: TEAM_NAME.source,
    namesHint: TEAM_NAMES_HINT,
    docs: "Teams of the service. Every plan and apply runs for each team, or for those of --team, with a state of its own. ${team.name} is the team's name.",
  }),
  [TEAMS_FROM.key]: sourcesForm(TEAMS_FROM),
};

/** The settings that the reference lists after the blocks. */
export const STATEMENTS = {
  imports: shared(
    list(IMPORT, {
      docs: "Existing objects of the service to manage. An object that is already in the state stays as it is.",
    }),
  ),
  moved: shared(
    list(MOVED, {
      docs: "Blocks and instances with a new address. The state keeps their objects, at the new address.",
    }),
  ),
  removed: shared(list(REMOVED, { docs: "Blocks that you no longer declare, and whether to delete their objects." })),
  removals: shared(
    list(REMOVAL, {
      docs: "Live webhooks that nothing manages, to delete by id. Only a plan that a person approves deletes them: a typed yes, or a saved plan.",
    }),
  ),
  outputs: named(OUTPUT, {
    ...NAMES,
    docs: "Values to show after an apply. The state stores them for outreach output.",
  }),
  checks: named(CHECK, {
    ...NAMES,
    docs: "Conditions that must hold. Every plan evaluates them, and every apply again at its end.",
  }),
  limits: LIMITS,
};

export const NOTICES = {
  notify: named(NOTIFY, {
    ...NAMES,
    docs: "Where the controller of a fleet sends notices: of drift, failed runs, undecided outcomes, plans that wait for approval, and rechecks that found people. The command sends nothing.",
  }),
};
