import { countOf } from "../../../../core/model/words.ts";
import { type AnyResource, type LiveListing, resourceOf, type Catalog } from "../../../../core/model/definition.ts";
import { indexLive } from "../../../../core/plan/live-index.ts";
import { creationOrder } from "../../../../core/plan/missing.ts";
import { diagnosticJson } from "../../../../output/json/diagnostic-json.ts";
import { escapedJson } from "../../../../output/json/escaped-json.ts";
import { answerText, isProven, receiverText, receiversSummary } from "./receiver-text.ts";
import type { ReceiverCheck } from "./verify.ts";
import { type ReceiversOptions, checkReceivers, receiverJson, withReceivers } from "./check-receivers.ts";
import type { Paint } from "../../../../output/content/paint.ts";
import type { ReadClient } from "../../../../service/api/client.ts";
import { type Inspection, inspectService } from "../../../../service/api/inspect.ts";
import { OPTIONAL_FIELDS, type WebhookListing } from "../../../../service/api/webhook-calls.ts";
import { WEBHOOK } from "../../../generate/adoption/live-webhook.ts";
import type { CommandContext, ExitCode } from "../../command-context.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import { type CommandOptions, withState } from "../../program/command-options.ts";
import { withService } from "../../../../operations/service/connection.ts";
import { printDiagnostics } from "../../screen/print-diagnostics.ts";
import { arrangedDiagnostics } from "../../../../operations/messages/arrange-diagnostics.ts";
import { recordList } from "./record-list.ts";
import type { Diagnostic } from "../../../../core/model/diagnostic.ts";
import { managedIds } from "../../../../core/model/instance.ts";
import { duplicateFinder, standingDuplicates } from "../../../../core/plan/duplicates.ts";
import type { StateDocument } from "../../../../core/state/document.ts";
import { checkLostCreates } from "../../../../core/apply/recovery/lost-creates.ts";

/** One fact about the service, and what it means for the guarantees of this tool. */
interface Finding {
  readonly what: string;
  readonly seen: string;
  readonly means: string;
  /** Null if the service shows nothing to decide it by. */
  readonly holds: boolean | null;
}

const MAX_SKEW_MS = 60_000;

type DoctorOptions = CommandOptions & ReceiversOptions;

/** Checks the real service, read-only: how it behaves where the specification does not say, and which guarantees hold. */
export const definition: CommandDefinition<DoctorOptions> = {
  description: "checks the real service, read-only, reports which guarantees hold, and records what the list shows",
  example: { lines: ["outreach doctor", "outreach doctor --receivers --allow crm.example.com"] },
  declare: (command) => withReceivers(withState(command)).option("--json", "print JSON", false),
  forTeams: { json: "document" },
  run: async (context, { options }) => {
    const verified = await checkReceivers(context, options);
    return withService(context, options, async (caller, { exclusive = false }): Promise<ExitCode> => {
      const { inspection, listing: wire } = await inspectService(caller, context.stop);
      const listing = await listingOf(context, wire);
      const resource = resourceOf(context.catalog, WEBHOOK);
      const ids = listing.objects.map(({ id }) => id);
      const {
        sentence: recorded,
        document,
        problems,
      } = await recordList(context, options, { caller, type: WEBHOOK, ids, inspection });
      const findings = [
        ...findingsOf(inspection, creationOrder(resource, listing.objects)),
        uniquenessFinding(exclusive, sharingOf(resource, listing)),
        ...receiverFindings(verified?.receivers ?? []),
      ];
      const listings = new Map([[WEBHOOK, listing]]);
      const recordedWarnings = document
        ? liveWarnings(document, { catalog: context.catalog, listings, nowMs: context.clock.now() })
        : problems;
      const found = [...(verified?.diagnostics ?? []), ...recordedWarnings];
      const exitCode = problems.length > 0 || (verified && !isProven(verified.receivers)) ? 1 : 0;
      const summary = verified && receiversSummary(verified.receivers);
      if (summary !== null) context.summarize(summary);
      if (options.json) {
        const receivers = verified && { receivers: verified.receivers.map(receiverJson) };
        const diagnostics = arrangedDiagnostics(context, found, { hidesEmails: context.hidesEmails.out }).map(
          diagnosticJson,
        );
        context.out(
          `${escapedJson(JSON.stringify({ ...inspection, findings, ...receivers, recorded, diagnostics }, null, 2))}\n`,
        );
        return exitCode;
      }
      context.out(`${caller.baseUrl}\n\n`);
      for (const { what, seen, means, holds } of findings)
        context.out(`${markOf(holds, context.paint)}  ${what}: ${seen}\n      ${means}\n`);
      context.out(`\n${recorded}\n`);
      if (summary !== null) context.out(`\n${summary}\n`);
      if (found.length > 0) printDiagnostics(context, found);
      return exitCode;
    });
  },
};

