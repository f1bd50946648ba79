import { type StepsOutcome, applyPlan } from "../../../src/core/apply/run/apply-plan.ts";
import { openLiveList } from "../../../src/core/apply/live/live-list.ts";
import { type RecoveredState, recover } from "../../../src/core/apply/recovery/recovery.ts";
import { checkLostCreates } from "../../../src/core/apply/recovery/lost-creates.ts";
import { type WriteContext, openBaseline, openLostCreates } from "../../../src/core/apply/write/write-context.ts";
import type { Declaration } from "../../../src/core/model/declaration.ts";
import { type LiveObject, type WriteOutcome, resourceOf } from "../../../src/core/model/definition.ts";
import type { Diagnostic } from "../../../src/core/model/diagnostic.ts";
import { managedIds } from "../../../src/core/model/instance.ts";
import { makePlan } from "../../../src/core/plan/make-plan.ts";
import { undecidedWriteDiagnostic } from "../../../src/core/plan/undecided.ts";
import { PLAIN_OPTIONS } from "../../../src/core/plan/plan-context.ts";
import type { Plan } from "../../../src/core/plan/plan.ts";
import { openJournal } from "../../../src/core/state/journal.ts";
import { localStore } from "../../../src/core/state/local/local-store.ts";
import { fold } from "../../../src/core/state/fold.ts";
import { foldInto, readState, withDocument, writeState } from "../../../src/core/state/open-state.ts";
import { type FileFault, memoryFiles } from "../state/memory-files.ts";
import { NEVER, countingRandom, processOf } from "../state/state-fixtures.ts";
import { NO_STATEMENTS, live } from "../toy.ts";
import { virtualClock } from "../virtual-clock.ts";
import { type Life, mortalFiles, never, newLife } from "./life.ts";
import { type Shop, shopCatalog } from "./shop-things.ts";

/** What happens to one request: lost before or after it is processed, or the process ends there. */
export type Mishap = "lost-before" | "lost-after" | "crash-before" | "crash-after" | "refused";

export interface Ended {
  readonly applied: StepsOutcome | null;
  readonly recovered: RecoveredState | null;
  readonly plan: Plan | null;
  /** Reported by this run, whatever by. */
  readonly diagnostics: readonly Diagnostic[];
  readonly crashed: boolean;
  /** What it sent that was not refused. */
  readonly sent: readonly string[];
}

