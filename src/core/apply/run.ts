import type { Declaration, Evaluate, SecretSource } from "../model/declaration.ts";
import { type Catalog, type LiveListing, resourceOf } from "../model/definition.ts";
import { type Diagnostic, DiagnosticsError, type Result, hasErrors } from "../model/diagnostic.ts";
import { managedIds } from "../model/instance.ts";
import type { Clock } from "../model/ports.ts";
import { type Attributes, canonicalJson } from "../model/value.ts";
import { PLAIN_OPTIONS } from "../plan/plan-options.ts";
import { makePlan } from "../plan/make-plan.ts";
import { type Plan, hasChanges } from "../plan/plan.ts";
import { openJournal } from "../state/journal.ts";
import { type OpenState, foldInto, writeState } from "../state/open-state.ts";
import type { StateStore } from "../state/state-store.ts";
import { type Applied, type Progress, applyPlan } from "./apply-plan.ts";
import { type LiveList, openLiveList } from "./live-list.ts";
import { prepare } from "./prepare.ts";
import { type WriteAccess, openBaseline } from "./write.ts";

/** Everything that a run needs of the world outside. */
export interface RunPorts {
  readonly catalog: Catalog;
  /** Can only read. */
  readonly readClient: unknown;
  readonly access: WriteAccess;
  readonly clock: Clock;
  readonly service: { readonly baseUrl: string; readonly apiKey: string };
  /** The value of a secret, once for each source. */
  readonly reveal: (source: SecretSource) => Promise<{ readonly value: string } | { readonly detail: string; readonly hint: string }>;
  /** Fingerprints under a state's salt. */
  readonly fingerprint: (salt: string, secret: string) => Promise<string>;
  /** How long a new object may take to appear in the list, in milliseconds. */
  readonly settleMs: number;
  readonly allowRecreate: boolean;
  readonly allowServiceChange: boolean;
  readonly signal: AbortSignal;
}

/** A plan, and what its apply needs beside it: the secrets stay in memory. */
export interface PlannedRun {
  readonly plan: Plan;
  readonly declarations: readonly Declaration[];
  readonly secrets: ReadonlyMap<string, { readonly [attribute: string]: string }>;
  readonly live: ReadonlyMap<string, LiveList>;
  /** The fingerprint of the API key, as the state keeps it. */
  readonly keyFingerprint: string;
  /** What was made of the live lists; called again when time has passed since. */
  readonly again: () => Promise<Plan>;
}

/** Reads what there is to read, and plans. Sends nothing that writes, and stores nothing. */
export async function planRun(open: OpenState, evaluate: Evaluate | "destroy", ports: RunPorts): Promise<PlannedRun> {
  const { catalog, readClient, signal } = ports;
  const { document } = open;
  const keyFingerprint = await ports.fingerprint(document.salt, ports.service.apiKey);
  const prepared =
    evaluate === "destroy"
      ? { declarations: [], diagnostics: [] }
      : await prepare(evaluate, { catalog, client: readClient, instances: document.instances, signal });
  const resolved = hasErrors(prepared.diagnostics) ? noSecrets(prepared.declarations) : await resolveSecrets(prepared.declarations, document.salt, ports);
  const { declarations, secrets } = resolved.value;
  const before = [...prepared.diagnostics, ...resolved.diagnostics, ...serviceDiagnostics(open, ports)];
  if (hasErrors(before)) {
    const plan: Plan = { format: 1, steps: [], drift: [], outputs: [], diagnostics: before, undecided: [] };
    return { plan, declarations, secrets, live: new Map(), keyFingerprint, again: () => Promise.resolve(plan) };
  }
  const live = openLists(open, declarations, ports);
  const planNow = async (read: (list: LiveList) => Promise<LiveListing>): Promise<Plan> => {
    const listings = new Map<string, LiveListing>();
    for (const [type, list] of live) if (resourceOf(catalog, type).list) listings.set(type, await settled(await read(list), list, { open, type, ports }));
    const plan = makePlan({
      catalog,
      declarations,
      instances: document.instances,
      live: listings,
      limits: {},
      options: { ...PLAIN_OPTIONS, allowRecreate: ports.allowRecreate },
      undecided: [],
    });
    return {
      ...plan,
      diagnostics: [...before, ...plan.diagnostics, ...keyChanged(plan, { open, keyFingerprint, ports })].map((one) => withPlace(one, declarations)),
    };
  };
  return { plan: await planNow((list) => list.get(signal)), declarations, secrets, live, keyFingerprint, again: () => planNow((list) => list.again(signal)) };
}

