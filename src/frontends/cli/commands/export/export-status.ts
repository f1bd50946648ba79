import { isRecord } from "../../../../core/model/shape.ts";
import { readFlag } from "../../../../service/api/answer-values.ts";
import { type CallerOptions, printableMessage, read } from "../../../../service/api/caller.ts";
import { isCampaignId, isId } from "../../../../service/api/service-path.ts";

/** The answer to a request for an export's status. `where` names the request, and `cause` adds the service's words. */
export type ExportStatusAnswer =
  /** The fields of the export. `status` is `pending`, `done`, `error`, or a word that is not documented. */
  | { readonly kind: "export"; readonly status: string; readonly fields: { readonly [field: string]: unknown } }
  /** The service has the path, but does not find the export. */
  | { readonly kind: "not-found"; readonly cause: string }
  /** The service does not have the path. */
  | { readonly kind: "no-path"; readonly cause: string }
  /** The service answered 200, but nothing that shows a status. */
  | { readonly kind: "unclear"; readonly cause: string };

/** How servers answer a path that they do not have. */
const NO_PATH = [404, 405, 410];

/**
 * `GET /campaigns/{campaignId}/export/{exportId}/status`. The specification does not show this path; users observed it, and
 * that its answer has the export's fields below `status`. Throws `ServiceError`.
 */
export async function readExportStatus(
  options: CallerOptions,
  { campaignId, exportId }: { readonly campaignId: string; readonly exportId: string },
  signal: AbortSignal,
): Promise<ExportStatusAnswer> {
  if (!isCampaignId(campaignId)) throw new Error(`${JSON.stringify(campaignId)} is not a campaign id`);
  if (!isId(exportId))
    return {
      kind: "unclear",
      cause: `The service calls the export ${printableMessage(options, exportId)}, which is not an id`,
    };
  const segments = ["campaigns", campaignId, "export", exportId, "status"];
  const where = `GET /${segments.join("/")}`;
  const { status, json } = await read(
    options,
    { method: "GET", segments, statuses: {}, otherStatuses: NO_PATH },
    signal,
  );
  const answer = isRecord(json) ? json : {};
  const { ok, message, ...rest } = answer;
  const words = typeof message === "string" ? ` ${printableMessage(options, message)}` : "";
  if (readFlag(ok) === false) return { kind: "not-found", cause: `${where}: ${String(status)}${words}` };
  if (status !== 200) return { kind: "no-path", cause: `${where}: ${String(status)}${words}` };
  const fields = isRecord(rest["status"]) ? rest["status"] : rest;
  const state = fields["status"];
  if (typeof state === "string" && state.trim() !== "")
    return { kind: "export", status: state.trim().toLowerCase(), fields };
  return {
    kind: "unclear",
    cause: `${where}: the answer is not the status of an export: ${printableMessage(options, JSON.stringify(json))}`,
  };
}
