import { type LiveList, openLiveList } from "../../../src/core/apply/live/live-list.ts";
import { type WriteContext, openBaseline, openLostCreates } from "../../../src/core/apply/write/write-context.ts";
import type { AnyResource, LiveObject, WriteOutcome } from "../../../src/core/model/definition.ts";
import type { Clock } from "../../../src/core/model/ports.ts";
import type { Attributes } from "../../../src/core/model/value.ts";
import { openJournal } from "../../../src/core/state/journal.ts";
import type { Journal, JournalEvent, JournalFact } from "../../../src/core/state/journal-event.ts";
import type { LostCreate } from "../../../src/core/state/lost-create.ts";
import type { JournalBytes } from "../../../src/core/state/state-store.ts";
import { memoryJournal } from "../state/memory-journal.ts";
import { type ToyShop, live, toy } from "../toy.ts";
import { virtualClock } from "../virtual-clock.ts";

export const refused = (gone = false): WriteOutcome => ({
  kind: "refused",
  diagnostic: { code: "toy_refused", severity: "error", summary: "No", detail: "The shop said no." },
  ...(gone ? { gone: true as const } : {}),
});
export const unsure: WriteOutcome = { kind: "unsure", answered: true, cause: "the line went dead" };

export interface ToyRunOptions {
  /** The toy by default. */
  readonly definition?: AnyResource;
  readonly objects?: readonly LiveObject[];
  readonly complete?: boolean;
  readonly managed?: readonly string[];
  /** What a request comes to; undefined is the ordinary answer. May wait, and may throw. */
  readonly answer?: (
    request: string,
    planned: Attributes,
  ) => WriteOutcome | undefined | Promise<WriteOutcome | undefined>;
  /** What a list shows, in the place of what the shop has. */
  readonly shown?: () => readonly LiveObject[];
  /** What goes wrong with a list; counted from 0. */
  readonly failList?: (count: number) => boolean;
  readonly lost?: readonly LostCreate[];
  readonly journal?: JournalBytes;
  readonly clock?: Clock;
  readonly stop?: AbortSignal;
}

export interface ToyRun {
  readonly context: WriteContext;
  readonly live: LiveList;
  readonly journal: Journal & { recorded(): readonly JournalEvent[] };
  /** Everything in its order: `reserve 2`, `intent create toy_thing.ball`, `POST ball`, `done`, … */
  readonly log: readonly string[];
  /** All that the journal was given, as bytes. */
  readonly stored: () => Promise<string>;
  readonly objects: () => readonly string[];
  /** The requests that were under way at once, at most. */
  readonly mostAtOnce: () => number;
}

/** A shop that keeps toys, and everything that a write needs around it. */
export function toyRun(options: ToyRunOptions = {}): ToyRun {
  const log: string[] = [];
  const bucket = new Map((options.objects ?? []).map((object) => [object.id, object]));
  const managed = new Set(options.managed ?? []);
  const clock = options.clock ?? virtualClock();
  let [made, lists, atOnce, most] = [0, 0, 0, 0];

  async function request(text: string, planned: Attributes, ordinary: () => WriteOutcome): Promise<WriteOutcome> {
    log.push(text);
    most = Math.max(most, ++atOnce);
    await Promise.resolve();
    try {
      return (await options.answer?.(text, planned)) ?? ordinary();
    } finally {
      atOnce--;
    }
  }

  const shop: ToyShop = {
    list: async () => {
      log.push("GET");
      await Promise.resolve();
      if (options.failList?.(lists++)) throw new Error("no list today");
      return {
        objects: options.shown?.() ?? [...bucket.values()],
        complete: options.complete ?? true,
        serverDate: "Thu, 01 Jan 2026 00:00:00 GMT",
      };
    },
    create: (planned) =>
      request(`POST ${String(planned["name"])}`, planned, () => {
        const object = live(String(planned["name"]), { id: `new_${String(++made)}`, room: planned["room"] ?? null });
        bucket.set(object.id, object);
        return { kind: "done", id: object.id, returned: object.attributes };
      }),
    delete: (id) =>
      request(`DELETE ${id}`, {}, () => {
        const there = bucket.get(id);
        bucket.delete(id);
        return there ? { kind: "done", id, returned: there.attributes } : refused(true);
      }),
  };

  const bytes = options.journal ?? memoryJournal();
  const opened = openJournal(bytes, { journal: 1, lineage: "line", baseSerial: 1, baseSeq: 0 });
  const noted = (facts: readonly JournalFact[]): readonly string[] =>
    facts.map((fact) => (fact.kind === "intent" ? `intent ${fact.op} ${String(fact.address)}` : fact.kind));
  const journal = {
    ...opened,
    begin: async (facts: readonly JournalFact[], signal: AbortSignal) => {
      const seqs = await opened.begin(facts, signal);
      log.push(...noted(facts));
      return seqs;
    },
    record: async (facts: readonly JournalFact[]) => {
      await opened.record(facts);
      log.push(...noted(facts));
    },
  };
  const list = openLiveList(options.definition ?? toy, shop, () => managed);
  const context: WriteContext = {
    access: {
      reserve: async (count, signal) => {
        await Promise.resolve();
        signal.throwIfAborted();
        log.push(`reserve ${String(count)}`);
        return { client: shop, release: () => void log.push("release") };
      },
    },
    live: { ...list, added: (object) => (managed.add(object.id), list.added(object)) },
    journal,
    baseline: openBaseline(toy, list, journal),
    lost: openLostCreates({ lostCreates: options.lost ?? [] }),
    listingDelayMs: { answered: 10_000, unanswered: 10_000 },
    clock,
    isManaged: (id) => managed.has(id),
    signal: options.stop ?? new AbortController().signal,
  };
  return {
    context,
    live: list,
    journal,
    log,
    stored: async () => new TextDecoder().decode((await bytes.read()) ?? undefined),
    objects: () => [...bucket.keys()],
    mostAtOnce: () => most,
  };
}
