import { type Diagnostic, DiagnosticsError } from "../../../core/model/diagnostic.ts";
import type { Clock } from "../../../core/model/ports.ts";
import { digest } from "../../../core/state/checksum.ts";
import type { Tombstone } from "../../../core/state/document.ts";
import { type JournalContents, type JournalScope, WINDOW_SIZE } from "../../../core/state/journal.ts";
import type { Intent, Journal, JournalFact } from "../../../core/state/journal-event.ts";
import type { Before } from "../../../core/apply/decide-creates.ts";
import { type FilePorts, type FoundJournal, type OwnedJournal, findJournals, newJournal, takeJournal } from "./journal-files.ts";
import { GIVEN_UP, type JournaledCreate, createsIn, matters, tombstonesIn } from "./journaled-create.ts";
import type { JournalSettings } from "./settings.ts";
import { journalNotWritten, journalShortLived, nothingSent } from "./wording.ts";

export interface JournalPorts extends FilePorts {
  readonly clock: Clock;
}

/** What earlier processes have left. */
export interface LeftBehind {
  /** Of this workspace, service and key. */
  readonly creates: readonly JournaledCreate[];
  readonly tombstones: readonly Tombstone[];
  /** Of another workspace, service or key: nothing is concluded from them. */
  readonly foreign: readonly { readonly path: string; readonly scope: JournalScope | null; readonly creates: readonly JournaledCreate[] }[];
  readonly damaged: readonly Diagnostic[];
}

/**
 * The journals of this process and of those before it, in one folder, a file a process. Terraform's state cannot hold what
 * is about to be sent, and tells no address; so each process leaves its file behind until nothing in it must be
 * remembered. A process that writes takes over the files of those that have gone; one that reads only looks at them.
 */
export interface Journals extends Journal {
  readonly folder: string;
  /** Goes into every fingerprint: the same for all journals of a workspace, service and key, so that they can be compared. */
  salt(): Promise<string>;
  /** What this process writes to. */
  scope(): Promise<JournalScope>;
  /** Read once. Throws when the folder cannot be read. */
  leftBehind(): Promise<LeftBehind>;
  /** Makes what was left behind this process's own. Throws when it cannot: then nothing may be created. */
  takeOver(): Promise<void>;
  /** Every create that is known of: of this process, of those that have gone, and apart those of processes that live. */
  creates(): Promise<{ readonly own: readonly JournaledCreate[]; readonly ofLiving: readonly JournaledCreate[] }>;
  tombstones(): Promise<readonly Tombstone[]>;
  /** The creates that this process has begun. */
  begun(): readonly JournaledCreate[];
  /** Tells that the object of an earlier create is given to Terraform. */
  handOver(create: string): void;
  /** Stores what came of a create that was looked for. Throws when it cannot. A create that is in no journal is left alone. */
  settleCreate(create: string, fact: FoundFact): Promise<void>;
  /** Stores a create that was looked for in vain, and is in no journal. */
  bury(intent: Pick<Intent, "type" | "provider" | "key" | "planned" | "serverDate" | "sentAtMs">, before: Before | undefined): Promise<void>;
  /** Warnings about what could not be stored, each told once. */
  warnings(): readonly Diagnostic[];
  /** Told at the first create: it leaves something behind. */
  begins(): void;
  /** Removes the files of which nothing must be remembered, and stores in the others what this process has seen. */
  close(options: { readonly wasOrderly: boolean; readonly isOver: (create: JournaledCreate) => boolean }): Promise<void>;
}

export type FoundFact = Pick<Extract<JournalFact, { kind: "done" }>, "kind" | "record" | "alike"> | { readonly kind: "given_up" };

const UNINTERRUPTED = new AbortController().signal;

