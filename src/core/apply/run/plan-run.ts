import { getOrMake } from "../../model/maps.ts";
import { firstFew } from "../../model/words.ts";
import type { Declaration } from "../../model/declaration.ts";
import { type DataReading, type LiveListing, pluralOf, resourceOf } from "../../model/definition.ts";
import { type Diagnostic, type Result, hasErrors, errorOf } from "../../model/diagnostic.ts";
import { NONE_IGNORED, withoutIgnored } from "../../model/ignored-warnings.ts";
import type { RecordedInstance } from "../../model/instance.ts";
import type { Attributes } from "../../model/value.ts";
import { consequenceOf } from "../../plan/consequences.ts";
import { makePlan, plannedAttributes } from "../../plan/make-plan.ts";
import type { PlanInput, PlanOptions } from "../../plan/plan-context.ts";
import type { Plan } from "../../plan/plan.ts";
import { excludedIn, isPartial } from "../../plan/targets.ts";
import { undecidedWriteDiagnostic } from "../../plan/undecided.ts";
import type { OpenState } from "../../state/open-state.ts";
import { pastLists, withFindings } from "../live/list-records.ts";
import { type LiveList, openLiveList } from "../live/live-list.ts";
import { settledList } from "../live/settled-list.ts";
import { checkPlan } from "./check-plan.ts";
import type { CheckedReferences } from "./check-references.ts";
import { outputChanges, outputsOf } from "./plan-outputs.ts";
import { type Prepared, prepare } from "./prepare.ts";
import { type RecoveredState, recover } from "../recovery/recovery.ts";
import { typesIn } from "../recovery/restored.ts";
import { waitsForApply } from "../recovery/unrecorded.ts";
import { checkLostCreates, givenUpBy, withMissingObjects } from "../recovery/lost-creates.ts";
import { checkDiagnostics, newFailures, resultsOf, runChecks } from "./run-checks.ts";
import { namesRead } from "./names-read.ts";
import { readImported } from "./read-imported.ts";
import { recordFirstListed } from "./record-first-listed.ts";
import { type WithSecrets, leaveSecrets, resolveSecrets } from "./resolve-secrets.ts";
import type { PlanRequest, PlannedRun, RunPorts } from "./run-ports.ts";
import { blockOf } from "../../model/address.ts";

/**
 * Reads the data sources and the live lists, resolves in memory the writes that earlier runs have left undecided, and plans.
 * Sends nothing that writes, and stores nothing.
 */
export async function planRun(open: OpenState, request: PlanRequest, ports: RunPorts): Promise<PlannedRun> {
  const { document } = open;
  const keyFingerprint = await ports.fingerprint(document.salt, ports.service.apiKey);
  const live = new Map<string, LiveList>();
  const prepared = await prepareRun(open, request, {
    ...ports,
    listing: (type) => opened(live, type, { open, ports, keyFingerprint }).get(ports.signal),
  });
  const refused = [
    ...prepared.diagnostics,
    ...prepared.said,
    ...(request.options.allow.includes("service-change") ? [] : otherService(open, ports)),
  ];
  if (hasErrors(refused)) return failed(open, { diagnostics: refused, keyFingerprint });
  for (const type of typesOf(
    open,
    request.options.destroy ? [] : [...prepared.declarations, ...(prepared.removals ?? [])],
  ))
    opened(live, type, { open, ports, keyFingerprint });
  const isWanted = wantedIn(request.options.destroy ? [] : prepared.declarations);
  const recovered = await recover(open, { ...ports, live: (type) => listOf(live, type), isWanted, plans: true });
  const unrecorded = recovered.changed ? await waitsForApply(open, ports) : { waits: false, diagnostics: [] };
  const { instances } = recovered.document;
  const evaluated =
    recovered.changed && !request.options.destroy
      ? { ...prepared, ...request.evaluate({ known: prepared.known, instances }) }
      : prepared;
  const { value, diagnostics } =
    request.withSecrets && !request.options.destroy
      ? await resolveSecretsIn(evaluated, { instances, request }, { ...ports, salt: document.salt })
      : { value: leaveSecrets(evaluated.declarations, instances), diagnostics: [] };
  const said = [...evaluated.diagnostics, ...evaluated.said, ...diagnostics];
  if (hasErrors(said)) return failed(open, { diagnostics: said, keyFingerprint });
  const planning: Planning = {
    checked: new Map(),
    open,
    request,
    ports,
    live,
    recovered: { ...recovered, diagnostics: [...recovered.diagnostics, ...unrecorded.diagnostics] },
    noted: unrecorded.waits ? { unrecorded: true } : {},
    keyFingerprint,
    prepared: { ...evaluated, ...value, diagnostics: said },
  };
  return planNow(planning, (list) => list.get(ports.signal));
}

