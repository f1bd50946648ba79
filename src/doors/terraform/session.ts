import { type LiveList, openLiveList } from "../../core/apply/live-list.ts";
import { type WriteContext, openBaseline } from "../../core/apply/write.ts";
import { type AnyResource, type LiveObject, resourceOf } from "../../core/model/definition.ts";
import { DiagnosticsError } from "../../core/model/diagnostic.ts";
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
  definition(type: string): AnyResource;
  /** Tells that Terraform has this object in its state. */
  manage(type: string, id: string): void;
  /** The live object, from one list for all of them. `complete` is false when it may only be cut off from the list. */
  find(definition: AnyResource, id: string): Promise<{ readonly object: LiveObject | null; readonly complete: boolean }>;
  writeContext(definition: AnyResource): WriteContext;
}

interface TypeSession {
  readonly live: LiveList;
  readonly write: WriteContext;
  /** The ids that the last list was asked for. */
  askedFor: ReadonlySet<string>;
  /** Resolves when the ids of calls that come side by side are together. */
  gathered: Promise<void> | null;
  rechecking: Promise<unknown> | null;
}

/** How long the first of several reads waits for the ids of the others, so that one list is asked for all of them. */
const GATHER_MS = 10;

export function openSession(services: Services): Session {
  const stop = new AbortController();
  const managed = new Map<string, Set<string>>();
  const types = new Map<string, TypeSession>();
  let connection: Connection | null = null;
  let mark: Promise<ServiceMark> | null = null;

  function managedOf(type: string): Set<string> {
    const ids = managed.get(type) ?? new Set();
    managed.set(type, ids);
    return ids;
  }
  function connected(): Connection {
    if (connection === null) throw notConfigured();
    return connection;
  }
  function typeSession(definition: AnyResource): TypeSession {
    const before = types.get(definition.type);
    if (before) return before;
    const { readClient, access } = connected();
    const ids = managedOf(definition.type);
    const live = openLiveList(definition, readClient, () => (opened.askedFor = new Set(ids)));
    const { journal, clock } = services;
    const baseline = openBaseline(live, journal);
    const write = { access, live, journal, baseline, clock, isManaged: (id: string) => ids.has(id), signal: stop.signal };
    const opened: TypeSession = { live, write, askedFor: new Set(), gathered: null, rechecking: null };
    types.set(definition.type, opened);
    return opened;
  }

  /** What is missing from a list that was not asked for it is looked for once more: the list may have ended early. */
  async function recheck(opened: TypeSession, id: string): Promise<void> {
    while (!opened.askedFor.has(id)) {
      opened.rechecking ??= services.clock
        .sleep(GATHER_MS, stop.signal)
        .then(() => opened.live.again(stop.signal))
        .finally(() => (opened.rechecking = null));
      await opened.rechecking;
    }
  }

  return {
    services,
    stop,
    configure: (settings) => {
      types.clear();
      connection = settings && services.connect(settings);
      mark = settings && markOf(settings, services);
      mark?.catch(() => undefined);
    },
    isConnected: () => connection !== null,
    connection: connected,
    mark: () => mark ?? Promise.reject(notConfigured()),
    definition: (type) => resourceOf(services.catalog, type),
    manage: (type, id) => void managedOf(type).add(id),
    find: async (definition, id) => {
      managedOf(definition.type).add(id);
      const opened = typeSession(definition);
      const { live } = opened;
      await (opened.gathered ??= services.clock.sleep(GATHER_MS, stop.signal));
      if (!(await live.find(id, stop.signal))) await recheck(opened, id);
      const { complete } = await live.get(stop.signal);
      return { object: (await live.find(id, stop.signal)) ?? null, complete };
    },
    writeContext: (definition) => typeSession(definition).write,
  };
}

async function markOf(settings: { readonly baseUrl: string; readonly apiKey: string }, { fingerprinter }: Services): Promise<ServiceMark> {
  const { apiKey } = settings;
  const baseUrl = settings.baseUrl.replace(/\/+$/, "");
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
