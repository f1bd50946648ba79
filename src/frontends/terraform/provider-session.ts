import { timeLimit } from "../../core/model/async.ts";
import { type CheckedReferences, checkReferences } from "../../core/apply/run/check-references.ts";
import { type AnyResource, type Catalog, resourceOf } from "../../core/model/definition.ts";
import { type Diagnostic, DiagnosticsError } from "../../core/model/diagnostic.ts";
import type { Attributes } from "../../core/model/value.ts";
import type { Creation } from "../../core/apply/write/write-context.ts";
import { finishedCreates, notesOfPlan } from "./journal/forget-creates.ts";
import type { CreateJournal } from "./journal/create-journal.ts";
import { markOfCreate } from "./journal/create-marks.ts";
import { type KnownService, knownServiceOf } from "./private-state.ts";
import { learnLists, type NotedObjects, notePlan, openNotedObjects } from "./journal/list-notes.ts";
import type { ListRecords } from "../provider-journal/ledger.ts";
import { pastOf } from "../../core/apply/live/list-records.ts";
import type { Connection, ServiceSettings, Services } from "./services.ts";
import { type TerraformObjects, openTerraformObjects } from "./terraform-objects.ts";
import { type TypeSession, openType } from "./type-session.ts";

/** State of a provider process between calls. Terraform runs one process for each configured provider and walk. */
export interface Session {
  readonly services: Services;
  /** Aborted when the user has asked to stop. */
  readonly stop: AbortController;
  readonly objects: TerraformObjects;
  /** Whether Pulumi runs the provider. It does not say what a create replaces, and plans no delete. */
  isPulumi(): boolean;
  /** `version` is how the engine names itself when it configures the provider. */
  runBy(version: string): void;
  definition(type: string): AnyResource;
  /** Null: the values of the provider block are not known yet. */
  configure(settings: ServiceSettings | null): void;
  isConnected(): boolean;
  /** Throws `provider_not_configured`, as does `type`. */
  service(): ConfiguredService;
  /** What this process knows of one resource type. */
  type(definition: AnyResource): TypeSession;
}

/** The service that the provider speaks to, and what this process knows of it. */
export interface ConfiguredService extends Connection {
  readonly apiKey: string;
  readonly known: Promise<KnownService>;
  readonly journal: CreateJournal;
  /** Notes of the plan that is being applied. */
  readonly noted: NotedObjects;
  readonly checkReferences: ReferenceChecks;
  /** The fingerprint of a secret, as the journal holds it. */
  fingerprint(secret: string): Promise<string>;
  readonly marks: boolean;
  /** The mark of a create; undefined where it carries none. */
  markFor(definition: AnyResource, creation: Creation): Promise<string | undefined>;
  type(definition: AnyResource): TypeSession;
}

export function openSession(services: Services): Session {
  const stop = new AbortController();
  const objects = openTerraformObjects();
  let configured: ConfiguredService | null = null;
  let isPulumi = false;
  function service(): ConfiguredService {
    if (configured === null) throw notConfigured();
    return configured;
  }
  return {
    services,
    stop,
    objects,
    isPulumi: () => isPulumi,
    runBy: (version) => void (isPulumi = version.includes("pulumi")),
    definition: (type) => resourceOf(services.catalog, type),
    configure: (settings) =>
      void (configured = settings && configure(settings, { services, objects, signal: stop.signal })),
    isConnected: () => configured !== null,
    service,
    type: (definition) => service().type(definition),
  };
}

