import { timeLimit } from "../../core/model/async.ts";
import type { WriteContext } from "../../core/apply/write/write-context.ts";
import { type AnyResource, resourceOf } from "../../core/model/definition.ts";
import { type Diagnostic, DiagnosticsError } from "../../core/model/diagnostic.ts";
import { type Attributes, hasUnknown } from "../../core/model/value.ts";
import { identityKey } from "../../core/plan/identity.ts";
import { type OverlapIndex, overlapIndex } from "../../core/plan/overlaps.ts";
import { digest } from "../../core/state/checksum.ts";
import { type ExclusivePlan, openExclusivePlan } from "./exclusive-plan.ts";
import { noteDuplicates, whatIsOver } from "./journal/end.ts";
import type { CreateJournal } from "./journal/create-journal.ts";
import { nameOf } from "./journal/known-creates.ts";
import type { Writing } from "./journal/writing.ts";
import type { ServiceMark } from "./private-state.ts";
import type { ListMemory } from "./list-memory.ts";
import type { PlanNotes } from "./plan-notes.ts";
import { type ReferenceChecks, openReferenceChecks } from "./reference-checks.ts";
import { markOf } from "./service-mark.ts";
import type { Connection, ServiceSettings, Services } from "./services.ts";
import { type Recorded, type TypeSession, openType } from "./type-session.ts";
import type { Unmanaged } from "./unmanaged.ts";

/** State of a provider process between calls. Terraform runs one process for each configured provider and walk. */
export interface Session {
  readonly services: Services;
  /** Aborted when the user has asked to stop. */
  readonly stop: AbortController;
  /** Null: the values of the provider block are not known yet. */
  configure(settings: ServiceSettings | null): void;
  isConnected(): boolean;
  /** Throws `provider_not_configured`, as do all functions below that need the service. */
  connection(): Connection;
  mark(): Promise<ServiceMark>;
  readonly checkReferences: ReferenceChecks;
  /** Of the service that the provider speaks to. */
  journal(): CreateJournal;
  /** Of a secret, as the journal holds it. */
  fingerprint(secret: string): Promise<string>;
  definition(type: string): AnyResource;
  /** Notes that this object is in Terraform's state. */
  manage(type: string, id: string): void;
  /** The same for an object that may have no id. `unobserved` names the attributes whose value is unknown, if the caller knows them. */
  recorded(definition: AnyResource, attributes: Attributes, unobserved?: readonly string[]): void;
  /** Notes that Terraform planned this object. */
  asked(id: string): void;
  /** Notes that no request changes this object; `attributes` are the declared ones. True if a planned create is identical, and does not allow that. */
  stays(definition: AnyResource, id: string, attributes: Attributes): boolean;
  /** Notes that a create is planned, for an object that is replaced also before the create itself is; `instead` is the id of that object. */
  planned(definition: AnyResource, attributes: Attributes, instead?: string): void;
  /** Notes a create. True if Terraform keeps or creates an identical object, and the two do not allow that. */
  creates(definition: AnyResource, attributes: Attributes, instead?: string): boolean;
  /** Notes an object that is planned to exist. One that was noted before and overlaps with it: its id, or null without one; undefined for none. */
  overlaps(definition: AnyResource, attributes: Attributes): string | null | undefined;
  /** Values of exclusive attributes in the plan under way. */
  exclusivePlan(): ExclusivePlan;
  /** Notes of the plan that is being applied. */
  seen(): PlanNotes;
  /** As in `TypeSession`. */
  isPlanned(definition: AnyResource, id: string): Promise<boolean>;
  find(definition: AnyResource, recorded: Recorded): ReturnType<TypeSession["find"]>;
  writeContext(definition: AnyResource): WriteContext;
  writing(definition: AnyResource): Writing;
  /** As in `TypeSession`. */
  unmanaged(definition: AnyResource): Unmanaged;
  /** Warnings about creates whose object appeared late, for a type whose list was read. */
  lateDuplicates(definition: AnyResource): Promise<readonly Diagnostic[]>;
}

/** Kept whichever service is configured. */
interface Memory {
  /** Ids of managed objects by type. */
  readonly managed: Map<string, Set<string>>;
  /** Objects in Terraform's state and planned creates: as in `Shown`. */
  readonly known: Map<string, string | null>;
  readonly planned: Map<string, Attributes[]>;
  readonly asked: Set<string>;
  readonly replaced: Set<string>;
  /** Planned creates: whether all with this identity key allow duplicates. */
  readonly created: Map<string, boolean>;
  /** Objects without a change: identity key by id. */
  readonly staying: Map<string, string>;
  /** The same the other way round: ids by identity key. */
  readonly stayingIds: Map<string, Set<string>>;
  /** Objects that are planned to exist, by type: each one's id, or null. */
  readonly overlaps: Map<string, OverlapIndex<string | null>>;
  readonly exclusive: ExclusivePlan;
  readonly signal: AbortSignal;
}

