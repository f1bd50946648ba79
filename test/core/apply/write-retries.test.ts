import { describe, expect, test } from "vitest";
import { createOne, deleteDeposed, replaceOne } from "../../../src/core/apply/write/write.ts";
import type { Creation, WriteContext } from "../../../src/core/apply/write/write-context.ts";
import type { AnyResource, WriteOutcome } from "../../../src/core/model/definition.ts";
import { UNKNOWN } from "../../../src/core/model/value.ts";
import type { Journal } from "../../../src/core/state/journal-event.ts";
import { live, recorded, toy } from "../toy.ts";
import { virtualClock } from "../virtual-clock.ts";
import { shout } from "./shop-things.ts";
import { type ToyRunOptions, toyRun, unsure } from "./toy-run.ts";

const SHOUT: Creation = {
  address: "toy_shout.hey",
  provider: "toy",
  attributes: { word: "hey", id: UNKNOWN, outcome: UNKNOWN },
  secrets: {},
  allowDuplicate: false,
};

/** A shout whose answers are given, `refuse` answers to the announcement of a retry. */
function retried({
  answers,
  refuse = () => undefined,
  stop,
}: {
  readonly answers: readonly WriteOutcome[];
  readonly refuse?: (count: number) => unknown;
  readonly stop?: AbortController;
}) {
  const clock = virtualClock();
  const log: string[] = [];
  const options: ToyRunOptions = { clock, ...(stop ? { stop: stop.signal } : {}) };
  const run = toyRun(options);
  let [sent, announced, taken] = [0, 0, 0];
  const beforeRequest: Journal["beforeRequest"] = () => {
    log.push(`announced at ${String(clock.monotonicMs())}`);
    const error = refuse(announced++);
    return error === undefined
      ? Promise.resolve()
      : Promise.reject(error instanceof Error ? error : new Error("refused"));
  };
  const definition: AnyResource = {
    ...shout,
    create: async (_, { retry }) => {
      log.push(`sent ${String(++sent)}`);
      if (sent === 1) await retry?.before?.();
      return answers[sent - 1] ?? unsure;
    },
  };
  const access: WriteContext["access"] = {
    reserve: () => Promise.resolve({ client: null, release: () => void log.push(`released ${String(++taken)}`) }),
  };
  const context = { ...run.context, access, journal: { ...run.context.journal, beforeRequest } };
  return { log, send: () => createOne(definition, SHOUT, context), run };
}

describe("an irreversible write without an answer", () => {
  test("is sent again later and later, and announced each time, also where the client repeats it", async () => {
    const { log, send } = retried({ answers: [] });
    expect(await send()).toMatchObject({
      kind: "unconfirmed",
      record: { attributes: { word: "hey", outcome: "unconfirmed" } },
    });
    const begin = ["announced at 0", "sent 1", "announced at 0"];
    expect(log).toEqual([
      ...begin,
      "announced at 500",
      "sent 2",
      "released 1",
      "announced at 1500",
      "sent 3",
      "released 2",
      "released 3",
    ]);
  });

  test("is not sent again where it cannot be announced, and its slot is free for others", async () => {
    const { log, send } = retried({
      answers: [],
      refuse: (count) => (count === 2 ? new Error("the disk is full") : undefined),
    });
    await expect(send()).rejects.toThrow("the disk is full");
    expect(log.slice(3)).toEqual(["announced at 500", "released 1", "released 2"]);
  });

  test("stays unconfirmed where the run was interrupted before it was sent again", async () => {
    const stop = new AbortController();
    const refuse = (count: number): unknown => {
      if (count < 2) return undefined;
      stop.abort(new Error("stop"));
      return stop.signal.reason;
    };
    const { log, send } = retried({ answers: [], refuse, stop });
    expect(await send()).toMatchObject({ kind: "unconfirmed" });
    expect(log.filter((entry) => entry.startsWith("sent"))).toEqual(["sent 1"]);
  });
});

describe("an older object of an address", () => {
  const OLD = { attributes: { name: "ball" }, returned: {} };
  const instance = recorded(
    "ball",
    {},
    {
      deposed: [
        { id: "id_1", ...OLD },
        { id: "id_2", ...OLD },
      ],
    },
  );

  test("is deleted by its own id, and the others stay", async () => {
    const run = toyRun({
      objects: [live("ball"), live("ball", { id: "id_1" }), live("ball", { id: "id_2" })],
      managed: ["id_ball"],
    });
    expect(await deleteDeposed(toy, { instance, id: "id_2" }, run.context)).toMatchObject({
      kind: "done",
      record: { id: "id_ball", deposed: [{ id: "id_1" }] },
    });
    expect(run.log.filter((entry) => entry.startsWith("DELETE"))).toEqual(["DELETE id_2"]);
    expect(run.journal.recorded()).toMatchObject([
      { kind: "intent", op: "delete", id: "id_2" },
      { kind: "done", returned: { id: "id_2" } },
    ]);
  });

  test("that only a list can miss is deleted without any record of it", async () => {
    const run = toyRun({ objects: [live("ball")], managed: ["id_ball"] });
    expect(await deleteDeposed(toy, { instance: recorded("ball"), id: "id_9" }, run.context)).toMatchObject({
      kind: "done",
    });
  });
});

const NEW_BALL: Creation = {
  address: "toy_thing.ball",
  provider: "toy",
  attributes: { ...recorded("ball").attributes, id: UNKNOWN, made_at: UNKNOWN },
  secrets: {},
  allowDuplicate: false,
};

test.each(["delete-first", "create-first"] as const)(
  "each half of a replace, %s, is announced right before it is sent",
  async (order) => {
    const log: string[] = [];
    const run = toyRun({ objects: [live("ball")], managed: ["id_ball"], answer: (request) => void log.push(request) });
    const beforeRequest: Journal["beforeRequest"] = () => Promise.resolve(void log.push("announced"));
    await replaceOne(
      toy,
      { instance: recorded("ball"), creation: NEW_BALL, order },
      { ...run.context, journal: { ...run.context.journal, beforeRequest } },
    );
    const [first, second] =
      order === "delete-first" ? ["DELETE id_ball", "POST ball"] : ["POST ball", "DELETE id_ball"];
    expect(log).toEqual(["announced", first, "announced", second]);
  },
);

test("a replace whose new object may or may not exist has left no old one", async () => {
  const run = toyRun({
    objects: [live("ball")],
    managed: ["id_ball"],
    answer: (request) => (request.startsWith("POST") ? unsure : undefined),
  });
  expect(await replaceOne(toy, { instance: recorded("ball"), creation: NEW_BALL }, run.context)).toMatchObject({
    kind: "undecided",
    gone: true,
  });
});
