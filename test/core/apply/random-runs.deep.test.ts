import { expect, test } from "vitest";
import { localHome, remoteHome } from "./random-home.ts";
import { tellStory } from "./random-story.ts";
import { httpHome, s3Home } from "./web-home.ts";

/** How many by chance, and from which on: `OUTREACH_SEEDS=100000`, or one of them again with `OUTREACH_SEEDS=1 OUTREACH_SEEDS_FROM=17`. */
const [GIVEN, FROM] = [process.env["OUTREACH_SEEDS"], Number(process.env["OUTREACH_SEEDS_FROM"] ?? "0")];
const MOST_SHOWN = 5;

test.each([
  { place: "a journal next to the state", homeOf: localHome, seeds: Number(GIVEN ?? "120") },
  { place: "intents inside the state, by windows", homeOf: remoteHome, seeds: Number(GIVEN ?? "100") },
  { place: "the state on a server, by http", homeOf: httpHome, seeds: Number(GIVEN ?? "60") },
  { place: "the state in a bucket, by s3", homeOf: s3Home, seeds: Number(GIVEN ?? "60") },
])(
  "with $place, whatever happens to runs, nothing is lost, doubled or believed without proof",
  async ({ homeOf, seeds }) => {
    const broken: string[] = [];
    for (let seed = FROM; seed < FROM + seeds && broken.length < MOST_SHOWN; seed++) {
      await tellStory(seed, { aloud: seeds === 1, homeOf }).catch((error: unknown) =>
        broken.push(error instanceof Error ? error.message : String(error)),
      );
    }
    expect(broken.join("\n")).toBe("");
  },
  Number(GIVEN ?? "800") * 1000,
);

test.each([
  {
    seed: 61_035,
    why: "a run reads the state before the last write, with an object that was released since",
    homeOf: httpHome,
  },
  {
    seed: 702_262,
    why: "a run reads a state without the open writes of the one before, and keeps none of its own",
    homeOf: httpHome,
  },
  {
    seed: 801_080,
    why: "a run was killed in the replace of an object that the list cannot tell from one to create",
    homeOf: httpHome,
  },
  { seed: 901_351, why: "a killed replace is taken as not done, and its object appears", homeOf: remoteHome },
  { seed: 701_092, why: "the delete of a replace is undecided, and its create was never sent", homeOf: remoteHome },
])("story $seed: $why", async ({ seed, homeOf }) => {
  await expect(tellStory(seed, { aloud: true, homeOf })).resolves.toBeUndefined();
});
