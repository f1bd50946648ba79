import type { FleetStore } from "../../../fleet/fleet-store.ts";

/** Who does what was asked for, and whether it is now: the two parts of a sentence around it. */
export async function nextController(store: Pick<FleetStore, "processes">): Promise<{ readonly who: string; readonly when: string }> {
  const isRunning = (await store.processes()).length > 0;
  return isRunning ? { who: "A controller", when: " now" } : { who: "No controller is running: the next one to start", when: "" };
}