/** Resolves the secrets of what the plan includes: of the rest, no command runs. A target also takes what moves to another block. */
async function resolveSecretsIn(
  { declarations, moved, removals = [] }: Prepared,
  { instances, request }: { readonly instances: readonly RecordedInstance[]; readonly request: PlanRequest },
  { salt, ...ports }: RunPorts & { readonly salt: string },
): Promise<Result<WithSecrets>> {
  const { targets, excludes } = withAddresses(request, [...declarations, ...instances, ...removals]);
  const isExcluded = excludedIn({ excludes });
  const blocks = new Set([...targets, ...moved.map(({ to }) => to)].map(blockOf));
  const isIncluded = ({ address }: Declaration): boolean =>
    !isExcluded(address) && (targets.length === 0 || blocks.has(blockOf(address)));
  const { value, diagnostics } = await resolveSecrets(declarations.filter(isIncluded), salt, ports);
  const rest = leaveSecrets(
    declarations.filter((declaration) => !isIncluded(declaration)),
    instances,
  );
  const made = new Map(
    [...value.declarations, ...rest.declarations].map((declaration) => [declaration.address, declaration]),
  );
  return {
    value: { ...value, declarations: declarations.map((declaration) => made.get(declaration.address) ?? declaration) },
    diagnostics,
  };
}

interface Planning {
  readonly open: OpenState;
  readonly request: PlanRequest;
  readonly ports: RunPorts;
  readonly live: ReadonlyMap<string, LiveList>;
  readonly recovered: RecoveredState;
  /** What of the plan says that this waits for an apply. */
  readonly noted: Pick<Plan, "unrecorded">;
  readonly keyFingerprint: string;
  readonly prepared: Prepared & WithSecrets;
  readonly checked: CheckedReferences;
}

/** A destroy considers the declarations only for what they protect: nothing is read, and their mistakes do not block it. */
async function prepareRun(
  { document }: OpenState,
  { evaluate, options }: PlanRequest,
  { catalog, readClient, signal, listing }: RunPorts & Pick<DataReading<unknown>, "listing">,
): Promise<Prepared> {
  if (options.destroy) {
    const known = new Map();
    const evaluated = evaluate({ known, instances: document.instances });
    return { ...evaluated, reads: [], outputs: [], checks: [], diagnostics: [], said: [], known, data: [] };
  }
  return prepare(evaluate, { catalog, client: readClient, instances: document.instances, signal, listing });
}

async function planNow(planning: Planning, read: (list: LiveList) => Promise<LiveListing>): Promise<PlannedRun> {
  const { request, ports, live, recovered, keyFingerprint, prepared } = planning;
  const { catalog } = ports;
  const listings = await readLists(planning, read);
  const first = recordFirstListed(recovered.document, { catalog, listings });
  const late = checkLostCreates(first.document, { catalog, listings, nowMs: ports.clock.now() });
  const service = { baseUrl: ports.service.baseUrl, keyFingerprint };
  const document = withFindings(late.document, service, { findings: findingsOf(live), nowMs: ports.clock.now() });
  const { declarations, secrets, imports, moved, removed, removals = [] } = prepared;
  const options = withAddresses(request, [...declarations, ...document.instances, ...removals]);
  const statements = {
    imports,
    moved,
    removed,
    ...(removals.length === 0 ? {} : { removals }),
  };
  const input: PlanInput = {
    catalog,
    declarations,
    ...statements,
    instances: document.instances,
    replacing: document.replacing,
    live: listings,
    exclusive: ports.service.exclusive === true,
    marks: ports.service.mark === true,
    reported: late.reported,
    limits: request.limits,
    options,
    undecided: recovered.undecided,
  };
  const made = { ...makePlan(input), ...planning.noted, ...(late.found ? { unrecorded: true as const } : {}) };
  const givenUp = givenUpBy(made.steps, { instances: document.instances, listings });
  const planned = { ...planning, instances: recovered.document.instances, recorded: recovered.document.outputs };
  const outputs = outputChanges(planned, () => plannedAttributes(made, recovered.document.instances));
  const checks = runChecks(planned, () => plannedAttributes(made, recovered.document.instances));
  const isApplied = !options.destroy && !options.refreshOnly && !options.importsOnly;
  const { unknown, cost } = await checkPlan(made, {
    ports,
    options,
    known: prepared.known,
    checked: planning.checked,
    listings,
    live,
    isApplied,
    withSecrets: request.withSecrets,
  });
  const named = await withNames(made, planning, options);
  const diagnostics = [
    ...prepared.diagnostics,
    ...recovered.diagnostics,
    // A data source of the type has reported them already.
    ...[...listings.values()].flatMap(({ warnings = [] }) =>
      warnings.filter(({ detail }) => !prepared.diagnostics.some((said) => said.detail === detail)),
    ),
    ...first.diagnostics,
    ...late.diagnostics,
    ...made.diagnostics,
    ...unknown,
    ...checkDiagnostics(checks),
    ...keyChanged(planning, [...missingFrom(listings, document.instances), ...unvouched(planning, listings)]),
  ];
  const results = checks.length === 0 ? {} : { checks: resultsOf(checks) };
  return {
    plan: {
      ...made,
      outputs,
      ...results,
      ...named,
      ...cost,
      diagnostics: withPlaces(withoutIgnored(diagnostics, request.ignored ?? NONE_IGNORED), declarations),
    },
    data: prepared.data,
    declarations,
    statements,
    secrets,
    live,
    keyFingerprint,
    document: withMissingObjects(document, givenUp, { catalog, nowMs: ports.clock.now() }),
    mustBeStored: recovered.changed || late.found || givenUp.length > 0,
    isApplied,
    coversAll: isApplied && !isPartial(options),
    outputsOf: (instances) => outputsOf(planned, () => attributesByAddress(instances)),
    failuresOf: (instances) =>
      newFailures(
        resultsOf(checks),
        runChecks(planned, () => attributesByAddress(instances)),
      ),
    again: () => planNow(planning, (list) => list.again(ports.signal)),
  };
}

