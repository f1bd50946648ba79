import type { IdCheck, Reading } from "../../core/model/definition.ts";
import { type Diagnostic, nearest } from "../../core/model/diagnostic.ts";
import { quoted } from "../../core/model/visible.ts";
import type { WireCampaign } from "../api/team-lists.ts";
import type { ReadClient } from "../api/client.ts";
import { readSchedules } from "./schedules-data-source.ts";
import { ServiceError } from "../api/service-errors.ts";

/** More ids than these are first looked for in the list, which takes one request for each 100 campaigns. */
const FEW = 5;

/**
 * The problems of the ids that the service does not know. No endpoint returns one campaign, but its schedules can be read by its id,
 * and an unknown campaign is a documented error there. An id that the list lacks is asked about too: no document says that
 * the list contains every campaign.
 */
export async function unknownCampaigns(
  ids: readonly string[],
  { client, signal, isThorough }: IdCheck<ReadClient>,
): Promise<ReadonlyMap<string, Diagnostic>> {
  if (!isThorough && client.campaignsRead() === null) return new Map();
  const read = client.campaignsRead() ?? (ids.length > FEW ? client.campaigns({}, signal) : null);
  const listed = new Set((await read)?.map(({ _id }) => _id) ?? []);
  const asked = await Promise.all(
    ids.filter((id) => !listed.has(id)).map(async (id) => ({ id, answer: await ask(id, { client, signal }) })),
  );
  if (asked.every(({ answer }) => answer === "exists")) return new Map();
  const problems = new Map(
    asked.flatMap(({ id, answer }) => (answer instanceof ServiceError ? [[id, unchecked(id, answer)] as const] : [])),
  );
  const unknown = asked.filter(({ answer }) => answer === "unknown");
  if (unknown.length === 0) return problems;
  const all = await client.campaigns({}, signal);
  return new Map([...problems, ...unknown.map(({ id }) => [id, notFound(id, all)] as const)]);
}

/** An answer that does not tell is returned. */
async function ask(id: string, { client, signal }: Reading<ReadClient>): Promise<"exists" | "unknown" | ServiceError> {
  try {
    await readSchedules(client, id, signal);
    return "exists";
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.known === "campaign_not_found" || error.known === "bad_team") return "unknown";
    if (error.known === null) return error;
    throw error;
  }
}

function notFound(id: string, all: readonly WireCampaign[]): Diagnostic {
  const near = nearest(
    id,
    all.map(({ _id }) => _id),
  );
  const name = all.find(({ _id }) => _id === near)?.name;
  return {
    code: "campaign_unknown",
    severity: "error",
    summary: "No such campaign",
    detail: `The service does not know the campaign ${id}, or it belongs to another team than the API key's user.`,
    hint:
      near === null
        ? "Check the id, or look the campaign up by its name as data (outreach_campaign)."
        : `Did you mean ${near} (${quoted(name ?? near)})? You can also look it up by its name as data (outreach_campaign).`,
  };
}

function unchecked(id: string, { message }: ServiceError): Diagnostic {
  return {
    code: "campaign_unchecked",
    severity: "warning",
    summary: "A campaign could not be checked",
    detail: `Whether the campaign ${id} exists is not known: ${message}.`,
    hint: "Check that it exists before you apply.",
  };
}
