import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { nodeClock } from "../../../../src/platform/node-clock.ts";
import { NO_BYTES, type ProviderUnderTest, webhook } from "../provider-under-test.ts";
import { URL_A, idOf, journalStory } from "./story.ts";

const story = journalStory();
const ATTRIBUTES = { target_url: URL_A, type: "emailsReplied", secret: "s3cret" };
const OTHER = { target_url: "https://b.example.com/hook" };
/** Each of two lists is confirmed. */
const LISTS_OF_RECOVERY = 4;
const TAKEN = "warning: An earlier run already created this webhook";
/** Ten minutes on: each list shows what was created before. */
const LATER = { ...nodeClock, now: () => nodeClock.now() + 600_000 };
const PENDING = "warning: The outcome of an earlier write is not known yet";
const UNKNOWN_MADE = "warning: An earlier run created a webhook that Terraform does not know";

/** A process that dies while its create is under way: the service gets to it or not. */
async function diesInCreate(
  attributes: Parameters<ProviderUnderTest["create"]>[0],
  { carriedOut = true } = {},
): Promise<void> {
  const provider = await story.start();
  const died = new Promise<void>((resolve) => {
    const where = (): boolean => {
      void provider.kill().then(resolve);
      return true;
    };
    story.sandbox.addFault({ method: "POST", action: { kind: "drop" }, when: carriedOut ? "after" : "before", where });
  });
  provider.create(attributes).catch(() => undefined);
  await died;
}

/** A process that creates, and dies after its answer; Terraform has not recorded it. */
async function diesAfterCreate(attributes: Parameters<ProviderUnderTest["create"]>[0]): Promise<string> {
  const provider = await story.start();
  const created = await provider.create(attributes);
  await provider.kill();
  return idOf(created);
}