/** Available once the provider is configured. */
interface Configured {
  readonly connection: Connection;
  readonly mark: Promise<ServiceMark>;
  readonly journal: CreateJournal;
  readonly seen: PlanNotes;
  readonly checkReferences: ReferenceChecks;
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
    created: new Map(),
    staying: new Map(),
    stayingIds: new Map(),
    overlaps: new Map(),
    exclusive: openExclusivePlan(),
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
    journal: () => now().journal,
    exclusivePlan: () => memory.exclusive,
    seen: () => now().seen,
    checkReferences: (definition, attributes) => now().checkReferences(definition, attributes),
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
    stays: (definition, id, attributes) => keeps(memory, id, identityKey(definition, attributes)),
    creates: (definition, attributes, instead) => {
      if (instead !== undefined) replaces(memory, instead);
      return isTwice(memory, definition, attributes);
    },
    overlaps: (definition, attributes) => overlapsWith(memory, definition, attributes),
    planned: ({ type }, attributes, instead) => {
      if (instead !== undefined) memory.replaced.add(instead);
      const before = memory.planned.get(type);
      if (before) before.push(attributes);
      else memory.planned.set(type, [attributes]);
    },
    isPlanned: (definition, id) => now().typeSession(definition).isPlanned(id),
    find: (definition, recorded) => now().typeSession(definition).find(recorded),
    writeContext: (definition) => now().typeSession(definition).writing.context,
    writing: (definition) => now().typeSession(definition).writing,
    unmanaged: (definition) => now().typeSession(definition).unmanaged,
    lateDuplicates: (definition) => now().typeSession(definition).lateDuplicates(),
  };
}

function keeps({ staying, stayingIds, created }: Memory, id: string, key: string): boolean {
  staying.set(id, key);
  const ids = stayingIds.get(key);
  if (ids) ids.add(id);
  else stayingIds.set(key, new Set([id]));
  return created.get(key) === false;
}

/** `-replace` and `replace_triggered_by` replace what the provider would keep. */
function replaces({ staying, stayingIds, exclusive }: Memory, id: string): void {
  exclusive.replaces(id);
  stayingIds.get(staying.get(id) ?? "")?.delete(id);
  staying.delete(id);
}

function isTwice({ created, stayingIds }: Memory, definition: AnyResource, attributes: Attributes): boolean {
  const { allow_duplicate: allows = null } = attributes;
  if (!definition.list || hasUnknown(allows) || definition.identity.some((name) => hasUnknown(attributes[name] ?? null))) return false;
  const key = identityKey(definition, attributes);
  const others = created.get(key);
  created.set(key, allows === true && others !== false);
  if (others !== undefined && !(allows === true && others)) return true;
  return allows !== true && (stayingIds.get(key)?.size ?? 0) > 0;
}

function overlapsWith({ overlaps }: Memory, definition: AnyResource, attributes: Attributes): string | null | undefined {
  const index = overlaps.get(definition.type) ?? overlapIndex(definition);
  overlaps.set(definition.type, index);
  const other = index.find(attributes);
  index.add(attributes, typeof attributes["id"] === "string" ? attributes["id"] : null);
  return other;
}

function managedOf({ managed }: Memory, type: string): Set<string> {
  const ids = managed.get(type) ?? new Set();
  managed.set(type, ids);
  return ids;
}

function configure(settings: ServiceSettings, services: Services, memory: Memory): Configured {
  const { known, staying, signal } = memory;
  const types = new Map<string, TypeSession>();
  const connection = services.connect(settings);
  const mark = markOf(settings, services);
  mark.catch(() => undefined);
  const journal: CreateJournal = services.journal.open(
    () => mark,
    async () => {
      await listMemory.store(new Map([...types].map(([type, { live }]) => [type, live.findings()])));
      await noteDuplicates(services, { journal, seen }, { ...memory, types });
      return whatIsOver(services, journal, { types, known });
    },
    () => listCreated(types, listMemory, services),
  );
  const seen = services.planNotes(() => journal.salt());
  const listMemory = services.listMemory(async () => digest(JSON.stringify(await mark)));
  let fingerprint: Promise<(secret: string) => Promise<string>> | null = null;
  return {
    connection,
    mark,
    journal,
    seen,
    checkReferences: openReferenceChecks(services.catalog, connection.readClient, signal),
    fingerprint: async (secret) => {
      fingerprint ??= journal.salt().then(services.fingerprinter);
      return (await fingerprint)(secret);
    },
    typeSession: (definition) => {
      const before = types.get(definition.type);
      if (before) return before;
      const opened = openType(definition, {
        ...services,
        ...connection,
        seen,
        exclusive: {
          isKnown: async () => settings.exclusive ?? listMemory.isExclusive(definition.type),
          learned: () => listMemory.learnedExclusive(definition.type),
        },
        pastLists: () => listMemory.past(definition.type),
        hiddenSinceMs: (id) => listMemory.hiddenSinceMs(definition.type, id),
        journal,
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

/** Terraform ends a process soon after it has asked for that. */
const LAST_LIST_MS = 1000;

/** Reads the list once more where this process has created something: what it shows, and what it lacks, is evidence for later processes. */
async function listCreated(types: ReadonlyMap<string, TypeSession>, memory: ListMemory, { clock }: Pick<Services, "clock">): Promise<void> {
  const made = [...types].filter(([, { created }]) => created.size > 0);
  if (made.length === 0) return;
  const limit = timeLimit(LAST_LIST_MS, clock, () => new Error("the process ends"));
  for (const [type, { live, created }] of made) {
    const listing = await live.shown(limit.signal, new Set()).catch(() => null);
    if (listing) await memory.store(new Map([[type, live.findings()]]), new Map([[type, created]]));
  }
  limit.end();
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
