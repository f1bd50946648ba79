import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type Json, type Kept, NO_BYTES, plain, value, webhook } from "../provider-under-test.ts";
import { URL_A, idOf, journalStory } from "./story.ts";

const story = journalStory();
const ATTRIBUTES: Json = { target_url: URL_A, type: "emailsReplied", secret: "s3cret" };
const UNDECIDED = "error: The outcome of a write is undecided";
const STILL = "The outcome of an earlier create is undecided";

/** An object without an id: the list could not be read when it was looked for. */
async function undecided({ carriedOut = true, attributes = ATTRIBUTES } = {}): Promise<Kept> {
  const provider = await story.start();
  await provider.create({ target_url: "https://first.example.com/" });
  story.sandbox.addFault({ method: "POST", action: { kind: "drop" }, ...(carriedOut ? { when: "after" } : {}) });
  story.sandbox.addFault({ method: "GET", action: { kind: "answer", status: 400, body: "Bad team" }, times: null });
  const created = await provider.create(attributes);
  expect(created.said).toEqual([UNDECIDED]);
  expect(created.state).toEqual(webhook({ ...attributes, id: null }));
  await provider.kill();
  story.sandbox.clearFaults();
  return created;
}

function ours(): readonly string[] {
  return story.sandbox.webhooks().flatMap(({ _id, targetUrl }) => (targetUrl === URL_A ? [_id] : []));
}

