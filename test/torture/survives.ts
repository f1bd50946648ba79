import { expect, onTestFinished } from "vitest";
import { type Lane, chosenStrikes } from "./target.ts";

/** A part of `npm run torture`: this many kills, and the same ones in every run. */
export interface Kills {
  readonly id: string;
  readonly kills: number;
}

/** Kills, and says how each one that breaks something is repeated. */
export async function survives(opening: Promise<Lane>, { id, kills }: Kills): Promise<void> {
  const lane = await opening;
  onTestFinished(() => lane.close());
  const target = await lane.prepare(id);
  const broken: string[] = [];
  let struck = 0;
  for (const strike of chosenStrikes(target, id, kills)) {
    const { wasStruck, violations } = await target.kill(strike);
    if (wasStruck) struck++;
    if (violations.length > 0)
      broken.push(
        `npm run torture -- --replay ${id}/${strike.signal}/${String(strike.at)}   # ${violations.join("; ")}`,
      );
  }
  expect(broken).toEqual([]);
  expect(struck, "runs that came to their kill").toBeGreaterThan(0);
}
