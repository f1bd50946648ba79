/** A webhook, with what only the service knows of it. */
export interface Hook {
  readonly id: string;
  readonly targetUrl: string;
  readonly type: string | null;
  readonly campaignId: string | null;
  readonly secret: string | null;
  readonly isFirst: string | null;
  readonly createdMs: number;
  /** Whether a request of the tool's made it, and not somebody else. */
  readonly isOurs: boolean;
}

/** What lies in the place of a state; null where there is nothing. */
export interface Stored {
  readonly state: Uint8Array | null;
  readonly journal: Uint8Array | null;
}

/** A write on the wire. */
export interface Write {
  readonly kind: "add" | "delete" | "unsubscribe";
  /** Counts the writes of all runs. */
  readonly number: number;
  readonly sentMs: number;
  /** Of an add: the webhook; of a delete: its id; of an unsubscription: the campaign and the email. */
  readonly hook: Omit<Hook, "id" | "createdMs" | "isOurs"> | null;
  readonly id: string | null;
  readonly lead: string | null;
  /** What lay in the place of the state when it was sent. */
  readonly stored: Stored;
}

/** What became of a write, as only the service knows it. */
export type Fate =
  | {
      readonly kind: "done";
      readonly id: string | null;
      readonly atMs: number;
      /** Of a delete: what is gone. */ readonly hook?: Hook;
    }
  /** Definitely refused, and the sender knows it: by a documented error, or as it was never sent. */
  | { readonly kind: "refused" }
  /** There was nothing to delete. */
  | { readonly kind: "absent" }
  | { readonly kind: "dropped" }
  | { readonly kind: "late"; readonly dueMs: number };

export interface Logged {
  readonly write: Write;
  readonly fate: Fate;
}

export interface ServiceSetup {
  /** Somebody else's webhooks, or with `isOurs` those of an earlier life of the configuration. */
  readonly webhooks?: readonly GivenHook[];
  readonly campaigns?: readonly string[];
  /** `campaign/email`. */
  readonly leads?: readonly string[];
  /** Whether lists lack `type` and `campaignId`. */
  readonly isPoor?: boolean;
  /** Whether it answers 409 to a webhook with the URL of another one. */
  readonly hasOnePerUrl?: boolean;
  /** Whether somebody else may make an identical webhook at the moment of a create. */
  readonly hasRival?: boolean;
  /** Whether somebody else may make a webhook with the URL of ours, as the list shows it, right after a create. */
  readonly hasCopier?: boolean;
}

/** Of a copied webhook: none of ours has it. */
export const COPIED_TYPE = "emailsBounced";

export type GivenHook = Partial<Hook> & Pick<Hook, "targetUrl">;

/** A late request is carried out soon, while its sender may look for it, or long after. */
export const LATE_MS = { soon: 20_000, long: 600_000 } as const;
const WINDOW_MS = 2000;
const LIMIT = 20;
const DAY_MS = 86_400_000;

/** What may become of a write whose sender dies, in the order of `afterDeath`; of several, the first changes slowest. */
export const DEATH_FATES = ["dropped", "done", "late-soon", "late-long"] as const;
/** What becomes of a write that lands. `forged`: it is dropped, and somebody else does the very same. A time says when. */
export type Landing =
  | "refused"
  | "dropped"
  | "done"
  | "forged"
  | "late-soon"
  | "late-long"
  | `done at ${number}`
  | `forged at ${number}`;

/** A write that will be carried out at a time; if it is forged, by somebody else. */
export interface Due {
  readonly write: Write;
  /** With a half, after everything else of that millisecond. */
  readonly dueMs: number;
  readonly isForged: boolean;
}

interface Data {
  hooks: readonly Hook[];
  /** The webhooks before the last change: what a stale list shows. */
  before: readonly Hook[];
  leads: readonly string[];
  /** The writes whose sender may still die before they are carried out. */
  inFlight: readonly Write[];
  due: readonly Due[];
  /** What became of the writes since the judge has last looked. */
  log: readonly Logged[];
  /** When requests came, as far as the rate limit counts them, and from which process. */
  requests: readonly { readonly atMs: number; readonly sender: string }[];
  /** The most requests of one process in any window since the judge has last looked. */
  mostInWindow: number;
  made: number;
  sent: number;
}