describe("an object without an id", () => {
  const left = undecided;

  it("gets its id by a read, when it was created", async () => {
    const kept = await left();
    const provider = await story.start();
    const read = await provider.read(kept);
    expect(read.said).toEqual(["warning: A webhook was created, although its answer was lost"]);
    expect(read.state).toMatchObject({ ...ATTRIBUTES, id: ours()[0] });
    expect((await provider.read(read)).said).toEqual([]);
    expect((await provider.read(kept)).state).toEqual(read.state);
  });

  it("gets its id by the next read too, when a plan that found it was not applied", async () => {
    const kept = await left();
    const planning = await story.start();
    await planning.read(kept);
    await planning.plan(null, ATTRIBUTES);
    await planning.shutdown();
    expect((await (await story.start()).read(kept)).state).toMatchObject({ ...ATTRIBUTES, id: ours()[0] });
  });

  it("is gone after a read, when it was not created", async () => {
    const kept = await left({ carriedOut: false });
    expect(await (await story.start()).read(kept)).toMatchObject({ state: null, said: [] });
  });

  it("is kept by a read, with a warning that names what it could be, while that is open", async () => {
    const kept = await left();
    const { _id: foreign } = story.sandbox.add("webhooks", { targetUrl: URL_A, type: "emailsReplied" });
    const provider = await story.start();
    const { diagnostics, newState } = await provider.rpc.readResource({
      typeName: "outreach_webhook",
      currentState: value(kept.state),
      private: kept.private,
      clientCapabilities: undefined,
    });
    expect(plain(newState)).toEqual(kept.state);
    expect(diagnostics.map(({ summary }) => summary)).toEqual([STILL]);
    for (const id of [foreign, ...ours()]) expect(diagnostics[0]?.detail).toContain(id);
    expect(diagnostics[0]?.detail).toMatch(/terraform state rm[^]*import \{/);
  });

  it("is kept by a read while the list cannot be read", async () => {
    const kept = await left();
    story.sandbox.addFault({ method: "GET", action: { kind: "answer", status: 400, body: "Bad team" }, times: null });
    expect(await (await story.start()).read(kept)).toMatchObject({
      state: kept.state,
      said: [`warning: ${STILL}`],
      private: kept.private,
    });
  });

  it("is reported with the way that loses nothing first", async () => {
    const kept = await left();
    story.sandbox.addFault({ method: "GET", action: { kind: "answer", status: 400, body: "Bad team" }, times: null });
    const currentState = value(kept.state);
    const given = { typeName: "outreach_webhook", currentState, private: kept.private, clientCapabilities: undefined };
    const { diagnostics } = await (await story.start()).rpc.readResource(given);
    expect(diagnostics[0]?.detail).toMatch(
      /Run terraform plan, which looks for it\.[^]*terraform untaint outreach_webhook\.NAME[^]*terraform state rm/,
    );
  });

  it("is deleted by its id, when it was created", async () => {
    const kept = await left();
    const deleted = await (await story.start()).delete(kept);
    expect(deleted).toMatchObject({ state: null, said: [] });
    expect(ours()).toEqual([]);
  });

  it("is deleted without a request, when it was not created", async () => {
    const kept = await left({ carriedOut: false });
    const before = story.sandbox.requests().length;
    expect(await (await story.start()).delete(kept)).toMatchObject({ state: null, said: [] });
    expect(
      story.sandbox
        .requests()
        .slice(before)
        .every(({ method }) => method === "GET"),
    ).toBe(true);
  });

  it("is not deleted while it is open what it is", async () => {
    const kept = await left();
    story.sandbox.add("webhooks", { targetUrl: URL_A, type: "emailsReplied" });
    expect(await (await story.start()).delete(kept)).toMatchObject({ state: kept.state, said: [`error: ${STILL}`] });
    expect(ours()).toHaveLength(2);
  });

  it("is replaced by one webhook, whatever became of it", async () => {
    for (const carriedOut of [true, false]) {
      const kept = await left({ carriedOut });
      const provider = await story.start();
      expect((await provider.delete(kept)).said).toEqual([]);
      const created = await provider.create(ATTRIBUTES);
      expect(created.said).toEqual([]);
      expect(ours()).toEqual([idOf(created)]);
      await provider.delete(created);
      await provider.shutdown();
    }
  });

  it("of another key or address is left as it is, with an error", async () => {
    const kept = await left();
    const elsewhere = { baseUrl: story.sandbox.baseUrl.replace("127.0.0.1", "localhost") };
    for (const options of [{ apiKey: story.sandbox.keys.otherTeam }, elsewhere]) {
      const provider = await story.start(options);
      const error = ["error: The webhook belongs to another service or key"];
      expect(await provider.read(kept)).toMatchObject({ state: kept.state, said: error });
      expect(await provider.delete(kept)).toMatchObject({ state: kept.state, said: error });
    }
    expect(ours()).toHaveLength(1);
  });

  it("that turns up only after it was given up is reported once, and left alone", async () => {
    const kept = await left({ carriedOut: false });
    const provider = await story.start();
    expect((await provider.delete(kept)).state).toBeNull();
    const { _id: late } = story.sandbox.add("webhooks", { targetUrl: URL_A, type: "emailsReplied" });
    await provider.shutdown();
    const next = await story.start();
    const other = await next.create({ target_url: "https://b.example.com/" });
    expect(other.said).toEqual(["warning: A webhook has appeared late"]);
    expect(other.diagnostics[0]?.detail).toContain(late);
    expect((await next.create({ target_url: "https://c.example.com/" })).said).toEqual([]);
    expect(ours()).toEqual([late]);
  });
});

it("two that the list does not tell apart any more stay open: nobody knows which is which", async () => {
  story.sandbox.add("webhooks", { targetUrl: "https://other.example.com/", type: "emailsSent" });
  const provider = await story.start();
  await provider.create({ target_url: "https://first.example.com/", type: "emailsSent" });
  story.sandbox.addFault({ method: "POST", action: { kind: "drop" }, when: "after", times: 2 });
  story.sandbox.addFault({ method: "GET", action: { kind: "answer", status: 400, body: "Bad team" }, times: null });
  const kept = [await provider.create(ATTRIBUTES), await provider.create({ ...ATTRIBUTES, type: "emailsSent" })];
  expect(kept.map(({ said }) => said)).toEqual([[UNDECIDED], [UNDECIDED]]);
  await provider.kill();
  story.sandbox.clearFaults();
  story.sandbox.configure({ profile: { fields: { type: "omitted" } } });
  const next = await story.start();
  const read = await Promise.all(kept.map((one) => next.read(one)));
  expect(read.map(({ said }) => said)).toEqual([[`warning: ${STILL}`], [`warning: ${STILL}`]]);
});

it("an interrupted wait leaves it without an id, and the next apply finds it", async () => {
  const provider = await story.start({ variables: { OUTREACH_SETTLE: "60s" } });
  story.sandbox.addFault({ method: "POST", action: { kind: "drop" }, when: "after" });
  const creating = provider.create(ATTRIBUTES);
  while (story.live().length === 0) await delay(5);
  await delay(50);
  await provider.rpc.stopProvider({});
  const created = await creating;
  expect(created.said).toEqual([UNDECIDED]);
  expect(created.diagnostics[0]?.detail).toContain("interrupted");
  await provider.shutdown();
  expect((await (await story.start()).read(created)).state?.["id"]).toBe(story.live()[0]);
});

it("its create, wanted at another address, is given there, and it is gone itself", async () => {
  const kept = await undecided();
  const provider = await story.start();
  const elsewhere = await provider.create(ATTRIBUTES);
  expect(elsewhere.said).toEqual(["warning: An earlier run already created this webhook"]);
  expect(await provider.delete(kept)).toMatchObject({ state: null, said: [] });
  expect(ours()).toEqual([idOf(elsewhere)]);
});

it("that a plan has found, and Terraform has not stored, is not dropped without a look", async () => {
  const kept = await undecided();
  const planning = await story.start();
  expect(idOf(await planning.read(kept))).toBe(ours()[0]);
  await planning.shutdown();
  const applying = await story.start();
  // As Terraform replaces a tainted object that it has not refreshed: without what is stored with it.
  expect(await applying.delete({ ...kept, private: NO_BYTES })).toMatchObject({
    state: kept.state,
    said: [`error: ${STILL}`],
  });
  expect(ours()).toHaveLength(1);
});