/** Carries an approved plan out. `asked`: time has passed since it was made, so the lists are read once more and must give the same plan. */
export async function applyRun(
  store: StateStore,
  {
    open,
    planned,
    asked,
    report,
    stop,
  }: {
    readonly open: OpenState;
    readonly planned: PlannedRun;
    readonly asked: boolean;
    readonly report: (progress: Progress) => void;
    readonly stop: AbortSignal;
  },
  ports: RunPorts,
): Promise<Applied> {
  if (!store.journal) throw new Error("a store without a journal beside it cannot be written yet");
  const plan = asked ? await stillTheSame(planned) : planned.plan;
  if (!hasChanges(plan)) return { counts: { import: 0, add: 0, change: 0, destroy: 0, forget: 0 }, diagnostics: [], undecided: false, interrupted: false };
  const service = { baseUrl: ports.service.baseUrl, keyFingerprint: planned.keyFingerprint };
  const begun =
    open.version !== null && canonicalJson(open.document.service) === canonicalJson(service)
      ? open
      : await writeState(store, { ...open, document: { ...open.document, service } }, ports.signal);
  // What a crash has left of a first line that tells nothing would tear the first line of this run's journal too.
  if (open.journal === null && (await store.journal.read()) !== null) await store.journal.remove();
  const { lineage, serial, journalSeq, instances } = begun.document;
  const journal = openJournal(store.journal, { journal: 1, lineage, baseSerial: serial, baseSeq: journalSeq });
  const managed = managedIds(instances);
  const contexts = new Map(
    [...planned.live].map(([type, live]) => {
      const added: LiveList = {
        ...live,
        added: (object) => {
          managed.add(object.id);
          live.added(object);
        },
      };
      return [
        type,
        {
          access: ports.access,
          live: added,
          journal,
          baseline: openBaseline(live, journal),
          clock: ports.clock,
          isManaged: (id: string) => managed.has(id),
          signal: stop,
        },
      ] as const;
    }),
  );
  const contextOf = (type: string) => {
    const context = contexts.get(type);
    if (!context) throw new Error(`${type} is not part of the plan`);
    return context;
  };
  const secretsOf = (address: string) => planned.secrets.get(address) ?? {};
  const { catalog, clock } = ports;
  const applied = await applyPlan(plan, {
    catalog,
    instances,
    declarations: planned.declarations,
    pending: begun.pending,
    approved: asked,
    secretsOf,
    write: contextOf,
    journal,
    clock,
    report,
    stop,
  });
  if (journal.recorded().length > 0) await foldInto(store, begun, journal.recorded(), NEVER);
  return applied;
}

/** What was sent is stored even when the run was told to stop. */
const NEVER = new AbortController().signal;

async function stillTheSame(planned: PlannedRun): Promise<Plan> {
  const now = await planned.again();
  if (canonicalJson(now.steps) === canonicalJson(planned.plan.steps) && !hasErrors(now.diagnostics)) return now;
  throw new DiagnosticsError([
    ...now.diagnostics.filter(({ severity }) => severity === "error"),
    {
      code: "plan_outdated",
      severity: "error",
      summary: "The plan is out of date",
      detail: "While the question was open, webhooks of the service were changed, so that the plan would now be another one. Nothing was done.",
      hint: "Run the command again and look at the new plan.",
    },
  ]);
}

function openLists({ document }: OpenState, declarations: readonly Declaration[], { catalog, readClient }: RunPorts): ReadonlyMap<string, LiveList> {
  const types = new Set([...declarations, ...document.instances].map(({ type }) => type));
  return new Map([...types].map((type) => [type, openLiveList(resourceOf(catalog, type), readClient, () => expectedIds(document, type))]));
}

function expectedIds({ instances }: OpenState["document"], type: string): ReadonlySet<string> {
  return new Set(instances.flatMap((instance) => (instance.type === type && instance.id !== null ? [instance.id] : [])));
}