function configure(
  settings: ServiceSettings,
  {
    services,
    objects,
    signal,
  }: { readonly services: Services; readonly objects: TerraformObjects; readonly signal: AbortSignal },
): ConfiguredService {
  const { clock } = services;
  const openedAtMs = clock.now();
  const types = new Map<string, TypeSession>();
  const sent = new Set<string | undefined>();
  const marks = settings.mark === true;
  const connection = services.connect(settings);
  const known = knownServiceOf(settings, services);
  known.catch(() => undefined);
  const journal: CreateJournal = services.journal.open(
    () => known,
    async ({ wasOrderly }) => {
      const notes = await notesOfPlan(services, { journal, noted }, { types, objects });
      if (notes) journal.note(notePlan(notes, openedAtMs));
      journal.learn(
        learnLists(new Map([...types].map(([type, { live }]) => [type, live.findings()])), { nowMs: clock.now() }),
      );
      const isOver = await finishedCreates(services, journal, { types, objects });
      if (wasOrderly) await listCreated(types, journal, services);
      return isOver;
    },
  );
  const noted = openNotedObjects(journal, clock);
  const records = async (type: string): Promise<ListRecords[string]> => {
    const { lists } = await journal.known().catch(() => ({ lists: {} as ListRecords }));
    return lists[type] ?? {};
  };
  let fingerprint: Promise<(secret: string) => Promise<string>> | null = null;
  const configured: ConfiguredService = {
    ...connection,
    apiKey: settings.apiKey,
    known,
    journal,
    noted,
    checkReferences: openReferenceChecks(services.catalog, connection.readClient, signal),
    fingerprint: async (secret) => {
      fingerprint ??= journal.salt().then(services.fingerprinter);
      return (await fingerprint)(secret);
    },
    marks,
    markFor: (definition, creation) =>
      markOfCreate(definition, creation, configured.type(definition).writing, {
        sent,
        random: services.random,
        marks,
      }),
    type: (definition) => {
      const before = types.get(definition.type);
      if (before) return before;
      const opened = openType(definition, {
        ...services,
        ...connection,
        noted,
        exclusive: settings.exclusive === true,
        pastLists: async () => pastOf(await records(definition.type), clock.now()),
        hiddenSinceMs: async (id) => (await records(definition.type)).hidden?.[id],
        journal,
        signal,
        managed: objects.managedOf(definition.type),
        objects,
      });
      types.set(definition.type, opened);
      return opened;
    },
  };
  return configured;
}

/** Terraform ends a process soon after it has asked for that. */
const LAST_LIST_MS = 1000;

/** Reads the list once more where this process has created something: what it shows, and what it lacks, is evidence for later processes. */
async function listCreated(
  types: ReadonlyMap<string, TypeSession>,
  journal: CreateJournal,
  { clock }: Services,
): Promise<void> {
  const made = [...types].filter(([, { created }]) => created.size > 0);
  if (made.length === 0) return;
  const limit = timeLimit(LAST_LIST_MS, clock, () => new Error("the process ends"));
  for (const [type, { live, created }] of made) {
    const listing = await live.shown(limit.signal, new Set()).catch(() => null);
    if (listing)
      journal.learn(
        learnLists(new Map([[type, live.findings()]]), { nowMs: clock.now(), created: new Map([[type, created]]) }),
      );
  }
  limit.end();
}

function notConfigured(): DiagnosticsError {
  return DiagnosticsError.of("provider_not_configured", "The provider is not configured yet", {
    detail:
      "base_url or api_key of the provider block is only known after an apply, so the service cannot be asked now.",
    hint: "Apply what they depend on first (terraform apply -target=ADDRESS), or give values that are known.",
  });
}

/** The problems of the ids that an irreversible write would send. Asks about each id once in a process. */
type ReferenceChecks = (definition: AnyResource, attributes: Attributes) => Promise<readonly Diagnostic[]>;

function openReferenceChecks(catalog: Catalog, client: unknown, signal: AbortSignal): ReferenceChecks {
  const checked: CheckedReferences = new Map();
  return async ({ type }, after) => {
    const step = { action: "create", address: "", type, provider: "", because: [], masked: [], after } as const;
    const found = await checkReferences(
      { steps: [step] },
      { catalog, reading: { client, signal, isThorough: true }, known: new Map(), checked },
    );
    return found.map(({ address: _, ...problem }) => problem);
  };
}
