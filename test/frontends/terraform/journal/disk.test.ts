import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { FileSystem } from "../../../../src/core/model/ports.ts";
import { URL_A, dying, idOf, journalStory } from "./story.ts";

const story = journalStory();
const ATTRIBUTES = { target_url: URL_A, secret: "s3cret" };
const NOT_STORED = "error: The journal could not be written";

type Operation = "createExclusively" | "link" | "makeFolder" | "rename";

/** A disk on which one kind of call goes wrong: the n-th (from 0) and all later ones, or only that one. */
function failing(
  operation: Operation,
  code: string,
  { from = 0, once = false } = {},
): (files: FileSystem) => FileSystem {
  let count = -1;
  return (files) => {
    const call = files[operation] as (...args: unknown[]) => Promise<unknown>;
    const failed = (): Promise<never> => Promise.reject(Object.assign(new Error(`${code}: no such luck`), { code }));
    return {
      ...files,
      [operation]: (...args: unknown[]) => (++count === from || (count > from && !once) ? failed() : call(...args)),
    };
  };
}

/** A write of the ledger moves a copy of the one before it, if there is one, and then the new one to their places. */
const AFTER_THE_INTENT = 1;
const AFTER_THE_ANSWER = 3;

describe("a disk that fails", () => {
  it.each([
    ["the folder cannot be made", "makeFolder", "EACCES"],
    ["the ledger cannot be locked", "link", "EIO"],
    ["the ledger cannot be written", "createExclusively", "ENOSPC"],
  ] as const)("before the intent is stored: nothing is sent (%s)", async (_what, operation, code) => {
    const provider = await story.start({ files: failing(operation, code) });
    expect(await provider.create(ATTRIBUTES)).toMatchObject({ state: null, said: [NOT_STORED] });
    expect(story.posts()).toBe(0);
  });

  it("as the intent is stored: nothing is sent, and nothing is sent after it", async () => {
    const provider = await story.start({ files: failing("rename", "EIO") });
    expect(await provider.create(ATTRIBUTES)).toMatchObject({ state: null, said: [NOT_STORED] });
    expect(await provider.create({ target_url: "https://b.example.com/" })).toMatchObject({
      state: null,
      said: [NOT_STORED],
    });
    expect(story.posts()).toBe(0);
  });

  it("once, as the intent is stored: nothing is sent, and the next create leaves no record of it", async () => {
    const provider = await story.start({ files: failing("rename", "EIO", { once: true }) });
    expect(await provider.create(ATTRIBUTES)).toMatchObject({ state: null, said: [NOT_STORED] });
    const created = await provider.create({ target_url: "https://b.example.com/" });
    expect(created.said).toEqual([]);
    expect(story.live()).toEqual([idOf(created)]);
    expect(story.creates().map(({ outcome }) => outcome.kind)).toEqual(["made"]);
  });

  it("once, after the answer: the next write stores it", async () => {
    const provider = await story.start({ files: failing("rename", "EIO", { from: AFTER_THE_INTENT, once: true }) });
    expect((await provider.create(ATTRIBUTES)).said).toEqual(["warning: The journal could not be written"]);
    expect((await provider.create({ target_url: "https://b.example.com/" })).said).toEqual([]);
    expect(story.creates().map(({ outcome }) => outcome.kind)).toEqual(["made", "made"]);
  });

  it("after the answer: the object is returned with a warning, nothing more is created, and the next process finds it", async () => {
    const provider = await story.start({ files: failing("rename", "ENOSPC", { from: AFTER_THE_INTENT }) });
    const created = await provider.create(ATTRIBUTES);
    expect(created.said).toEqual(["warning: The journal could not be written"]);
    expect(story.live()).toEqual([idOf(created)]);
    expect(await provider.create({ target_url: "https://b.example.com/" })).toMatchObject({
      state: null,
      said: [NOT_STORED],
    });
    await provider.kill();
    const next = await story.start();
    expect(idOf(await next.create(ATTRIBUTES))).toBe(idOf(created));
    expect(story.posts()).toBe(1);
  });

  it("after the answer: another that looks the same in the list is not taken for it", async () => {
    story.sandbox.configure({ profile: { fields: { campaignId: "omitted" } } });
    const provider = await story.start({ files: failing("rename", "ENOSPC", { from: AFTER_THE_INTENT }) });
    const created = await provider.create({ ...ATTRIBUTES, campaign_id: "cam_000001" });
    expect(story.live()).toEqual([idOf(created)]);
    // Whether it could be looked for or not.
    for (const times of [0, null]) {
      if (times === null)
        story.sandbox.addFault({ method: "GET", action: { kind: "answer", status: 400, body: "Bad team" }, times });
      expect(await provider.create(ATTRIBUTES)).toMatchObject({ state: null, said: [NOT_STORED] });
    }
    expect(story.posts()).toBe(1);
  });

  it("while the outcome of an earlier create is stored: nothing is sent, and the next process finds it", async () => {
    const first = await story.start();
    story.sandbox.addFault({ method: "POST", action: { kind: "drop" }, when: "after", where: dying(first) });
    first.create(ATTRIBUTES).catch(() => undefined);
    while (story.live().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const second = await story.start({ files: failing("rename", "ENOSPC") });
    for (let times = 0; times < 2; times++)
      expect(await second.create(ATTRIBUTES)).toMatchObject({ state: null, said: [NOT_STORED] });
    await second.kill();
    const third = await story.start();
    expect([idOf(await third.create(ATTRIBUTES))]).toEqual(story.live());
    expect(story.posts()).toBe(1);
  });

  it("as a create is given up: it is not sent again, and not said to be unsent; the next process looks for it", async () => {
    const provider = await story.start({ files: failing("rename", "ENOSPC", { from: AFTER_THE_ANSWER }) });
    story.sandbox.addFault({ method: "POST", action: { kind: "drop" } });
    const created = await provider.create(ATTRIBUTES);
    expect(created.said).toEqual(["error: The outcome of a write is undecided"]);
    expect(created.diagnostics[0]?.detail).toContain("ENOSPC");
    expect(story.posts()).toBe(1);
    await provider.kill();
    const next = await story.start();
    expect((await next.read(created)).state).toBeNull();
    expect((await next.create(ATTRIBUTES)).said).toEqual([]);
    expect([story.posts(), story.live().length]).toEqual([2, 1]);
  });

  it("that cannot be read: what was made only just now, and is not listed yet, does not count as gone", async () => {
    story.sandbox.configure({ profile: { staleMs: 300 } });
    const provider = await story.start();
    const created = await provider.create(ATTRIBUTES);
    await provider.shutdown();
    const files = (all: FileSystem): FileSystem => ({
      ...all,
      read: (path, options) =>
        path.endsWith("ledger.json") ? Promise.reject(new Error("EIO: no such luck")) : all.read(path, options),
    });
    const blind = await story.start({ files, variables: { OUTREACH_SETTLE: "600ms" } });
    expect(blind.greeting).toEqual(["warning: The journal cannot be read"]);
    expect((await blind.read(created)).state).toEqual(created.state);
  });

  it.each([
    ["a changed value", (text: string) => text.replace('"kind":"intent"', '"kind":"intend"')],
    ["a part of the ledger", (text: string) => text.slice(0, -20)],
    ["a newer format", (text: string) => text.replace('"journal":1', '"journal":2')],
    ["another document", () => '{"format":3,"serial":1}'],
  ])("and has %s: that is reported, reads go on, and nothing is created before it is fixed", async (_what, spoil) => {
    const provider = await story.start();
    const created = await provider.create(ATTRIBUTES);
    await provider.kill();
    const spoilt = spoil(readFileSync(`${story.folder}/ledger.json`, "utf8"));
    writeFileSync(`${story.folder}/ledger.json`, spoilt);
    const next = await story.start();
    expect(next.greeting).toEqual(["warning: The journal cannot be read"]);
    expect((await next.read(created)).said).toEqual([]);
    expect(await next.create({ target_url: "https://b.example.com/" })).toMatchObject({
      state: null,
      said: ["error: The journal cannot be read"],
    });
    await next.shutdown();
    expect(story.posts()).toBe(1);
    expect(readFileSync(`${story.folder}/ledger.json`, "utf8")).toBe(spoilt);
  });
});
