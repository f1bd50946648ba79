import type { Progress } from "../../../core/apply/run/progress.ts";
import type { Plan } from "../../../core/plan/plan.ts";
import type { Ports } from "../../../operations/context.ts";
import { startTicker } from "./ticker.ts";
import type { View } from "./view.ts";

/** Reports the progress of an apply: each step at its start and end, and the total. Call `end` afterwards. */
export function followApply(
  { clock }: Pick<Ports, "clock">,
  view: Pick<View, "isLive" | "progress" | "still">,
  { steps }: Pick<Plan, "steps">,
): { report(progress: Progress): void; end(): Promise<void> } {
  const { isLive } = view;
  const total = steps.filter(({ action }) => action === "create" || action === "delete" || action === "replace").length;
  const begunMs = clock.monotonicMs();
  const inFlight = new Map<string, { readonly phase: Progress["phase"]; readonly sinceMs: number }>();
  let [done, failed] = [0, 0];
  const still = (): void => {
    if (done >= total) return;
    const nowMs = clock.monotonicMs();
    const waiting = [...inFlight].map(([address, { phase, sinceMs }]) => ({ address, phase, elapsedMs: nowMs - sinceMs }));
    view.still({ done, total, failed, elapsedMs: nowMs - begunMs }, waiting);
  };
  const { end } = startTicker(clock, isLive, still);
  return {
    report: (progress) => {
      if (progress.kind === "start") inFlight.set(progress.address, { phase: progress.phase, sinceMs: clock.monotonicMs() });
      else {
        inFlight.delete(progress.address);
        if (!progress.half) done++;
        if (progress.kind !== "complete") failed++;
      }
      view.progress(progress);
      if (isLive) still();
    },
    end,
  };
}