function receiverFindings(receivers: readonly ReceiverCheck[]): readonly Finding[] {
  return receivers.map((one) => ({
    what: `Receiver of ${one.address}`,
    seen: answerText(one),
    means: receiverText(one),
    holds: one.result === "skipped" ? null : one.result === "ok",
  }));
}

/** The webhooks that were read, as the resource describes them. Sends nothing. */
async function listingOf({ catalog, stop }: CommandContext, wire: WebhookListing): Promise<LiveListing> {
  const { list } = resourceOf(catalog, WEBHOOK);
  if (!list) throw new Error(`${WEBHOOK} has no list`);
  const client: Pick<ReadClient, "listWebhooks"> = { listWebhooks: () => Promise.resolve(wire) };
  return list({ client, signal: stop, expectedIds: new Set() });
}

function markOf(holds: Finding["holds"], paint: Paint): string {
  if (holds === null) return paint("dim", "open");
  return holds ? paint("green", "ok  ") : paint("yellow", "note");
}

function findingsOf(inspection: Inspection, order: ReturnType<typeof creationOrder>): readonly Finding[] {
  const { listShape, webhookCount, carried, rateLimitHeaders, clockSkewMs } = inspection;
  return [
    {
      what: "List of webhooks",
      seen: `${countOf(webhookCount, "webhook")}, as ${listShape === "array" ? "an array" : `an object with ${JSON.stringify(listShape)}`}`,
      means: "Plans find drift and identical unmanaged webhooks.",
      holds: true,
    },
    ...OPTIONAL_FIELDS.map((field) => fieldFinding(field, carried[field], webhookCount)),
    pagingFinding(inspection),
    orderFinding(order, carried.createdAt),
    {
      what: "Rate-limit headers",
      seen: rateLimitHeaders.length === 0 ? "none" : rateLimitHeaders.join(", "),
      means:
        rateLimitHeaders.length === 0
          ? "Pacing uses only the documented limit of 20 requests in 2 s."
          : "Pacing follows them.",
      holds: rateLimitHeaders.length > 0,
    },
    {
      what: "Clock",
      seen: clockSkewMs === null ? "the service sends no date" : skewText(Math.round(clockSkewMs / 1000)),
      means:
        clockSkewMs !== null && Math.abs(clockSkewMs) <= MAX_SKEW_MS
          ? "Times of the service can be compared with local times."
          : "Times of the service are compared only with each other.",
      holds: clockSkewMs !== null && Math.abs(clockSkewMs) <= MAX_SKEW_MS,
    },
  ];
}

function skewText(seconds: number): string {
  if (seconds === 0) return "the same as the local clock";
  return `${String(Math.abs(seconds))} s ${seconds < 0 ? "behind" : "ahead of"} the local clock`;
}

const PARAMETERS = {
  offset: "offset works",
  page: "page works, counted from 1",
  "page-from-0": "page works, counted from 0",
};

