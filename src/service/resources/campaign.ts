import { defineDataSource } from "../../core/model/definition.ts";
import { type Diagnostic, nearest } from "../../core/model/diagnostic.ts";
import { isUnknown } from "../../core/model/value.ts";
import type { WireCampaign } from "../api/campaigns.ts";
import type { ReadClient } from "../api/client.ts";
import { checkCampaignId } from "./webhook.ts";

const STATUSES = ["running", "paused", "draft", "ended", "archived", "errors"];

/** One campaign (Resources and their fields, Campaign; GET /campaigns), found by its id or its name among all campaigns of the team. */
export const campaign = defineDataSource<ReadClient>()({
  type: "outreach_campaign",
  docs: "One campaign, found by its id or by its name. Give exactly one of the two.",
  schema: {
    id: { type: "string", mode: "optional-computed", docs: "The campaign's id.", check: checkCampaignId, examples: ["cam_000001"] },
    name: { type: "string", mode: "optional-computed", docs: "The campaign's name, to the letter.", examples: ["Q3 launch"] },
    status: {
      type: "string",
      mode: "optional-computed",
      docs: "Narrows a name that several campaigns share to the one that is in this status. A campaign can be in several at once.",
      oneOf: STATUSES,
    },
    labels: { type: { list: "string" }, mode: "computed", docs: "Labels that categorise it." },
    created_at: { type: "string", mode: "computed", docs: "When it was created (ISO 8601, UTC)." },
    created_by: { type: "string", mode: "computed", docs: "The id of the user who created it." },
    sequence_id: { type: "string", mode: "computed", docs: "The id of its main sequence." },
    schedule_ids: { type: { list: "string" }, mode: "computed", docs: "The ids of its schedules." },
    team_id: { type: "string", mode: "computed", docs: "The id of the team that owns it." },
    has_error: { type: "bool", mode: "computed", docs: "Whether it has errors." },
    errors: { type: { list: "string" }, mode: "computed", docs: "What the errors are, for people to read." },
    creator_json: { type: "string", mode: "computed", docs: "The creator as JSON; its fields are not documented." },
    senders_json: { type: "string", mode: "computed", docs: "The senders as JSON; their fields are not documented." },
  },

  check({ id = null, name = null }) {
    if (isUnknown(id) || isUnknown(name) || (id === null) !== (name === null)) return [];
    return [
      {
        code: "campaign_key",
        severity: "error",
        summary: id === null ? "A campaign without id and name" : "A campaign with id and name",
        detail: "A campaign is looked up by exactly one of id and name.",
        hint: id === null ? "Add one of them." : "Take one of them out.",
      },
    ];
  },

  async read({ id, name, status }, { client, signal }) {
    const all = await client.campaigns(signal);
    const named = all.filter((wire) => (id === null ? wire.name === name : wire._id === id));
    const found = named.filter((wire) => status === null || statusesOf(wire).includes(status));
    const [only] = found;
    if (only && found.length === 1) return { value: { ...attributesOfWire(only), status: status ?? statusesOf(only)[0] ?? null }, diagnostics: [] };
    const wanted = id === null ? `the name ${JSON.stringify(name)}` : `the id ${String(id)}`;
    return { value: null, diagnostics: [only ? ambiguous(wanted, found) : notFound({ wanted, name, status, named, all })] };
  },
});

/** Every status that a campaign is in: errors can come on top of another one. */
function statusesOf({ status, hasError }: WireCampaign): readonly string[] {
  const own = (Array.isArray(status) ? status : [status]).filter((one): one is string => typeof one === "string");
  return hasError === true && !own.includes("errors") ? [...own, "errors"] : own;
}

function attributesOfWire(wire: WireCampaign) {
  return {
    id: wire._id,
    name: wire.name,
    labels: texts(wire["labels"]),
    created_at: text(wire["createdAt"]),
    created_by: text(wire["createdBy"]),
    sequence_id: text(wire["sequenceId"]),
    schedule_ids: texts(wire["scheduleIds"]),
    team_id: text(wire["teamId"]),
    has_error: wire["hasError"] === true,
    errors: texts(wire["errors"]),
    creator_json: json(wire["creator"]),
    senders_json: json(wire["senders"]),
  };
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
}

function json(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}

function ambiguous(wanted: string, found: readonly WireCampaign[]): Diagnostic {
  const each = found.map((wire) => `${wire._id} (${statusesOf(wire).join(", ")})`);
  return {
    code: "campaign_ambiguous",
    severity: "error",
    summary: "Several campaigns match",
    detail: `${String(found.length)} campaigns have ${wanted}: ${each.join(", ")}.`,
    hint: "Give id instead of name, or add status.",
  };
}

interface Search {
  readonly wanted: string;
  readonly name: string | null;
  readonly status: string | null;
  readonly named: readonly WireCampaign[];
  readonly all: readonly WireCampaign[];
}

function notFound({ wanted, name, status, named, all }: Search): Diagnostic {
  const near = name === null ? null : nearest(name, all.map((wire) => wire.name));
  const inStatus = named.map((wire) => `${wire._id} (${statusesOf(wire).join(", ")})`);
  const detail = inStatus.length > 0 ? `No campaign with ${wanted} is in status ${String(status)}; there is ${inStatus.join(", ")}.` : `None of the team's ${String(all.length)} campaigns has ${wanted}.`;
  const hint = inStatus.length > 0 ? "Change or remove status." : near === null ? "Check the id or the name, and that the API key belongs to the right team." : `Did you mean ${JSON.stringify(near)}?`;
  return { code: "campaign_not_found", severity: "error", summary: "No such campaign", detail, hint };
}
