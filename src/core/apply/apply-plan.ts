import type { Declaration } from "../model/declaration.ts";
import { type AnyResource, type Catalog, resourceOf } from "../model/definition.ts";
import { type Diagnostic, DiagnosticsError } from "../model/diagnostic.ts";
import type { RecordedInstance } from "../model/instance.ts";
import type { Clock } from "../model/ports.ts";
import { identityKey } from "../plan/identity.ts";
import type { Plan, PlanCounts, Step } from "../plan/plan.ts";
import type { Journal, JournalFact } from "../state/journal-event.ts";
import type { Creation, WriteContext, WriteResult } from "./write.ts";
import { createOne, deleteOne, replaceOne } from "./write.ts";

/** What happens while a plan is applied, for people who watch. */
export interface Progress {
  readonly kind: "start" | "complete" | "errored";
  readonly phase: "create" | "delete" | "replace";
  readonly address: string;
  readonly id: string | null;
  readonly elapsedMs: number;
}

export interface ApplyContext {
  readonly catalog: Catalog;
  readonly instances: readonly RecordedInstance[];
  readonly declarations: readonly Declaration[];
  /** The values of a declaration's secrets, by attribute. */
  readonly secretsOf: (address: string) => { readonly [attribute: string]: string };
  readonly write: (type: string) => WriteContext;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly report: (progress: Progress) => void;
  /** Aborted: start nothing more. What is in flight is finished. */
  readonly stop: AbortSignal;
}

export interface Applied {
  /** True counts: what was carried out. */
  readonly counts: PlanCounts;
  readonly diagnostics: readonly Diagnostic[];
  readonly undecided: boolean;
  readonly interrupted: boolean;
}

const IN_FLIGHT = 4;

/**
 * Carries out a plan: first what is only recorded, then deletes, replaces, creates; at most four at a time, and one at a
 * time of the same identity. After an undecided outcome nothing more is begun.
 */
export async function applyPlan(plan: Plan, context: ApplyContext): Promise<Applied> {
  const run = new Run(context);
  await run.record(plan.steps);
  for (const action of ["delete", "replace", "create"] as const) {
    await run.lanes(plan.steps.filter((step) => step.action === action));
  }
  return run.result();
}

/** The progress of one apply. */
class Run {
  readonly #context: ApplyContext;
  readonly #instances: ReadonlyMap<string, RecordedInstance>;
  readonly #declarations: ReadonlyMap<string, Declaration>;
  readonly #diagnostics: Diagnostic[] = [];
  readonly #counts = { import: 0, add: 0, change: 0, destroy: 0, forget: 0 };
  /** Identities of objects that were to be deleted and are still there: what would double them is not created. */
  readonly #notDeleted = new Set<string>();
  #undecided = false;
  /** What broke this run, such as a full disk under the journal: thrown once everything in flight has ended. */
  readonly #faults: unknown[] = [];
  #skipped = false;

  constructor(context: ApplyContext) {
    this.#context = context;
    this.#instances = new Map(context.instances.map((instance) => [instance.address, instance]));
    this.#declarations = new Map(context.declarations.map((declaration) => [declaration.address, declaration]));
  }

