import { expect, test } from "vitest";
import { tellStory } from "./random-story.ts";

/** How many by chance, and from which on: `OUTREACH_SEEDS=100000`, or one of them again with `OUTREACH_SEEDS=1 OUTREACH_SEEDS_FROM=17`. */
const [SEEDS, FROM] = [
  Number(process.env["OUTREACH_SEEDS"] ?? "300"),
  Number(process.env["OUTREACH_SEEDS_FROM"] ?? "0"),
];
const MOST_SHOWN = 5;

test(
  "whatever happens to Terraform, the provider and the service, nothing is lost, doubled or believed without proof",
  async () => {
    const broken: string[] = [];
    for (let seed = FROM; seed < FROM + SEEDS && broken.length < MOST_SHOWN; seed++) {
      await tellStory(seed, { aloud: SEEDS === 1 }).catch((error: unknown) =>
        broken.push(error instanceof Error ? error.message : String(error)),
      );
    }
    expect(broken.join("\n")).toBe("");
  },
  SEEDS * 1000,
);
