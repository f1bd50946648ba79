import type { WriteContext } from "../../core/apply/write.ts";
import { type AnyResource, type LiveObject, resourceOf } from "../../core/model/definition.ts";
import { type Diagnostic, DiagnosticsError } from "../../core/model/diagnostic.ts";
import type { Attributes } from "../../core/model/value.ts";
import { whatIsOver } from "./journal/end.ts";
import { nameOf } from "./journal/journaled-create.ts";
import type { Journals } from "./journal/journals.ts";
import type { Writing } from "./journal/writing.ts";
import type { ServiceMark } from "./private-state.ts";
import type { Connection, Services } from "./services.ts";
import { type TypeSession, openType } from "./type-session.ts";

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

/** What is remembered whatever the provider speaks to. */
interface Memory {
  /** The ids of what is managed, by type. */
  readonly managed: Map<string, Set<string>>;
  /** What Terraform has shown to be in its state, by `nameOf`. */
  readonly known: Set<string>;
  readonly signal: AbortSignal;
}

/** What the provider has once it is configured. */
interface Configured {
  readonly connection: Connection;
  readonly mark: Promise<ServiceMark>;
  readonly journals: Journals;
  readonly fingerprint: (secret: string) => Promise<string>;
  readonly typeSession: (definition: AnyResource) => TypeSession;
}

export function openSession(services: Services): Session {
  const stop = new AbortController();
  const memory: Memory = { managed: new Map(), known: new Set(), signal: stop.signal };
  let configured: Configured | null = null;

  function now(): Configured {
    if (configured === null) throw notConfigured();
    return configured;
  }
  function manage(type: string, id: string): void {
    managedOf(memory, type).add(id);
    memory.known.add(nameOf(resourceOf(services.catalog, type), { id }));
  }
  return {
    services,
    stop,
    configure: (settings) => void (configured = settings && configure(settings, services, memory)),
    isConnected: () => configured !== null,
    connection: () => now().connection,
    mark: async () => now().mark,
    journals: () => now().journals,
    fingerprint: (secret) => now().fingerprint(secret),
    definition: (type) => resourceOf(services.catalog, type),
    manage,
    recorded: (definition, attributes) => {
      const id = attributes["id"];
      if (typeof id === "string") manage(definition.type, id);
      if (definition.oneWay) memory.known.add(nameOf(definition, { ...attributes, id: null }));
    },
    find: (definition, id) => now().typeSession(definition).find(id),
    writeContext: (definition) => now().typeSession(definition).writing.context,
    writing: (definition) => now().typeSession(definition).writing,
    lateTwins: (definition) => now().typeSession(definition).lateTwins(),
  };
}

function managedOf({ managed }: Memory, type: string): Set<string> {
  const ids = managed.get(type) ?? new Set();
  managed.set(type, ids);
  return ids;
}

function configure(settings: { readonly baseUrl: string; readonly apiKey: string }, services: Services, memory: Memory): Configured {
  const { known, signal } = memory;
  const types = new Map<string, TypeSession>();
  const connection = services.connect(settings);
  const mark = markOf(settings, services);
  mark.catch(() => undefined);
  const journals = services.journal.open(
    () => mark,
    () => whatIsOver(services, { types, known }),
  );
  let fingerprint: Promise<(secret: string) => Promise<string>> | null = null;
  return {
    connection,
    mark,
    journals,
    fingerprint: async (secret) => {
      fingerprint ??= journals.salt().then(services.fingerprinter);
      return (await fingerprint)(secret);
    },
    typeSession: (definition) => {
      const before = types.get(definition.type);
      if (before) return before;
      const opened = openType(definition, { ...services, ...connection, journals, signal, managed: managedOf(memory, definition.type), known });
      types.set(definition.type, opened);
      return opened;
    },
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
