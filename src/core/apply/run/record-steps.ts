import type { Declaration } from "../../model/declaration.ts";
import { type Catalog, resourceOf } from "../../model/definition.ts";
import type { RecordedInstance } from "../../model/instance.ts";
import { adoptedInstance } from "../../plan/adopt.ts";
import { type PlanCounts, type Step, countSteps } from "../../plan/plan.ts";
import type { JournalFact } from "../../state/journal-event.ts";

export interface Recorded {
  readonly catalog: Catalog;
  readonly instances: ReadonlyMap<string, RecordedInstance>;
  readonly declarations: ReadonlyMap<string, Declaration>;
  readonly nowMs: number;
  /** Whether the steps apply the configuration, so that what it leaves out is agreed to be absent. */
  readonly isApplied: boolean;
}

type RecordFact = Extract<JournalFact, { kind: "recorded" | "moved" }>;
type UpdateStateStep = Extract<Step, { action: "update-state" | "adopt" }>;
type ImportStep = Extract<Step, { action: "adopt" | "replace" }>;

/**
 * Whether an apply changes a record that its plan keeps: it no longer counts as only imported, or is no longer declared, or is
 * declared again. Nobody but the next plan sees that.
 */
export function isAgreed(step: Step, { instances, isApplied }: Pick<Recorded, "instances" | "isApplied">): boolean {
  if (!isApplied || step.action !== "keep") return false;
  const instance = instances.get(placeOf(step));
  return instance !== undefined && (instance.unapplied === true || instance.undeclared !== step.undeclared);
}

function agreed(step: Step, { unapplied: _, undeclared: __, ...record }: RecordedInstance): RecordedInstance {
  return step.action === "keep" && step.undeclared ? { ...record, undeclared: true } : record;
}

/** The changes of the state alone, in an order in which nothing is lost at any point: forgotten, moved, and new records. */
export function recordFacts(
  steps: readonly Step[],
  recorded: Recorded,
): { readonly facts: readonly RecordFact[]; readonly counts: Pick<PlanCounts, "import" | "change" | "forget"> } {
  const forgotten = steps.filter((step) => step.action === "forget" && recorded.instances.has(placeOf(step)));
  const moved = steps.filter(
    (step) => step.action !== "forget" && step.movedFrom !== undefined && recorded.instances.has(step.movedFrom),
  );
  const changed = steps.filter(
    (step): step is UpdateStateStep =>
      step.action === "adopt" || (step.action === "update-state" && recorded.instances.has(placeOf(step))),
  );
  const imported = steps.filter(
    (step) => step.action === "replace" && step.imported !== undefined && !recorded.instances.has(step.address),
  );
  const settled = steps.flatMap((step) =>
    step.movedFrom === undefined && isAgreed(step, recorded) ? [agreed(step, recordedAt(step.address, recorded))] : [],
  );
  const isMoved = new Set(moved);
  const facts: readonly RecordFact[] = [
    ...forgotten.map((step): RecordFact => ({ kind: "recorded", address: placeOf(step), record: null })),
    ...(moved.length === 0 ? [] : [moves(moved, recorded)]),
    ...changed
      .filter((step) => !isMoved.has(step))
      .map((step): RecordFact => ({ kind: "recorded", address: step.address, record: recordAfter(step, recorded) })),
    ...settled.map((record): RecordFact => ({ kind: "recorded", address: record.address, record })),
    // An imported object is recorded before it is replaced.
    ...imported.map((step): RecordFact => ({
      kind: "recorded",
      address: step.address,
      record: importedRecord(step as ImportStep, recorded),
    })),
  ];
  const { forget, change, import: importing } = countSteps([...forgotten, ...changed, ...imported]);
  return { facts, counts: { forget, change, import: importing } };
}

/** The recorded address before a step. */
function placeOf({ address, movedFrom }: Step): string {
  return movedFrom ?? address;
}

/** All at once: objects may swap addresses. */
function moves(steps: readonly Step[], recorded: Recorded): RecordFact {
  const left = steps.map(({ movedFrom = "" }) => ({ address: movedFrom, record: null }));
  const taken = steps.map((step) => ({ address: step.address, record: movedRecord(step, recorded) }));
  return { kind: "moved", records: [...left, ...taken] };
}

function movedRecord(step: Step, recorded: Recorded): RecordedInstance {
  if (step.action === "update-state" || step.action === "adopt") return recordAfter(step, recorded);
  return { ...agreed(step, recordedAt(step.movedFrom ?? "", recorded)), address: step.address };
}

function recordedAt(address: string, { instances }: Recorded): RecordedInstance {
  const instance = instances.get(address);
  if (!instance) throw new Error(`${address} is not recorded`);
  return instance;
}

function recordAfter(step: UpdateStateStep, recorded: Recorded): RecordedInstance {
  const declaration = recorded.declarations.get(step.address);
  if (step.action === "update-state")
    return withDeclared(
      { ...changedRecord(step, recordedAt(placeOf(step), recorded), recorded), address: step.address },
      declaration,
    );
  const { deposed } = recorded.instances.get(placeOf(step)) ?? {};
  return withDeclared({ ...importedRecord(step, recorded), ...(deposed ? { deposed } : {}) }, declaration);
}

/** An object as it was found in the service. */
function importedRecord(step: ImportStep, { catalog, nowMs, isApplied }: Recorded): RecordedInstance {
  const { address, type, provider, id } = step;
  const [attributes, returned] =
    step.action === "adopt" ? [step.after, step.returned] : [step.before, step.imported ?? {}];
  const record = adoptedInstance(resourceOf(catalog, type), {
    address,
    provider,
    id,
    attributes,
    returned,
    recordedAtMs: nowMs,
  });
  return isApplied || record.unobserved.length === 0 ? record : { ...record, unapplied: true };
}

/** Unobserved values that are declared now count as assumed, unless the service shows them now. */
function changedRecord(
  { after, returned }: Extract<Step, { action: "update-state" }>,
  { unapplied, ...instance }: RecordedInstance,
  { isApplied }: Recorded,
): RecordedInstance {
  const unseen = instance.unobserved.filter((name) => !(name in returned));
  const isDeclared = (name: string): boolean => (after[name] ?? null) !== null;
  return {
    ...instance,
    ...(unapplied && !isApplied ? { unapplied } : {}),
    attributes: after,
    returned,
    unobserved: unseen.filter((name) => !isDeclared(name)),
    assumed: [...instance.assumed, ...unseen.filter(isDeclared)],
  };
}

/** The parts of a record that come from the declaration. */
function withDeclared(record: RecordedInstance, declaration: Declaration | undefined): RecordedInstance {
  if (!declaration) return record;
  const { masked: _, lookups: __, undeclared: ___, ...rest } = record;
  const { provider, masked, lookups, details } = declaration;
  return {
    ...rest,
    provider,
    ...(masked.length > 0 ? { masked } : {}),
    ...(lookups ? { lookups } : {}),
    ...(details ? { details } : {}),
  };
}
