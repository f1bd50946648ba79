import type { OperationContext } from "../../../../operations/context.ts";
import { countingLength, isOf, learnt, withRecord } from "../../../../core/apply/live/list-records.ts";
import { type Diagnostic, DiagnosticsError } from "../../../../core/model/diagnostic.ts";
import { type ListRecord, type StateDocument, UnreadableState } from "../../../../core/state/document.ts";
import { canonicalJson } from "../../../../core/model/value.ts";
import type { CallerOptions } from "../../../../service/api/caller.ts";
import type { Inspection } from "../../../../service/api/inspect.ts";
import type { OperationOptions } from "../../../../operations/options.ts";
import { changeRecords, readRecords, storeRecords } from "../../../../operations/state/records.ts";

/** What a look at the service has shown of one list. */
export interface SeenList {
  readonly caller: CallerOptions;
  readonly type: string;
  /** The ids that the plain request shows. */
  readonly ids: readonly string[];
  readonly inspection: Pick<Inspection, "extent" | "paging">;
}

export interface RecordedList {
  /** What was recorded, or why nothing was, as a sentence. */
  readonly sentence: string;
  /** The state, if it belongs to this service and key; null otherwise. */
  readonly document: StateDocument | null;
  /** Why the state cannot be read. */
  readonly problems: readonly Diagnostic[];
}

/**
 * Records where the state is how long a list is, how it is paged, and whether it is truncated: evidence for plans. Never throws for the state.
 */
export async function recordList(
  context: OperationContext,
  options: OperationOptions,
  seen: SeenList,
): Promise<RecordedList> {
  const nothing = (why: string): RecordedList => ({
    sentence: `Nothing was recorded: ${why}`,
    document: null,
    problems: [],
  });
  try {
    // Where there is no state there is nothing to lock.
    await readRecords(context, options);
    return await changeRecords(context, options, "doctor", async (records) => {
      const { document } = records.open;
      const { name } = records.store;
      const service = {
        baseUrl: seen.caller.baseUrl,
        keyFingerprint: await context.fingerprinter(document.salt)(seen.caller.apiKey),
      };
      if (canonicalJson(document.service) !== canonicalJson(service))
        return nothing(`${name} belongs to another service or API key.`);
      const before = document.lists?.find((record) => isOf(record, service, seen.type)) ?? {
        ...service,
        type: seen.type,
      };
      const record = recordOf(before, seen, context.clock.now());
      if (canonicalJson(record) === canonicalJson(before))
        return {
          sentence: `Nothing new to record in ${name}: ${sentenceOf(record, context.clock.now())}.`,
          document,
          problems: [],
        };
      await storeRecords(context, records, withRecord(document, record));
      return { sentence: `Recorded in ${name}: ${sentenceOf(record, context.clock.now())}.`, document, problems: [] };
    });
  } catch (error) {
    if (!(error instanceof DiagnosticsError)) throw error;
    return {
      ...nothing(error.diagnostics.map(({ detail }) => detail).join(" ")),
      problems: error instanceof UnreadableState ? error.diagnostics : [],
    };
  }
}

/** A truncated list omits existing webhooks. */
function recordOf(before: ListRecord, { ids, inspection: { extent, paging } }: SeenList, nowMs: number): ListRecord {
  const listed = new Set(ids);
  const contradictedAtMs = before.contradictedAtMs ?? (extent === "truncated" ? nowMs : null);
  const found = {
    longest: listed.size,
    last: listed.size,
    listed,
    unchanged: before.unchanged?.length === listed.size ? before.unchanged : null,
    contradictedAtMs,
  };
  return learnt(before, { ...found, paging: extent === "paged" ? paging : (before.paging ?? null) }, nowMs);
}

/** What outreach has learnt of the list, in its runs and here. */
function sentenceOf({ longest, paging, contradictedAtMs }: ListRecord, nowMs: number): string {
  const length = countingLength(longest, nowMs);
  return [
    length > 0 ? `the longest list so far has ${String(length)} webhooks` : "no length of the list counts",
    ...(paging === undefined ? [] : [`the list is paged by ${paging === "offset" ? "offset" : "page"}`]),
    ...(contradictedAtMs === undefined
      ? []
      : [
          "the list has omitted existing webhooks, so only a longer list, paging or its order proves that one is missing",
        ]),
  ].join("; ");
}