/** `service` is known once the provider is configured. */
export function openJournals(settings: JournalSettings, service: () => Promise<Omit<JournalScope, "workspace">>, ports: JournalPorts): Journals {
  const { folder } = settings;
  let ownJournal: OwnedJournal | null = null;
  let opening: Promise<OwnedJournal> | null = null;
  let reading: Promise<Read> | null = null;
  let taking: Promise<void> | null = null;
  let scoping: Promise<JournalScope> | null = null;
  /** Of processes that have gone, and not taken over (yet). */
  let mine: readonly FoundJournal[] = [];
  const taken: OwnedJournal[] = [];
  const handedOver = new Set<string>();
  let untold: Diagnostic[] = [];
  let hasBegun = false;

  const scope = (): Promise<JournalScope> =>
    (scoping ??= Promise.all([settings.workspace(), service()]).then(([workspace, where]) => ({ workspace, ...where })));
  async function own(): Promise<OwnedJournal> {
    opening ??= scope().then((of) => newJournal(folder, { journal: 1, lineage: ports.random.uuid(), baseSerial: 0, baseSeq: 0, scope: of }, ports));
    return (ownJournal = await opening);
  }
  const owned = (): readonly OwnedJournal[] => (ownJournal ? [...taken, ownJournal] : taken);
  const contents = (): readonly Pick<JournalContents, "header" | "events">[] => [
    ...owned().map(({ header, journal }) => ({ header, events: journal.recorded() })),
    ...mine.map((one) => one.contents),
  ];
  const isOwn = (path: string): boolean => owned().some((one) => one.path === path);

  async function read(): Promise<Read> {
    const { found, damaged, empty } = await findJournals(folder, isOwn, ports);
    const gone = found.filter(({ isAlive }) => !isAlive);
    const here = gone.length === 0 ? null : await scope();
    mine = here === null ? [] : gone.filter((one) => isSame(one.contents.header.scope, here));
    return { foreign: gone.filter((one) => !mine.includes(one)), damaged, empty };
  }
  async function leftBehind(): Promise<LeftBehind> {
    const { foreign, damaged } = await (reading ??= read());
    const left = [...taken.map(({ header, journal }) => ({ header, events: journal.recorded() })), ...mine.map((one) => one.contents)];
    return {
      creates: left.flatMap(createsIn),
      tombstones: left.flatMap(tombstonesIn),
      foreign: foreign.map((one) => ({ path: one.path, scope: one.contents.header.scope ?? null, creates: createsIn(one.contents) })),
      damaged,
    };
  }
  async function takeAll(): Promise<void> {
    await (reading ??= read());
    for (const one of mine) {
      const now = await takeJournal(folder, one, ports);
      mine = mine.filter((other) => other !== one);
      if (now) taken.push(now);
    }
  }
  async function settle(facts: readonly JournalFact[]): Promise<void> {
    const { path, journal } = await own();
    // The answer is there and Terraform records it: a journal that cannot be written must not lose it.
    await journal.settle(facts).catch((error: unknown) => void untold.push(journalNotWritten(path, error)));
  }
  function holderOf(name: string): { readonly holder: OwnedJournal; readonly of: number } | null {
    const holder = owned().find(({ header }) => name === `${header.lineage}#${String(numberOf({ name }))}`);
    return holder ? { holder, of: numberOf({ name }) } : null;
  }
  async function close({ wasOrderly, isOver }: Parameters<Journals["close"]>[0]): Promise<void> {
    const nowMs = ports.clock.now();
    for (const one of owned()) {
      const left = { header: one.header, events: one.journal.recorded() };
      if (left.events.length === 0) continue;
      const { isNeeded, facts } = lastWords(left, { isOver, wasOrderly, isGiven: ({ name }) => one === ownJournal || handedOver.has(name), nowMs });
      if (!isNeeded) await one.remove();
      else if (facts.length > 0) await one.journal.settle(facts);
    }
    for (const path of (await reading)?.empty ?? []) await ports.files.remove(path);
    for (const one of mine) {
      const { isNeeded, facts } = lastWords(one.contents, { isOver, wasOrderly, isGiven: () => false, nowMs });
      if (!isNeeded) await ports.files.remove(one.path);
      else if (facts.length > 0) await (await takeJournal(folder, one, ports))?.journal.settle(facts);
    }
  }

  return {
    folder,
    windowSize: WINDOW_SIZE,
    begin: async (facts, signal) => {
      try {
        return await (await own()).journal.begin(facts, signal);
      } catch (error) {
        throw signal.aborted ? error : nothingSent(folder, error);
      }
    },
    settle,
    salt: async () => saltOf(await scope()),
    scope,
    leftBehind,
    takeOver: async () => {
      taking ??= takeAll();
      taking.catch(() => (taking = null));
      await taking.catch((error: unknown) => {
        throw error instanceof DiagnosticsError ? error : nothingSent(folder, error);
      });
    },
    creates: async () => {
      await (reading ??= read());
      const { found } = await findJournals(folder, isOwn, ports);
      const here = await scope();
      const living = found.filter((one) => one.isAlive && isSame(one.contents.header.scope, here));
      return { own: contents().flatMap(createsIn), ofLiving: living.flatMap((one) => createsIn(one.contents)) };
    },
    tombstones: async () => {
      await (reading ??= read());
      return contents().flatMap(tombstonesIn);
    },
    begun: () => (ownJournal ? createsIn({ header: ownJournal.header, events: ownJournal.journal.recorded() }) : []),
    handOver: (create) => void handedOver.add(create),
    settleCreate: async (create, fact) => {
      const place = holderOf(create);
      if (!place) return;
      const { holder, of } = place;
      await holder.journal
        .settle([fact.kind === "given_up" ? { kind: "failed", of, code: GIVEN_UP } : { ...fact, of }])
        .catch((error: unknown) => Promise.reject(nothingSent(folder, error)));
    },
    bury: async (intent, before) => {
      const { journal } = await own();
      const [listed = null] = before ? await journal.begin([{ kind: "listed", ids: [...before.ids] }], UNINTERRUPTED) : [];
      const { key, planned, type, provider, serverDate, sentAtMs } = intent;
      const what = { op: "create", address: null, id: null, type, provider, key, planned, serverDate, sentAtMs, listed } as const;
      const [of = 0] = await journal.begin([{ kind: "intent", ...what }], UNINTERRUPTED);
      await journal.settle([{ kind: "failed", of, code: GIVEN_UP }]);
    },
    warnings: () => {
      const told = untold;
      untold = [];
      return told;
    },
    begins: () => {
      if (!hasBegun && settings.isShortLived) untold.push(journalShortLived(folder));
      hasBegun = true;
    },
    close,
  };
}

