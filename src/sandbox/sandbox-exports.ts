import { Buffer } from "node:buffer";
import { jsonAnswer, textAnswer } from "./answer.ts";
import type { Answer } from "./answer.ts";
import type { Call } from "./call.ts";
import { ownCampaign } from "./sandbox-campaigns.ts";
import type { ExportRecord } from "./sandbox-records.ts";
import type { SandboxChoices } from "./choices.ts";
import { isoTime, parseIsoTime } from "./sandbox-time.ts";
import { addRecord } from "./world.ts";
import type { World } from "./world.ts";

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
    ...exportFields(record, "pending"),
    progressIndex: 0,
    progressTime: call.source.now(),
    progressLastStepDuration: 0,
    progressType: "starting",
    progress: 0,
    total: 0,
  });
}

/**
 * `GET /campaigns/{campaignId}/export/{exportId}/status`. The specification does not show this path, so by default it is
 * unknown (`choices.exportStatus`). Its answers are as users of the service observed them. The control API has the CSV file.
 */
export function exportStatus(call: Call): Answer {
  const { choices } = call.settings;
  if (choices.exportStatus === "unknown") return textAnswer(404, "Not found");
  const campaign = ownCampaign(call);
  if ("body" in campaign) return campaign;
  const record = call.world.exports.get(call.params["exportId"] ?? "");
  if (record?.campaignId !== campaign._id) return jsonAnswer({ ok: false, message: "Export not found" }, 404);
  const now = call.source.now();
  const { status, share } = exportProgress(record, now, choices);
  const total = leadsOf(call.world, record).length;
  return jsonAnswer({
    ok: true,
    status: {
      ...exportFields(record, status),
      progressIndex: status === "pending" ? 1 : 2,
      progressTime: now,
      progressLastStepDuration: now - startMs(record, now),
      progressType: status === "pending" ? "exporting" : status,
      progress: Math.floor(total * share),
      total,
      ...(status === "done" ? fileFields(call, record) : {}),
    },
  });
}

function exportFields(record: ExportRecord, status: string) {
  const { _id, teamId, campaignId, campaignName, startedAt } = record;
  return { _id, id: _id, teamId, campaignId, campaignName, status, startedAt };
}

/** The fields that an export has once it is done. */
function fileFields({ world, source, settings, url }: Call, record: ExportRecord) {
  return {
    endedAt: isoTime(startMs(record, source.now()) + durationOf(record, settings.choices)),
    fileSize: Buffer.byteLength(exportCsv(world, record)),
    url: `${url}/_sandbox/exports/${record._id}.csv`,
  };
}

/** The progress of an export at `now`, as a status and a share between 0 and 1. */
export function exportProgress(
  record: ExportRecord,
  now: number,
  choices: SandboxChoices,
): { status: "pending" | "done" | "error"; share: number } {
  const elapsed = now - startMs(record, now);
  const duration = durationOf(record, choices);
  if (elapsed >= duration) return { status: record.outcome, share: record.outcome === "done" ? 1 : 0.5 };
  return { status: "pending", share: elapsed / duration };
}

function startMs({ startedAt }: ExportRecord, now: number): number {
  return parseIsoTime(startedAt) ?? now;
}

function durationOf({ durationMs }: ExportRecord, { exportMs }: SandboxChoices): number {
  return durationMs ?? exportMs;
}

/** The CSV of an export. The columns are the sandbox's own: the specification shows none. */
export function exportCsv(world: World, record: ExportRecord): string {
  const rows = leadsOf(world, record).map((lead) =>
    [lead._id, lead.email, String(lead.isPaused), lead.unsubscribedAt ?? ""].map(csvCell).join(","),
  );
  return ["leadId,email,isPaused,unsubscribedAt", ...rows].join("\r\n") + "\r\n";
}

function leadsOf(world: World, record: ExportRecord) {
  return [...world.leads.values()].filter((lead) => lead.campaignId === record.campaignId);
}

/** Quotes a cell where CSV requires it. A formula sign is escaped where a cell may begin, so that spreadsheets do not run it. */
function csvCell(text: string): string {
  const safe = text.replaceAll(/(^|[,;|\t\r\n])(?=[\s"]*[=+\-@＝＋－＠])/g, "$1'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
