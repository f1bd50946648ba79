import { defineDataSource } from "../../core/model/definition.ts";
import { type Diagnostic, nearest } from "../../core/model/diagnostic.ts";
import { isUnknown } from "../../core/model/value.ts";
import { quoted } from "../../core/model/visible.ts";
import type { WireCampaign } from "../api/team-lists.ts";
import type { ReadClient } from "../api/client.ts";
import { CAMPAIGN_FIELDS, CAMPAIGN_STATUSES, campaignAttributes, statusesOf } from "./campaign-fields.ts";
import { checkCampaignId } from "./check-campaign-id.ts";
import { unknownCampaigns } from "./unknown-campaigns.ts";
import { unreadableValues } from "./unreadable.ts";

/** One campaign (Resources and their fields, Campaign; GET /campaigns), found by its id or its name among all campaigns of the team. */
export const campaign = defineDataSource<ReadClient>()({
  type: "outreach_campaign",
  docs: "Reads one campaign by its id or its name. Set exactly one of them.",
  schema: {
    id: {
      type: "string",
      mode: "optional-computed",
      docs: "Id of the campaign.",
      check: checkCampaignId,
      examples: ["cam_000001"],
    },
    name: { type: "string", mode: "optional-computed", docs: "Exact name of the campaign.", examples: ["Q3 launch"] },
    status: {
      type: "string",
      mode: "optional-computed",
      docs: "Status, if several campaigns have the same name. A campaign can have several.",
      oneOf: CAMPAIGN_STATUSES,
    },
    ...CAMPAIGN_FIELDS,
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
    const composed = name?.normalize("NFC");
    const isNamed = (wire: WireCampaign): boolean =>
      id === null ? wire.name.normalize("NFC") === composed : wire._id === id;
    // A campaign can be in statuses that the list does not show: only the service's own filter knows them.
    const found = (await client.campaigns(status === null ? {} : { status }, signal)).filter(isNamed);
    const [only] = found;
    if (only && found.length === 1) {
      const unreadable = new Set<string>();
      const value = { ...campaignAttributes(only, unreadable), ...(status === null ? {} : { status }) };
      return { value, diagnostics: unreadableValues(`The campaign ${only._id}`, unreadable) };
    }
    const wanted = id === null ? `the name ${quoted(name ?? "")}` : `the id ${id}`;
    if (only) return { value: null, diagnostics: [ambiguous(wanted, found)] };
    const all = await client.campaigns({}, signal);
    return { value: null, diagnostics: [notFound({ wanted, name, status, named: all.filter(isNamed), all })] };
  },

  checkIds: unknownCampaigns,
  namesRead: async (client) => new Map((await client.campaignsSeen()).map(({ _id, name }) => [_id, name])),
});

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
  const near =
    name === null
      ? null
      : nearest(
          name,
          all.map((wire) => wire.name),
        );
  const inStatus = named.map((wire) => `${wire._id} (${statusesOf(wire).join(", ")})`);
  const detail =
    inStatus.length > 0
      ? `No campaign with ${wanted} is in status ${String(status)}; there is ${inStatus.join(", ")}.`
      : all.length === 1
        ? `The team has one campaign, which does not have ${wanted}.`
        : `None of the team's ${String(all.length)} campaigns has ${wanted}.`;
  const hint =
    inStatus.length > 0
      ? "Change or remove status."
      : near === null
        ? "Check the id or the name, and that the API key belongs to the right team."
        : `Did you mean ${quoted(near)}?`;
  return { code: "campaign_not_found", severity: "error", summary: "No such campaign", detail, hint };
}