interface Read {
  readonly foreign: readonly FoundJournal[];
  readonly damaged: readonly Diagnostic[];
  /** Of processes that ended before the first line was whole: nothing was sent. */
  readonly empty: readonly string[];
}

function isSame(one: JournalScope | undefined, here: JournalScope): boolean {
  return one !== undefined && one.workspace === here.workspace && one.baseUrl === here.baseUrl && one.key === here.key;
}

/** Whether a journal is needed once its process has ended, and what is still to be written to it. */
function lastWords(
  journal: Pick<JournalContents, "header" | "events">,
  end: {
    readonly isOver: (create: JournaledCreate) => boolean;
    readonly wasOrderly: boolean;
    /** Whether this process has given the object to Terraform. */
    readonly isGiven: (create: JournaledCreate) => boolean;
    readonly nowMs: number;
  },
): { readonly isNeeded: boolean; readonly facts: readonly JournalFact[] } {
  const unsettled = createsIn(journal).filter(({ outcome }) => outcome.kind === "open" || outcome.kind === "made");
  const over = unsettled.filter(end.isOver);
  const rest = unsettled.filter((create) => !over.includes(create));
  const given = rest.filter((create) => create.outcome.kind === "made" && !create.outcome.wasOrderly && end.isGiven(create));
  const missed = rest.filter((create) => create.outcome.kind === "made" && !create.outcome.wasMissed && !end.isGiven(create));
  const facts: readonly JournalFact[] = [
    ...(over.length > 0 ? [{ kind: "over", creates: over.map(numberOf) } as const] : []),
    ...(end.wasOrderly && given.length + missed.length > 0 ? [{ kind: "ended", given: given.map(numberOf), missed: missed.map(numberOf) } as const] : []),
  ];
  return { isNeeded: matters(rest, tombstonesIn(journal), end.nowMs), facts };
}

function numberOf({ name }: Pick<JournaledCreate, "name">): number {
  return Number(name.slice(name.lastIndexOf("#") + 1));
}

function saltOf({ workspace, baseUrl, key }: JournalScope): string {
  return digest(JSON.stringify([workspace, baseUrl, key]));
}