  result(): Applied {
    return { counts: this.#counts, diagnostics: this.#diagnostics, undecided: this.#undecided, interrupted: this.#skipped && !this.#undecided };
  }

  /** Changes of the record alone: nothing is sent. */
  async record(steps: readonly Step[]): Promise<void> {
    const facts = steps.flatMap((step): readonly { readonly fact: JournalFact; readonly counts: "change" | "forget" }[] => {
      const instance = this.#instances.get(step.address);
      if (!instance) return [];
      if (step.action === "forget") return [{ fact: { kind: "recorded", address: step.address, record: null }, counts: "forget" }];
      if (step.action !== "record") return [];
      const observedNow = step.because.map(({ attribute }) => attribute);
      const [assumed, unobserved] = [true, false].map((now) => instance.unobserved.filter((name) => observedNow.includes(name) === now));
      const record = {
        ...instance,
        attributes: step.after,
        returned: step.returned,
        unobserved: unobserved ?? [],
        assumed: [...instance.assumed, ...(assumed ?? [])],
      };
      return [{ fact: { kind: "recorded", address: step.address, record }, counts: "change" }];
    });
    if (facts.length === 0) return;
    await this.#context.journal.settle(facts.map(({ fact }) => fact));
    for (const { counts } of facts) this.#counts[counts]++;
  }

  /** Steps of the same identity follow each other; others run side by side. */
  async lanes(steps: readonly Step[]): Promise<void> {
    const lanes = new Map<string, Step[]>();
    for (const step of steps) {
      const key = this.#laneOf(step);
      lanes.set(key, [...(lanes.get(key) ?? []), step]);
    }
    const waiting = [...lanes.values()];
    const work = async (): Promise<void> => {
      for (let lane = waiting.shift(); lane; lane = waiting.shift()) {
        for (const step of lane) await this.#one(step);
      }
    };
    await Promise.all(Array.from({ length: Math.min(IN_FLIGHT, waiting.length) }, work));
    if (this.#faults.length > 0) throw combined(this.#faults);
  }

  /** Replaces that take another identity could meet each other's: they go one by one. */
  #laneOf(step: Step): string {
    return step.action === "replace" && this.#identityOf(step) !== this.#identityOf(step, step.before) ? "moves" : this.#identityOf(step);
  }

  #identityOf(step: Step, attributes = "after" in step ? step.after : step.before): string {
    return identityKey(resourceOf(this.#context.catalog, step.type), attributes);
  }

  async #one(step: Step): Promise<void> {
    if (step.action !== "create" && step.action !== "delete" && step.action !== "replace") return;
    const { stop, report, clock, catalog } = this.#context;
    if (this.#undecided || this.#faults.length > 0 || stop.aborted) {
      this.#skipped = true;
      return;
    }
    const key = this.#identityOf(step);
    if (step.action !== "delete" && this.#notDeleted.has(key)) {
      this.#diagnostics.push(located(heldBack(step.address), step.address, this.#declarations.get(step.address)));
      return;
    }
    const begunMs = clock.monotonicMs();
    const say = (kind: Progress["kind"], id: string | null): void =>
      report({ kind, phase: step.action, address: step.address, id, elapsedMs: clock.monotonicMs() - begunMs });
    say("start", "id" in step ? step.id : null);
    try {
      const result = await this.#send(step, resourceOf(catalog, step.type));
      if ("before" in step && result.kind !== "done" && !("gone" in result)) this.#notDeleted.add(this.#identityOf(step, step.before));
      this.#count(step, result);
      say(result.kind === "done" ? "complete" : "errored", result.kind === "done" ? (result.record?.id ?? null) : null);
    } catch (error) {
      say("errored", null);
      this.#skipped = true;
      // What was about to wait when the run was interrupted ends with the interruption; anything else is a fault all the same.
      if (!isInterruption(error, stop)) this.#faults.push(error);
    }
  }

  #send(step: Extract<Step, { action: "create" | "delete" | "replace" }>, definition: AnyResource): Promise<WriteResult> {
    const write = this.#context.write(step.type);
    if (step.action === "create") return createOne(definition, this.#creation(step.address, step.after), write);
    const instance = this.#instances.get(step.address);
    if (!instance) throw new Error(`${step.address} is not recorded`);
    if (step.action === "delete") return deleteOne(definition, instance, write);
    return replaceOne(definition, { instance, creation: this.#creation(step.address, step.after) }, write);
  }

  #creation(address: string, attributes: Creation["attributes"]): Creation {
    const declaration = this.#declarations.get(address);
    if (!declaration) throw new Error(`${address} is not declared`);
    return {
      address,
      provider: declaration.provider,
      masked: declaration.masked,
      attributes,
      secrets: this.#context.secretsOf(address),
      allowTwin: attributes["allow_duplicate"] === true,
    };
  }

  #count(step: Step, result: WriteResult): void {
    const counts = this.#counts;
    if (result.kind === "done") {
      this.#diagnostics.push(...result.warnings.map((one) => located(one, step.address, this.#declarations.get(step.address))));
      if (step.action !== "delete") counts.add++;
      if (step.action !== "create") counts.destroy++;
      return;
    }
    if (result.kind === "undecided") this.#undecided = true;
    this.#diagnostics.push(located(result.diagnostic, step.address, this.#declarations.get(step.address)));
    if (result.kind === "failed" && result.gone === true) {
      counts.destroy++;
      this.#diagnostics.push(leftWithout(step.address));
    }
  }
}

/** Everything that is known of what is there and not recorded is said; without any of that the first fault stands for all. */
function combined(faults: readonly unknown[]): unknown {
  const known = faults.flatMap((fault) => (fault instanceof DiagnosticsError ? fault.diagnostics : []));
  return known.length === 0 ? faults[0] : new DiagnosticsError(known, { undecided: true });
}

function isInterruption(error: unknown, { aborted, reason }: AbortSignal): boolean {
  return aborted && (error === reason || (error instanceof Error && error.name === "AbortError"));
}

function located(diagnostic: Diagnostic, address: string, declaration: Declaration | undefined): Diagnostic {
  const place = diagnostic.place ?? declaration?.locate(diagnostic.path ?? []);
  return { ...diagnostic, address, ...(place ? { place } : {}) };
}

function heldBack(address: string): Diagnostic {
  return {
    code: "create_held_back",
    severity: "error",
    summary: "Not created, because the old one could not be deleted",
    detail: `${address} would be the same as one that was to be deleted before and is still there: each event would be delivered twice.`,
    hint: "Mend the cause above and run apply again.",
    address,
  };
}

function leftWithout(address: string): Diagnostic {
  return {
    code: "replace_half_done",
    severity: "error",
    summary: "The old webhook is deleted and the new one is not there",
    detail: `${address} was to be replaced. The old one was deleted, then the create was refused: no events are delivered now.`,
    hint: "Mend the cause above and run apply again: it creates the new one.",
    address,
  };
}
