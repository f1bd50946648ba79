import type { Diagnostic } from "../../../core/model/diagnostic.ts";
import type { Random } from "../../../core/model/ports.ts";
import { digest } from "../../../core/state/checksum.ts";
import type { ScopeRecords } from "../../provider-journal/ledger.ts";
import { GIVEN_UP, withOutcome, withoutId } from "../../provider-journal/ledger-facts.ts";
import { atEnd } from "./ending.ts";
import { isUndecided } from "./journaled-create.ts";
import { Overtaken, isUnreadable, journalNotWritten, journalShortLived, nothingSent } from "./journal-problems.ts";
import type { FoundFact, HiddenCreate, Journals } from "./journals.ts";
import type { KnownCreate } from "./ledger-view.ts";
import { openOwnCreates } from "./own-creates.ts";
import { type LedgerPlace, type LedgerPorts, type ScopedLedger, openScopedLedger } from "./scoped-ledger.ts";

export interface JournalOptions extends Omit<LedgerPlace, "own"> {
  /** In messages. */
  readonly name: string;
  /** For one request. */
  readonly timeoutMs: number;
  /** The journal may disappear with the machine. */
  readonly isShortLived: boolean;
}

export function openJournals(options: JournalOptions, ports: LedgerPorts & { readonly random: Random }): Journals {
  const { name, timeoutMs, isShortLived } = options;
  const { clock } = ports;
  const own = ports.random.uuid();
  const ledger = openScopedLedger({ ...options, own }, ports);
  let warnings: readonly Diagnostic[] = [];
  const warn = (diagnostic: Diagnostic): void => void (warnings = [...warnings, diagnostic]);
  const notStored = (error: unknown): void => warn(journalNotWritten(name, error));
  const notBegun = (error: unknown): Error => nothingSent(name, error);
  const { journal, isBegun } = openOwnCreates({ ledger, own, timeoutMs, clock, notStored, notBegun });
  const handedOver = new Set<string>();
  let hasBegun = false;

  async function stored(change: (records: ScopeRecords) => ScopeRecords): Promise<void> {
    await ledger.update(change).catch((error: unknown) => {
      throw nothingSent(name, error);
    });
  }
  return {
    ...journal,
    ...reading(ledger, isBegun),
    name,
    prepare: async () => {
      try {
        await ledger.first();
        await ledger.settle();
      } catch (error) {
        throw isUnreadable(error) ? error : nothingSent(name, error);
      }
    },
    noteWithoutId: (create, found) => ledger.owe((records) => withoutId(records, create, found)),
    handOver: (create) => void handedOver.add(create),
    recordCreate: (create, fact) => stored((records) => withFound(records, create, { fact, own })),
    remember: async (key, lost) => {
      await ledger.first();
      if (ledger.records().lostCreates[key]) return;
      await stored((records) => ({ ...records, lostCreates: { ...records.lostCreates, [key]: lost } }));
    },
    warnings: () => {
      const said = warnings;
      warnings = [];
      return said;
    },
    begins: () => {
      if (!hasBegun && isShortLived) warn(journalShortLived(name));
      hasBegun = true;
    },
    close: async ({ wasOrderly, isOver }) => {
      await ledger.first();
      const settled = ledger.creates().filter(({ standing }) => standing === "own" || standing === "left");
      const owned = new Set(settled.map(({ create }) => create.name));
      const over = new Set(settled.flatMap(({ create }) => (isOver(create) ? [create.name] : [])));
      const isGiven = (create: string): boolean => isBegun(create) || handedOver.has(create);
      const ending = { wasOrderly, isOwn: (create: string) => owned.has(create), isOver: (create: string) => over.has(create), isGiven, nowMs: clock.now() };
      await ledger.end((records) => atEnd(records, ending));
    },
  };
}

type Reading = Pick<Journals, "salt" | "scope" | "obstacles" | "look" | "leftBehind" | "earlier" | "creates" | "madeIds" | "lostCreates" | "begun">;

function reading(ledger: ScopedLedger, isBegun: (name: string) => boolean): Reading {
  const { scope } = ledger;
  const all = async (): Promise<readonly KnownCreate[]> => {
    await ledger.first();
    return ledger.creates();
  };
  const creates = (known: readonly KnownCreate[]) => known.map(({ create }) => create);
  const isLeft = ({ create, standing }: KnownCreate): boolean => standing === "left" || (standing === "own" && !isBegun(create.name));
  return {
    scope,
    salt: async () => {
      const { workspace, baseUrl, key } = await scope();
      return digest(JSON.stringify([workspace, baseUrl, key]));
    },
    obstacles: async () => {
      const hidden = (await all()).flatMap(hiddenIn);
      const foreign = ledger.foreign().map((one) => ({ scope: one.scope, creates: creates(one.creates).filter(isUndecided) }));
      return { foreign: foreign.filter((one) => one.creates.length > 0), hidden };
    },
    look: async () => {
      await ledger.look();
      const known = ledger.creates();
      const living = known.flatMap(({ create, standing, process }) =>
        standing === "running" || standing === "hidden" ? [{ create, process: process ?? "" }] : [],
      );
      return { living, hidden: known.flatMap(hiddenIn) };
    },
    leftBehind: async () => creates((await all()).filter(isLeft)),
    earlier: async () => {
      const known = (await all()).filter((one) => isLeft(one) || (one.standing === "own" && isUndecided(one.create)));
      return creates(known).filter(({ outcome: { kind } }) => kind === "open" || kind === "made");
    },
    creates: async () => {
      const known = await all();
      const isOwn = ({ standing }: KnownCreate): boolean => standing === "own" || standing === "left";
      return { own: creates(known.filter(isOwn)), ofLiving: creates(known.filter((one) => !isOwn(one))) };
    },
    madeIds: async (options) => {
      const ids = (await all()).map(({ create: { outcome } }) => {
        if (outcome.kind === "made") return options?.isForOthers && outcome.claim === "without-id" ? null : outcome.record.id;
        return outcome.kind === "over" ? outcome.id : null;
      });
      return new Set(ids.filter((id) => id !== null));
    },
    lostCreates: async () => {
      await all();
      return Object.values(ledger.records().lostCreates);
    },
    begun: () => creates(ledger.creates().filter(({ create }) => isBegun(create.name))),
  };
}

function hiddenIn({ create, standing, process, owner, hidden, overAtMs }: KnownCreate): readonly HiddenCreate[] {
  if (standing !== "hidden" || process === null || owner === null || hidden === null) return [];
  return [{ create, id: process, owner, why: hidden, overAtMs }];
}

/** The first process to record the outcome of a create owns its object. Throws `Overtaken` in every other one. */
function withFound(records: ScopeRecords, name: string, { fact, own }: { readonly fact: FoundFact; readonly own: string }): ScopeRecords {
  const create = records.creates[name];
  if (!create) return records;
  if (create.outcome.kind !== "open") {
    if (create.process === own) return records;
    throw new Overtaken("another process has recorded its outcome");
  }
  const event = fact.kind === "given_up" ? ({ kind: "failed", of: 0, code: GIVEN_UP } as const) : { ...fact, of: 0 };
  return withOutcome(records, { name, create: { ...create, process: own } }, event);
}