describe("what a process has created that Terraform never recorded", () => {
  it("is returned by the next create of the same, with a warning", async () => {
    const id = await diesAfterCreate(ATTRIBUTES);
    const next = await (await story.start()).create(ATTRIBUTES);
    expect([idOf(next), next.said, story.posts()]).toEqual([id, [TAKEN], 1]);
    expect(next.diagnostics[0]?.detail).toContain(id);
  });

  it("is returned with its write-only secret compared by its fingerprint", async () => {
    const attributes = { target_url: URL_A, secret_wo: "wr1te", secret_wo_version: 1 };
    const id = await diesAfterCreate(attributes);
    expect(idOf(await (await story.start()).create(attributes))).toBe(id);
    await (await story.start()).kill();
  });

  it.each([
    ["another secret", { ...ATTRIBUTES, secret: "other" }],
    ["another automation", { ...ATTRIBUTES, automation_id: "auto" }],
    ["is_first", { ...ATTRIBUTES, is_first: true }],
  ])("is an error, with an import block, when the create has %s", async (_what, attributes) => {
    const id = await diesAfterCreate(ATTRIBUTES);
    const next = await (await story.start()).create(attributes);
    expect(next).toMatchObject({ state: null, said: ["error: An earlier run already created such a webhook"] });
    expect(next.diagnostics[0]?.detail).toMatch(
      new RegExp(`import \\{\\s+to = outreach_webhook\\.NAME\\s+id = "${id}"[^]*-replace=ADDRESS`),
    );
    expect(story.posts()).toBe(1);
  });

  it("is an error where duplicates are allowed: it may be managed at another address", async () => {
    const attributes = { ...ATTRIBUTES, allow_duplicate: true };
    const id = await diesAfterCreate(attributes);
    const next = await (await story.start()).create(attributes);
    expect(next).toMatchObject({ state: null, said: ["error: An earlier run already created such a webhook"] });
    expect(next.diagnostics[0]?.detail).toContain(id);
    expect(next.diagnostics[0]?.detail).toContain("without -target");
  });

  it("is an error when its process ended with Terraform, which will have stored it", async () => {
    const provider = await story.start();
    await provider.create(ATTRIBUTES);
    await provider.shutdown();
    expect(await (await story.start()).create(ATTRIBUTES)).toMatchObject({
      state: null,
      said: ["error: An earlier run already created such a webhook"],
    });
    expect(story.posts()).toBe(1);
  });

  it("is returned when its process ended because Terraform was killed", async () => {
    const provider = await story.start();
    const created = await provider.create(ATTRIBUTES);
    await provider.shutdown({ wasOrderly: false });
    expect(idOf(await (await story.start()).create(ATTRIBUTES))).toBe(idOf(created));
  });

  it("is created again once it is gone", async () => {
    const id = await diesAfterCreate(ATTRIBUTES);
    story.sandbox.remove("webhooks", id);
    const next = await (await story.start()).create(ATTRIBUTES);
    expect(next.said).toEqual([]);
    expect(story.live()).toEqual([idOf(next)]);
  });

  it("is neither returned nor doubled while the list may be cut off", async () => {
    const id = await diesAfterCreate(ATTRIBUTES);
    story.sandbox.remove("webhooks", id);
    for (let index = 0; index < 10; index++)
      story.sandbox.add("webhooks", { targetUrl: `https://example.com/${String(index)}` });
    story.sandbox.configure({ profile: { offset: false } });
    const next = await (await story.start()).create(ATTRIBUTES);
    expect(next).toMatchObject({
      state: null,
      said: ["error: A webhook is missing from a list that may be truncated"],
    });
    expect(story.posts()).toBe(1);
  });

  it("is kept, with others, where a new limit of the list may hide all of them", async () => {
    for (let index = 0; index < 12; index++)
      story.sandbox.add("webhooks", { targetUrl: `https://example.com/${String(index)}` });
    story.sandbox.configure({ profile: { offset: false } });
    const provider = await story.start();
    const created = [await provider.create(ATTRIBUTES), await provider.create(OTHER)];
    await provider.kill();
    const planning = async () => {
      const one = await story.start({ clock: LATER });
      await one.plan(null, { target_url: "https://c.example.com/hook" });
      await one.shutdown();
      return story.creates().length;
    };
    const whole = await planning();
    story.sandbox.configure({ profile: { cap: 10 } });
    expect([created.flatMap(({ said }) => said), whole, await planning()]).toEqual([[], 2, 2]);
  });

  it("is forgotten once a call has shown that Terraform has it", async () => {
    const provider = await story.start();
    const created = await provider.create(ATTRIBUTES);
    await provider.kill();
    const refreshing = await story.start();
    expect((await refreshing.read(created)).said).toEqual([]);
    await refreshing.shutdown();
    expect(story.creates()).toEqual([]);
  });

  it("is not returned for another address in the process that knows it", async () => {
    const provider = await story.start();
    const created = await provider.create(ATTRIBUTES);
    await provider.kill();
    const next = await story.start();
    await next.read(created);
    const duplicate = await next.create({ ...ATTRIBUTES, allow_duplicate: true });
    expect(duplicate.said).toEqual([]);
    expect(story.live()).toHaveLength(2);
  });

  it("is returned with a warning about another that looks the same, as when it was to replace that and the state is lost", async () => {
    const before = await story.start();
    const old = await before.create(ATTRIBUTES);
    await before.shutdown();
    const replacing = await story.start();
    await replacing.read(old);
    const created = await replacing.create({ ...ATTRIBUTES, secret: "other" });
    await replacing.shutdown({ wasOrderly: false });
    const planning = await story.start();
    await planning.plan(null, { ...ATTRIBUTES, secret: "other" });
    await planning.shutdown();
    const next = await (await story.start()).create({ ...ATTRIBUTES, secret: "other" });
    expect([idOf(next), next.said]).toEqual([idOf(created), [TAKEN, "warning: An identical unmanaged webhook exists"]]);
    expect(next.diagnostics[1]?.detail).toContain(idOf(old));
  });

  it("is given to one address only", async () => {
    await diesAfterCreate(ATTRIBUTES);
    const next = await story.start();
    const [first, second] = await Promise.all([next.create(ATTRIBUTES), next.create(ATTRIBUTES)]);
    expect([first.said, second.said].flat().toSorted()).toEqual(["error: The same webhook is declared twice", TAKEN]);
    expect(story.posts()).toBe(1);
  });

  it("is reported at the third start, when no process has found it in the state", async () => {
    const id = await diesAfterCreate(ATTRIBUTES);
    const planning = await story.start();
    expect(planning.greeting).toEqual([]);
    await planning.shutdown();
    const next = await story.start();
    expect(next.greeting).toEqual([UNKNOWN_MADE]);
    expect(next.greetings[0]?.detail).toContain(id);
  });
});

