import { isoTime } from "../core/model/iso-time.ts";
import type { FleetSettings } from "./fleet-store.ts";

/** Why the fleet applies no plan by itself at this time, as a sentence; null where it may. */
export function holdAt({ freeze }: Pick<FleetSettings, "freeze">, nowMs: number): string | null {
  if (freeze === null || nowMs >= freeze.untilMs) return null;
  const until = `${isoTime(freeze.untilMs).slice(0, 16).replace("T", " ")} UTC`;
  return `Frozen until ${until}${freeze.reason === "" ? "." : `: ${freeze.reason.replace(/\.$/, "")}.`}`;
}
