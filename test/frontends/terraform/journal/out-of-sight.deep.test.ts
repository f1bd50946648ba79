import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import type { FileSystem } from "../../../../src/core/model/ports.ts";
import { journalPlace } from "../../../../src/frontends/provider-journal/ledger-place.ts";
import { processInLedger } from "../../../../src/frontends/provider-journal/ledger-store.ts";
import { localStore } from "../../../../src/core/state/local/local-store.ts";
import { nodeClock } from "../../../../src/platform/node-clock.ts";
import { nodeFiles } from "../../../../src/platform/node-files.ts";
import { nodeRandom } from "../../../../src/platform/node-random.ts";
import { processOf } from "../../../core/state/state-fixtures.ts";
import type { ProviderUnderTest } from "../provider-under-test.ts";
import { URL_A, idOf, journalStory } from "./story.ts";

const story = journalStory();
const ATTRIBUTES = { target_url: URL_A, type: "emailsReplied", secret: "s3cret" };
const OTHER = { target_url: "https://b.example.com/" };
const TAKEN = "warning: An earlier run already created this webhook";
const UNDECIDED = "error: The outcome of an earlier create is undecided";
const UNDECIDED_NOW = "error: The outcome of a write is undecided";
const PENDING = "warning: The outcome of an earlier write is not known yet";
/** As long as a loaded machine may take. */
const PATIENT = { timeout: 20_000 };
/** Two minutes on: what was sent before is not under way any more. */
const LATER = { ...nodeClock, now: () => nodeClock.now() + 120_000 };

/** By then, the create is over whatever became of its process. */
const MUCH_LATER = { ...nodeClock, now: () => nodeClock.now() + 240_000 };

const ELSEWHERE = { namespace: { pidNamespace: "2" }, boot: { bootId: "2" }, host: { host: "there" } } as const;

/** As `outreach force-unlock` does. */
async function release(id: string): Promise<void> {
  const place = journalPlace({ OUTREACH_JOURNAL: story.folder });
  const ports = { files: nodeFiles(), clock: nodeClock, random: nodeRandom, process: processOf() };
  const process = await processInLedger(id, { store: localStore(place.name, ports), ports });
  expect(process).not.toBeNull();
  await process?.release();
}

/** A process that has sent a create, and goes on waiting for its answer: nobody sees it here. */
async function sends(place: { readonly host?: string; readonly bootId?: string; readonly pidNamespace?: string }) {
  const hidden = await story.start({ pid: 2000, place });
  story.sandbox.addFault({ method: "POST", action: { kind: "late", delayMs: 5000 }, when: "after" });
  hidden.create(ATTRIBUTES).catch(() => undefined);
  await vi.waitFor(() => expect(story.live()).toHaveLength(1), PATIENT);
  return hidden;
}

describe("the create of a process that may still run where this one cannot see it", () => {
  it.each([
    [
      "in another container of its host",
      ELSEWHERE.namespace,
      "process 2000 in 2 on here",
      "another container of this host (PID namespace)",
    ],
    [
      "on another machine of its name",
      ELSEWHERE.boot,
      "process 2000 on here",
      "another machine of this name, or from before the last restart",
    ],
    ["on another host", ELSEWHERE.host, "process 2000 on there", "another host"],
  ])("%s: blocks the same create and no other, until force-unlock", async (_where, place, run, why) => {
    const hidden = await sends(place);
    const [id = ""] = Object.keys(story.ledger().processes);
    const next = await story.start({ clock: LATER });
    expect(next.greeting).toEqual([PENDING]);
    expect((await next.create(OTHER)).said).toEqual([]);
    const blocked = await next.create(ATTRIBUTES);
    expect({ said: blocked.said, state: blocked.state }).toEqual({ said: [UNDECIDED], state: null });
    for (const { detail } of [...blocked.diagnostics, ...next.greetings]) {
      expect(detail).toContain(`${run}, at 20`);
      expect(detail).toContain(`Its record in ${path.join(story.folder, "ledger.json")} is from ${why}`);
      expect(detail).toContain("whether that run is still active cannot be checked here");
      expect(detail).toContain(`If that run is certainly over, release its creates: outreach force-unlock ${id}`);
    }
    expect(story.posts()).toBe(2);
    await next.shutdown();
    expect(Object.keys(story.ledger().processes)).toEqual([id]);

    await hidden.kill();
    await release(id);
    const after = await (await story.start({ clock: LATER })).create(ATTRIBUTES);
    expect([after.said, story.live().includes(idOf(after)), story.posts()]).toEqual([[TAKEN], true, 2]);
  });

  it.each(Object.entries(ELSEWHERE))("is looked for once it is certainly over (%s)", async (_where, place) => {
    await (await sends(place)).kill();
    const next = await story.start({ clock: MUCH_LATER });
    const created = await next.create(ATTRIBUTES);
    expect([created.said, [idOf(created)], story.posts()]).toEqual([[TAKEN], story.live(), 1]);
  });

  it("is looked for once it is certainly over, also if its process still runs: that one does not send it again", async () => {
    const hidden = await story.start({ pid: 2000, place: ELSEWHERE.host, variables: { OUTREACH_SETTLE: "3s" } });
    story.sandbox.addFault({ method: "POST", action: { kind: "drop" } });
    const begun = hidden.create(ATTRIBUTES);
    await vi.waitFor(
      () => expect(story.creates()[0]?.outcome).toMatchObject({ kind: "open", cause: expect.any(String) as string }),
      PATIENT,
    );
    const created = await (await story.start({ clock: MUCH_LATER })).create(ATTRIBUTES);
    expect(created.said).toEqual([]);
    expect((await begun).said).toEqual([UNDECIDED_NOW]);
    expect([story.live(), story.posts()]).toEqual([[idOf(created)], 2]);
  });

  it("is waited for while it may be under way, and returned when that process has ended", async () => {
    const hidden = await story.start({ pid: 2000, place: ELSEWHERE.namespace });
    story.sandbox.addFault({ method: "POST", action: { kind: "late", delayMs: 600 } });
    const begun = hidden.create(ATTRIBUTES);
    await vi.waitFor(() => expect(story.posts()).toBe(1), PATIENT);
    const next = await story.start();
    expect(next.greeting).toEqual([]);
    const created = next.create(ATTRIBUTES);
    const made = await begun;
    await hidden.shutdown({ wasOrderly: false });
    expect([idOf(await created), (await created).said, story.posts()]).toEqual([idOf(made), [TAKEN], 1]);
  });
});