/** The names that a plan shows, and what it changes for others. */
async function withNames(
  made: Plan,
  { ports, prepared, recovered }: Planning,
  options: PlanOptions,
): Promise<Pick<Plan, "names" | "consequence">> {
  const { catalog, readClient: client } = ports;
  const names = await namesRead(made, { catalog, client, data: prepared.data });
  return {
    ...names,
    ...consequenceOf(made, { catalog, options, instances: recovered.document.instances, ...names }),
  };
}

function findingsOf(live: Planning["live"]) {
  return new Map([...live].map(([type, list]) => [type, list.findings()]));
}

/** The live lists, once everything that was created lately has had time to appear in them. */
async function readLists(
  { request, ports, live, recovered, prepared }: Planning,
  read: (list: LiveList) => Promise<LiveListing>,
): Promise<ReadonlyMap<string, LiveListing>> {
  const { catalog, listingDelayMs, signal } = ports;
  const { instances } = recovered.document;
  const listings = new Map<string, LiveListing>();
  for (const [type, list] of live) {
    const definition = resourceOf(catalog, type);
    if (!definition.list) continue;
    const listing = await readImported(await read(list), list, { type, request, prepared, instances, signal });
    const ofType = instances.filter((instance) => instance.type === type);
    listings.set(
      type,
      await settledList(listing, list, {
        ...ports,
        definition,
        instances: ofType,
        listingDelayMs: listingDelayMs.answered,
      }),
    );
  }
  return listings;
}

function attributesByAddress(instances: readonly RecordedInstance[]): ReadonlyMap<string, Attributes> {
  return new Map(instances.map(({ address, attributes }) => [address, attributes]));
}

function withAddresses(
  { options, expand }: PlanRequest,
  addressed: readonly { readonly address: string }[],
): PlanRequest["options"] {
  const { targets, excludes, replace } = options;
  if (!isPartial(options) && replace.length === 0) return options;
  const addresses = addressed.map(({ address }) => address);
  const expanded = (typed: readonly string[]): readonly string[] => typed.map((one) => expand(one, addresses));
  return { ...options, targets: expanded(targets), excludes: expanded(excludes), replace: expanded(replace) };
}

function failed(
  open: OpenState,
  { diagnostics, keyFingerprint }: { readonly diagnostics: readonly Diagnostic[]; readonly keyFingerprint: string },
): PlannedRun {
  const planned: PlannedRun = {
    plan: { format: 1, steps: [], drift: [], outputs: [], diagnostics, undecided: [] },
    data: [],
    declarations: [],
    statements: { imports: [], moved: [], removed: [] },
    secrets: new Map(),
    live: new Map(),
    keyFingerprint,
    document: open.document,
    mustBeStored: false,
    isApplied: false,
    coversAll: false,
    outputsOf: () => open.document.outputs,
    failuresOf: () => [],
    again: () => Promise.resolve(planned),
  };
  return planned;
}

function typesOf(
  { document, restored }: OpenState,
  declarations: readonly Pick<Declaration, "type">[],
): ReadonlySet<string> {
  const told = typesIn([...document.pending, ...(restored?.events ?? [])]);
  return new Set([
    ...[...declarations, ...document.instances, ...document.lostCreates].map(({ type }) => type),
    ...told,
  ]);
}

