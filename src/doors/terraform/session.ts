import { type LiveList, openLiveList } from "../../core/apply/live-list.ts";
import { type WriteContext, openBaseline } from "../../core/apply/write.ts";
import { type AnyResource, type LiveObject, resourceOf } from "../../core/model/definition.ts";
import { type Diagnostic, DiagnosticsError } from "../../core/model/diagnostic.ts";
import type { Attributes } from "../../core/model/value.ts";
import { whatIsOver } from "./journal/end.ts";
import type { Journals } from "./journal/journals.ts";
import { nameOf } from "./journal/journaled-create.ts";
import { openLateTwins } from "./journal/late-twins.ts";
import { openRecovery } from "./journal/recovery.ts";
import { type Writing, openEarlier, openLanes } from "./journal/writing.ts";
import type { ServiceMark } from "./private-state.ts";
import type { Connection, Services } from "./services.ts";

/** What a provider process remembers between calls: Terraform runs one for each configured provider and walk. */
export interface Session {
  readonly services: Services;
  /** Aborted when the user has asked to stop. */
  readonly stop: AbortController;
  /** Null: what the provider block says is not known yet. */
  configure(settings: { readonly baseUrl: string; readonly apiKey: string } | null): void;
  isConnected(): boolean;
  /** Throws `provider_not_configured`, as do all that follow. */
  connection(): Connection;
  mark(): Promise<ServiceMark>;
  /** The journals of the service that the provider speaks to. */
  journals(): Journals;
  /** Of a secret, as the journal holds it. */
  fingerprint(secret: string): Promise<string>;
  definition(type: string): AnyResource;
  /** Tells that Terraform has this object in its state. */
  manage(type: string, id: string): void;
  /** The same of an object that may have no id. */
  recorded(definition: AnyResource, attributes: Attributes): void;
  /** The live object, from one list for all of them. `complete` is false when it may only be cut off from the list. */
  find(definition: AnyResource, id: string): Promise<{ readonly object: LiveObject | null; readonly complete: boolean }>;
  writeContext(definition: AnyResource): WriteContext;
  writing(definition: AnyResource): Writing;
  /** Warnings about outcomes that have turned up late, of a type whose list has been read. */
  lateTwins(definition: AnyResource): Promise<readonly Diagnostic[]>;
}

/** What a process remembers of one type. */
export interface TypeSession {
  readonly live: LiveList;
  readonly writing: Writing;
  readonly lateTwins: () => Promise<readonly Diagnostic[]>;
  /** The ids that the last list was asked for, and when; null when there was none. */
  asked: { readonly ids: ReadonlySet<string>; readonly atMs: number } | null;
  /** Resolves when the ids of calls that come side by side are together. */
  gathered: Promise<void> | null;
  rechecking: Promise<unknown> | null;
}

/** How long the first of several reads waits for the ids of the others, so that one list is asked for all of them. */
const GATHER_MS = 10;

