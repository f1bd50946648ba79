import type { Plan } from "../../src/core/plan/plan.ts";
import type { Life } from "./ports.ts";
import { type Machine, type Ran, type Running, runProcess } from "./process.ts";
import type { Decisions } from "./world.ts";

/** What somebody else may do at one point of a run. */
export type Meddling = "none" | "starts a second run" | "removes the lock" | "removes the lock and starts a second run";

const LOCK_TIMEOUT_MS = 1000;

/** A run, and what somebody else does meanwhile: at any of the points where the process may die, once. */
export async function runWithOthers(
  machine: Machine,
  { running, meddlings }: { readonly running: Running; readonly meddlings: readonly [Meddling, ...Meddling[]] },
  decisions: Decisions,
  life: Life = { isOver: false },
): Promise<Ran> {
  if (meddlings.length === 1) return runProcess(machine, running, decisions, life);
  let isKilled = false;
  const firstLife: Life = {
    get isOver() {
      return isKilled || life.isOver;
    },
  };
  let others: Promise<Ran> | null = null;
  let isOpen = true;
  function meddle(point: string): void {
    if (firstLife.isOver) return;
    if (!isOpen) {
      if (others && decisions.choose(`first ${point}`, ["lives", "is killed"]) === "is killed") isKilled = true;
      return;
    }
    const meddling = decisions.choose(`meanwhile ${point}`, meddlings);
    if (meddling === "none") return;
    isOpen = false;
    if (meddling.startsWith("removes the lock")) machine.world.store.unlock();
    if (meddling.endsWith("a second run"))
      others = runProcess(machine, { ...running, lockTimeoutMs: LOCK_TIMEOUT_MS }, decisions, life);
  }
  const first: Decisions = {
    choose: (point, options) => decisions.choose(point, options),
    sees: (what) => decisions.sees(what),
    does: (what) => decisions.does(what),
    mayDie: (point) => {
      decisions.mayDie(point);
      meddle(point);
    },
  };
  const ran = await runProcess(machine, running, first, firstLife);
  const other = await (others as Promise<Ran> | null);
  return other ? joined(ran, other) : ran;
}

/** What two runs were together, as their users saw it. */
function joined(one: Ran, other: Ran): Ran {
  const steps = [...(one.plan?.steps ?? []), ...(other.plan?.steps ?? [])];
  const plan: Plan | null = one.plan ?? other.plan;
  return {
    // A run that has lost its lock, and says so, may leave open what the other one never saw.
    exit: one.exit === 0 && other.said.some(({ code }) => code === "lock_lost") ? other.exit : one.exit,
    said: [...one.said, ...other.said],
    texts: [...one.texts, ...other.texts],
    plan: plan && { ...plan, steps },
    wrote: one.wrote || other.wrote,
    sawOldState: one.sawOldState,
    approved: one.approved,
    unstored: one.unstored ?? other.unstored,
    isQuiet: one.isQuiet && other.isQuiet,
    requests: one.requests + other.requests,
    tookMs: Math.max(one.tookMs, other.tookMs),
  };
}
