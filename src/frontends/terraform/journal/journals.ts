import { type Diagnostic, DiagnosticsError } from "../../../core/model/diagnostic.ts";
import type { Clock } from "../../../core/model/ports.ts";
import { digest } from "../../../core/state/checksum.ts";
import type { LostCreate } from "../../../core/state/document.ts";
import { type JournalContents, type JournalScope } from "../../../core/state/journal.ts";
import type { Intent, Journal, JournalFact } from "../../../core/state/journal-event.ts";
import type { Before } from "../../../core/apply/recovery/decide-creates.ts";
import { type FilePorts, type FoundJournal, type OwnedJournal, findJournals, newJournal, takeJournal } from "./journal-files.ts";
import { GIVEN_UP, type JournaledCreate, createsIn, lastWords, madeIdsIn, numberOf, lostCreatesIn } from "./journaled-create.ts";
import type { JournalSettings } from "./journal-place.ts";
import { journalNotWritten, journalShortLived, nothingSent } from "./wording.ts";

export interface JournalPorts extends FilePorts {
  readonly clock: Clock;
}

/** What stands in the way of a create, or may. */
export interface Obstacles {
  /** Of another workspace, service or key: nothing is concluded from them. */
  readonly foreign: readonly { readonly path: string; readonly scope: JournalScope | null; readonly creates: readonly JournaledCreate[] }[];
  /** Journals that cannot be read. */
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
  obstacles(): Promise<Obstacles>;
  /** The creates of earlier processes of this workspace, service and key. */
  leftBehind(): Promise<readonly JournaledCreate[]>;
  /** Makes what was left behind this process's own. Throws when it cannot: then nothing may be created. */
  takeOver(): Promise<void>;
  /**
   * Makes what other processes have left behind since this process's own: whether there was any. `living` are the creates of
   * those that still run, as they are now.
   */
  catchUp(): Promise<{ readonly isMore: boolean; readonly living: readonly JournaledCreate[] }>;
  /** Every create that is known of: of this process, of those that have gone, and apart those of processes that live. */
  creates(): Promise<{ readonly own: readonly JournaledCreate[]; readonly ofLiving: readonly JournaledCreate[] }>;
  /** The ids of all that is known to have been made by a create, whatever has become of it since. */
  madeIds(): Promise<ReadonlySet<string>>;
  lostCreates(): Promise<readonly LostCreate[]>;
  /** The creates that this process has begun. */
  begun(): readonly JournaledCreate[];
  /** Tells that the object of an earlier create is given to Terraform. */
  handOver(create: string): void;
  /** Stores what came of a create that was looked for. Throws when it cannot. A create that is in no journal is left alone. */
  recordCreate(create: string, fact: FoundFact): Promise<void>;
  /** Stores a create that was looked for in vain, and is in no journal. */
  bury(intent: Pick<Intent, "type" | "provider" | "key" | "planned" | "serverDate" | "sentAtMs">, before: Before | undefined): Promise<void>;
  /** Warnings about what could not be stored, each told once. */
  warnings(): readonly Diagnostic[];
  /** Told at the first create: it leaves something behind. */
  begins(): void;
  /** Removes the files of which nothing must be remembered, and stores in the others what this process has seen. */
  close(options: { readonly wasOrderly: boolean; readonly isOver: (create: JournaledCreate) => boolean }): Promise<void>;
}

export type FoundFact = Pick<Extract<JournalFact, { kind: "done" }>, "kind" | "record" | "lookalikes"> | { readonly kind: "given_up" };

/** `service` is known once the provider is configured. */
export class FolderJournals implements Journals {
  readonly folder: string;
  readonly #settings: JournalSettings;
  readonly #ports: JournalPorts;
  readonly #service: () => Promise<Omit<JournalScope, "workspace">>;
  #own: OwnedJournal | null = null;
  #opening: Promise<OwnedJournal> | null = null;
  #reading: Promise<Read> | null = null;
  #taking: Promise<void> | null = null;
  #catchingUp: Promise<unknown> = Promise.resolve();
  #scope: Promise<JournalScope> | null = null;
  /** Of processes that have gone, and not taken over (yet). */
  #left: readonly FoundJournal[] = [];
  readonly #taken: OwnedJournal[] = [];
  readonly #handedOver = new Set<string>();
  #untold: Diagnostic[] = [];
  #hasBegun = false;

  constructor(settings: JournalSettings, service: () => Promise<Omit<JournalScope, "workspace">>, ports: JournalPorts) {
    this.folder = settings.folder;
    this.#settings = settings;
    this.#service = service;
    this.#ports = ports;
  }

