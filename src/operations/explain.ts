import { firstFew } from "../core/model/words.ts";
import type { PlannedRun } from "../core/apply/run/run-ports.ts";
import { undecidedDiagnostics } from "../core/apply/run/plan-run.ts";
import { blockOf, parseAddress } from "../core/model/address.ts";
import type { Declaration, RemovalTarget } from "../core/model/declaration.ts";
import { type AnyResource, resourceOf } from "../core/model/definition.ts";
import { type Diagnostic, DiagnosticsError, hasErrors, nearest, errorOf } from "../core/model/diagnostic.ts";
import { type RecordedInstance, managedIds } from "../core/model/instance.ts";
import { shellWord } from "../core/model/shell-word.ts";
import { isUnknown } from "../core/model/value.ts";
import { type Explanation, type SeenLive, explain as explainPlan } from "../core/plan/explain-steps.ts";
import { identityKey } from "../core/plan/identity.ts";
import { isWhole, unlistedOf } from "../core/plan/missing.ts";
import { PLAIN_OPTIONS } from "../core/plan/plan-context.ts";
import type { OperationContext } from "./context.ts";
import { expander, planWith } from "./plan.ts";
import type { OpenRun } from "./open-run.ts";

/**
 * Plans everything, and explains one address of it. Throws for a configuration that cannot be planned at all, and for an
 * address that is neither declared nor recorded. Sends nothing that writes, and stores nothing.
 */
export async function explain(run: OpenRun, typed: string): Promise<Explanation> {
  const { withSecrets } = run.loaded;
  const { value: parsed, diagnostics: mistakes } = parseAddress(typed);
  if (!parsed) throw new DiagnosticsError(mistakes);
  if (parsed.mode === "data") throw dataSource(typed);
  const planned = await planWith(run, { options: { ...PLAIN_OPTIONS, approval: "open" }, withSecrets });
  if (planned.live.size === 0 && hasErrors(planned.plan.diagnostics))
    throw new DiagnosticsError([...run.diagnostics, ...planned.plan.diagnostics]);
  const address = meantAddress(run.context, planned, typed);
  return explained(run.context, planned, { address, withSecrets, signal: run.ports.signal });
}

/** The address that a user means: its new one, if it moves, and the only instance of a block. */
function meantAddress(
  context: OperationContext,
  { plan, declarations, document, statements: { removals = [] } }: PlannedRun,
  typed: string,
): string {
  const undecided = plan.undecided.flatMap(({ address }) => (address === null ? [] : [address]));
  const known = new Set(
    [...declarations, ...document.instances, ...removals].map(({ address }) => address).concat(undecided),
  );
  const address = expander(context)(typed, known);
  const moved = plan.steps.find(({ movedFrom }) => movedFrom === address);
  if (moved) return moved.address;
  if (known.has(address)) return address;
  const instances = [...known].filter((one) => blockOf(one) === address);
  const [only] = instances;
  if (only !== undefined && instances.length === 1) return only;
  throw new DiagnosticsError([
    instances.length > 1 ? severalInstances(address, instances) : unknownAddress(address, known),
  ]);
}

const SHOWN = 5;

function severalInstances(address: string, instances: readonly string[]): Diagnostic {
  const shown = instances.toSorted();
  return errorOf("address_several", "The address means several instances", {
    detail: `${address} is a block of ${String(instances.length)} instances: ${firstFew(shown, SHOWN)}.`,
    hint: `Name one of them: outreach explain ${shellWord(shown[0] ?? address)}`,
  });
}

function unknownAddress(address: string, known: ReadonlySet<string>): Diagnostic {
  const blocks = new Set([...known].map(blockOf));
  const siblings = [...known].filter((one) => blockOf(one) === blockOf(address));
  const candidates = siblings.length > 0 ? siblings : [...blocks];
  const meant = candidates.find((one) => one.endsWith(`.${address}`)) ?? nearest(address, candidates);
  return errorOf("address_unknown", "No such address", {
    detail: `${address} is neither declared nor recorded.`,
    ways: [meant === null ? { kind: "list-records" } : { kind: "use-address", address: meant }],
  });
}

