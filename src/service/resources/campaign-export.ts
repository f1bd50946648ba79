import { defineAction } from "../../core/model/definition.ts";
import type { Diagnostic } from "../../core/model/diagnostic.ts";
import type { WriteClient } from "../api/client.ts";
import type { WireExport } from "../api/campaign-exports.ts";
import { CAMPAIGN_ID } from "./check-campaign-id.ts";
import { refusal } from "./outcome.ts";

/** The start of a campaign statistics export (GET /campaigns/{campaignId}/export/start). Each time it starts another one. */
export const campaignExport = defineAction<WriteClient>()({
  type: "outreach_campaign_export",
  docs: "Starts an export of a campaign's statistics. Each invocation starts another export. The service does not document how to read the status or the CSV file, so the action does not wait. Open the export in the application.",
  schema: {
    campaign_id: { ...CAMPAIGN_ID, mode: "required", docs: "Campaign whose statistics to export." },
  },

  async *invoke({ campaign_id: campaignId }, { client, signal, retry }) {
    yield `Starting an export of ${campaignId}.`;
    const wire = await client.startExport(campaignId, signal, retry);
    switch (wire.kind) {
      case "answered":
        yield started(wire.json as WireExport, campaignId);
        return [];
      case "refused":
        return [
          {
            ...refusal(wire),
            ...(wire.known === "campaign_not_found" || wire.known === "bad_team" ? { path: ["campaign_id"] } : {}),
          },
        ];
      case "unsure":
        return [maybeStarted(wire.cause)];
    }
  },
});

function started({ _id: id, campaignName: name, status }: WireExport, campaignId: string): string {
  return `Export ${id} of ${typeof name === "string" ? JSON.stringify(name) : campaignId} is started (${status}).`;
}

/** It is not asked for again: that would start a second one if the first was. */
function maybeStarted(cause: string): Diagnostic {
  return {
    code: "export_unknown",
    severity: "error",
    summary: "It is not known whether an export was started",
    detail: `${cause}. It was not asked for again.`,
    hint: "Look in the application. Invoking the action again starts another one.",
  };
}