  async begin(facts: readonly JournalFact[], signal: AbortSignal): Promise<readonly number[]> {
    try {
      return await (await this.#openOwn()).journal.begin(facts, signal);
    } catch (error) {
      throw signal.aborted ? error : nothingSent(this.folder, error);
    }
  }

  /** The answer is there and Terraform records it: a journal that cannot be written must not lose it. */
  async record(facts: readonly JournalFact[]): Promise<void> {
    const { path, journal } = await this.#openOwn();
    await journal.record(facts).catch((error: unknown) => void this.#untold.push(journalNotWritten(path, error)));
  }

  async salt(): Promise<string> {
    const { workspace, baseUrl, key } = await this.scope();
    return digest(JSON.stringify([workspace, baseUrl, key]));
  }

  scope(): Promise<JournalScope> {
    this.#scope ??= Promise.all([this.#settings.workspace(), this.#service()]).then(([workspace, { baseUrl, key }]) => ({ workspace, baseUrl, key }));
    return this.#scope;
  }

  obstacles(): Promise<Obstacles> {
    return this.#read();
  }

  async leftBehind(): Promise<readonly JournaledCreate[]> {
    await this.#read();
    return [...this.#taken.map(contentsOf), ...this.#left.map(({ contents }) => contents)].flatMap(createsIn);
  }

  /** Not tried again where it has failed: half of it may have been done. */
  async takeOver(): Promise<void> {
    this.#taking ??= this.#takeAll();
    try {
      await this.#taking;
    } catch (error) {
      throw error instanceof DiagnosticsError ? error : nothingSent(this.folder, error);
    }
  }

  /** One after the other, so that each tells what it has taken itself. */
  catchUp(): Promise<{ readonly isMore: boolean; readonly living: readonly JournaledCreate[] }> {
    const now = this.#catchingUp.then(async () => {
      const { ended, living } = await this.#others();
      for (const one of ended) await this.#take(one);
      return { isMore: ended.length > 0, living: this.#notOwn(living) };
    });
    this.#catchingUp = now.catch(() => undefined);
    return now;
  }

  async creates(): Promise<{ readonly own: readonly JournaledCreate[]; readonly ofLiving: readonly JournaledCreate[] }> {
    await this.#read();
    const { living } = await this.#others();
    return { own: this.#contents().flatMap(createsIn), ofLiving: this.#notOwn(living) };
  }

  async madeIds(): Promise<ReadonlySet<string>> {
    await this.#read();
    return new Set([...this.#contents(), ...(await this.#others()).living].flatMap(madeIdsIn));
  }

  async lostCreates(): Promise<readonly LostCreate[]> {
    await this.#read();
    return this.#contents().flatMap(lostCreatesIn);
  }

  begun(): readonly JournaledCreate[] {
    return this.#own ? createsIn(contentsOf(this.#own)) : [];
  }

  handOver(create: string): void {
    this.#handedOver.add(create);
  }

  async recordCreate(create: string, fact: FoundFact): Promise<void> {
    const of = numberOf({ name: create });
    const holder = this.#owned().find(({ header }) => create === `${header.lineage}#${String(of)}`);
    if (!holder) return;
    try {
      await holder.journal.record([fact.kind === "given_up" ? { kind: "failed", of, code: GIVEN_UP } : { ...fact, of }]);
    } catch (error) {
      throw nothingSent(this.folder, error);
    }
  }

  async bury(intent: Parameters<Journals["bury"]>[0], before: Before | undefined): Promise<void> {
    const { signal } = new AbortController();
    const [listed = null] = before ? await this.begin([{ kind: "listed", ids: [...before.ids] }], signal) : [];
    const { key, planned, type, provider, serverDate, sentAtMs } = intent;
    const what = { op: "create", address: null, id: null, type, provider, key, planned, serverDate, sentAtMs, listed } as const;
    const [of = 0] = await this.begin([{ kind: "intent", ...what }], signal);
    await this.record([{ kind: "failed", of, code: GIVEN_UP }]);
  }

  warnings(): readonly Diagnostic[] {
    const told = this.#untold;
    this.#untold = [];
    return told;
  }

  begins(): void {
    if (!this.#hasBegun && this.#settings.isShortLived) this.#untold.push(journalShortLived(this.folder));
    this.#hasBegun = true;
  }

  async close({ wasOrderly, isOver }: Parameters<Journals["close"]>[0]): Promise<void> {
    const { clock, files } = this.#ports;
    const nowMs = clock.now();
    const { empty } = await this.#read();
    for (const path of empty) await files.remove(path);
    for (const one of this.#owned()) {
      const contents = contentsOf(one);
      if (contents.events.length === 0) continue;
      const isGiven = ({ name }: JournaledCreate): boolean => one === this.#own || this.#handedOver.has(name);
      const { isNeeded, facts } = lastWords(contents, { isOver, wasOrderly, isGiven, nowMs });
      if (!isNeeded) await one.remove();
      else if (facts.length > 0) await one.journal.record(facts);
    }
    for (const one of this.#left) {
      const { isNeeded, facts } = lastWords(one.contents, { isOver, wasOrderly, isGiven: () => false, nowMs });
      if (!isNeeded) await files.remove(one.path);
      else if (facts.length > 0) await (await takeJournal(this.folder, one, this.#ports))?.journal.record(facts);
    }
  }

  readonly #isOwn = (path: string): boolean => this.#owned().some((one) => one.path === path);

  #owned(): readonly OwnedJournal[] {
    return this.#own ? [...this.#taken, this.#own] : this.#taken;
  }

  #contents(): readonly Contents[] {
    return [...this.#owned().map(contentsOf), ...this.#left.map(({ contents }) => contents)];
  }

  async #openOwn(): Promise<OwnedJournal> {
    const { random } = this.#ports;
    this.#opening ??= this.scope().then((scope) =>
      newJournal(this.folder, { journal: 1, lineage: random.uuid(), baseSerial: 0, baseSeq: 0, scope }, this.#ports),
    );
    return (this.#own = await this.#opening);
  }

  /** Looks once at what is there; where that fails, the next call looks again. */
  async #read(): Promise<Read> {
    this.#reading ??= this.#readAll();
    try {
      return await this.#reading;
    } catch (error) {
      this.#reading = null;
      throw error;
    }
  }

  async #readAll(): Promise<Read> {
    const { found, damaged, empty } = await findJournals(this.folder, this.#isOwn, this.#ports);
    const gone = found.filter(({ isAlive }) => !isAlive);
    const here = gone.length === 0 ? null : await this.scope();
    const left = here === null ? [] : gone.filter(({ contents }) => isSame(contents.header.scope, here));
    this.#left = left;
    const foreign = gone.filter((one) => !left.includes(one));
    return {
      foreign: foreign.map(({ path, contents }) => ({ path, scope: contents.header.scope ?? null, creates: createsIn(contents) })),
      damaged,
      empty,
    };
  }

  /** The journals of processes that run beside this one, as they are now, and of those that have ended since. */
  async #others(): Promise<{ readonly living: readonly Contents[]; readonly ended: readonly FoundJournal[] }> {
    const { found } = await findJournals(this.folder, this.#isOwn, this.#ports);
    const here = found.length === 0 ? null : await this.scope();
    const others = here === null ? [] : found.filter(({ contents }) => isSame(contents.header.scope, here));
    return {
      living: others.flatMap(({ isAlive, contents }) => (isAlive ? [contents] : [])),
      ended: others.filter(({ isAlive, path }) => !isAlive && !this.#left.some((one) => one.path === path)),
    };
  }

  /** Without those that another process has taken over, and this one reckons with all the same. */
  #notOwn(living: readonly Contents[]): readonly JournaledCreate[] {
    const lineages = new Set(this.#contents().map(({ header }) => header.lineage));
    return living.filter(({ header }) => !lineages.has(header.lineage)).flatMap(createsIn);
  }

  async #takeAll(): Promise<void> {
    await this.#read();
    for (const one of this.#left) await this.#take(one);
  }

  /** What a process beside this one has taken first is still reckoned with, as it was. */
  async #take(one: FoundJournal): Promise<void> {
    const now = await takeJournal(this.folder, one, this.#ports);
    const others = this.#left.filter((other) => other !== one);
    this.#left = now ? others : [...others, one];
    if (now) this.#taken.push(now);
  }
}

type Contents = Pick<JournalContents, "header" | "events">;

function contentsOf({ header, journal }: OwnedJournal): Contents {
  return { header, events: journal.recorded() };
}

interface Read extends Obstacles {
  /** Of processes that ended before the first line was whole: nothing was sent. */
  readonly empty: readonly string[];
}

function isSame(one: JournalScope | undefined, here: JournalScope): boolean {
  return one !== undefined && one.workspace === here.workspace && one.baseUrl === here.baseUrl && one.key === here.key;
}
