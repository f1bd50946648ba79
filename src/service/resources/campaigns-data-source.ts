import { defineDataSource } from "../../core/model/definition.ts";
import { type Diagnostic, DiagnosticsError } from "../../core/model/diagnostic.ts";
import { compilePattern, loadPatterns } from "../../core/model/pattern.ts";
import type { ReadClient } from "../api/client.ts";
import { CAMPAIGN_FIELDS, CAMPAIGN_STATUSES, campaignAttributes } from "./campaign-fields.ts";
import { unreadableValues } from "./unreadable.ts";

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
    created_by: {
      type: "string",
      mode: "optional",
      docs: "Only campaigns that this user created.",
      examples: ["usr_000001"],
    },
    labels: { type: { list: "string" }, mode: "optional", docs: "Only campaigns with all of these labels." },
    name_regex: {
      type: "string",
      mode: "optional",
      docs: "Only campaigns whose name contains a match of this regular expression, in RE2's syntax as in Terraform.",
      isPattern: true,
      examples: ["^Q[34] "],
    },
    sort_order: {
      type: "string",
      mode: "optional",
      docs: "Order by creation time: `asc` (default) or `desc`.",
      oneOf: ["asc", "desc"],
    },
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
    // A campaign can be in statuses that the list does not show: only the service's own filter knows them.
    const unreadable = new Set<string>();
    const all = (await client.campaigns(status === null ? {} : { status }, signal)).map((wire) =>
      campaignAttributes(wire, unreadable),
    );
    const matching = nameRegex === null ? all : await namesMatching(nameRegex, all);
    const found = matching
      .filter((one) => createdBy === null || one.created_by === createdBy)
      .filter((one) => (labels ?? []).every((label) => (one.labels ?? []).map(composed).includes(composed(label))))
      .toSorted((a, b) => (sortOrder === "desc" ? -1 : 1) * (a.created_at ?? "").localeCompare(b.created_at ?? ""));
    return {
      value: { ...config, campaigns: found, ids: found.map(({ id }) => id) },
      diagnostics: unreadableValues("The list of campaigns", unreadable),
    };
  },
});

/** Terraform composes every text; a Mac and the service may not. */
function composed(text: string): string {
  return text.normalize("NFC");
}

/** What the names may cost, and what every further character of them adds: enough for all but the largest patterns. */
const MIN_UNITS = 1_000_000;
const UNITS_PER_CHARACTER = 10;

async function namesMatching<C extends { readonly name: string }>(
  nameRegex: string,
  all: readonly C[],
): Promise<readonly C[]> {
  await loadPatterns();
  const pattern = compilePattern(composed(nameRegex));
  let left = all.reduce((sum, { name }) => sum + name.length * UNITS_PER_CHARACTER, MIN_UNITS);
  const spend = (units: number): void => {
    left -= units;
    if (left < 0) throw new DiagnosticsError([tooSlow(all.length)]);
  };
  return all.filter(({ name }) => pattern.test(composed(name), spend));
}

function tooSlow(count: number): Diagnostic {
  return {
    code: "regex_slow",
    severity: "error",
    summary: "Regular expression too large",
    detail: `name_regex takes too long to match the names of ${String(count)} campaigns.`,
    hint: "Use a shorter regular expression, with fewer repetitions.",
    path: ["name_regex"],
  };
}