describe("a create that a process has sent before it died", () => {
  it("is found by the next create of the same, and returned", async () => {
    await diesInCreate(ATTRIBUTES);
    const provider = await story.start();
    expect(provider.greeting).toEqual([PENDING]);
    const next = await provider.create(ATTRIBUTES);
    expect([next.said, [idOf(next)], story.posts()]).toEqual([[TAKEN], story.live(), 1]);
  });

  it("is found by the lists that are being read for another one", async () => {
    await diesInCreate(ATTRIBUTES);
    await diesInCreate(OTHER);
    const next = await story.start();
    const later: ReturnType<typeof next.create>[] = [];
    const begin = (): false => {
      if (later.length === 0) later.push(next.create(OTHER));
      return false;
    };
    story.sandbox.addFault({
      method: "GET",
      action: { kind: "drop" },
      where: ({ target }) => target.includes("offset") && begin(),
    });
    const before = story.sandbox.requests().length;
    const found = [await next.create(ATTRIBUTES), ...(await Promise.all(later))];
    expect(found.map((one) => one.said)).toEqual([[TAKEN], [TAKEN]]);
    expect(found.map(idOf).toSorted()).toEqual(story.live().toSorted());
    expect(story.sandbox.requests().length - before).toBe(1 + LISTS_OF_RECOVERY);
  });

  it("is sent when two lists are without it", async () => {
    await diesInCreate(ATTRIBUTES, { carriedOut: false });
    const next = await (await story.start()).create(ATTRIBUTES);
    expect(next.said).toEqual([]);
    expect(story.live()).toEqual([idOf(next)]);
  });

  it("is found for what it was, and not returned for one with another secret", async () => {
    await diesInCreate(ATTRIBUTES);
    const provider = await story.start();
    for (let round = 0; round < 2; round++) {
      expect(await provider.create({ ...ATTRIBUTES, secret: "other" })).toMatchObject({
        state: null,
        said: ["error: An earlier run already created such a webhook"],
      });
    }
    expect(story.posts()).toBe(1);
  });

  it("is found for what it was, before another is created that looks the same in the list", async () => {
    story.sandbox.configure({ profile: { fields: { type: "omitted", campaignId: "omitted" } } });
    await diesInCreate(ATTRIBUTES);
    const provider = await story.start();
    const other = await provider.create({ target_url: URL_A, type: "emailsSent" });
    expect(other.said).toEqual([]);
    const same = await provider.create(ATTRIBUTES);
    expect(same.said).toEqual([TAKEN]);
    expect(story.live().toSorted()).toEqual([idOf(other), idOf(same)].toSorted());
    expect(story.posts()).toBe(2);
  });

  it("stays open, and nothing is sent, when the list shows more than it can have made", async () => {
    await diesInCreate(ATTRIBUTES);
    const { _id: foreign } = story.sandbox.add("webhooks", { targetUrl: URL_A, type: "emailsReplied" });
    const next = await (await story.start()).create(ATTRIBUTES);
    expect(next).toMatchObject({ state: null, said: ["error: The outcome of an earlier create is undecided"] });
    for (const id of story.live()) expect(next.diagnostics[0]?.detail).toContain(id);
    expect(next.diagnostics[0]?.detail).toContain("import {");
    expect(story.posts()).toBe(1);
    story.sandbox.remove("webhooks", foreign);
    const later = await (await story.start()).create(ATTRIBUTES);
    expect([[idOf(later)], later.said]).toEqual([story.live(), [TAKEN]]);
  });

  it.each([
    [
      "cannot be read",
      () =>
        story.sandbox.addFault({
          method: "GET",
          action: { kind: "answer", status: 400, body: "Bad team" },
          times: null,
          skip: 1,
        }),
    ],
    ["may be cut off", () => cutOff()],
  ])("stays open, and nothing is sent, when the list %s", async (_what, spoil) => {
    await diesInCreate(ATTRIBUTES, { carriedOut: false });
    spoil();
    const next = await (await story.start()).create(ATTRIBUTES);
    expect(next).toMatchObject({ state: null, said: ["error: The outcome of an earlier create is undecided"] });
    expect(story.posts()).toBe(1);
    story.sandbox.clearFaults();
    story.sandbox.configure({ profile: { offset: true } });
    expect((await (await story.start()).create(ATTRIBUTES)).said).toEqual([]);
  });

  it("waits until a late list shows it", async () => {
    story.sandbox.configure({ profile: { staleMs: 40 } });
    await diesInCreate(ATTRIBUTES);
    const next = await (await story.start()).create(ATTRIBUTES);
    expect([[idOf(next)], next.said]).toEqual([story.live(), [TAKEN]]);
  });

  it("was there before: an object of somebody else is not taken for it", async () => {
    const { _id: foreign } = story.sandbox.add("webhooks", { targetUrl: URL_A, type: "emailsReplied" });
    const attributes = { ...ATTRIBUTES, allow_duplicate: true };
    const provider = await story.start();
    story.sandbox.addFault({ method: "POST", action: { kind: "drop" } });
    const created = await provider.create(attributes);
    expect(created.said).toEqual(["warning: A webhook was sent again"]);
    expect(idOf(created)).not.toBe(foreign);
  });

  it("is not taken for what a plan has seen to be managed, and which looks the same in the list", async () => {
    story.sandbox.configure({ profile: { fields: { campaignId: "omitted" } } });
    const attributes = { ...ATTRIBUTES, campaign_id: "cam_000001", allow_duplicate: true };
    await diesInCreate(attributes, { carriedOut: false });
    const { _id: managed } = story.sandbox.add("webhooks", { targetUrl: URL_A, type: "emailsReplied" });
    const planning = await story.start();
    await planning.read({
      state: webhook({ id: managed, target_url: URL_A, type: "emailsReplied" }),
      private: NO_BYTES,
    });
    await planning.plan(null, attributes);
    await planning.shutdown();
    const created = await (await story.start()).create(attributes);
    expect(created.said).toEqual([]);
    expect(story.live().toSorted()).toEqual([managed, idOf(created)].toSorted());
  });

  it("is over once what it made is imported", async () => {
    await diesInCreate(ATTRIBUTES);
    const [id = ""] = story.live();
    const importing = await story.start();
    await importing.import(id);
    await importing.shutdown();
    expect(story.creates()).toEqual([]);
  });

  it("is found by the next even if the one that looked was killed as well", async () => {
    await diesInCreate(ATTRIBUTES);
    const second = await story.start({ variables: { OUTREACH_SETTLE: "10s" } });
    second.create(ATTRIBUTES).catch(() => undefined);
    await delay(200);
    await second.kill();
    const next = await (await story.start()).create(ATTRIBUTES);
    expect([[idOf(next)], next.said]).toEqual([story.live(), [TAKEN]]);
  });
});