function dataSource(address: string): DiagnosticsError {
  return DiagnosticsError.of("address_data", "A data source has no plan", {
    detail: `${address} is a data source: a plan reads it, and changes nothing there.`,
    hint: "Explain a resource, as in outreach explain outreach_webhook.crm-replies.",
  });
}

async function explained(
  { catalog }: OperationContext,
  planned: PlannedRun,
  {
    address,
    withSecrets,
    signal,
  }: { readonly address: string; readonly withSecrets: boolean; readonly signal: AbortSignal },
): Promise<Explanation> {
  const { plan, declarations, document } = planned;
  const declaration = declarations.find((one) => one.address === address) ?? null;
  const from = plan.steps.find((step) => step.address === address)?.movedFrom;
  const recordedAt = (wanted: string | undefined) => document.instances.find((one) => one.address === wanted) ?? null;
  const instance = recordedAt(address) ?? recordedAt(from);
  const undecided = plan.undecided.find((one) => one.address === address);
  const removal = planned.statements.removals?.find((one) => one.address === address);
  const definition = resourceOf(catalog, declaration?.type ?? instance?.type ?? removal?.type ?? undecided?.type ?? "");
  const live = await seenLive(definition, planned, { address, declaration, instance, removal, signal });
  const declaredAt = declaration && instance === null ? sameElsewhere(definition, declaration, planned) : null;
  const explanation = explainPlan(definition, {
    address,
    plan,
    declaration,
    instance,
    live,
    removal: removal?.id ?? null,
    declaredAt,
    withSecrets,
  });
  // Added afterwards: an undecided outcome does not block the apply of the other addresses, unlike an error of the plan.
  return {
    ...explanation,
    diagnostics: [
      ...explanation.diagnostics,
      ...undecidedDiagnostics(planned).filter((one) => one.address === address),
    ],
  };
}

interface Wanted {
  readonly address: string;
  readonly declaration: Declaration | null;
  readonly instance: RecordedInstance | null;
  readonly removal: RemovalTarget | undefined;
  readonly signal: AbortSignal;
}

/** Null for a type that cannot be listed. */
async function seenLive(
  definition: AnyResource,
  { live, document, statements }: PlannedRun,
  { address, declaration, instance, removal, signal }: Wanted,
): Promise<SeenLive | null> {
  const list = definition.list ? live.get(definition.type) : undefined;
  if (!list) return null;
  const listing = await list.get(signal);
  const complete = isWhole(definition, listing, unlistedOf(definition.type, listing.objects, document.instances));
  const imported = statements.imports.find(({ to }) => to === address)?.id;
  const id = removal?.id ?? instance?.id ?? (imported === undefined || isUnknown(imported) ? null : imported);
  const managed = managedIds(document.instances);
  const wanted = declaration?.attributes ?? instance?.attributes ?? {};
  const identical = removal
    ? []
    : (await list.duplicates(wanted, signal)).filter((one) => one.id !== id && !managed.has(one.id));
  return { object: id === null ? null : ((await list.find(id, signal)) ?? null), identical, complete };
}

/** Another address that declares the same irreversible write, and owns it. */
function sameElsewhere(
  definition: AnyResource,
  { address, attributes }: Declaration,
  { declarations, plan }: PlannedRun,
): string | null {
  if (definition.list || plan.steps.some((step) => step.address === address)) return null;
  const key = identityKey(definition, attributes);
  const same = declarations.filter(
    (one) => one.type === definition.type && one.address !== address && identityKey(definition, one.attributes) === key,
  );
  return same.find((one) => plan.steps.some((step) => step.address === one.address))?.address ?? null;
}
