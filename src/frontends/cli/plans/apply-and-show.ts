import type { PlannedRun } from "../../../core/apply/run/run-ports.ts";
import { type Applied, type ApplyOptions, apply } from "../../../operations/apply.ts";
import type { Clock } from "../../../core/model/ports.ts";
import { timeLimit } from "../../../core/model/async.ts";
import type { CommandContext, ExitCode } from "../command-context.ts";
import { exitCodeOf } from "../exit-code.ts";
import type { PlanningOptions } from "../program/command-options.ts";
import type { OpenRun } from "../../../operations/open-run.ts";
import type { View } from "../screen/view.ts";
import type { Progress } from "../../../core/apply/run/progress.ts";
import type { Plan } from "../../../core/plan/plan.ts";
import { startTicker } from "../screen/ticker.ts";

interface Showing extends Pick<ApplyOptions, "approval"> {
  readonly view: View;
  readonly destroying: boolean;
  /** After how many milliseconds from the start of the command nothing more is begun; null: never. */
  readonly maxDurationMs: number | null;
}

/** The exit code of an apply: changes that its time was too short for are changes that are present. */
export function applyExitCode({ status, left }: Applied, { detailedExitcode = false }: PlanningOptions): ExitCode {
  return exitCodeOf(status === "complete" && left > 0 && detailedExitcode ? "changed" : status);
}

/** Applies a plan, and shows the progress and the result. */
export async function applyAndShow(
  context: CommandContext,
  run: OpenRun,
  planned: PlannedRun,
  { view, approval, destroying, maxDurationMs }: Showing,
): Promise<Applied> {
  const { clock, begunMs } = context;
  const limit =
    maxDurationMs === null
      ? null
      : timeLimit(
          begunMs + maxDurationMs - clock.monotonicMs(),
          clock,
          () => new Error("The time of the apply is over"),
        );
  const following = followApply(clock, view, planned.plan);
  let applied: Applied;
  try {
    applied = await apply(run, planned, { approval, report: following.report, within: limit?.signal });
  } finally {
    limit?.end();
    await following.end();
  }
  view.applied(applied, { destroying, outputs: applied.outputs });
  return applied;
}

/** Reports the progress of an apply: each step at its start and end, and the total. Call `end` afterwards. */
export function followApply(
  clock: Clock,
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
    const waiting = [...inFlight].map(([address, { phase, sinceMs }]) => ({
      address,
      phase,
      elapsedMs: nowMs - sinceMs,
    }));
    view.still({ done, total, failed, elapsedMs: nowMs - begunMs }, waiting);
  };
  const { end } = startTicker(clock, isLive, still);
  return {
    report: (progress) => {
      if (progress.kind === "start")
        inFlight.set(progress.address, { phase: progress.phase, sinceMs: clock.monotonicMs() });
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
