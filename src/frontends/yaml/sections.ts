import type { Limits } from "../../core/model/limits.ts";

/**
 * The sugar table: which section of the YAML file declares which type. The rest of a block's keys are the attributes of
 * the type's definition, and the short forms that its attributes' `refersTo` names.
 */
export interface Section {
  readonly path: readonly string[];
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly docs: string;
  /** The keys that make one instance for each of several values, in the order of the parts of an instance's key. */
  readonly fanOut?: readonly FanOutKey[];
  /** The attributes that usually differ between the instances, what to say about that, and examples. */
  readonly each?: {
    readonly attributes: readonly string[];
    readonly docs: string;
    readonly examples: { readonly [attribute: string]: string };
  };
}

/** A key that takes a list in place of one value of `attribute`. */
export interface FanOutKey {
  readonly key: string;
  readonly attribute: string;
  readonly docs: string;
  /** Whether the same value twice is a mistake; otherwise it counts once. */
  readonly distinct: boolean;
  /** The list names blocks of the attribute's `refersTo`; in place of it, the name of one block of this section stands for all that it finds. */
  readonly filter?: { readonly section: string; readonly type: string; readonly ids: string };
  /** The key that names files and commands with further values. */
  readonly from?: { readonly key: string; readonly docs: string; readonly example: string; readonly column: string };
}

const CAMPAIGNS: FanOutKey = {
  key: "campaigns",
  attribute: "campaign_id",
  docs: "Fan-out over campaigns: the name of a block under data.campaigns, or a list of names under data.campaign.",
  distinct: true,
  filter: { section: "campaigns", type: "outreach_campaigns", ids: "ids" },
};

export const SECTIONS: readonly Section[] = [
  {
    path: ["webhooks"],
    mode: "managed",
    type: "outreach_webhook",
    docs: "Webhooks to manage, by name.",
    fanOut: [
      { key: "types", attribute: "type", docs: "Fan-out over event types: one webhook per type.", distinct: true },
      CAMPAIGNS,
    ],
    each: {
      attributes: ["target_url", "automation_id", "secret"],
      docs: "In a fan-out, ${each.type}, ${each.campaign_id} and ${each.key} are the values of each webhook.",
      examples: { target_url: "https://crm.example.com/hook?event=${each.type}" },
    },
  },
  {
    path: ["lead_unsubscriptions"],
    mode: "managed",
    type: "outreach_lead_unsubscription",
    docs: "Leads to unsubscribe from campaigns, as named lists. The service documents no way to undo it.",
    fanOut: [
      CAMPAIGNS,
      {
        key: "emails",
        attribute: "email",
        docs: "Email addresses of the leads. Case does not matter, and duplicates count once.",
        distinct: false,
        from: {
          key: "emails_from",
          docs: "Where more addresses come from: a file in the configuration's folder or below it, with one address per line, or a CSV with an email column. { file, column } names another column. { command: [PROGRAM, ARGUMENT] } runs a command that prints such a list. The state records the columns reason, source and requested_at. At most 50 MB each.",
          example: "suppressions/2026-11.csv",
          column: "Column with the addresses, as its header has it. Case does not matter.",
        },
      },
    ],
  },
  { path: ["data", "campaign"], mode: "data", type: "outreach_campaign", docs: "Campaigns to look up, by name." },
  {
    path: ["data", "campaigns"],
    mode: "data",
    type: "outreach_campaigns",
    docs: "Filters that find campaigns, by name. A block refers to one with campaigns.",
  },
  { path: ["data", "schedules"], mode: "data", type: "outreach_schedules", docs: "Schedules of campaigns to look up." },
  {
    path: ["data", "warmup_settings"],
    mode: "data",
    type: "outreach_warmup_settings",
    docs: "Warm-up settings of mailboxes to look up.",
  },
  { path: ["data", "webhooks"], mode: "data", type: "outreach_webhooks", docs: "Live webhooks, managed or not." },
];

/** The file of a state whose configuration names none, relative to it. */
export const DEFAULT_STATE = "outreach.state.json";

/** The file of a team's state, unless its configuration names another place. */
export function teamState(name: string): string {
  return `outreach.${name}.state.json`;
}

/** The keys under `limits:`, by the names that the core has for these bounds. */
export const LIMIT_KEYS = {
  delete: "delete",
  replace: "replace",
  recreate: "recreate",
  irreversible: "unsubscribe",
  shrink: "shrink",
  recheck: "recheck",
} as const satisfies {
  readonly [name in keyof Limits]-?: string;
};

/** The names of teams. They are parts of file names, also on disks that ignore the case. */
export const TEAM_NAME = /^[a-z0-9][a-z0-9_-]{0,62}$/;
export const TEAM_NAMES_HINT =
  "Names of teams are lower-case letters, digits, - and _, at most 63: they are parts of file names.";

/** Where more teams come from. */
export const TEAMS_FROM = {
  key: "teams_from",
  docs: "Where more teams come from: a CSV file in the configuration's folder or below it, with a column called team or name. { file, column } names another column. { command: [PROGRAM, ARGUMENT] } runs a command that prints such a list, such as a query. Columns called like variables set these for the team. At most 50 MB each.",
  example: "clients.csv",
  column: "Column with the names of the teams, as its header has it. Case does not matter.",
} as const;
