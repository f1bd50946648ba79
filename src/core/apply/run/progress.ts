import type { Clock } from "../../model/ports.ts";
import type { Step } from "../../plan/plan.ts";

/** The progress of an apply. A replace is a delete and a create, in its order. */
export interface Progress {
  /** `unsure`: the outcome is not known yet. */
  readonly kind: "start" | "complete" | "errored" | "unsure";
  readonly phase: "create" | "delete";
  readonly address: string;
  readonly id: string | null;
  readonly elapsedMs: number;
  /** The other half of a replace is still to come. */
  readonly half?: true;
  /** The gap of a finished delete-first replace, as in `WriteResult`. */
  readonly gapMs?: number;
}

export interface Following {
  /** The first half of a replace is done; `id` is the object that exists then. */
  half(id: string | null): void;
  end(kind: "complete" | "errored" | "unsure", id: string | null, gapMs?: number): void;
}

/** Reports the start of a step, and then its progress. */
export function followStep(
  step: Extract<Step, { action: "create" | "delete" | "replace" }>,
  { report, clock }: { readonly report: (progress: Progress) => void; readonly clock: Clock },
): Following {
  const { address } = step;
  const isDeleteFirst = step.action === "delete" || (step.action === "replace" && step.order === "delete-first");
  let phase: Progress["phase"] = isDeleteFirst ? "delete" : "create";
  let begunMs = 0;
  const begin = (): void => {
    begunMs = clock.monotonicMs();
    report({ kind: "start", phase, address, id: phase === "delete" && "id" in step ? step.id : null, elapsedMs: 0 });
  };
  const elapsed = () => ({ phase, address, elapsedMs: clock.monotonicMs() - begunMs });
  begin();
  return {
    half: (id) => {
      report({ kind: "complete", ...elapsed(), id, half: true });
      phase = phase === "delete" ? "create" : "delete";
      begin();
    },
    end: (kind, id, gapMs) =>
      report({ kind, ...elapsed(), id: phase === "delete" ? null : id, ...(gapMs === undefined ? {} : { gapMs }) }),
  };
}
