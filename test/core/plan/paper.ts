import type { Declaration } from "../../../src/core/model/declaration.ts";
import type { LiveObject } from "../../../src/core/model/definition.ts";
import type { RecordedInstance } from "../../../src/core/model/instance.ts";
import { type Attributes, isUnknown } from "../../../src/core/model/value.ts";
import { adoptedInstance } from "../../../src/core/plan/adopt.ts";
import type { Plan, Step } from "../../../src/core/plan/plan.ts";
import { type World, pledge, thing } from "./world.ts";

type Given = Pick<World, "declarations" | "instances"> & { readonly live: readonly LiveObject[] };

/** The world after a plan was carried out on paper: nothing fails, and new objects are shown whole. */
export function carriedOut({ steps }: Plan, world: Given): Given {
  const paper = openPaper(world);
  const some = (...actions: readonly Step["action"][]): readonly Step[] =>
    steps.filter(({ action }) => actions.includes(action));
  for (const { address } of some("forget")) paper.instances.delete(address);
  const moved = steps.flatMap((step) => {
    const instance = paper.instances.get(step.movedFrom ?? "");
    return instance ? [{ ...instance, address: step.address }] : [];
  });
  for (const { movedFrom = "" } of steps) paper.instances.delete(movedFrom);
  for (const instance of moved) paper.instances.set(instance.address, instance);
  for (const step of some("update-state", "adopt")) record(step, paper);
  for (const step of some("delete").toSorted((a, b) => Number("deposed" in b) - Number("deposed" in a)))
    remove(step, paper);
  for (const step of some("replace")) {
    remove(step, paper);
    make(step, paper);
  }
  for (const step of some("create")) make(step, paper);
  return { declarations: world.declarations, instances: [...paper.instances.values()], live: [...paper.live.values()] };
}

interface Paper {
  readonly instances: Map<string, RecordedInstance>;
  readonly live: Map<string, LiveObject>;
  readonly declared: ReadonlyMap<string, Declaration>;
}

function openPaper({ declarations, instances, live }: Given): Paper {
  return {
    instances: new Map(instances.map((instance) => [instance.address, instance])),
    live: new Map(live.map((object) => [object.id, object])),
    declared: new Map(declarations.map((declaration) => [declaration.address, declaration])),
  };
}

function record(step: Step, { instances, declared }: Paper): void {
  const { masked = [], lookups = {} } = declared.get(step.address) ?? {};
  const { provider, address } = step;
  if (step.action === "adopt") {
    const { id, after: attributes, returned } = step;
    const definition = step.type === thing.type ? thing : pledge;
    instances.set(address, {
      ...adoptedInstance(definition, { address, provider, id, attributes, returned, recordedAtMs: 0 }),
      masked,
      lookups,
    });
  }
  const before = instances.get(address);
  if (step.action !== "update-state" || !before) return;
  const known = new Set(step.because.map(({ attribute }) => attribute));
  const unobserved = before.unobserved.filter((name) => !known.has(name));
  const { unapplied: _, ...applied } = before;
  instances.set(address, { ...applied, attributes: step.after, returned: step.returned, unobserved, masked, lookups });
}

function remove(step: Step, { instances, live }: Paper): void {
  if (step.action !== "delete" && step.action !== "replace") return;
  live.delete(step.id);
  const before = instances.get(step.address);
  if (step.action === "delete" && step.deposed && before) {
    instances.set(step.address, { ...before, deposed: (before.deposed ?? []).filter(({ id }) => id !== step.id) });
  } else instances.delete(step.address);
}

function make(step: Step, { instances, live, declared }: Paper): void {
  if (step.action !== "create" && step.action !== "replace") return;
  const { address, type, provider, after } = step;
  const { masked = [], lookups = {} } = declared.get(address) ?? {};
  const isThing = type === thing.type;
  const id = isThing ? `new ${address}` : null;
  const computed: Attributes = isThing ? { id, made_at: "now" } : { outcome: "given" };
  const attributes = {
    ...Object.fromEntries(Object.entries(after).filter(([, value]) => !isUnknown(value))),
    ...computed,
  };
  const shown = isThing
    ? { name: attributes["name"] ?? null, room: attributes["room"] ?? null, ...computed }
    : computed;
  instances.set(address, {
    address,
    type,
    provider,
    id,
    attributes,
    returned: shown,
    schemaVersion: 0,
    unobserved: [],
    assumed: [],
    recordedAtMs: 0,
    masked,
    lookups,
  });
  if (id !== null) live.set(id, { id, attributes: shown });
}
