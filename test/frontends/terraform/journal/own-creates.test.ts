import { describe, expect, it } from "vitest";
import { type ScopeRecords, NO_RECORDS, recordsOf } from "../../../../src/frontends/provider-journal/ledger.ts";
import { openOwnCreates } from "../../../../src/frontends/terraform/journal/own-creates.ts";
import { NEVER, intent } from "../../../core/state/state-fixtures.ts";
import { virtualClock } from "../../../core/virtual-clock.ts";

const NAME = "own#1";
const { seq: _, ...INTENT } = intent(1);

function openStory() {
  const clock = virtualClock();
  let records: ScopeRecords = recordsOf(NO_RECORDS, {
    workspace: "default",
    baseUrl: "https://toys.example",
    key: "k",
  });
  const story = {
    clock,
    updates: 0,
    /** How long a write of the ledger takes. */
    writeMs: 0,
    records: () => records,
    /** As another process does. */
    change: (by: (now: ScopeRecords) => ScopeRecords) => void (records = by(records)),
  };
  const ledger = {
    update: async (change: (now: ScopeRecords) => ScopeRecords) => {
      await clock.sleep(story.writeMs, NEVER);
      records = change(records);
      story.updates++;
    },
    defer: () => undefined,
  };
  const notBegun = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
  const journal = openOwnCreates({
    ledger,
    own: "own",
    timeoutMs: 30_000,
    clock,
    notStored: () => undefined,
    notBegun,
  });
  return { story, journal, beforeRequest: (of: number) => journal.beforeRequest(of, NEVER) };
}

describe("a create is sent within the time that its record allows", () => {
  it("at once: without another write", async () => {
    const { story, journal, beforeRequest } = openStory();
    const [of = 0] = await journal.begin([INTENT], NEVER);
    await beforeRequest(of);
    expect(story.updates).toBe(1);
    expect(story.records().creates[NAME]?.endsByMs).toBe(story.clock.now() + 40_000);
  });

  it("later: it is announced again, before it is sent", async () => {
    const { story, journal, beforeRequest } = openStory();
    const [of = 0] = await journal.begin([INTENT], NEVER);
    await story.clock.sleep(60_000, NEVER);
    await beforeRequest(of);
    expect(story.updates).toBe(2);
    expect(story.records().creates[NAME]).toMatchObject({
      endsByMs: story.clock.now() + 40_000,
      intent: { sentAtMs: story.clock.now() },
    });
  });

  it("never, once another process has recorded its outcome", async () => {
    const { story, journal, beforeRequest } = openStory();
    const [of = 0] = await journal.begin([INTENT], NEVER);
    await story.clock.sleep(60_000, NEVER);
    story.change((records) => {
      const create = records.creates[NAME];
      return create
        ? { ...records, creates: { [NAME]: { ...create, process: "other", outcome: { kind: "absent" } } } }
        : records;
    });
    await expect(beforeRequest(of)).rejects.toThrow("another process");
  });

  it("never, if no write of the ledger is fast enough", async () => {
    const { story, journal, beforeRequest } = openStory();
    story.writeMs = 11_000;
    const [of = 0] = await journal.begin([INTENT], NEVER);
    await expect(beforeRequest(of)).rejects.toThrow("could not be written within 10000 ms");
  });
});

it("the list from before a create is stored with it, and once", async () => {
  const { story, journal } = openStory();
  const [listed = 0] = await journal.begin([{ kind: "listed", ids: ["id_0"] }], NEVER);
  expect(story.updates).toBe(0);
  await journal.begin([{ ...INTENT, listed }], NEVER);
  await journal.begin([{ ...INTENT, listed }], NEVER);
  expect(Object.values(story.records().creates).map(({ list }) => list)).toEqual([NAME, NAME]);
  expect(story.records().lists).toEqual({ [NAME]: { ids: ["id_0"] } });
});
