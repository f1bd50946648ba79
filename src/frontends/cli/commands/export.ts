import { DiagnosticsError } from "../../../core/model/diagnostic.ts";
import type { CallerOptions } from "../../../service/api/caller.ts";
import { type WireExport, startExport } from "../../../service/api/exports.ts";
import { ServiceError } from "../../../service/api/service-errors.ts";
import { isCampaignId } from "../../../service/api/service-path.ts";
import type { ExitCode, Output } from "../command-context.ts";
import type { CommandDefinition } from "../program/command-definition.ts";
import { type JsonOptions, withJson } from "../program/options.ts";
import { type ServiceContext, withService } from "../session/connection.ts";

export const exportCommand: CommandDefinition<JsonOptions, readonly [campaignId: string]> = {
  name: "export",
  description: "starts a statistics export of a campaign",
  example: { lines: ["outreach export cam_000001"] },
  declare: (command) => withJson(command).argument("<campaign-id>"),
  run: (context, { options, operands: [campaignId] }) => startExportOf(context, campaignId, options),
};

/** Starts a statistics export of one campaign. The service documents no path for the export's status, so none is requested. */
function startExportOf(context: Output & ServiceContext, campaignId: string, options: JsonOptions): Promise<ExitCode> {
  if (!isCampaignId(campaignId)) {
    throw new DiagnosticsError([
      {
        code: "campaign_id_invalid",
        severity: "error",
        summary: "Invalid campaign id",
        detail: `${JSON.stringify(campaignId)} is not the id of a campaign.`,
        hint: "Ids start with cam_. List them: outreach get campaigns",
      },
    ]);
  }
  return withService(context, options, async (caller): Promise<ExitCode> => {
    const started = await start(caller, campaignId, context.stop);
    if (options.json) {
      context.out(`${JSON.stringify(started, null, 2)}\n`);
      return 0;
    }
    const { _id: id, status, campaignName } = started;
    context.out(`Export ${id} of ${typeof campaignName === "string" ? JSON.stringify(campaignName) : campaignId} started (${status}).\n`);
    context.err("The service documents no way to request an export's status or its CSV file. Open the application to find them.\n");
    return 0;
  });
}

async function start(caller: CallerOptions, campaignId: string, signal: AbortSignal): Promise<WireExport> {
  const slot = await caller.pacer.reserve(1, signal);
  try {
    const outcome = await startExport(caller, campaignId, { slot, signal });
    if (outcome.kind === "answered") return outcome.json as WireExport;
    throw outcome.kind === "refused" ? new ServiceError(outcome.message, outcome.known) : maybeStarted(outcome.cause);
  } finally {
    slot.release();
  }
}

/** A second export does no harm, but the user should know that it starts. */
function maybeStarted(cause: string): DiagnosticsError {
  return new DiagnosticsError([
    {
      code: "export_unknown",
      severity: "error",
      summary: "The export may have started",
      detail: `${cause}.`,
      hint: "Check in the application. Running the command again starts another export.",
    },
  ]);
}
