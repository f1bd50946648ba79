import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { local } from "../simulation/local/local-part.ts";
import { type Outcome, type Setting, drive } from "./drive.ts";

// Errors are thrown by the thousand, and nobody reads where.
Error.stackTraceLimit = 0;

type Ids = readonly number[];
type Line = readonly [boolean, boolean, readonly string[], Outcome["exits"], Ids, Ids, number, Ids, Ids, Ids];

interface History {
  readonly setting: Setting;
  readonly events: readonly string[];
  readonly outcome: Outcome;
}

/** `npm run model` writes them. */
const HISTORIES = readFileSync(new URL("traces.jsonl", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line): History => {
    const [marks, unique, events, exits, ours, others, recorded, older, reported, deleted] = JSON.parse(line) as Line;
    return { setting: { marks, unique }, events, outcome: { exits, ours, others, recorded, older, reported, deleted } };
  });

const SETTINGS: readonly Setting[] = [true, false].flatMap((marks) =>
  [true, false].map((unique) => ({ marks, unique })),
);

test.each(SETTINGS)(
  "the engine does what the model does: marks $marks, one webhook per URL $unique",
  { timeout: 300_000 },
  async ({ marks, unique }) => {
    const histories = HISTORIES.filter(({ setting }) => setting.marks === marks && setting.unique === unique);
    expect(histories.length).toBeGreaterThan(50);
    const differences: string[] = [];
    for (const { setting, events, outcome } of histories) {
      const done = await drive(events, setting, local).then(JSON.stringify, String);
      if (done !== JSON.stringify(outcome))
        differences.push(`${events.join(", ")}: ${done}, and by the model ${JSON.stringify(outcome)}`);
    }
    expect(differences).toEqual([]);
  },
);

test("a history that the engine does not follow is noticed", async () => {
  const setting = { marks: false, unique: false };
  await expect(drive(["run", "lost done", "well", "run"], setting, local)).rejects.toThrow(
    "the engine does not send: well",
  );
  await expect(drive(["run", "lost dropped", "run"], setting, local)).rejects.toThrow(
    "a create that the model does not send",
  );
});