/** A shop with a log of its own, a state on a disk, and runs of both, each as a process of its own. */
export function shopWorld() {
  const files = memoryFiles();
  const clock = virtualClock();
  const storeOf = (life: Life) =>
    localStore("work/s.json", {
      files: mortalFiles(files, life),
      clock,
      random: countingRandom(),
      process: processOf(),
    });
  const bucket = new Map<string, LiveObject>();
  /** What the shop has processed. */
  const log: string[] = [];
  /** Requests, processed or not, in the order in which they were sent. */
  const sent: string[] = [];
  const refused = new Set<number>();
  let mishap: { readonly at: number; readonly what: Mishap } | null = null;
  let made = 0;
  let lastPlan: Plan | null = null;

  async function request(life: Life, text: string, process: () => WriteOutcome): Promise<WriteOutcome> {
    if (life.isOver) return never();
    const what = mishap?.at === sent.length ? mishap.what : null;
    const number = sent.push(text) - 1;
    await clock.sleep(10, NEVER);
    if (what === "refused") refused.add(number);
    if (what === "refused")
      return { kind: "refused", diagnostic: { code: "no", severity: "error", summary: "No", detail: "No." } };
    const outcome = what === "lost-before" || what === "crash-before" ? null : process();
    if (outcome) log.push(outcome.kind === "done" && outcome.id !== null ? `${text} -> ${outcome.id}` : text);
    if (what === "crash-before" || what === "crash-after") life.end();
    if (life.isOver) return never();
    return what === null && outcome ? outcome : { kind: "unsure", cause: "reset", answered: false };
  }

  const shopOf = (life: Life): Shop => ({
    list: async () => {
      await (life.isOver ? never() : Promise.resolve());
      return { objects: [...bucket.values()], complete: true, serverDate: new Date(clock.now()).toUTCString() };
    },
    create: (planned) =>
      request(life, `POST ${String(planned["name"])}`, () => {
        const object = live(String(planned["name"]), {
          id: `id_${String(++made)}`,
          room: planned["room"] ?? null,
          made_at: new Date(clock.now()).toISOString(),
        });
        bucket.set(object.id, object);
        return { kind: "done", id: object.id, returned: object.attributes };
      }),
    delete: (id) =>
      request(life, `DELETE ${id}`, () => {
        const there = bucket.get(id);
        bucket.delete(id);
        if (there) return { kind: "done", id, returned: there.attributes };
        return {
          kind: "refused",
          gone: true,
          diagnostic: { code: "gone", severity: "error", summary: "Gone", detail: "Gone." },
        };
      }),
    shout: (word) =>
      request(life, `SHOUT ${word}`, () => ({ kind: "done", id: null, returned: { id: null, outcome: "heard" } })),
  });

  /** One process: recovers, plans, applies and stores. */
  async function run(
    life: Life,
    declarations: readonly Declaration[],
    { approved = false }: { readonly approved?: boolean },
  ): Promise<Ended> {
    const into = storeOf(life);
    const shop = shopOf(life);
    const read = await readState(into, countingRandom(), NEVER);
    const lists = new Map(
      shopCatalog.resources.map((definition) => [
        definition.type,
        openLiveList(definition, shop, () => managedIds(read.document.instances)),
      ]),
    );
    const listOf = (type: string) => {
      const list = lists.get(type);
      if (!list) throw new Error(type);
      return list;
    };
    const ports = {
      catalog: shopCatalog,
      live: listOf,
      clock,
      process: processOf(),
      listingDelayMs: { answered: 10, unanswered: 60 },
      signal: NEVER,
    };
    const recovered = await recover(read, ports);
    const listings = new Map([["toy_thing", await listOf("toy_thing").get(NEVER)]]);
    const checked = checkLostCreates(recovered.document, { catalog: shopCatalog, listings, nowMs: clock.now() });
    let open = withDocument(read, checked.document);
    const { instances } = open.document;
    const plan = makePlan({
      catalog: shopCatalog,
      declarations,
      instances,
      live: listings,
      limits: {},
      options: PLAIN_OPTIONS,
      undecided: recovered.undecided,
      ...NO_STATEMENTS,
    });
    lastPlan = plan;
    const before = [
      ...recovered.diagnostics,
      ...recovered.undecided.map(undecidedWriteDiagnostic),
      ...checked.diagnostics,
      ...plan.diagnostics,
    ];
    if (open.version === null) open = await writeState(into, open, NEVER);
    else if (open.journal || recovered.changed) open = await foldInto(into, open, NEVER);
    if (!into.journal) throw new Error("no journal");
    if (open.unfinished) await into.journal.remove();
    const { lineage, serial, journalSeq } = open.document;
    const journal = openJournal(into.journal, { journal: 1, lineage, baseSerial: serial, baseSeq: journalSeq });
    const managed = managedIds(instances);
    const lost = openLostCreates(open.document);
    const contexts = new Map(
      [...lists].map(([type, list]): [string, WriteContext] => {
        const watched = { ...list, added: (object: LiveObject) => (managed.add(object.id), list.added(object)) };
        const access = { reserve: () => Promise.resolve({ client: shop, release: () => undefined }) };
        const isManaged = (id: string): boolean => managed.has(id);
        const { listingDelayMs } = ports;
        return [
          type,
          {
            access,
            live: watched,
            journal,
            baseline: openBaseline(resourceOf(shopCatalog, type), list, journal),
            lost,
            listingDelayMs,
            clock,
            isManaged,
            signal: NEVER,
          },
        ];
      }),
    );
    const write = (type: string): WriteContext =>
      contexts.get(type) ?? (Promise.reject(new Error(resourceOf(shopCatalog, type).type)) as never);
    const applied = await applyPlan(plan, {
      catalog: shopCatalog,
      markOf: () => undefined,
      instances,
      declarations,
      pending: open.pending,
      approved,
      isApplied: true,
      secretsOf: () => ({}),
      write,
      journal,
      clock,
      report: () => undefined,
      stop: NEVER,
    });
    if (journal.recorded().length > 0)
      await foldInto(into, { ...open, document: fold(open.document, journal.recorded()) }, NEVER);
    return { applied, recovered, plan, diagnostics: [...before, ...applied.diagnostics], crashed: false, sent: [] };
  }

  return {
    clock,
    files,
    bucket,
    log,
    sent,
    /** Lets something happen to the `at`-th request from now, or to the `at`-th call of the disk. */
    befall: (what: Mishap, at: number) => void (mishap = { at: sent.length + at, what }),
    fail: (fault: FileFault | null) => files.fail(fault),
    state: async () => (await readState(storeOf(newLife()), countingRandom(), NEVER)).document,
    run: async (
      declarations: readonly Declaration[],
      options: { readonly approved?: boolean } = {},
    ): Promise<Ended> => {
      const life = newLife();
      const before = sent.length;
      lastPlan = null;
      const ended = await Promise.race([run(life, declarations, options), life.over]);
      life.end();
      mishap = null;
      files.fail(null);
      const own = sent.filter((_, number) => number >= before && !refused.has(number));
      return ended === "over"
        ? { applied: null, recovered: null, plan: lastPlan, diagnostics: [], crashed: true, sent: own }
        : { ...ended, sent: own };
    },
  };
}