/** What was created only just now is looked for once more before it counts as missing. */
async function settled(
  listing: LiveListing,
  list: LiveList,
  { open, type, ports }: { readonly open: OpenState; readonly type: string; readonly ports: RunPorts },
): Promise<LiveListing> {
  const there = new Set(listing.objects.map(({ id }) => id));
  const missing = open.document.instances.filter((instance) => instance.type === type && instance.id !== null && !there.has(instance.id));
  const youngestMs = Math.max(Number.NEGATIVE_INFINITY, ...missing.map(({ recordedAtMs }) => recordedAtMs));
  const waitMs = Math.min(youngestMs + ports.settleMs - ports.clock.now(), ports.settleMs);
  if (waitMs <= 0) return listing;
  await ports.clock.sleep(waitMs, ports.signal);
  return list.again(ports.signal);
}

interface WithSecrets {
  readonly declarations: readonly Declaration[];
  readonly secrets: ReadonlyMap<string, { readonly [attribute: string]: string }>;
}

function noSecrets(declarations: readonly Declaration[]): Result<WithSecrets> {
  return { value: { declarations, secrets: new Map() }, diagnostics: [] };
}

/** Resolves each secret and puts its digest among the attributes. */
async function resolveSecrets(declarations: readonly Declaration[], salt: string, { reveal, fingerprint }: RunPorts): Promise<Result<WithSecrets>> {
  const secrets = new Map<string, { readonly [attribute: string]: string }>();
  const diagnostics: Diagnostic[] = [];
  const complete: Declaration[] = [];
  for (const declaration of declarations) {
    const values: Record<string, string> = {};
    const digests: Record<string, Attributes[string]> = {};
    for (const [name, source] of Object.entries(declaration.secrets)) {
      const revealed = await reveal(source);
      if ("value" in revealed) {
        values[name] = revealed.value;
        digests[name] = { $secret: await fingerprint(salt, revealed.value) };
      } else
        diagnostics.push({
          code: "secret_unavailable",
          severity: "error",
          summary: "A secret is not available",
          ...revealed,
          address: declaration.address,
          path: [name],
        });
    }
    secrets.set(declaration.address, values);
    complete.push({ ...declaration, attributes: { ...declaration.attributes, ...digests } });
  }
  return { value: { declarations: complete, secrets }, diagnostics: diagnostics.map((one) => withPlace(one, declarations)) };
}

function withPlace(diagnostic: Diagnostic, declarations: readonly Declaration[]): Diagnostic {
  if (diagnostic.place || diagnostic.address === undefined) return diagnostic;
  const place = declarations.find(({ address }) => address === diagnostic.address)?.locate(diagnostic.path ?? []);
  return place ? { ...diagnostic, place } : diagnostic;
}

function serviceDiagnostics({ document }: OpenState, { service, allowServiceChange }: RunPorts): readonly Diagnostic[] {
  if (!document.service || document.instances.length === 0 || document.service.baseUrl === service.baseUrl || allowServiceChange) return [];
  return [
    {
      code: "service_changed",
      severity: "error",
      summary: "The state belongs to another service",
      detail: `The ${String(document.instances.length)} recorded webhooks were made at ${document.service.baseUrl}, but the base URL is now ${service.baseUrl}. There they would all look deleted.`,
      hint: "Name another state with --state, or, if the service has only moved, run again with --allow-service-change.",
    },
  ];
}

function keyChanged(
  { drift }: Plan,
  { open, keyFingerprint, ports }: { readonly open: OpenState; readonly keyFingerprint: string; readonly ports: RunPorts },
): readonly Diagnostic[] {
  const before = open.document.service?.keyFingerprint;
  const missing = drift.filter(({ after }) => after === null);
  if (before === undefined || before === keyFingerprint || missing.length === 0 || ports.allowRecreate) return [];
  return [
    {
      code: "key_changed",
      severity: "error",
      summary: "Another API key, and recorded webhooks are missing",
      detail: `The API key is not the one of the last apply, and ${missing.map(({ address }) => address).join(", ")} cannot be seen with it. It may be another team's key.`,
      hint: "Check OUTREACH_API_KEY. If the webhooks are really gone, run again with --allow-recreate.",
    },
  ];
}
