import { describe, expect, it } from "vitest";
import type { Fault, FaultAction } from "../../../../src/sandbox/faults.ts";
import { SETTLE_MS } from "../provider-under-test.ts";
import { URL_A, idOf, journalStory } from "./story.ts";

const story = journalStory();
const ATTRIBUTES = { target_url: URL_A, type: "emailsReplied", secret: "s3cret" };
const REFUSED = "error: The service refused the request";
const CREATED = "warning: A webhook was created, although the answer says otherwise";
const APPEARED = "warning: A webhook has appeared late";
const DUPLICATE = "error: An identical unmanaged webhook exists";

const REJECTIONS: readonly (readonly [string, FaultAction, string])[] = [
  ["a plain 400", { kind: "answer", status: 400, body: "Invalid type" }, "POST /hooks: 400 Invalid type."],
  ["a 422", { kind: "answer", status: 422, body: "Not a receiver" }, "POST /hooks: 422 Not a receiver."],
  ["a gateway's page", { kind: "html", status: 404 }, "POST /hooks: 404 an HTML page, as a gateway sends it."],
];
const CONFLICT: FaultAction = { kind: "answer", status: 409, body: "Conflict" };

const onPost = (action: FaultAction, more: Partial<Fault> = {}): string =>
  story.sandbox.addFault({ method: "POST", action, ...more });
const lost = () => story.ledger().scopes.flatMap(({ lostCreates }) => Object.values(lostCreates));

describe("a create that the service rejects", () => {
  it.each(REJECTIONS)(
    "by %s is an error in the service's words: Terraform records nothing, and the journal remembers it",
    async (_, action, words) => {
      onPost(action);
      const provider = await story.start();
      const created = await provider.create(ATTRIBUTES);
      expect([created.state, created.said, created.diagnostics[0]?.detail.startsWith(words)]).toEqual([
        null,
        [REFUSED],
        true,
      ]);
      expect(story.posts()).toBe(1);
      expect(lost()).toMatchObject([{ key: { target_url: URL_A }, rejected: {} }]);
      // The next one waits out the listing delay.
      const again = await provider.create(ATTRIBUTES);
      expect([again.said, story.live()]).toEqual([[], [idOf(again)]]);
    },
  );

  it.each(REJECTIONS)("by %s although it carries it out is recorded", async (_, action) => {
    onPost(action, { when: "after" });
    const provider = await story.start();
    const created = await provider.create(ATTRIBUTES);
    expect([created.said, story.live(), story.posts()]).toEqual([[CREATED], [idOf(created)], 1]);
    await provider.shutdown();
    const next = await story.start();
    expect(await next.read(created)).toMatchObject({ state: { id: idOf(created) }, said: [] });
  });

  it("with 409 is never taken for carried out, and what has appeared is reported", async () => {
    onPost(CONFLICT, { when: "after" });
    const provider = await story.start();
    expect(await provider.create(ATTRIBUTES)).toMatchObject({
      state: null,
      said: expect.arrayContaining([REFUSED]) as string[],
    });
    await provider.shutdown();
    const next = await story.start();
    expect((await next.create(ATTRIBUTES)).said).toContain(DUPLICATE);
    expect([story.live().length, story.posts()]).toEqual([1, 1]);
  });

  it("is remembered when the list cannot be read", async () => {
    onPost({ kind: "answer", status: 400, body: "No" }, { when: "after" });
    const provider = await story.start();
    story.sandbox.addFault({ method: "GET", action: { kind: "answer", status: 403 }, skip: 1 });
    const created = await provider.create(ATTRIBUTES);
    expect([created.state, created.said]).toEqual([null, expect.arrayContaining([REFUSED])]);
    expect(created.diagnostics[0]?.detail).toContain("The service's list could not be read after that.");
    expect(lost()).toHaveLength(1);
  });

  it("behind a stale list is found by the next process, which sends nothing", async () => {
    story.sandbox.configure({ profile: { staleMs: SETTLE_MS / 2 } });
    onPost({ kind: "answer", status: 400, body: "No" }, { when: "after" });
    const provider = await story.start();
    expect(await provider.create(ATTRIBUTES)).toMatchObject({ state: null, said: [REFUSED] });
    await provider.shutdown();
    const next = await story.start({ variables: { OUTREACH_SETTLE: "3s" } });
    const created = await next.create(ATTRIBUTES);
    expect([created.said, story.live(), story.posts()]).toEqual([[CREATED], [idOf(created)], 1]);
  });

  it("behind a list that is stale for longer is reported when it appears", async () => {
    const STALE_MS = 10 * SETTLE_MS;
    story.sandbox.configure({ profile: { staleMs: STALE_MS } });
    onPost({ kind: "answer", status: 400, body: "No" }, { when: "after" });
    const provider = await story.start();
    await provider.create(ATTRIBUTES);
    await provider.shutdown();
    story.sandbox.configure({ profile: { staleMs: 0 } });
    const next = await story.start();
    const created = await next.create({ ...ATTRIBUTES, target_url: "https://b.example.com/hook" });
    expect(created.said).toEqual([APPEARED]);
  });
});

it("the id of another webhook in the answer to a create is an error that names the import", async () => {
  const { _id: id } = story.sandbox.add("webhooks", { targetUrl: "https://other.example.com/", type: "emailsSent" });
  onPost({ kind: "answer", status: 200, body: JSON.stringify({ _id: id, targetUrl: URL_A }) });
  const provider = await story.start();
  const created = await provider.create(ATTRIBUTES);
  expect([created.state, created.said]).toEqual([null, ["error: The service answered with another webhook"]]);
  expect(created.diagnostics[0]?.detail).toContain(`id = "${id}"`);
});
