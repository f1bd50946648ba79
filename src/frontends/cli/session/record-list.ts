import { countingLength, isOf, remembered, withRecord } from "../../../core/apply/live/list-records.ts";
import { DiagnosticsError } from "../../../core/model/diagnostic.ts";
import { fingerprinter } from "../../../core/secrets/fingerprint.ts";
import type { ListRecord, StateDocument } from "../../../core/state/document.ts";
import { readState } from "../../../core/state/open-state.ts";
import { canonicalJson } from "../../../core/model/value.ts";
import type { CallerOptions } from "../../../service/api/caller.ts";
import type { Inspection } from "../../../service/api/inspect.ts";
import type { CommandContext } from "../command-context.ts";
import type { StateOptions } from "../program/options.ts";
import { duration } from "./connection.ts";
import { locked, openStore, storeRecords } from "./records.ts";

/** What a look at the service has shown of one list. */
export interface SeenList {
  readonly caller: CallerOptions;
  readonly type: string;
  /** As the plain request shows them. */
  readonly ids: readonly string[];
  readonly inspection: Pick<Inspection, "extent" | "wasTried">;
}

/**
 * Records where the state is how long a list is, and which recorded objects a list lacks that is whole beyond doubt: evidence
 * for plans, which cannot find that out. Says in a sentence what was recorded, or why nothing was. Never fails for the state.
 */
export async function recordList(context: CommandContext, options: StateOptions, seen: SeenList): Promise<string> {
  try {
    const store = await openStore(context, options);
    if ((await store.read(context.stop)) === null) return `Nothing was recorded: there is no state ${store.name}.`;
    return await locked(context, { store, options, operation: "doctor" }, async () => {
      const open = await readState(store, context.random, context.stop);
      const { document } = open;
      const service = { baseUrl: seen.caller.baseUrl, keyFingerprint: await fingerprinter(document.salt)(seen.caller.apiKey) };
      if (canonicalJson(document.service) !== canonicalJson(service)) return `Nothing was recorded: ${store.name} belongs to another service or API key.`;
      const before = document.lists?.find((record) => isOf(record, service, seen.type));
      const record = recordOf(
        before,
        { ...service, type: seen.type },
        { seen, document, nowMs: context.clock.now(), listingDelayMs: duration(context, "OUTREACH_SETTLE", LISTING_DELAY_MS) },
      );
      if (canonicalJson(record) === canonicalJson(before ?? { ...service, type: seen.type })) return `Nothing new to record in ${store.name}.`;
      await storeRecords(context, { store, open }, withRecord(document, record));
      return `Recorded in ${store.name}: ${sentenceOf(record, context.clock.now())}`;
    });
  } catch (error) {
    if (!(error instanceof DiagnosticsError)) throw error;
    return `Nothing was recorded: ${error.diagnostics.map(({ detail }) => detail).join(" ")}`;
  }
}

/** How long after its create an object may be absent from a list, where OUTREACH_SETTLE does not say. */
const LISTING_DELAY_MS = 60_000;

function recordOf(
  before: ListRecord | undefined,
  key: Pick<ListRecord, "baseUrl" | "keyFingerprint" | "type">,
  {
    seen,
    document,
    nowMs,
    listingDelayMs,
  }: { readonly seen: SeenList; readonly document: StateDocument; readonly nowMs: number; readonly listingDelayMs: number },
): ListRecord {
  const { ids, inspection } = seen;
  const listed = new Set(ids);
  // A truncated list shows that the cap has moved since a longer one was seen.
  const longest = inspection.extent === "truncated" ? undefined : remembered(before?.longest, listed.size, nowMs);
  const isProof = inspection.wasTried && inspection.extent === "whole";
  const gone = document.instances.flatMap(({ id, type, recordedAtMs }) =>
    isProof && id !== null && type === key.type && !listed.has(id) && nowMs - recordedAtMs >= listingDelayMs ? [id] : [],
  );
  const absent = [...new Set([...(before?.absent ?? []).filter((id) => !listed.has(id)), ...gone])];
  return { ...key, ...(longest ? { longest } : {}), ...(absent.length > 0 ? { absent } : {}) };
}

function sentenceOf({ longest, absent = [] }: ListRecord, nowMs: number): string {
  const length = countingLength(longest, nowMs);
  const seen = length > 0 ? `the longest list so far has ${String(length)} webhooks` : "no length of the list counts any more";
  return `${seen}${absent.length > 0 ? `; ${absent.join(", ")} ${absent.length > 1 ? "are" : "is"} gone` : ""}.`;
}
