import { renameSync, rmSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type Kept, NO_BYTES } from "../provider-under-test.ts";
import { URL_A, idOf, journalStory } from "./story.ts";

const story = journalStory();
const ATTRIBUTES = { target_url: URL_A, type: "emailsReplied", secret: "s3cret" };
const NOT_HERE = "warning: The journal of an earlier run is not here";
const UNDECIDED = "error: The outcome of an earlier create is undecided";

/** An object without an id, by a run whose disk is gone. */
async function left({ carriedOut = true, lost = () => rmSync(story.folder, { recursive: true }) } = {}): Promise<Kept> {
  const provider = await story.start();
  story.sandbox.addFault({ method: "POST", action: { kind: "drop" }, ...(carriedOut ? { when: "after" } : {}) });
  story.sandbox.addFault({
    method: "GET",
    action: { kind: "answer", status: 400, body: "Bad team" },
    times: null,
    skip: 1,
  });
  const created = await provider.create(ATTRIBUTES);
  expect(created.state?.["id"]).toBeNull();
  await provider.kill();
  story.sandbox.clearFaults();
  lost();
  return created;
}

function writes(): number {
  return story.sandbox.requests().filter(({ method }) => method !== "GET").length;
}

describe("an object without an id, whose journal is gone", () => {
  it("is kept by a read, with a warning that says how to prevent it and how to go on", async () => {
    const kept = await left();
    const read = await (await story.start()).read(kept);
    expect(read).toMatchObject({ state: kept.state, private: kept.private, said: [NOT_HERE] });
    const { detail } = read.diagnostics[0] ?? {};
    expect(detail).toContain(story.folder);
    expect(detail).toMatch(/OUTREACH_JOURNAL[^]*state store[^]*terraform state rm outreach_webhook\.NAME[^]*import \{/);
  });

  it.each([
    ["with its private data", false],
    ["as Terraform replaces a tainted one, without it", true],
  ])("is not deleted while an identical webhook is live that may be it: %s", async (_how, isReplace) => {
    const kept = await left();
    const next = await story.start();
    const deleted = await next.delete(isReplace ? { ...kept, private: NO_BYTES } : kept);
    expect(deleted).toMatchObject({ state: kept.state, said: [UNDECIDED] });
    expect(deleted.diagnostics[0]?.detail).toMatch(
      new RegExp(`terraform state rm[^]*id = "${String(story.live()[0])}"`),
    );
    expect(writes()).toBe(1);
  });

  it("is still reported by every plan after a replace that failed", async () => {
    const kept = await left();
    const next = await story.start();
    const failed = await next.delete({ ...kept, private: NO_BYTES });
    expect(await next.read(failed)).toMatchObject({ state: kept.state, said: [NOT_HERE] });
  });

  it("can be recorded after such a replace, once the journal is back", async () => {
    const kept = await left({ lost: () => renameSync(story.folder, `${story.folder}.away`) });
    const next = await story.start();
    const failed = await next.delete({ ...kept, private: NO_BYTES });
    await next.shutdown();
    rmSync(story.folder, { recursive: true, force: true });
    renameSync(`${story.folder}.away`, story.folder);
    const back = await story.start();
    const read = await back.read(failed);
    expect([read.state, read.said]).toEqual([kept.state, ["warning: The outcome of an earlier create is undecided"]]);
    expect(read.diagnostics[0]?.detail).toContain("terraform state rm outreach_webhook.NAME");
    expect([idOf(await back.create(ATTRIBUTES)), writes()]).toEqual([story.live()[0], 1]);
  });

  it("is deleted without a request when two lists show none, and is replaced by one", async () => {
    const kept = await left({ carriedOut: false });
    const next = await story.start();
    expect(await next.delete({ ...kept, private: NO_BYTES })).toMatchObject({ state: null, said: [] });
    expect(writes()).toBe(1);
    const created = await next.create(ATTRIBUTES);
    expect([created.said, story.live()]).toEqual([[], [idOf(created)]]);
  });

  it("is deleted when the only identical one is managed", async () => {
    const kept = await left({ carriedOut: false });
    const { _id: id } = story.sandbox.add("webhooks", { targetUrl: URL_A, type: "emailsReplied" });
    const next = await story.start();
    await next.import(id);
    expect(await next.delete(kept)).toMatchObject({ state: null, said: [] });
    expect(story.live()).toEqual([id]);
  });

  it("is reported if it appears after it was deleted, by the next processes too", async () => {
    const kept = await left({ carriedOut: false });
    const next = await story.start();
    expect((await next.delete(kept)).state).toBeNull();
    await next.shutdown();
    const { _id: late } = story.sandbox.add("webhooks", { targetUrl: URL_A, type: "emailsReplied" });
    const other = await (await story.start()).create({ target_url: "https://b.example.com/" });
    expect(other.said).toEqual(["warning: A webhook has appeared late"]);
    expect(other.diagnostics[0]?.detail).toContain(late);
  });

  it("is looked for only when the list shows everything that was sent before", async () => {
    const kept = await left({ carriedOut: false });
    const next = await story.start({ variables: { OUTREACH_SETTLE: "600ms" } });
    const deleting = next.delete(kept);
    await delay(200);
    story.sandbox.add("webhooks", { targetUrl: URL_A, type: "emailsReplied" });
    expect(await deleting).toMatchObject({ state: kept.state, said: [UNDECIDED] });
  });

  it.each([
    [
      "cannot be read",
      () =>
        story.sandbox.addFault({
          method: "GET",
          action: { kind: "answer", status: 400, body: "Bad team" },
          times: null,
        }),
    ],
    ["may be cut off", () => cutOff()],
  ])("is not deleted while the list %s", async (_what, spoil) => {
    const kept = await left({ carriedOut: false });
    spoil();
    const deleted = await (await story.start()).delete(kept);
    expect(deleted).toMatchObject({ state: kept.state, private: kept.private });
    expect(deleted.diagnostics.map(({ severity }) => severity)).toEqual([1]);
  });

  it("of another key or address is left as it is, with an error", async () => {
    const kept = await left();
    const provider = await story.start({ apiKey: story.sandbox.keys.otherTeam });
    for (const answer of [await provider.read(kept), await provider.delete(kept)])
      expect(answer).toMatchObject({
        state: kept.state,
        said: ["error: The webhook belongs to another service or key"],
      });
  });

  it("with more in its private data, by a provider that kept a copy there, can be read", async () => {
    const kept = await left();
    const stored = JSON.parse(new TextDecoder().decode(kept.private)) as { readonly undecided: object };
    const more = {
      ...stored,
      undecided: {
        ...stored.undecided,
        key: { target_url: URL_A },
        preIds: [],
        cause: "reset",
        answered: false,
        lastAtMs: 1,
      },
    };
    const bytes = new TextEncoder().encode(JSON.stringify(more));
    expect((await (await story.start()).read({ ...kept, private: bytes })).said).toEqual([NOT_HERE]);
  });
});

function cutOff(): void {
  for (let index = 0; index < 10; index++)
    story.sandbox.add("webhooks", { targetUrl: `https://example.com/${String(index)}` });
  story.sandbox.configure({ profile: { offset: false } });
}

it("private data holds no more of an open create than its name in the journal", async () => {
  const provider = await story.start();
  story.sandbox.addFault({ method: "POST", action: { kind: "drop" }, times: 2 });
  const created = await provider.create(ATTRIBUTES);
  const { undecided } = JSON.parse(new TextDecoder().decode(created.private)) as { readonly undecided: object };
  expect(undecided).toEqual({ name: expect.any(String) as string });
  expect(Object.keys(story.ledger().scopes[0]?.creates ?? {})).toContain((undecided as { readonly name: string }).name);
});