/** Its create has no outcome, and Terraform records an object without an id. */
async function leavesOpen(hidden: ProviderUnderTest) {
  await hidden.create(OTHER);
  story.sandbox.addFault({ method: "POST", action: { kind: "drop" }, when: "after" });
  story.sandbox.addFault({ method: "GET", action: { kind: "answer", status: 400, body: "Bad team" }, times: null });
  const left = await hidden.create(ATTRIBUTES);
  expect(left.said).toEqual(["error: The outcome of a write is undecided"]);
  story.sandbox.clearFaults();
  return left;
}

describe("a process elsewhere blocks nothing", () => {
  it("if Terraform has recorded its open create: its object is found, deleted and created again", async () => {
    const hidden = await story.start({ pid: 2000, place: ELSEWHERE.namespace });
    const left = await leavesOpen(hidden);
    await hidden.kill();
    const planning = await story.start({ clock: LATER });
    const read = await planning.read(left);
    expect(read.said).toEqual(["warning: A webhook was created, although its answer was lost"]);
    await planning.shutdown();
    const applying = await story.start({ clock: LATER });
    expect((await applying.delete(left)).state).toBeNull();
    expect((await applying.create(ATTRIBUTES)).said).toEqual([]);
    expect(story.live()).toHaveLength(2);
  });

  it("if it was killed with all its outcomes recorded: what it made is returned", async () => {
    const hidden = await story.start({ pid: 2000, place: ELSEWHERE.namespace });
    const made = await hidden.create(ATTRIBUTES);
    await hidden.kill();
    const next = await story.start({ clock: LATER });
    expect(next.greeting).toEqual([]);
    const created = await next.create(ATTRIBUTES);
    expect([idOf(created), created.said, story.posts()]).toEqual([idOf(made), [TAKEN], 1]);
  });

  it("if it ended by itself with an open create: it is released, and the next process looks for it", async () => {
    const hidden = await story.start({ pid: 2000, place: ELSEWHERE.namespace });
    await leavesOpen(hidden);
    await hidden.shutdown();
    expect(story.ledger().processes).toEqual({});
    const created = await (await story.start({ clock: LATER })).create(ATTRIBUTES);
    expect([created.said, story.posts()]).toEqual([[TAKEN], 2]);
  });
});

/** While the outcome of the first create is being stored, the second one's answer arrives. */
function slowDisk(files: FileSystem): FileSystem {
  return {
    ...files,
    rename: (from, to) => delay(500).then(() => files.rename(from, to)),
  };
}

it("of two creates at once that the service answers with one id, one is recorded", async () => {
  const provider = await story.start({ files: slowDisk });
  const answer = {
    kind: "answer",
    status: 200,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ _id: "hoo_same" }),
  } as const;
  story.sandbox.addFault({ method: "POST", action: answer, times: 2 });
  const made = await Promise.all([provider.create(ATTRIBUTES), provider.create(OTHER)]);
  expect(made.filter((one) => idOf(one) === "hoo_same")).toHaveLength(1);
});