/** The service as plain data, with its own log. Copies share what does not change. */
export class Service {
  readonly setup: ServiceSetup;
  readonly #data: Data;

  constructor(setup: ServiceSetup, data: Data) {
    this.setup = setup;
    this.#data = data;
  }

  get hooks(): readonly Hook[] {
    return this.#data.hooks;
  }
  get leads(): readonly string[] {
    return this.#data.leads;
  }
  get inFlight(): readonly Write[] {
    return this.#data.inFlight;
  }
  get log(): readonly Logged[] {
    return this.#data.log;
  }
  get due(): readonly Due[] {
    return this.#data.due;
  }
  get mostInWindow(): number {
    return this.#data.mostInWindow;
  }

  copy(): Service {
    return new Service(this.setup, { ...this.#data });
  }

  key(): string {
    const { hooks, before, leads, due, requests } = this.#data;
    return JSON.stringify([
      hooks.map((hook) => Object.values(hook)),
      before === hooks ? 0 : before.map(({ id }) => id),
      leads,
      due.map(({ write, dueMs, isForged }) => [write.hook ?? write.id ?? write.lead, dueMs, isForged]),
      requests.length > LIMIT / 2 ? requests.map(({ atMs }) => atMs) : 0,
    ]);
  }

  afterDeath(nowMs: number): readonly { readonly service: Service; readonly fates: readonly Landing[] }[] {
    return this.deathFates().map((fates) => ({ service: this.afterDeathWith(fates, nowMs), fates }));
  }

  /** What may become of the writes in flight when their sender dies, in the order of `afterDeath`. */
  deathFates(): readonly (readonly Landing[])[] {
    return this.inFlight.reduce<readonly (readonly Landing[])[]>(
      (fates) => fates.flatMap((chosen) => DEATH_FATES.map((fate) => [...chosen, fate])),
      [[]],
    );
  }

  /** What is left when the sender of the writes in flight dies now, and this becomes of them. */
  afterDeathWith(fates: readonly Landing[], nowMs: number): Service {
    const after = this.copy();
    this.inFlight.forEach((write, index) => after.land(write, fates[index] ?? "dropped", nowMs));
    return after;
  }

  /** Whether a request may still be carried out, although its sender has given up or died. */
  hasLate(): boolean {
    return this.#data.due.length > 0;
  }

  /** Counts a request; false if it is over the limit. */
  admit(sender: string, nowMs: number): boolean {
    const data = this.#data;
    data.requests = [...data.requests.filter(({ atMs }) => atMs > nowMs - WINDOW_MS), { atMs: nowMs, sender }];
    const own = data.requests.filter((request) => request.sender === sender).length;
    data.mostInWindow = Math.max(data.mostInWindow, own);
    return data.requests.length <= LIMIT;
  }

  /** Carries out what is due. */
  advance(nowMs: number): void {
    const data = this.#data;
    if (!data.due.some(({ dueMs }) => dueMs <= nowMs)) return;
    const now = data.due.filter(({ dueMs }) => dueMs <= nowMs).toSorted((a, b) => a.dueMs - b.dueMs);
    data.due = data.due.filter(({ dueMs }) => dueMs > nowMs);
    for (const { write, dueMs, isForged } of now) {
      const fate = this.#carryOut(write, Math.floor(dueMs), !isForged);
      if (!isForged) this.#log(write, fate);
    }
  }

  /** A write is on its way: until it lands, its sender may die. */
  depart(given: Omit<Write, "number">): Write {
    const write = { ...given, number: ++this.#data.sent };
    this.#data.inFlight = [...this.inFlight, write];
    return write;
  }

  /** It is not on its way any more, and this becomes of it. */
  land(write: Write, landing: Landing, nowMs: number): Fate {
    const data = this.#data;
    data.inFlight = data.inFlight.filter((one) => one !== write);
    if (landing === "done") return this.#log(write, this.#carryOut(write, nowMs, true));
    if (landing === "refused" || landing === "dropped") return this.#log(write, { kind: landing });
    if (landing === "forged") {
      this.#carryOut(write, nowMs, false);
      return this.#log(write, { kind: "dropped" });
    }
    const isForged = landing.startsWith("forged");
    const dueMs = landsAt(landing, nowMs);
    data.due = [...data.due, { write, dueMs, isForged }];
    return this.#log(write, isForged ? { kind: "dropped" } : { kind: "late", dueMs });
  }

  /** What a list shows; `isStale`: as it was before the last change. */
  listed(isStale: boolean): readonly Hook[] {
    return isStale ? this.#data.before : this.hooks;
  }

  /** What anybody can see of it now. */
  shownNow(): string {
    return JSON.stringify(this.hooks.map(({ id, targetUrl, createdMs }) => [id, targetUrl, createdMs]));
  }

  /** What anybody can see of it, now and once everything is carried out. */
  shown(): string {
    const later = this.due.map(({ write, dueMs }) => [write.hook?.targetUrl ?? write.id ?? write.lead, dueMs]);
    return `${this.shownNow()} ${JSON.stringify(later)}`;
  }

  /** The judge has seen the log. */
  clearLog(): void {
    this.#data.log = [];
    this.#data.mostInWindow = 0;
  }

  /** By hand, as somebody else does it. */
  addByHand(hook: GivenHook, nowMs: number): string {
    return this.#add(seeded(hook, "", nowMs));
  }
  /** It was not the tool that made them. */
  disown(ids: ReadonlySet<string>): void {
    this.#data.hooks = this.#data.hooks.map((hook) => (ids.has(hook.id) ? { ...hook, isOurs: false } : hook));
  }
  removeByHand(id: string): void {
    this.#change(this.hooks.filter((one) => one.id !== id));
  }
  addLead(lead: string): void {
    this.#data.leads = [...this.leads, lead];
  }

  #add(hook: Hook): string {
    const id = hookId(++this.#data.made);
    this.#change([...this.hooks, { ...hook, id }]);
    return id;
  }

  #change(hooks: readonly Hook[]): void {
    this.#data.before = this.hooks;
    this.#data.hooks = hooks;
  }

  #carryOut({ kind, hook, id, lead }: Write, atMs: number, isOurs: boolean): Fate {
    if (kind === "add" && hook && this.setup.hasOnePerUrl && this.hooks.some((one) => one.targetUrl === hook.targetUrl))
      return { kind: "refused" };
    if (kind === "add" && hook)
      return { kind: "done", id: this.#add({ ...hook, id: "", createdMs: atMs, isOurs }), atMs };
    if (kind === "delete") {
      const gone = this.hooks.find((one) => one.id === id);
      if (!gone) return { kind: "absent" };
      this.#change(this.hooks.filter((one) => one.id !== id));
      return { kind: "done", id, atMs, hook: gone };
    }
    if (!this.leads.some((one) => one === lead)) return { kind: "absent" };
    this.#data.leads = this.leads.filter((one) => one !== lead);
    return { kind: "done", id: null, atMs };
  }

  #log(write: Write, fate: Fate): Fate {
    const others = this.log.filter((one) => one.write.number !== write.number);
    this.#data.log = [...others, { write, fate }];
    return fate;
  }
}

export function newService(setup: ServiceSetup = {}, nowMs = 0): Service {
  const { webhooks = [], leads = [] } = setup;
  const hooks = webhooks.map((hook, index) => seeded(hook, hookId(index + 1), nowMs - DAY_MS));
  return new Service(setup, {
    hooks,
    before: hooks,
    leads,
    inFlight: [],
    due: [],
    log: [],
    requests: [],
    mostInWindow: 0,
    made: hooks.length,
    sent: 0,
  });
}

function seeded(hook: GivenHook, id: string, createdMs: number): Hook {
  return { id, type: null, campaignId: null, secret: null, isFirst: null, createdMs, isOurs: false, ...hook };
}

/** When a write is carried out that lands now. */
export function landsAt(landing: Landing, nowMs: number): number {
  if (landing === "done") return nowMs;
  if (landing === "late-soon") return nowMs + LATE_MS.soon;
  return landing === "late-long" ? nowMs + LATE_MS.long : Number(landing.replace(/^.* at /, ""));
}

function hookId(number: number): string {
  return `hoo_${String(number).padStart(6, "0")}`;
}