/** The one list of a type in this run: the plan uses the same list as the data sources. */
function opened(
  live: Map<string, LiveList>,
  type: string,
  { open: { document }, ports, keyFingerprint }: Pick<Planning, "open" | "ports" | "keyFingerprint">,
): LiveList {
  const { catalog, readClient, service, clock } = ports;
  const past = () => pastLists(document, { baseUrl: service.baseUrl, keyFingerprint }, { type, nowMs: clock.now() });
  return getOrMake(live, type, () =>
    openLiveList(resourceOf(catalog, type), readClient, () => expectedIds(document.instances, type), past),
  );
}

/** Whether the configuration declares an address. */
export function wantedIn(declarations: readonly Declaration[]): (address: string | null) => boolean {
  let declared: ReadonlySet<string> | undefined;
  return (address) => {
    declared ??= new Set(declarations.map((one) => one.address));
    return address !== null && declared.has(address);
  };
}

export function listOf(live: ReadonlyMap<string, LiveList>, type: string): LiveList {
  const list = live.get(type);
  if (!list) throw new Error(`${type} is not part of the run`);
  return list;
}

function expectedIds(instances: readonly RecordedInstance[], type: string): ReadonlySet<string> {
  return new Set(
    instances.flatMap((instance) => (instance.type === type && instance.id !== null ? [instance.id] : [])),
  );
}

function withPlaces(diagnostics: readonly Diagnostic[], declarations: readonly Declaration[]): readonly Diagnostic[] {
  if (diagnostics.every(({ place, address }) => place !== undefined || address === undefined)) return diagnostics;
  const declared = new Map(declarations.map((declaration) => [declaration.address, declaration]));
  return diagnostics.map((diagnostic) => {
    if (diagnostic.place || diagnostic.address === undefined) return diagnostic;
    const place = declared.get(diagnostic.address)?.locate(diagnostic.path ?? []);
    return place ? { ...diagnostic, place } : diagnostic;
  });
}

/** The messages of the writes that a plan leaves undecided. */
export function undecidedDiagnostics({ plan, declarations }: PlannedRun): readonly Diagnostic[] {
  return withPlaces(plan.undecided.map(undecidedWriteDiagnostic), declarations);
}

/** An error where the recorded objects belong to another service. */
export function otherService({ document }: OpenState, { service }: RunPorts): readonly Diagnostic[] {
  const { service: before, instances, pending } = document;
  if (!before || before.baseUrl === service.baseUrl || instances.length + pending.length === 0) return [];
  const what =
    instances.length > 0
      ? `The ${String(instances.length)} recorded objects were created`
      : "The undecided writes were sent";
  return [
    errorOf("service_changed", "The state belongs to another service", {
      detail: `${what} at ${before.baseUrl}, but the base URL is now ${service.baseUrl}. There they would all look ${instances.length > 0 ? "deleted" : "as if they had never been sent"}.`,
      ways: [{ kind: "choose-state" }, { kind: "allow", guard: "service-change", limit: null }],
    }),
  ];
}

const SHOWN_ADDRESSES = 5;

/** The recorded objects that the lists do not show, whatever the plan does with them. */
function missingFrom(
  listings: ReadonlyMap<string, LiveListing>,
  instances: readonly RecordedInstance[],
): readonly string[] {
  const there = new Map([...listings].map(([type, { objects }]) => [type, new Set(objects.map(({ id }) => id))]));
  return instances.flatMap(({ address, type, id }) =>
    id !== null && there.get(type)?.has(id) === false ? [address] : [],
  );
}

/** The undecided writes, where the list shows none of the recorded objects: it may belong to another team. */
function unvouched(
  { open: { document }, ports: { catalog } }: Planning,
  listings: ReadonlyMap<string, LiveListing>,
): readonly string[] {
  const seen = new Set([...listings.values()].flatMap(({ objects }) => objects.map(({ id }) => id)));
  if (document.instances.some(({ id }) => id !== null && seen.has(id))) return [];
  return document.pending.flatMap((event) =>
    event.kind === "intent" && event.address !== null && resourceOf(catalog, event.type).list ? [event.address] : [],
  );
}

function keyChanged(
  { open, keyFingerprint, request, ports }: Planning,
  missing: readonly string[],
): readonly Diagnostic[] {
  const before = open.document.service?.keyFingerprint;
  if (
    before === undefined ||
    before === keyFingerprint ||
    missing.length === 0 ||
    request.options.allow.includes("recreate")
  )
    return [];
  const nouns = pluralOf(
    ports.catalog,
    missing.map((address) => address.slice(0, address.indexOf("."))),
  );
  return [
    errorOf("key_changed", `Another API key, and recorded ${nouns} are missing`, {
      detail: `The API key is not the one of the last apply, and it does not show ${firstFew(missing, SHOWN_ADDRESSES)}. It may belong to another team.`,
      ways: [{ kind: "check-key" }, { kind: "allow", guard: "recreate", limit: null }],
    }),
  ];
}
