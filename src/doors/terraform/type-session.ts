import { type LiveList, openLiveList } from "../../core/apply/live-list.ts";
import { openBaseline } from "../../core/apply/write.ts";
import type { AnyResource, LiveObject } from "../../core/model/definition.ts";
import type { Diagnostic } from "../../core/model/diagnostic.ts";
import { nameOf } from "./journal/journaled-create.ts";
import type { Journals } from "./journal/journals.ts";
import { openLateTwins } from "./journal/late-twins.ts";
import { openRecovery } from "./journal/recovery.ts";
import { type Writing, openEarlier, openLanes } from "./journal/writing.ts";
import type { Connection, Services } from "./services.ts";

/** What a process remembers of one type. */
export interface TypeSession {
  readonly live: LiveList;
  readonly writing: Writing;
  readonly lateTwins: () => Promise<readonly Diagnostic[]>;
  /** The live object, from one list for all calls that come side by side. */
  find(id: string): Promise<{ readonly object: LiveObject | null; readonly complete: boolean }>;
  /** When the last list was asked for; null when there was none. */
  listedAtMs(): number | null;
}

export interface TypePorts extends Pick<Services, "clock" | "settleMs">, Connection {
  readonly journals: Journals;
  readonly signal: AbortSignal;
  /** The ids of what is managed: grows while the process runs. */
  readonly managed: Set<string>;
  /** What Terraform has shown to be in its state, by `nameOf`. */
  readonly known: ReadonlySet<string>;
}

/** How long the first of several reads waits for the ids of the others, so that one list is asked for all of them. */
const GATHER_MS = 10;

export function openType(definition: AnyResource, ports: TypePorts): TypeSession {
  const { readClient, access, journals, clock, settleMs, signal, managed, known } = ports;
  /** The ids that the last list was asked for, and when. */
  let asked: { readonly ids: ReadonlySet<string>; readonly atMs: number } | null = null;
  /** Resolves when the ids of calls that come side by side are together. */
  let gathered: Promise<void> | null = null;
  let rechecking: Promise<unknown> | null = null;

  const live = openLiveList(definition, readClient, () => (asked = { ids: new Set(managed), atMs: clock.now() }).ids);
  const isManaged = (id: string): boolean => managed.has(id);
  const made = (id: string): void => void managed.add(id);
  const shared = { live, journals, clock, settleMs, signal, isManaged, made };
  const lanes = openLanes(definition, live, signal);
  const writing: Writing = {
    context: { access, live, journal: journals, baseline: openBaseline(live, journals), clock, isManaged, signal },
    live,
    journals,
    recovery: openRecovery(definition, shared),
    lanes,
    earlier: openEarlier(definition, journals, lanes.laneOf),
    resolved: new Map(),
    isKnown: (attributes) => known.has(nameOf(definition, attributes)),
    made,
  };
  const isAskedFor = (id: string): boolean => asked?.ids.has(id) === true;

  /** What is missing from a list that was not asked for it is looked for once more: the list may have ended early. */
  async function recheck(id: string): Promise<void> {
    for (let isIn = isAskedFor(id); !isIn; isIn = isAskedFor(id)) {
      rechecking ??= clock
        .sleep(GATHER_MS, signal)
        .then(() => live.again(signal))
        .finally(() => (rechecking = null));
      await rechecking;
    }
  }

  return {
    live,
    writing,
    lateTwins: openLateTwins(definition, shared),
    find: async (id) => {
      managed.add(id);
      await (gathered ??= clock.sleep(GATHER_MS, signal));
      const first = await live.find(id, signal);
      if (first) return { object: first, complete: true };
      await recheck(id);
      const { complete } = await live.get(signal);
      return { object: (await live.find(id, signal)) ?? null, complete };
    },
    listedAtMs: () => asked && asked.atMs,
  };
}
