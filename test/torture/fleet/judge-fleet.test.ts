import { describe, expect, test } from "vitest";
import type { WebhookRecord } from "../../../src/sandbox/sandbox-records.ts";
import { firstDeclared } from "./declared.ts";
import { type TeamEnd, fleetViolations, recordsIn } from "./judge-fleet.ts";
import { Standstills } from "./take-overs.ts";

const SIGNED = { _id: "hoo_2", targetUrl: "https://signed.example.com/t1/", type: null, secret: "hook-secret-0" };
const CRM = { _id: "hoo_1", targetUrl: "https://crm.example.com/t1/0", type: "emailsReplied", secret: null };
const COPY = { ...SIGNED, _id: "hoo_3", secret: null };
const KEY = { target_url: SIGNED.targetUrl, type: null };
const ANNOUNCED = { seq: 1, kind: "intent", op: "create", key: KEY, planned: { secret: 1 } };
const OLDER = { key: KEY, planned: { secret: 0 } };
const TWO = "The outcome of a write is undecided: 1 such create is undecided, and the list shows hoo_2, hoo_3";
const RIVAL = "The outcome of a write is undecided: hoo_2 may also have come from an earlier create that was given up";

/** A team whose webhooks are live; somebody else has made `COPY`. */
function judged(
  end: Partial<TeamEnd>,
  live: readonly object[] = [CRM, SIGNED],
  { absent = [], refused = [] }: { absent?: string[]; refused?: string[] } = {},
) {
  const whole = {
    team: "t1",
    state: "unchanged",
    message: null,
    isRemoved: false,
    isRunLate: false,
    said: "",
    ...stateOf(["hoo_1", "hoo_2"]),
    ...end,
  };
  const sandbox = { requests: () => [], webhooks: () => live as readonly WebhookRecord[] };
  const foreign = live.includes(COPY) ? [{ atMs: 0, team: "t1", act: "copied", id: COPY._id } as const] : [];
  return fleetViolations({ sandbox, declared: { ...firstDeclared([]), absent }, refused, ends: [whole], foreign });
}

function stateOf(
  ids: readonly string[],
  pending: readonly object[] = [],
  lostCreates: readonly object[] = [],
): Pick<TeamEnd, "recorded" | "open" | "rivalled"> {
  return recordsIn(JSON.stringify({ instances: ids.map((id) => ({ id })), pending, lostCreates }));
}

test("a team that has what is declared, and recorded all of it, is as it must be", () => {
  expect(judged({})).toEqual([]);
});

describe("a webhook without a record", () => {
  test("is lost", () => {
    expect(judged(stateOf(["hoo_1"]))).toContainEqual(
      expect.stringContaining("t1 has a webhook without a record: hoo_2"),
    );
  });

  test("is lost, too, where a person has to decide, and the state has announced no such create", () => {
    const lost = [expect.stringContaining("without a record: hoo_2")];
    expect(judged({ state: "parked", message: TWO, ...stateOf(["hoo_1"]) }, [CRM, SIGNED, COPY])).toEqual(lost);
    const decided = [ANNOUNCED, { seq: 2, kind: "failed", of: 1 }];
    expect(judged({ state: "parked", message: TWO, ...stateOf(["hoo_1"], decided) }, [CRM, SIGNED, COPY])).toEqual(
      lost,
    );
  });

  test("is not lost where the state has announced its create, and a person has to tell it from a copy by somebody else", () => {
    expect(judged({ state: "parked", message: TWO, ...stateOf(["hoo_1"], [ANNOUNCED]) }, [CRM, SIGNED, COPY])).toEqual(
      [],
    );
  });

  test("is not lost where the state has announced its create, and an earlier create with another secret was given up", () => {
    const parked = (lostCreates: readonly object[]): readonly string[] =>
      judged({ state: "parked", message: RIVAL, ...stateOf(["hoo_1"], [ANNOUNCED], lostCreates) });
    expect(parked([OLDER])).toEqual([]);
    for (const decidable of [
      [],
      [{ ...OLDER, planned: ANNOUNCED.planned }],
      [{ ...OLDER, id: "hoo_9" }],
      [{ ...OLDER, key: { ...KEY, type: "linkedinReplied" } }],
    ])
      expect(parked(decidable)).toContainEqual(expect.stringContaining("without a record: hoo_2"));
  });

  test("is lost where its create was announced, and nothing hinders the team from looking for it", () => {
    expect(judged(stateOf(["hoo_1"], [ANNOUNCED]))).toContainEqual(expect.stringContaining("without a record: hoo_2"));
  });
});