export function openSession(services: Services): Session {
  const { clock, settleMs } = services;
  const stop = new AbortController();
  const managed = new Map<string, Set<string>>();
  /** What Terraform has shown to be in its state, by `nameOf`. */
  const known = new Set<string>();
  const types = new Map<string, TypeSession>();
  let connection: Connection | null = null;
  let mark: Promise<ServiceMark> | null = null;
  let journals: Journals | null = null;
  let fingerprint: Promise<(secret: string) => Promise<string>> | null = null;

  function managedOf(type: string): Set<string> {
    const ids = managed.get(type) ?? new Set();
    managed.set(type, ids);
    return ids;
  }
  function connected(): Connection {
    if (connection === null) throw notConfigured();
    return connection;
  }
  function openedJournals(): Journals {
    if (journals === null) throw notConfigured();
    return journals;
  }
  function typeSession(definition: AnyResource): TypeSession {
    const before = types.get(definition.type);
    if (before) return before;
    const { readClient, access } = connected();
    const ids = managedOf(definition.type);
    const live = openLiveList(definition, readClient, () => (opened.asked = { ids: new Set(ids), atMs: clock.now() }).ids);
    const journal = openedJournals();
    const isManaged = (id: string): boolean => ids.has(id);
    const made = (id: string): void => void ids.add(id);
    const context = { access, live, journal, baseline: openBaseline(live, journal), clock, isManaged, signal: stop.signal };
    const lanes = openLanes(definition, live, stop.signal);
    const ports = { live, journals: journal, clock, settleMs, signal: stop.signal, isManaged, made };
    const writing: Writing = {
      context,
      live,
      journals: journal,
      recovery: openRecovery(definition, ports),
      lanes,
      earlier: openEarlier(definition, journal, lanes.laneOf),
      resolved: new Map(),
      isKnown: (attributes) => known.has(nameOf(definition, attributes)),
      made,
    };
    const opened: TypeSession = { live, writing, lateTwins: openLateTwins(definition, ports), asked: null, gathered: null, rechecking: null };
    types.set(definition.type, opened);
    return opened;
  }

  /** What is missing from a list that was not asked for it is looked for once more: the list may have ended early. */
  async function recheck(opened: TypeSession, id: string): Promise<void> {
    while (!opened.asked?.ids.has(id)) {
      opened.rechecking ??= clock
        .sleep(GATHER_MS, stop.signal)
        .then(() => opened.live.again(stop.signal))
        .finally(() => (opened.rechecking = null));
      await opened.rechecking;
    }
  }

  function manage(type: string, id: string): void {
    managedOf(type).add(id);
    known.add(nameOf({ type }, { id }));
  }

  return {
    services,
    stop,
    configure: (settings) => {
      types.clear();
      connection = settings && services.connect(settings);
      const marked = settings && markOf(settings, services);
      marked?.catch(() => undefined);
      mark = marked;
      journals =
        marked &&
        services.journal.open(
          () => marked,
          () => whatIsOver(services, { types, known }),
        );
      fingerprint = null;
    },
    isConnected: () => connection !== null,
    connection: connected,
    mark: () => mark ?? Promise.reject(notConfigured()),
    journals: openedJournals,
    fingerprint: async (secret) => {
      fingerprint ??= openedJournals().salt().then(services.fingerprinter);
      return (await fingerprint)(secret);
    },
    definition: (type) => resourceOf(services.catalog, type),
    manage,
    recorded: (definition, attributes) => {
      const id = attributes["id"];
      if (typeof id === "string") manage(definition.type, id);
      if (definition.oneWay) known.add(nameOf(definition, { ...attributes, id: null }));
    },
    find: async (definition, id) => {
      managedOf(definition.type).add(id);
      const opened = typeSession(definition);
      const { live } = opened;
      await (opened.gathered ??= clock.sleep(GATHER_MS, stop.signal));
      const first = await live.get(stop.signal);
      const seen = first.objects.find((object) => object.id === id);
      if (seen) return { object: seen, complete: first.complete };
      await recheck(opened, id);
      const { objects, complete } = await live.get(stop.signal);
      return { object: objects.find((object) => object.id === id) ?? null, complete };
    },
    writeContext: (definition) => typeSession(definition).writing.context,
    writing: (definition) => typeSession(definition).writing,
    lateTwins: (definition) => typeSession(definition).lateTwins(),
  };
}

async function markOf(settings: { readonly baseUrl: string; readonly apiKey: string }, { fingerprinter }: Services): Promise<ServiceMark> {
  const { apiKey } = settings;
  const baseUrl = new URL(settings.baseUrl).href.replace(/\/+$/, "");
  return { baseUrl, key: await fingerprinter(Buffer.from(baseUrl).toString("hex"))(apiKey) };
}

function notConfigured(): DiagnosticsError {
  return new DiagnosticsError([
    {
      code: "provider_not_configured",
      severity: "error",
      summary: "The provider is not configured yet",
      detail: "base_url or api_key of the provider block is only known after an apply, so the service cannot be asked now.",
      hint: "Apply what they depend on first (terraform apply -target=ADDRESS), or give values that are known.",
    },
  ]);
}
