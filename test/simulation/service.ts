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
  | { readonly kind: "done"; readonly id: string | null; readonly atMs: number }
  /** Definitely refused, and the sender knows it: by a documented error, or as it was never sent. */
  | { readonly kind: "refused" }
  | { readonly kind: "dropped" }
  | { readonly kind: "late"; readonly dueMs: number };

export interface Logged {
  readonly write: Write;
  readonly fate: Fate;
}

/** A write that is not carried out yet. With `isForged` it is lost, and somebody else does the very same at that moment. */
interface Due {
  readonly write: Write;
  readonly dueMs: number;
  readonly isForged: boolean;
}

export interface ServiceSetup {
  /** Somebody else's webhooks, or with `isOurs` those of an earlier life of the configuration. */
  readonly webhooks?: readonly (Partial<Hook> & Pick<Hook, "targetUrl">)[];
  readonly campaigns?: readonly string[];
  /** `campaign/email`. */
  readonly leads?: readonly string[];
  /** Whether lists show `type` and `campaignId`. By default they do. */
  readonly isPoor?: boolean;
  /** Whether somebody else may make an identical webhook at the moment of a create. */
  readonly hasRival?: boolean;
}

/** A late request is carried out soon, while its sender may look for it, or long after. */
export const LATE_MS = { soon: 20_000, long: 600_000 } as const;
const WINDOW_MS = 2000;
const LIMIT = 20;

/** The service as plain data, with its own log. */
export interface Service {
  copy(): Service;
  key(): string;
  afterDeath(): readonly Service[];
  /** Whether a request may still be carried out, although its sender has given up or died. */
  hasLate(): boolean;
  readonly hooks: readonly Hook[];
  readonly campaigns: readonly string[];
  readonly leads: readonly string[];
  readonly isPoor: boolean;
  readonly hasRival: boolean;
  /** The writes since the judge has last looked. */
  readonly log: readonly Logged[];
  /** The writes whose sender may still die before they are carried out. */
  readonly inFlight: readonly Write[];
  /** When requests came, as far as the rate limit counts them. */
  readonly requestsMs: readonly number[];
  /** The most requests in any window since the judge has last looked. */
  readonly mostInWindow: number;
  /** Counts a request; false if it is over the limit. */
  admit(nowMs: number): boolean;
  /** Carries out what is due. */
  advance(nowMs: number): void;
  /** A write is on its way: until `land`, its sender may die. */
  depart(write: Omit<Write, "number">): Write;
  /** It is not on its way any more, and this became of it. */
  land(write: Write, fate: "done" | "refused" | "dropped" | "late-soon" | "late-long" | "forged", nowMs: number): Fate;
  /** What a list shows; `isStale`: as it was before the last change. */
  listed(isStale: boolean): readonly Hook[];
  /** The judge has seen the log. */
  clearLog(): void;
  /** What is left when the sender of the writes in flight dies, and this becomes of them. */
  afterDeathWith(fates: readonly (DeathFate | "forged")[]): Service;
  readonly byHand: {
    add(hook: Partial<Hook> & Pick<Hook, "targetUrl">, nowMs: number): string;
    remove(id: string): void;
    addLead(lead: string): void;
  };
}

interface Data {
  hooks: readonly Hook[];
  before: readonly Hook[];
  leads: readonly string[];
  inFlight: readonly Write[];
  due: readonly Due[];
  log: readonly Logged[];
  requestsMs: readonly number[];
  mostInWindow: number;
  made: number;
  sent: number;
}

export function newService(setup: ServiceSetup = {}, nowMs = 0): Service {
  const { webhooks = [], leads = [] } = setup;
  const hooks = webhooks.map((hook, index) => seeded(hook, `hoo_${digits(index + 1)}`, nowMs - 86_400_000));
  return service(setup, {
    hooks,
    before: hooks,
    leads,
    inFlight: [],
    due: [],
    log: [],
    requestsMs: [],
    mostInWindow: 0,
    made: hooks.length,
    sent: 0,
  });
}