function pagingFinding({ paging, extent, webhookCount }: Inspection): Finding {
  const found = { what: "Paging", holds: paging !== null };
  if (webhookCount === 0)
    return { ...found, holds: null, seen: "the list is empty, so it cannot be tested", means: LOOK_AGAIN };
  if (paging !== null) {
    const more =
      extent === "paged" ? `, and the list has more than the ${String(webhookCount)} webhooks of its first page` : "";
    return { ...found, seen: `${PARAMETERS[paging]}${more}`, means: "The whole list can be read." };
  }
  const seen = "offset and page are ignored";
  if (extent === "truncated")
    return {
      ...found,
      seen: `${seen}, and the list is truncated: other parameters show more`,
      means: "Webhooks that it does not show do not count as missing.",
    };
  if (extent === "unknown")
    return {
      ...found,
      seen,
      means:
        "The list may be truncated: its length is a multiple of 5, and no request shows more. A longer list seen before, or its order, decides what is missing.",
    };
  return {
    ...found,
    seen,
    means:
      "A list of 10, 15, 20 … webhooks may be truncated. Then a longer list seen before, or its order, decides what is missing.",
  };
}

/** How many live objects share their exclusive value with another one. */
function sharingOf(resource: AnyResource, { objects }: LiveListing): number {
  const index = indexLive(resource, objects);
  return objects.filter(({ attributes }) => index.holders(attributes).length > 1).length;
}

function uniquenessFinding(exclusive: boolean, sharing: number): Finding {
  const shared = sharing > 0 ? `; ${String(sharing)} live webhooks share one` : "";
  return {
    what: "Webhooks per target URL",
    holds: exclusive ? true : null,
    seen: `${exclusive ? "one: unique_target_url is true" : "several: unique_target_url is false"}${shared}`,
    means: exclusive
      ? "Plans stop before they create a second webhook with a target URL."
      : "Plans create several webhooks with one target URL, with a warning. If the service answers 409, set unique_target_url: true.",
  };
}

function orderFinding(order: ReturnType<typeof creationOrder>, dated: number): Finding {
  const found = { what: "Order", holds: order !== null };
  if (order !== null) {
    const seen = order === "ascending" ? "oldest first" : "newest first";
    return {
      ...found,
      seen,
      means: "A webhook that is missing between two others counts as missing, even where the list may be truncated.",
    };
  }
  return {
    ...found,
    holds: null,
    seen: dated === 0 ? "the list shows no times of creation" : "not in the order of creation, or too short to tell",
    means: "The order does not tell which webhooks are missing where the list may be truncated.",
  };
}

const LOOK_AGAIN = "Run doctor again when the service has a webhook.";

function fieldFinding(field: string, carried: number, webhookCount: number): Finding {
  if (webhookCount === 0) return { what: field, seen: "the service has no webhook", means: LOOK_AGAIN, holds: null };
  if (carried > 0)
    return {
      what: field,
      seen: `shown (${String(carried)} of ${String(webhookCount)})`,
      means: "Plans find changes that were made elsewhere.",
      holds: true,
    };
  return {
    what: field,
    seen: "shown by no webhook",
    means: "It is unobserved: the recorded value counts, and plans do not find changes that were made elsewhere.",
    holds: false,
  };
}

/** The warnings of a plan about live objects that nothing manages, without a configuration: late outcomes, missing objects that have returned, and duplicates. */
export function liveWarnings(
  document: StateDocument,
  given: { readonly catalog: Catalog; readonly listings: ReadonlyMap<string, LiveListing>; readonly nowMs: number },
): readonly Diagnostic[] {
  const { catalog, listings } = given;
  const { diagnostics, reported } = checkLostCreates(document, given);
  const listed = new Set([...listings.values()].flatMap(({ objects }) => objects.map(({ id }) => id)));
  const standing = document.instances.filter(({ id }) => id !== null && listed.has(id));
  const findDuplicates = duplicateFinder(catalog, listings, managedIds(document.instances));
  return [...diagnostics, ...standingDuplicates(standing, { catalog, findDuplicates, reported })];
}
