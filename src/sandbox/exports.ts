import { jsonAnswer } from "./answer.ts";
import type { Answer } from "./answer.ts";
import type { Call } from "./call.ts";
import { refuse, refuseInput } from "./call.ts";
import { ownCampaign } from "./campaigns.ts";
import type { ExportRecord } from "./records.ts";
import type { SandboxChoices } from "./choices.ts";
import { isoTime, parseIsoTime } from "./time.ts";
import { addRecord } from "./world.ts";
import type { World } from "./world.ts";

/** Marks an answer whose path only the sandbox has. */
export const OWN_PATH_HEADER = { "X-Sandbox-Only": "this path is not part of the service" } as const;

/**
 * `GET /campaigns/{campaignId}/export/start` (section "Endpoints"). Several exports of a campaign can run
 * at the same time, each with its own id (section "Campaign export status").
 */
export function startExport(call: Call): Answer {
  const campaign = ownCampaign(call);
  if ("body" in campaign) return campaign;
  const { choices } = call.settings;
  const { record } = addRecord(
    call.world,
    "exports",
    {
      campaignId: campaign._id,
      teamId: campaign.teamId,
      startedAt: isoTime(call.source.now()),
      outcome: campaign.exportOutcome ?? choices.exportOutcome,
    },
    call.source,
  );
  return jsonAnswer({
    _id: record._id,
    id: record._id,
    teamId: record.teamId,
    campaignId: record.campaignId,
    campaignName: record.campaignName,
    status: "pending",
    startedAt: record.startedAt,
    progressIndex: 0,
    progressTime: call.source.now(),
    progressLastStepDuration: 0,
    progressType: "starting",
    progress: 0,
    total: 0,
  });
}

/**
 * The export's status at `/sandbox-only/exports/{exportId}`. The specification does not show the service's
 * path, nor the name of the download address: `downloadUrl` is the sandbox's own.
 */
export function exportStatus(call: Call): Answer {
  const record = call.world.exports.get(call.params["exportId"] ?? "");
  const foreign = record !== undefined && record.teamId !== call.teamId;
  if (foreign && call.settings.choices.foreign === "bad-team") return { ...refuse(call, "badTeam"), headers: OWN_PATH_HEADER };
  if (!record || foreign) return { ...refuseInput(call, "Export not found", 404), headers: OWN_PATH_HEADER };
  const now = call.source.now();
  const { status, share } = exportProgress(record, now, call.settings.choices);
  const total = leadsOf(call.world, record).length;
  const answer = jsonAnswer({
    _id: record._id,
    id: record._id,
    teamId: record.teamId,
    campaignId: record.campaignId,
    campaignName: record.campaignName,
    status,
    startedAt: record.startedAt,
    progressIndex: status === "pending" ? 1 : 2,
    progressTime: now,
    progressLastStepDuration: now - (parseIsoTime(record.startedAt) ?? now),
    progressType: status === "pending" ? "exporting" : status,
    progress: Math.floor(total * share),
    total,
    ...(status === "done" ? { downloadUrl: `${call.url}/_sandbox/exports/${record._id}.csv` } : {}),
  });
  return { ...answer, headers: OWN_PATH_HEADER };
}

/** The progress of an export at `now`, as a status and a share between 0 and 1. */
export function exportProgress(record: ExportRecord, now: number, choices: SandboxChoices): { status: "pending" | "done" | "error"; share: number } {
  const elapsed = now - (parseIsoTime(record.startedAt) ?? now);
  const duration = record.durationMs ?? choices.exportMs;
  if (elapsed >= duration) return { status: record.outcome, share: record.outcome === "done" ? 1 : 0.5 };
  return { status: "pending", share: elapsed / duration };
}

/** The CSV of an export. The columns are the sandbox's own: the specification shows none. */
export function exportCsv(world: World, record: ExportRecord): string {
  const rows = leadsOf(world, record).map((lead) => [lead._id, lead.email, String(lead.isPaused), lead.unsubscribedAt ?? ""].map(csvCell).join(","));
  return ["leadId,email,isPaused,unsubscribedAt", ...rows].join("\r\n") + "\r\n";
}

function leadsOf(world: World, record: ExportRecord) {
  return [...world.leads.values()].filter((lead) => lead.campaignId === record.campaignId);
}

/** Quotes a cell where CSV requires it. A leading formula sign is escaped, so that spreadsheets do not run it. */
function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
