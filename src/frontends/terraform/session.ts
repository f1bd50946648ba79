import type { WriteContext } from "../../core/apply/write/write.ts";
import { type AnyResource, resourceOf } from "../../core/model/definition.ts";
import { type Diagnostic, DiagnosticsError } from "../../core/model/diagnostic.ts";
import type { Attributes } from "../../core/model/value.ts";
import { identityKey } from "../../core/plan/identity.ts";
import { digest } from "../../core/state/checksum.ts";
import { noteDuplicates, whatIsOver } from "./journal/end.ts";
import { nameOf } from "./journal/journaled-create.ts";
import type { Journals } from "./journal/journals.ts";
import type { Writing } from "./journal/writing.ts";
import type { ServiceMark } from "./private-state.ts";
import type { PlanNotes } from "./plan-notes.ts";
import { markOf } from "./service-mark.ts";
import type { Connection, Services } from "./services.ts";
import { type Recorded, type TypeSession, openType } from "./type-session.ts";

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
  /** The same of an object that may have no id; `unobserved` are attributes whose value is not known, where that is known. */
  recorded(definition: AnyResource, attributes: Attributes, unobserved?: readonly string[]): void;
  /** Tells that Terraform has asked what becomes of this object. */
  asked(id: string): void;
  /** Tells that this object stays as it is, but for what is only recorded: `attributes` are those that are declared. */
  stays(definition: AnyResource, id: string, attributes: Attributes): void;
  /** Tells that such an object is about to be created; `instead` is the id of the one that it takes the place of. */
  planned(definition: AnyResource, attributes: Attributes, instead?: string): void;
  /** What the plan that is applied has seen. */
  seen(): PlanNotes;
  /** As in `TypeSession`. */
  find(definition: AnyResource, recorded: Recorded): ReturnType<TypeSession["find"]>;
  writeContext(definition: AnyResource): WriteContext;
  writing(definition: AnyResource): Writing;
  /** Warnings about outcomes that have turned up late, of a type whose list has been read. */
  lateDuplicates(definition: AnyResource): Promise<readonly Diagnostic[]>;
}

/** What is remembered whatever the provider speaks to. */
interface Memory {
  /** The ids of what is managed, by type. */
  readonly managed: Map<string, Set<string>>;
  /** What Terraform has shown to be in its state, and what it is about to create: as in `Shown`. */
  readonly known: Map<string, string | null>;
  readonly planned: Map<string, Attributes[]>;
  readonly asked: Set<string>;
  readonly replaced: Set<string>;
  /** What stays as it is: the key of its identity by its id. */
  readonly staying: Map<string, string>;
  readonly signal: AbortSignal;
}

/** What the provider has once it is configured. */
interface Configured {
  readonly connection: Connection;
  readonly mark: Promise<ServiceMark>;
  readonly journals: Journals;
  readonly seen: PlanNotes;
  readonly fingerprint: (secret: string) => Promise<string>;
  readonly typeSession: (definition: AnyResource) => TypeSession;
}

export function openSession(services: Services): Session {
  const stop = new AbortController();
  const memory: Memory = {
    managed: new Map(),
    known: new Map(),
    planned: new Map(),
    asked: new Set(),
    replaced: new Set(),
    staying: new Map(),
    signal: stop.signal,
  };
  let configured: Configured | null = null;

  function now(): Configured {
    if (configured === null) throw notConfigured();
    return configured;
  }
  function manage(type: string, id: string): void {
    managedOf(memory, type).add(id);
    const name = nameOf(resourceOf(services.catalog, type), { id });
    if (!memory.known.has(name)) memory.known.set(name, null);
  }
  return {
    services,
    stop,
    configure: (settings) => void (configured = settings && configure(settings, services, memory)),
    isConnected: () => configured !== null,
    connection: () => now().connection,
    mark: async () => now().mark,
    journals: () => now().journals,
    seen: () => now().seen,
    fingerprint: (secret) => now().fingerprint(secret),
    definition: (type) => resourceOf(services.catalog, type),
    manage,
    recorded: (definition, attributes, unobserved) => {
      const { known } = memory;
      const id = attributes["id"];
      if (definition.irreversible) known.set(nameOf(definition, { ...attributes, id: null }), null);
      if (typeof id !== "string") return;
      manage(definition.type, id);
      const isWhole = unobserved !== undefined && !definition.identity.some((name) => unobserved.includes(name));
      if (isWhole) known.set(nameOf(definition, { id }), identityKey(definition, attributes));
    },
    asked: (id) => void memory.asked.add(id),
    stays: (definition, id, attributes) => void memory.staying.set(id, identityKey(definition, attributes)),
    planned: ({ type }, attributes, instead) => {
      if (instead !== undefined) memory.replaced.add(instead);
      const before = memory.planned.get(type);
      if (before) before.push(attributes);
      else memory.planned.set(type, [attributes]);
    },
    find: (definition, recorded) => now().typeSession(definition).find(recorded),
    writeContext: (definition) => now().typeSession(definition).writing.context,
    writing: (definition) => now().typeSession(definition).writing,
    lateDuplicates: (definition) => now().typeSession(definition).lateDuplicates(),
  };
}

function managedOf({ managed }: Memory, type: string): Set<string> {
  const ids = managed.get(type) ?? new Set();
  managed.set(type, ids);
  return ids;
}

function configure(settings: { readonly baseUrl: string; readonly apiKey: string }, services: Services, memory: Memory): Configured {
  const { known, staying, signal } = memory;
  const types = new Map<string, TypeSession>();
  const connection = services.connect(settings);
  const mark = markOf(settings, services);
  mark.catch(() => undefined);
  const journals: Journals = services.journal.open(
    () => mark,
    async () => {
      await listLengths.store(new Map([...types].map(([type, { live }]) => [type, live.longestAnswer()])));
      await noteDuplicates(services, { journals, seen }, { ...memory, types });
      return whatIsOver(services, journals, { types, known });
    },
  );
  const seen = services.planNotes(() => journals.salt());
  const listLengths = services.listLengths(async () => digest(JSON.stringify(await mark)));
  let fingerprint: Promise<(secret: string) => Promise<string>> | null = null;
  return {
    connection,
    mark,
    journals,
    seen,
    fingerprint: async (secret) => {
      fingerprint ??= journals.salt().then(services.fingerprinter);
      return (await fingerprint)(secret);
    },
    typeSession: (definition) => {
      const before = types.get(definition.type);
      if (before) return before;
      const opened = openType(definition, {
        ...services,
        ...connection,
        seen,
        longestSeen: () => listLengths.longestSeen(definition.type),
        journals,
        signal,
        managed: managedOf(memory, definition.type),
        known,
        staying,
      });
      types.set(definition.type, opened);
      return opened;
    },
  };
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
