import type { Problem } from "../../core/model/attribute.ts";
import { defineDataSource } from "../../core/model/definition.ts";
import type { Value } from "../../core/model/value.ts";
import type { ReadClient } from "../api/client.ts";
import { CAMPAIGN_FIELDS, CAMPAIGN_STATUSES, campaignAttributes } from "./campaign-fields.ts";

/** The team's campaigns that match every filter that is given (GET /campaigns). */
export const campaigns = defineDataSource<ReadClient>()({
  type: "outreach_campaigns",
  docs: "Reads the campaigns of the team that match every filter. Without a filter, it reads all campaigns.",
  schema: {
    status: {
      type: "string",
      mode: "optional",
      docs: "Only campaigns with this status. A campaign can have several.",
      oneOf: CAMPAIGN_STATUSES,
    },
    created_by: { type: "string", mode: "optional", docs: "Only campaigns that this user created.", examples: ["usr_000001"] },
    labels: { type: { list: "string" }, mode: "optional", docs: "Only campaigns with all of these labels." },
    name_regex: {
      type: "string",
      mode: "optional",
      docs: "Only campaigns whose name contains a match of this JavaScript regular expression.",
      check: checkRegex,
      examples: ["^Q[34] "],
    },
    sort_order: { type: "string", mode: "optional", docs: "Order by creation time: `asc` (default) or `desc`.", oneOf: ["asc", "desc"] },
    campaigns: {
      type: {
        list: {
          object: {
            id: { type: "string", mode: "computed", docs: "Id of the campaign." },
            name: { type: "string", mode: "computed", docs: "Name of the campaign." },
            status: { type: "string", mode: "computed", docs: "Status; the first one if it has several." },
            ...CAMPAIGN_FIELDS,
          },
        },
      },
      mode: "computed",
      docs: "Matching campaigns.",
    },
    ids: { type: { list: "string" }, mode: "computed", docs: "Ids of the campaigns, in the same order." },
  },

  async read(config, { client, signal }) {
    const { status, created_by: createdBy, labels, name_regex: nameRegex, sort_order: sortOrder } = config;
    const pattern = nameRegex === null ? null : new RegExp(nameRegex, "u");
    // A campaign can be in statuses that the list does not show: only the service's own filter knows them.
    const found = (await client.campaigns(status === null ? {} : { status }, signal))
      .map(campaignAttributes)
      .filter((one) => createdBy === null || one.created_by === createdBy)
      .filter((one) => (labels ?? []).every((label) => one.labels.includes(label)))
      .filter(({ name }) => pattern === null || pattern.test(name))
      .toSorted((a, b) => (sortOrder === "desc" ? -1 : 1) * (a.created_at ?? "").localeCompare(b.created_at ?? ""));
    return { value: { ...config, campaigns: found, ids: found.map(({ id }) => id) }, diagnostics: [] };
  },
});

function checkRegex(value: Value): Problem | undefined {
  if (typeof value !== "string") return undefined;
  try {
    new RegExp(value, "u");
    return undefined;
  } catch (error) {
    return { code: "regex_invalid", summary: "Invalid regular expression", detail: `name_regex cannot be used: ${(error as Error).message}.` };
  }
}
