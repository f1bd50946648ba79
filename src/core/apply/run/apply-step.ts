import { type AnyResource, resourceOf } from "../../model/definition.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { RecordedInstance } from "../../model/instance.ts";
import { isUnconfirmed, isWatched } from "../../plan/irreversible-records.ts";
import { observe } from "../../plan/observe.ts";
import { allowsDuplicate } from "../../plan/protection.ts";
import { changedSincePlan, heldBack, leftWithout, withPlace, notApproved } from "./apply-diagnostics.ts";
import { type Run, type WriteStep, holdForDeposed, keyOf, queueOf, leaveUnresolved, put } from "./apply-context.ts";
import type { Following } from "./progress.ts";
import { storeIntentAhead } from "../write/store-intent.ts";
import { createOne, deleteDeposed, deleteOne, replaceOne } from "../write/write.ts";
import type { Creation, WriteResult } from "../write/write-context.ts";

/** Whether a step must not start now; adds a diagnostic that says why. */
export async function isHeldBack(run: Run, step: WriteStep): Promise<boolean> {
  const { address, type } = step;
  const definition = resourceOf(run.context.catalog, type);
  const tell = (diagnostic: Diagnostic): true => {
    run.diagnostics.push(withPlace(diagnostic, address, run.declarations.get(address)));
    return true;
  };
  if (step.action === "create" && step.again === "unconfirmed" && !run.context.approved) {
    run.needsResolve = true;
    return tell(notApproved(address, definition));
  }
  if (step.action !== "delete") {
    const key = keyOf(run, type, step.after);
    if (run.notDeleted.has(key)) return tell(heldBack(address, definition));
    const unresolved = run.unresolved.get(queueOf(run, step)) ?? run.unresolved.get(key);
    if (unresolved) return unresolved.waits.push(address) > 0;
  }
  if (step.action === "create" || (step.action === "delete" && step.deposed)) return false;
  const names = await changedNames(run, definition, step);
  if (names.length > 0) {
    run.needsResolve = true;
    run.notDeleted.add(keyOf(run, type, step.before));
    return tell(changedSincePlan(address, definition, { id: step.id, names }));
  }
  const isCreateFirst = step.action === "replace" && step.order === "create-first";
  if (isCreateFirst || !holdForDeposed(run, step)) return false;
  run.notDeleted.add(keyOf(run, type, step.before));
  return true;
}

/** The attributes of an object to delete that differ from what the plan showed. */
async function changedNames(
  run: Run,
  definition: AnyResource,
  step: Exclude<WriteStep, { action: "create" }>,
): Promise<readonly string[]> {
  const instance = run.instances.get(step.address);
  const live = definition.list ? await run.context.write(step.type).live.find(step.id, run.context.stop) : undefined;
  return instance && live ? observe(definition, { ...instance, attributes: step.before }, live).drifted : [];
}

interface Listening {
  readonly answered: () => void;
  readonly onHalf: Following["half"];
  /** The intent of the step, where it was begun ahead. */
  readonly intentSeq: number | undefined;
}

/** Stores the intent of a step ahead of its turn. */
export function storeStepIntent(run: Run, step: WriteStep): Promise<number> {
  const { address, type } = step;
  const write = run.context.write(type);
  const definition = resourceOf(run.context.catalog, type);
  if (step.action === "create")
    return storeIntentAhead(definition, { op: "create", creation: creationOf(run, step) }, write);
  const instance = run.instances.get(address);
  if (!instance) throw new Error(`${address} is not recorded`);
  if (step.action === "replace")
    return storeIntentAhead(
      definition,
      { op: "replace", order: step.order, instance, creation: creationOf(run, step) },
      write,
    );
  return storeIntentAhead(definition, { op: "delete", instance, id: step.id }, write);
}

export function send(run: Run, step: WriteStep, { answered, onHalf, intentSeq }: Listening): Promise<WriteResult> {
  const { address, type } = step;
  const definition = resourceOf(run.context.catalog, type);
  const addressOf = (id: string): string | null => addressIn(run.instances.values(), id);
  const write = { ...run.context.write(type), addressOf, answered, ...(intentSeq === undefined ? {} : { intentSeq }) };
  const instance = run.instances.get(address);
  if (step.action === "create") {
    // The outcome of an earlier attempt may be that it was carried out.
    const isAttempted = step.again === "unconfirmed" || (instance !== undefined && isUnconfirmed(definition, instance));
    const attempted = isAttempted ? { attempted: true as const } : {};
    const earlier = instance && definition.irreversible ? { earlier: instance } : {};
    const deposed = instance?.deposed ? { deposed: instance.deposed } : {};
    return createOne(definition, { ...creationOf(run, step), ...attempted, ...earlier, ...deposed }, write);
  }
  if (!instance) throw new Error(`${address} is not recorded`);
  if (step.action === "replace")
    return replaceOne(definition, { instance, creation: creationOf(run, step), order: step.order, onHalf }, write);
  return step.deposed
    ? deleteDeposed(definition, { instance, id: step.id }, write)
    : deleteOne(definition, instance, write);
}

/** The address that has an object, as its current one or as an older one. */
function addressIn(instances: Iterable<RecordedInstance>, id: string): string | null {
  for (const { address, id: current, deposed = [] } of instances)
    if (current === id || deposed.some((old) => old.id === id)) return address;
  return null;
}

function creationOf(
  { context, declarations }: Run,
  { address, after }: Extract<WriteStep, { action: "create" | "replace" }>,
): Creation {
  const declaration = declarations.get(address);
  if (!declaration) throw new Error(`${address} is not declared`);
  const { type, provider, masked, lookups, details } = declaration;
  const creation: Creation = {
    address,
    provider,
    masked,
    ...(lookups ? { lookups } : {}),
    ...(details ? { details } : {}),
    attributes: after,
    secrets: context.secretsOf(address),
    allowDuplicate: allowsDuplicate(after),
  };
  const mark = context.markOf(type, creation);
  return mark === undefined ? creation : { ...creation, mark };
}

/** Records the outcome of a step in the run. */
export function recordOutcome(run: Run, step: WriteStep, outcome: WriteResult): void {
  const { instances, counts } = run;
  const { address, type } = step;
  const tell = (...diagnostics: readonly Diagnostic[]): readonly Diagnostic[] => {
    const told = diagnostics.map((one) => withPlace(one, address, run.declarations.get(address)));
    run.diagnostics.push(...told);
    return told;
  };
  if (outcome.kind === "done") {
    tell(...outcome.warnings);
    put(instances, address, outcome.record);
    if (step.action !== "delete") counts.add++;
    if (step.action !== "create") counts.destroy++;
    return;
  }
  const told = tell(outcome.diagnostic);
  if (outcome.kind === "undecided") run.undecided.push(...told);
  if (outcome.kind === "unconfirmed") {
    if (!outcome.refused) run.context.silent?.();
    // Nobody has to resolve what is looked for again.
    if (isWatched(resourceOf(run.context.catalog, type), outcome.record.attributes))
      put(instances, address, outcome.record);
    else run.needsResolve = true;
    return;
  }
  if (outcome.created) counts.add++;
  if (outcome.gone) {
    counts.destroy++;
    if (outcome.kind === "failed") tell(leftWithout(address, resourceOf(run.context.catalog, type)));
  } else if (step.action !== "create") {
    const key = keyOf(run, type, step.before);
    if (outcome.kind === "undecided") leaveUnresolved(run, key, type);
    else run.notDeleted.add(key);
  }
  if (outcome.kind === "undecided" && step.action !== "delete" && !outcome.created)
    leaveUnresolved(run, queueOf(run, step), type);
}
