import type { AnyResource } from "../../../core/model/definition.ts";
import { type Diagnostic, DiagnosticsError } from "../../../core/model/diagnostic.ts";
import type { Clock } from "../../../core/model/ports.ts";
import { digest } from "../../../core/state/checksum.ts";
import type { LostCreate } from "../../../core/state/document.ts";
import type { JournalContents, JournalScope } from "../../../core/state/journal.ts";
import type { Intent, JournalFact } from "../../../core/state/journal-event.ts";
import type { Before } from "../../../core/apply/recovery/decide-creates.ts";
import { type FilePorts, type FoundJournal, type OwnedJournal, findJournals, hiddenIn, newJournal, takeJournal } from "./journal-files.ts";
import { GIVEN_UP, type JournaledCreate, createsIn, isDecided, lastWords, madeIdsIn, numberOf, lostCreatesIn } from "./journaled-create.ts";
import type { JournalSettings } from "./journal-place.ts";
import { journalNotWritten, journalShortLived, nothingSent } from "./journal-problems.ts";
import type { FoundFact, Journals, Obstacles } from "./journals.ts";

export interface JournalPorts extends FilePorts {
  readonly clock: Clock;
}

/** `service` resolves once the provider is configured. */
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
  /** Of ended processes, and not taken over (yet). */
  #left: readonly FoundJournal[] = [];
  /** Of processes that may still run where this one cannot see them: never written to, taken over or removed. */
  #hidden: readonly FoundJournal[] = [];
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

  /** The answer arrived, and Terraform records it. A failed write to the journal must not lose it. */
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
    const hidden = this.#uncounted(this.#hidden).flatMap(createsIn);
    return [...[...this.#taken.map(contentsOf), ...this.#left.map(({ contents }) => contents)].flatMap(createsIn), ...hidden.filter(isDecided)];
  }

  /** Not retried after a failure: half of it may be done. */
  async takeOver(): Promise<void> {
    this.#taking ??= this.#takeAll();
    try {
      await this.#taking;
    } catch (error) {
      throw error instanceof DiagnosticsError ? error : nothingSent(this.folder, error);
    }
  }

  /** Calls run one after the other, so that each returns what it took over itself. */
  catchUp(): ReturnType<Journals["catchUp"]> {
    const now = this.#catchingUp.then(async () => {
      const decided = this.#hidden.flatMap(({ contents }) => createsIn(contents)).filter(isDecided).length;
      const { ended, living } = await this.#others();
      for (const one of ended) await this.#take(one);
      const isMore = ended.length > 0 || this.#hidden.flatMap(({ contents }) => createsIn(contents)).filter(isDecided).length !== decided;
      return { isMore, living: this.#notOwn(living), hidden: this.#hidden.filter((one) => this.#uncounted([one]).length > 0).flatMap(hiddenIn) };
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
    const { living } = await this.#others();
    return new Set([...this.#contents(), ...living.map(({ contents }) => contents)].flatMap(madeIdsIn));
  }

  async lostCreates(): Promise<readonly LostCreate[]> {
    await this.#read();
    return [...this.#contents(), ...this.#uncounted(this.#hidden)].flatMap(lostCreatesIn);
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

  async rememberLost(intent: Parameters<Journals["rememberLost"]>[0], before: Before | undefined): Promise<void> {
    const { signal } = new AbortController();
    const [listed = null] = before ? await this.begin([{ kind: "listed", ids: [...before.ids] }], signal) : [];
    const { key, planned, type, provider, serverDate, sentAtMs } = intent;
    await this.#giveUp({ id: null, type, provider, key, planned, serverDate, sentAtMs, listed });
  }

  async rememberMissing({ type, identity }: AnyResource, { id, attributes }: Parameters<Journals["rememberMissing"]>[1]): Promise<void> {
    if ((await this.lostCreates()).some((one) => one.type === type && one.id === id)) return;
    // Without the other attributes: they may hold a secret.
    const key = Object.fromEntries(identity.map((name) => [name, attributes[name] ?? null]));
    await this.#giveUp({ id, type, provider: "", key, planned: key, serverDate: "", sentAtMs: this.#ports.clock.now(), listed: null });
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
      else if (facts.length > 0) {
        const taken = await takeJournal(this.folder, one, this.#ports);
        if (!taken) continue;
        this.#taken.push(taken);
        await taken.journal.record(facts);
      }
    }
  }

  async release(): Promise<void> {
    // One that cannot be released counts as its owner's: nothing is lost.
    for (const one of this.#owned()) await one.release().catch(() => undefined);
  }

  async #giveUp(intent: Omit<Intent, "kind" | "op" | "address">): Promise<void> {
    const [of = 0] = await this.begin([{ kind: "intent", op: "create", address: null, ...intent }], new AbortController().signal);
    await this.record([{ kind: "failed", of, code: GIVEN_UP }]);
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

  /** Reads the folder once. After a failure, the next call reads again. */
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
    const others = found.filter(({ fate }) => fate !== "running");
    const here = others.length === 0 ? null : await this.scope();
    const same = here === null ? [] : others.filter(({ contents }) => isSame(contents.header.scope, here));
    this.#left = same.filter(({ fate }) => fate === "ended");
    this.#hidden = same.filter(({ fate }) => fate === "unknown");
    const foreign = others.filter((one) => !same.includes(one));
    return {
      foreign: foreign.map(({ path, contents }) => ({ path, scope: contents.header.scope ?? null, creates: createsIn(contents) })),
      damaged,
      hidden: this.#hidden.flatMap(hiddenIn),
      empty,
    };
  }

  /** The current journals of other processes that run or may run, and of those that ended since. */
  async #others(): Promise<{ readonly living: readonly FoundJournal[]; readonly ended: readonly FoundJournal[] }> {
    const { found } = await findJournals(this.folder, this.#isOwn, this.#ports);
    const here = found.length === 0 ? null : await this.scope();
    const others = here === null ? [] : found.filter(({ contents }) => isSame(contents.header.scope, here));
    this.#hidden = others.filter(({ fate }) => fate === "unknown");
    return {
      living: others.filter(({ fate }) => fate !== "ended"),
      ended: others.filter(({ fate, path }) => fate === "ended" && !this.#left.some((one) => one.path === path)),
    };
  }

  /** Without the journals that another process took over and this one counts already. What hidden processes made is left behind. */
  #notOwn(living: readonly FoundJournal[]): readonly JournaledCreate[] {
    return living.flatMap((one) =>
      this.#uncounted([one])
        .flatMap(createsIn)
        .filter((create) => one.fate === "running" || create.outcome.kind === "open"),
    );
  }

  /** The contents of those that this process does not count already. */
  #uncounted(found: readonly FoundJournal[]): readonly Contents[] {
    const lineages = new Set(this.#contents().map(({ header }) => header.lineage));
    return found.flatMap(({ contents }) => (lineages.has(contents.header.lineage) ? [] : [contents]));
  }

  async #takeAll(): Promise<void> {
    await this.#read();
    for (const one of this.#left) await this.#take(one);
  }

  /** If another process takes it first, this one still counts it as it was. */
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
  /** Of processes that ended before the first line was complete: they sent nothing. */
  readonly empty: readonly string[];
}

function isSame(one: JournalScope | undefined, here: JournalScope): boolean {
  return one !== undefined && one.workspace === here.workspace && one.baseUrl === here.baseUrl && one.key === here.key;
}
