import { describe, expect, it } from "vitest";
import type { Fault } from "../../../../src/sandbox/faults.ts";
import { webhook } from "../provider-under-test.ts";
import { URL_A, idOf, journalStory } from "./story.ts";

const story = journalStory();
const ATTRIBUTES = { target_url: URL_A, type: "emailsReplied", secret: "s3cret" };
const FOUND = "warning: A webhook was created, although its answer was lost";
const SENT_AGAIN = "warning: A webhook was sent again";
const UNDECIDED = "error: The outcome of a write is undecided";

const CARRIED_OUT: readonly [string, Fault][] = [
  ["the connection ends after it", { action: { kind: "drop" }, when: "after" }],
  ["the answer is reset half-way", { action: { kind: "reset" }, when: "after" }],
  ["500 follows it", { action: { kind: "answer", status: 500 }, when: "after" }],
  ["an HTML page of 502 follows it", { action: { kind: "html", status: 502 }, when: "after" }],
  [
    "503 with Retry-After follows it",
    { action: { kind: "answer", status: 503, headers: { "retry-after": "1" } }, when: "after" },
  ],
  ["the answer is cut off", { action: { kind: "truncate" }, when: "after" }],
  ["an HTML page of 200 follows it", { action: { kind: "html", status: 200 }, when: "after" }],
  ["the answer has no id", { action: { kind: "answer", status: 200, body: "{}" }, when: "after" }],
  [
    "it is redirected",
    { action: { kind: "answer", status: 307, headers: { location: "https://elsewhere.example.com/" } }, when: "after" },
  ],
];

const NOT_CARRIED_OUT: readonly [string, Fault][] = [
  ["the connection ends before it", { action: { kind: "drop" } }],
  ["500 comes in its place", { action: { kind: "answer", status: 500 } }],
  ["503 comes in its place", { action: { kind: "answer", status: 503 } }],
  ["a page of a proxy comes in its place", { action: { kind: "html" } }],
];

describe("a create whose answer is lost", () => {
  it.each(CARRIED_OUT)("is found in the list when it was carried out: %s", async (_what, fault) => {
    story.sandbox.addFault({ method: "POST", ...fault });
    const provider = await story.start();
    const created = await provider.create(ATTRIBUTES);
    expect(created.said).toEqual([FOUND]);
    expect(story.live()).toEqual([idOf(created)]);
    expect(created.state).toEqual(
      webhook({ ...ATTRIBUTES, id: idOf(created), created_at: created.state?.["created_at"] }),
    );
    expect(story.posts()).toBe(1);
  });

  it.each(NOT_CARRIED_OUT)("is sent once more when two lists are without it: %s", async (_what, fault) => {
    story.sandbox.addFault({ method: "POST", ...fault });
    const provider = await story.start();
    const created = await provider.create(ATTRIBUTES);
    expect(created.said).toEqual([SENT_AGAIN]);
    expect(story.live()).toEqual([idOf(created)]);
    expect(story.posts()).toBe(2);
  });

  it("is sent once more only: a second answer that is lost leaves it undecided", async () => {
    story.sandbox.addFault({ method: "POST", action: { kind: "drop" }, times: 2 });
    const provider = await story.start();
    const created = await provider.create(ATTRIBUTES);
    expect(created.said).toEqual([UNDECIDED]);
    expect(created.state).toEqual(webhook({ ...ATTRIBUTES, id: null }));
    expect(story.posts()).toBe(2);
  });

  it("is not sent again when the service refuses it for certain", async () => {
    const provider = await story.start();
    const created = await provider.create({ target_url: URL_A, campaign_id: "cam_000101" });
    expect(created).toMatchObject({ state: null, said: ["error: The service refused the request"] });
    expect(story.posts()).toBe(1);
  });
});