test("a duplicate hinders a team only where it is a copy by somebody else", () => {
  const failed = (id: string): Partial<TeamEnd> => ({
    state: "failed",
    message: `An identical unmanaged webhook exists: ${id} is live`,
    ...stateOf(["hoo_1"]),
  });
  expect(judged(failed("hoo_3"), [CRM, COPY])).toEqual([]);
  expect(judged(failed("hoo_2"), [CRM, COPY])).toContainEqual(expect.stringMatching(/^t1 is failed: /));
});

test("a copy by somebody else in place of a webhook that is gone counts as that one where a run has said so", () => {
  const copied = stateOf(["hoo_1", "hoo_3"]);
  expect(judged({ said: "The create of signed was carried out: hoo_3 is recorded.", ...copied }, [CRM, COPY])).toEqual(
    [],
  );
  expect(judged(copied, [CRM, COPY])).toEqual(["t1 records a webhook of somebody else, and did not say so: hoo_3"]);
});

describe("a team that was removed", () => {
  const removed = { absent: ["t1"] };

  test("keeps its webhooks, and those that its last run announced", () => {
    expect(
      judged({ isRemoved: true, state: "failed", ...stateOf(["hoo_1"], [ANNOUNCED]) }, [CRM, SIGNED], removed),
    ).toEqual([]);
    expect(judged({ isRemoved: true, ...stateOf(["hoo_1"]) }, [CRM, SIGNED], removed)).toEqual([
      expect.stringContaining("without a record: hoo_2"),
    ]);
  });

  test("has no further run", () => {
    expect(judged({ isRemoved: true, isRunLate: true }, [CRM, SIGNED], removed)).toEqual([
      "t1 was run after it was removed",
    ]);
  });

  test("is removed only if the configuration does not have it", () => {
    expect(judged({ isRemoved: true })).toEqual(["t1 is removed, against its declaration"]);
    expect(judged({}, [CRM, SIGNED], removed)).toEqual(["t1 is not removed, against its declaration"]);
  });
});

test("a team whose key is refused has failed, and has nothing", () => {
  const refused = { refused: ["t1"] };
  expect(judged({ state: "failed", ...stateOf([]) }, [], refused)).toEqual([]);
  expect(judged(stateOf([]), [], refused)).toEqual([expect.stringMatching(/^t1 is unchanged/)]);
  expect(judged({ state: "failed" }, [CRM, SIGNED], refused)).toEqual([expect.stringContaining("in place of")]);
});

test("a take-over counts from the kill, or from the end of what kept everybody from it", () => {
  const standstills = new Standstills();
  standstills.begin("no database", 10_000);
  standstills.begin("no controller", 11_000);
  standstills.end("no database", 12_000);
  standstills.end("no controller", 13_000);
  const seconds = (killedMs: number, againMs: number) =>
    standstills.takeOvers([{ team: "t1", process: "one", killedMs, againMs }]);
  expect(seconds(2000, 9000)).toMatchObject([{ isHindered: false, seconds: 7 }]);
  expect(seconds(14_000, 15_000)).toMatchObject([{ isHindered: false, seconds: 1 }]);
  expect(seconds(9000, 17_000)).toMatchObject([{ isHindered: true, seconds: 4 }]);
  expect(seconds(12_500, 17_000)).toMatchObject([{ isHindered: true, seconds: 4 }]);
});
