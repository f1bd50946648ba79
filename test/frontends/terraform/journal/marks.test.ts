import { beforeEach, describe, expect, it } from "vitest";
import { splitMark } from "../../../../src/service/api/url-mark.ts";
import { webhook } from "../provider-under-test.ts";
import { URL_A, dying, idOf, journalStory } from "./story.ts";

const story = journalStory();
const ATTRIBUTES = { target_url: URL_A, type: "emailsReplied", secret: "s3cret" };
const FOUND = "warning: A webhook was created, although its answer was lost";
const SENT_AGAIN = "warning: A webhook was sent again";
const TAKEN = "warning: An earlier run already created this webhook";

const sentMarks = (): readonly (string | null)[] =>
  story.sandbox
    .requests()
    .flatMap(({ method, body }) =>
      method === "POST" ? [splitMark((body as { readonly targetUrl: string }).targetUrl).mark] : [],
    );
const privateOf = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes));

describe("a create with a mark", () => {
  it("keeps the declared target URL in the state, and the mark in the private bytes, also after a read", async () => {
    const provider = await story.start({ mark: true });
    const created = await provider.create(ATTRIBUTES);
    const [mark] = sentMarks();
    expect(created.state).toEqual(
      webhook({ ...ATTRIBUTES, id: idOf(created), created_at: created.state?.["created_at"] }),
    );
    expect(privateOf(created.private)).toMatchObject({ mark });
    const read = await provider.read(created);
    expect([read.state, privateOf(read.private)]).toEqual([created.state, expect.objectContaining({ mark })]);
    expect(story.sandbox.webhooks().map(({ targetUrl }) => targetUrl)).toEqual([`${URL_A}?outreach=${String(mark)}`]);
  });

  it("is found by it, although somebody else has made an identical one meanwhile", async () => {
    const provider = await story.start({ mark: true });
    story.sandbox.addFault({ method: "POST", action: { kind: "drop" }, when: "after" });
    const { _id: foreign } = story.sandbox.add("webhooks", { targetUrl: "https://b.example.com/" });
    story.sandbox.addFault({
      method: "GET",
      action: { kind: "answer" },
      where: () => {
        if (story.sandbox.webhooks().length === 2)
          story.sandbox.add("webhooks", { targetUrl: URL_A, type: "emailsReplied" });
        return false;
      },
    });
    const created = await provider.create(ATTRIBUTES);
    expect(created.said[0]).toBe(FOUND);
    expect(splitMark(story.sandbox.webhooks().find(({ _id }) => _id === idOf(created))?.targetUrl ?? "").mark).toBe(
      sentMarks()[0],
    );
    expect([story.posts(), story.live().includes(foreign)]).toEqual([1, true]);
  });

  it("is sent again with the same one when it was not carried out", async () => {
    story.sandbox.addFault({ method: "POST", action: { kind: "drop" } });
    const created = await (await story.start({ mark: true })).create(ATTRIBUTES);
    const [first, second, ...others] = sentMarks();
    expect([created.said, others, first === second, story.live()]).toEqual([[SENT_AGAIN], [], true, [idOf(created)]]);
  });

  it("that was given up, and whose mark an object has by now, does not lend it to another one", async () => {
    const first = await story.start({ mark: true });
    story.sandbox.addFault({ method: "POST", action: { kind: "drop" } });
    const created = await first.create({ ...ATTRIBUTES, allow_duplicate: true });
    await first.shutdown();
    story.sandbox.configure({ choices: { uniqueTargetUrl: true } });
    const next = await story.start({ mark: true });
    await next.read(created);
    const second = await next.create({ ...ATTRIBUTES, allow_duplicate: true });
    expect([second.said, story.live().length]).toEqual([[], 2]);
    expect(new Set(sentMarks()).size).toBe(2);
  });

  it("of a killed process is found by the next one, and taken", async () => {
    const killed = await story.start({ mark: true });
    story.sandbox.addFault({ method: "POST", action: { kind: "drop" }, when: "after", where: dying(killed) });
    await killed.create(ATTRIBUTES).catch(() => undefined);
    const created = await (await story.start({ mark: true })).create(ATTRIBUTES);
    expect([created.said, story.posts(), story.live()]).toEqual([[TAKEN], 1, [idOf(created)]]);
    expect(privateOf(created.private)).toMatchObject({ mark: sentMarks()[0] });
  });
});

describe("on a service with one webhook a URL", () => {
  beforeEach(() => story.sandbox.configure({ choices: { uniqueTargetUrl: true } }));

  it("two marked webhooks share a target URL, in the plan and at the service", async () => {
    const first = await story.start();
    await first.create({ target_url: URL_A, type: "emailsSent" });
    expect((await first.create({ target_url: URL_A, type: "emailsOpened" })).state).toBeNull();
    await first.shutdown();
    const provider = await story.start({ mark: true });
    for (const type of ["emailsReplied", "emailsBounced"]) {
      expect((await provider.plan(null, { ...ATTRIBUTES, type })).said).toEqual([]);
      expect((await provider.create({ ...ATTRIBUTES, type })).said).toEqual([]);
    }
    expect(story.live()).toHaveLength(3);
  });
});