describe("another process that still runs", () => {
  it("keeps its journal, and what it has created is nobody else's", async () => {
    const running = await story.start({ pid: 2001 });
    await running.create(ATTRIBUTES);
    const next = await story.start({ pid: 2002, livingPids: [2001] });
    expect((await next.create(ATTRIBUTES)).said).toEqual(["error: The same webhook is declared twice"]);
    story.sandbox.addFault({ method: "POST", action: { kind: "drop" }, when: "after" });
    const duplicate = await next.create({ ...ATTRIBUTES, allow_duplicate: true });
    expect(duplicate.said).toEqual(["warning: A webhook was created, although its answer was lost"]);
    expect(Object.values(story.ledger().processes).map(({ pid }) => pid)).toEqual([2001, 2002]);
  });
});

describe("the journal of another scope", () => {
  const elsewhere: readonly [string, () => Parameters<typeof story.start>[0], RegExp][] = [
    ["workspace", () => ({ variables: { TF_WORKSPACE: "staging" } }), /the workspace "default"/],
    [
      "service",
      () => ({ baseUrl: story.sandbox.baseUrl.replace("127.0.0.1", "localhost") }),
      /the service at http:\/\/127\.0\.0\.1/,
    ],
  ];
  it.each(elsewhere)("of another %s is reported, and left alone", async (_what, options, words) => {
    await diesInCreate(ATTRIBUTES, { carriedOut: false });
    const creates = story.creates();
    const other = await story.start(options());
    expect(other.greeting).toEqual(["warning: The outcome of earlier writes is not known yet"]);
    expect(other.greetings[0]?.detail).toMatch(words);
    expect((await other.create(ATTRIBUTES)).said).toEqual([]);
    await other.shutdown();
    expect(story.creates()).toEqual(expect.arrayContaining([...creates]));
  });

  it("of another key stops the same create: its list proves nothing", async () => {
    await diesInCreate(ATTRIBUTES, { carriedOut: false });
    const other = await story.start({ apiKey: story.sandbox.keys.sameTeam });
    expect(other.greetings[0]?.detail).toContain("another API key");
    expect(await other.create(ATTRIBUTES)).toMatchObject({
      state: null,
      said: ["error: The outcome of an earlier create is undecided"],
    });
    expect((await other.create({ target_url: "https://b.example.com/" })).said).toEqual([]);
  });

  it("what was made there is not taken", async () => {
    const id = await diesAfterCreate(ATTRIBUTES);
    const other = await story.start({ variables: { TF_WORKSPACE: "staging" } });
    const created = await other.create(ATTRIBUTES);
    expect(created.said).toEqual(["error: An identical unmanaged webhook exists"]);
    expect(created.diagnostics[0]?.detail).toContain(id);
  });
});

function cutOff(): void {
  for (let index = 0; index < 10; index++)
    story.sandbox.add("webhooks", { targetUrl: `https://example.com/${String(index)}` });
  story.sandbox.configure({ profile: { offset: false } });
}