function service(setup: ServiceSetup, data: Data): Service {
  function add(hook: Omit<Hook, "id">): string {
    const id = `hoo_${digits(++data.made)}`;
    change([...data.hooks, { ...hook, id }]);
    return id;
  }
  function change(hooks: readonly Hook[]): void {
    data.before = data.hooks;
    data.hooks = hooks;
  }
  function carryOut({ kind, hook, id, lead }: Write, atMs: number, isOurs: boolean): Fate {
    if (kind === "add" && hook) return { kind: "done", id: add({ ...hook, createdMs: atMs, isOurs }), atMs };
    if (kind === "delete") {
      if (!data.hooks.some((one) => one.id === id)) return { kind: "refused" };
      change(data.hooks.filter((one) => one.id !== id));
    } else {
      if (!data.leads.some((one) => one === lead)) return { kind: "refused" };
      data.leads = data.leads.filter((one) => one !== lead);
    }
    return { kind: "done", id, atMs };
  }
  function logs(write: Write, fate: Fate): Fate {
    data.log = [...data.log.filter((one) => one.write.number !== write.number), { write, fate }];
    return fate;
  }
  const self: Service = {
    get hooks() {
      return data.hooks;
    },
    get leads() {
      return data.leads;
    },
    get log() {
      return data.log;
    },
    get inFlight() {
      return data.inFlight;
    },
    get requestsMs() {
      return data.requestsMs;
    },
    get mostInWindow() {
      return data.mostInWindow;
    },
    campaigns: setup.campaigns ?? [],
    isPoor: setup.isPoor ?? false,
    hasRival: setup.hasRival ?? false,
    admit: (nowMs) => {
      data.requestsMs = [...data.requestsMs.filter((atMs) => atMs > nowMs - WINDOW_MS), nowMs];
      data.mostInWindow = Math.max(data.mostInWindow, data.requestsMs.length);
      return data.requestsMs.length <= LIMIT;
    },
    advance: (nowMs) => {
      if (!data.due.some(({ dueMs }) => dueMs <= nowMs)) return;
      const now = data.due.filter(({ dueMs }) => dueMs <= nowMs).toSorted((a, b) => a.dueMs - b.dueMs);
      data.due = data.due.filter(({ dueMs }) => dueMs > nowMs);
      for (const { write, dueMs, isForged } of now) {
        const fate = carryOut(write, dueMs, !isForged);
        logs(write, isForged ? { kind: "dropped" } : fate);
      }
    },
    depart: (given) => {
      const write = { ...given, number: ++data.sent };
      data.inFlight = [...data.inFlight, write];
      return write;
    },
    land: (write, fate, nowMs) => {
      data.inFlight = data.inFlight.filter((one) => one !== write);
      if (fate === "done") return logs(write, carryOut(write, nowMs, true));
      if (fate === "refused" || fate === "dropped") return logs(write, { kind: fate });
      if (fate === "forged") {
        carryOut(write, nowMs, false);
        return logs(write, { kind: "dropped" });
      }
      const dueMs = nowMs + LATE_MS[fate === "late-soon" ? "soon" : "long"];
      data.due = [...data.due, { write, dueMs, isForged: false }];
      return logs(write, { kind: "late", dueMs });
    },
    listed: (isStale) => (isStale ? data.before : data.hooks),
    clearLog: () => {
      data.log = [];
      data.mostInWindow = 0;
    },
    byHand: {
      add: (hook, nowMs) => add(seeded({ isOurs: false, ...hook }, "", nowMs)),
      remove: (id) => change(data.hooks.filter((one) => one.id !== id)),
      addLead: (lead) => void (data.leads = [...data.leads, lead]),
    },
    hasLate: () => data.due.length > 0,
    copy: () => service(setup, { ...data }),
    key: () =>
      JSON.stringify([
        data.hooks.map((hook) => Object.values(hook)),
        data.before === data.hooks ? 0 : data.before.map(({ id }) => id),
        data.leads,
        data.due.map(({ write, dueMs, isForged }) => [write.hook ?? write.id ?? write.lead, dueMs, isForged]),
        data.requestsMs.length > LIMIT / 2 ? data.requestsMs : 0,
      ]),
    afterDeathWith: (fates) => {
      const after = service(setup, { ...data });
      data.inFlight.forEach((write, index) => after.land(write, fates[index] ?? "dropped", write.sentMs));
      return after;
    },
    afterDeath: () => {
      const worlds = data.inFlight.reduce<readonly (readonly DeathFate[])[]>(
        (fates) => fates.flatMap((chosen) => DEATH_FATES.map((fate) => [...chosen, fate])),
        [[]],
      );
      return worlds.map((fates) => self.afterDeathWith(fates));
    },
  };
  return self;
}

export type DeathFate = (typeof DEATH_FATES)[number];
/** What may become of a write whose sender dies, in the order of `afterDeath`; the first write in flight changes slowest. */
export const DEATH_FATES = ["dropped", "done", "late-soon", "late-long"] as const;

function seeded(hook: Partial<Hook> & Pick<Hook, "targetUrl">, id: string, createdMs: number): Hook {
  return { id, type: null, campaignId: null, secret: null, isFirst: null, createdMs, isOurs: false, ...hook };
}

function digits(number: number): string {
  return String(number).padStart(6, "0");
}
