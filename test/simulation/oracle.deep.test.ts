import { expect, it } from "vitest";
import { Explorer, turnsTo } from "./explorer/explorer.ts";
import { type Stage, openingOf } from "./explorer/runs.ts";
import { replay } from "./explorer/replay.ts";
import { parseSchedule } from "./explorer/schedule.ts";
import { type OpenWrite, parseStored } from "./judge/parse.ts";
import { hasRival, justify } from "./oracle.ts";
import { tellWhole, worldAfter } from "./oracle/history.ts";
import { likelyDeaths } from "./oracle/lost-knowledge.ts";
import { SCENARIOS } from "./scenarios.ts";
import { ALL_STORES } from "./stores.ts";

function stageOf(scenarioName: string, storeName: string): Stage {
  const scenario = SCENARIOS.find(({ name }) => name === scenarioName);
  const kind = ALL_STORES.find(({ name }) => name === storeName);
  if (!scenario || !kind) throw new Error(`no ${scenarioName} on ${storeName}`);
  return { scenario, kind };
}

it.each([
  ["unsubscribe", "local"],
  ["unsubscribe", "http"],
  ["identical-elsewhere", "pg"],
])("justifies each undecided end of %s on %s by another history", async (scenario, store) => {
  const stage = stageOf(scenario, store);
  const explorer = new Explorer(stage, { faults: 1, deaths: 1, troubles: 1, which: "all" });
  await explorer.exploreAll(await openingOf(stage));
  const { undecided } = explorer.figures;
  expect(undecided.length).toBeGreaterThan(0);
  for (const node of undecided) expect(await justify(stage, turnsTo(node))).toBeNull();
});

it.each([
  [
    "of two creates in flight one was carried out late, and its repetition could not be stored",
    "two-creates",
    "local",
    "!18.3/40.2~/~",
  ],
  [
    "a create was carried out late, and the process that repeated it died with the answer",
    "two-creates",
    "local",
    "!18.7/!24.3~/~",
  ],
  [
    "a webhook is older than the open create, and somebody else may have made it",
    "create",
    "pg",
    "5.9!3.1~/~/2.2!0.1~",
  ],
  ["a webhook of before was not listed, and somebody else may have made it", "restored-state", "pg", "2.2,4.6~"],
  [
    "somebody else's identical webhook came right after one whose sender died with the answer",
    "identical-elsewhere",
    "pg",
    "5.15!2.0~/~",
  ],
  [
    "a create that died with its answer may as well be the late one of another resource",
    "poor-list",
    "pg",
    "!1.1~/!5.0/~",
  ],
  [
    "a create that died with its answer may as well be the late one of another resource, which was carried out after its repetition",
    "poor-list",
    "local",
    "24.6!51.1/~",
  ],
  [
    "a create whose sender died before it may as well have made what an earlier one made late",
    "poor-list",
    "pg",
    "5.9!6.1~/~",
  ],
  [
    "a create that died with its process may have been carried out late, in place of another one without an answer",
    "poor-list",
    "pg",
    "!1.1~/8.5,16.5~",
  ],
  [
    "a process may have died after it sent what an earlier create is taken to have made late",
    "poor-list",
    "pg",
    "5.9!5.1/!1.1~/~",
  ],
  [
    "a run could not store the answer, and no leftovers of its disk say so",
    "two-processes",
    "tidied",
    "41.9!44.3~/13.2,17.1,55.2~",
  ],
  [
    "a process died with the answer to one of two creates, and the other was carried out",
    "restored-state",
    "local",
    "8.2!21.24~/~",
  ],
  [
    "a process died with the answer to one of two creates, and the other never came",
    "restored-state",
    "local",
    "8.2!21.3~/~",
  ],
  [
    "a create was repeated and both were carried out, and the old webhook is gone",
    "rotate-create-first",
    "http",
    "6.9!6.1~/~",
  ],
  [
    "a create was repeated and both were carried out, and the old webhook goes later",
    "rotate-create-first",
    "http",
    "6.9!6.3~/~",
  ],
  [
    "an unsubscription was carried out without an answer, and its retry found no such lead",
    "unsubscribe",
    "local",
    "22.5!31.0~",
  ],
  ["two processes were killed, each while its create was on the way", "lost-lock", "http", "9.2,13.1!8.2~/~"],
  [
    "an earlier create of another resource may have been carried out late, in the millisecond of a list",
    "poor-list",
    "tidied",
    "24.4!49.3/!22.1~/~",
  ],
  [
    "a run could not store the answer, and an earlier create of another resource may have come late",
    "poor-list",
    "tidied",
    "24.4!46.1/33.2/~",
  ],
  [
    "a run could not store the answer, and a process may have died after it sent what came late",
    "poor-list",
    "tidied",
    "!15.0~/~/8.2,9.2,30.2~/~",
  ],
])("justifies an end where %s", async (_what, scenario, store, schedule) => {
  expect(await justify(stageOf(scenario, store), parseSchedule(schedule))).toBeNull();
});

it("writes nothing in the second clean run, although a webhook that another process deleted makes the list seem truncated", async () => {
  const { broken } = await replay(stageOf("long-list", "pg"), parseSchedule("!2.1~/4.2~/~/~"));
  expect(broken).toEqual([]);
});

it("carries out a history as often as it is combined with others, with the same end", async () => {
  const stage = stageOf("restored-state", "local");
  const told = await tellWhole(stage, [...parseSchedule("8.2!21.24~/~"), { choices: [], dies: null, isSettled: true }]);
  const [open] = parseStored(told.replayed.world.store.stored()).open;
  if (!open) throw new Error("nothing is open");
  const histories = await likelyDeaths(stage, told, open);
  expect(histories.length).toBeGreaterThan(0);
  for (const history of histories) {
    const ends = [await worldAfter(stage, told, history), await worldAfter(stage, told, history)];
    expect(ends.map((world) => world?.service.shown())).toEqual([
      told.replayed.world.service.shown(),
      told.replayed.world.service.shown(),
    ]);
  }
});

const CREATE: OpenWrite = {
  op: "create",
  address: "outreach_webhook.a",
  id: null,
  key: { target_url: "https://crm.example.com/hooks/a", type: "emailsReplied", campaign_id: null },
  planned: {},
  mayCreate: true,
  sinceMs: null,
  mark: null,
};

it.each([
  ["its answer was stored", ""],
  ["a list that anybody can read shows it", "24.5~"],
])("does not justify a create that is called undecided although %s", async (_why, schedule) => {
  const stage = stageOf("create", "local");
  const told = await tellWhole(stage, parseSchedule(schedule));
  expect(await hasRival(stage, told, CREATE)).toBe(false);
});

it.each([
  ["the old one is gone", "!3.1~/5.1~"],
  ["the old one is there too", "!2.1~/5.1~"],
])(
  "does not justify a replace that is called undecided although a list shows the one webhook that it can have made, and %s",
  async (_what, schedule) => {
    const stage = stageOf("rotate-create-first", "http");
    const told = await tellWhole(stage, parseSchedule(schedule));
    const [open] = parseStored(told.replayed.world.store.stored()).open;
    if (!open) throw new Error("nothing is open");
    expect(await hasRival(stage, told, open)).toBe(false);
  },
);

it("does not justify an end that leaves nothing undecided", async () => {
  expect(await justify(stageOf("create", "local"), [])).toMatch(/nothing undecided/);
});
