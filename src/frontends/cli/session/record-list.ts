import { countingLength, isOf, remembered, withRecord } from "../../../core/apply/live/list-records.ts";
import { type Diagnostic, DiagnosticsError } from "../../../core/model/diagnostic.ts";
import { type ListRecord, type StateDocument, UnreadableState } from "../../../core/state/document.ts";
import { canonicalJson } from "../../../core/model/value.ts";
import type { CallerOptions } from "../../../service/api/caller.ts";
import type { Inspection } from "../../../service/api/inspect.ts";
import type { StateOptions } from "../program/options.ts";
import { duration } from "../program/duration.ts";
import { type RecordsContext, changeRecords, readRecords, storeRecords } from "./records.ts";

/** What a look at the service has shown of one list. */
export interface SeenList {
  readonly caller: CallerOptions;
  readonly type: string;
  /** As the plain request shows them. */
  readonly ids: readonly string[];
  readonly inspection: Pick<Inspection, "extent" | "wasTried">;
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
 * Records where the state is how long a list is, and which recorded objects a list lacks that is whole beyond doubt: evidence
 * for plans, which cannot find that out. Never throws for the state.
 */
export async function recordList(context: RecordsContext, options: StateOptions, seen: SeenList): Promise<RecordedList> {
  const nothing = (why: string): RecordedList => ({ sentence: `Nothing was recorded: ${why}`, document: null, problems: [] });
  try {
    // Where there is no state there is nothing to lock.
    await readRecords(context, options);
    return await changeRecords(context, options, "doctor", async (records) => {
      const { document } = records.open;
      const { name } = records.store;
      const service = { baseUrl: seen.caller.baseUrl, keyFingerprint: await context.fingerprinter(document.salt)(seen.caller.apiKey) };
      if (canonicalJson(document.service) !== canonicalJson(service)) return nothing(`${name} belongs to another service or API key.`);
      const before = document.lists?.find((record) => isOf(record, service, seen.type)) ?? { ...service, type: seen.type };
      const record = recordOf(before, { seen, document, nowMs: context.clock.now(), listingDelayMs: duration(context, "OUTREACH_SETTLE", LISTING_DELAY_MS) });
      if (canonicalJson(record) === canonicalJson(before)) return { sentence: `Nothing new to record in ${name}.`, document, problems: [] };
      await storeRecords(context, records, withRecord(document, record));
      return { sentence: `Recorded in ${name}: ${sentenceOf(record, context.clock.now())}`, document, problems: [] };
    });
  } catch (error) {
    if (!(error instanceof DiagnosticsError)) throw error;
    return { ...nothing(error.diagnostics.map(({ detail }) => detail).join(" ")), problems: error instanceof UnreadableState ? error.diagnostics : [] };
  }
}

/** How long after its create an object may be absent from a list, where OUTREACH_SETTLE does not say. */
const LISTING_DELAY_MS = 60_000;

interface Looked {
  readonly seen: SeenList;
  readonly document: StateDocument;
  readonly nowMs: number;
  readonly listingDelayMs: number;
}

function recordOf({ longest: before, absent: gone = [], ...key }: ListRecord, { seen, document, nowMs, listingDelayMs }: Looked): ListRecord {
  const { ids, inspection } = seen;
  const listed = new Set(ids);
  // A truncated list shows that the cap has moved since a longer one was seen.
  const longest = inspection.extent === "truncated" ? undefined : remembered(before, listed.size, nowMs);
  const isProof = inspection.wasTried && inspection.extent === "whole";
  const unlisted = document.instances.flatMap(({ id, type, recordedAtMs }) =>
    isProof && id !== null && type === key.type && nowMs - recordedAtMs >= listingDelayMs ? [id] : [],
  );
  const absent = [...new Set([...gone, ...unlisted])].filter((id) => !listed.has(id));
  return { ...key, ...(longest ? { longest } : {}), ...(absent.length > 0 ? { absent } : {}) };
}

function sentenceOf({ longest, absent = [] }: ListRecord, nowMs: number): string {
  const length = countingLength(longest, nowMs);
  const seen = length > 0 ? `the longest list so far has ${String(length)} webhooks` : "no length of the list counts any more";
  return `${seen}${absent.length > 0 ? `; ${absent.join(", ")} ${absent.length > 1 ? "are" : "is"} gone` : ""}.`;
}
