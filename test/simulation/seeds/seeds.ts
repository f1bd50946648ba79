import { STORES } from "../stores.ts";
import { type Story, tellStory } from "./story.ts";

export interface SeedFigures {
  readonly seeds: number;
  readonly runs: number;
  readonly violations: readonly { readonly seed: number; readonly rule: string }[];
}

const MOST_VIOLATIONS = 5;

/** The seeds take turns with the stores; half of them have marks, and half of those have a service with one webhook per URL. */
export function storyOf(seed: number, operations: number): Story {
  const kind = STORES[seed % STORES.length];
  if (!kind) throw new Error("there are no stores");
  const turn = Math.floor(seed / STORES.length);
  return { seed, kind, operations, marks: turn % 2 === 1, hasOnePerUrl: turn % 4 === 3 };
}

/** Tells the stories of some seeds, until too many break a rule. */
export async function tellStories({
  from,
  to,
  operations,
}: {
  readonly from: number;
  readonly to: number;
  readonly operations: number;
}): Promise<SeedFigures> {
  const violations: { readonly seed: number; readonly rule: string }[] = [];
  let [seeds, runs] = [0, 0];
  for (let seed = from; seed < to && violations.length < MOST_VIOLATIONS; seed++) {
    const story = await tellStory(storyOf(seed, operations));
    seeds++;
    runs += story.runs;
    violations.push(...story.broken.map((rule) => ({ seed, rule })));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { seeds, runs, violations };
}
