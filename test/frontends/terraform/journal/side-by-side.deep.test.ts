import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { URL_A, idOf, journalStory } from "./story.ts";

const story = journalStory();
const ATTRIBUTES = { target_url: URL_A, type: "emailsReplied", secret: "s3cret" };
const OTHER = { target_url: "https://b.example.com/" };
/** As long as a loaded machine may take. */
const PATIENT = { timeout: 20_000 };
const TAKEN = "warning: An earlier run already created this webhook";

describe("a process that Terraform has left behind still runs", () => {
  it("with the same create under way: what it makes is returned once it has ended", async () => {
    const living = [2001];
    const left = await story.start({ pid: 2001 });
    story.sandbox.addFault({ method: "POST", action: { kind: "late", delayMs: 600 } });
    const begun = left.create(ATTRIBUTES);
    await vi.waitFor(() => expect(story.posts()).toBe(1), PATIENT);
    const next = await story.start({ pid: 2002, livingPids: living });
    const created = next.create(ATTRIBUTES);
    const made = await begun;
    await left.shutdown({ wasOrderly: false });
    living.pop();
    expect([idOf(await created), (await created).said, story.posts()]).toEqual([idOf(made), [TAKEN], 1]);
  });

  it("with another create under way, which keeps it there: what it has made is returned once it has ended", async () => {
    const living = [2001];
    const left = await story.start({ pid: 2001 });
    const made = await left.create(ATTRIBUTES);
    story.sandbox.addFault({
      method: "POST",
      action: { kind: "answer", status: 429, headers: { "Retry-After": "4" } },
      times: 1,
    });
    const begun = left.create(OTHER);
    await vi.waitFor(() => expect(story.posts()).toBe(2), PATIENT);
    const next = await story.start({ pid: 2002, livingPids: living });
    const created = next.create(ATTRIBUTES);
    await begun;
    await left.shutdown({ wasOrderly: false });
    living.pop();
    expect([idOf(await created), (await created).said, story.live().length]).toEqual([idOf(made), [TAKEN], 2]);
  });

  it("has created it after this one has read the list, and ended before this one creates", async () => {
    const living = [2001];
    const left = await story.start({ pid: 2001 });
    const next = await story.start({ pid: 2002, livingPids: living });
    await next.create(OTHER);
    const made = await left.create(ATTRIBUTES);
    await left.shutdown({ wasOrderly: false });
    living.pop();
    const created = await next.create(ATTRIBUTES);
    expect([idOf(created), created.said, story.posts()]).toEqual([idOf(made), [TAKEN], 2]);
  });
});

it("a process that ends while another one reads the journal: what it made is returned", async () => {
  const ledger = `${story.folder}/ledger.json`;
  const left = await story.start({ pid: 2001 });
  story.sandbox.addFault({ method: "POST", action: { kind: "late", delayMs: 300 } });
  const begun = left.create(ATTRIBUTES);
  await vi.waitFor(() => expect(story.posts()).toBe(1), PATIENT);
  const open = readFileSync(ledger);
  const made = await begun;
  await left.shutdown({ wasOrderly: false });
  const released = readFileSync(ledger);
  writeFileSync(ledger, open);
  let looks = 0;
  // The second look is that of the create: the journal was read before.
  const includes = (): boolean => {
    if (++looks > 1) writeFileSync(ledger, released);
    return looks === 1;
  };
  const next = await story.start({ pid: 2002, livingPids: Object.assign([2001], { includes }) });
  const created = await next.create(ATTRIBUTES);
  expect([idOf(created), created.said, story.posts()]).toEqual([idOf(made), [TAKEN], 1]);
});

describe("two processes of one run", () => {
  it("both reckon with what an earlier one has begun, whichever takes over its journal", async () => {
    const died = await story.start({ pid: 2000 });
    story.sandbox.addFault({ method: "POST", action: { kind: "late", delayMs: 3000 }, when: "after" });
    died.create(ATTRIBUTES).catch(() => undefined);
    await vi.waitFor(() => expect(story.live()).toHaveLength(1), PATIENT);
    await died.kill();
    const first = await story.start({ pid: 2001, livingPids: [2002] });
    const second = await story.start({ pid: 2002, livingPids: [2001] });
    expect((await first.create(OTHER)).said).toEqual([]);
    const created = await second.create(ATTRIBUTES);
    expect([created.said, story.live(), story.posts()]).toEqual([[TAKEN], expect.arrayContaining([idOf(created)]), 2]);
  });
});

describe("two processes that create the same at once, as for two aliases of the provider with one key", () => {
  const both = async () =>
    [
      await story.start({ pid: 2001, livingPids: [2002] }),
      await story.start({ pid: 2002, livingPids: [2001] }),
    ] as const;

  it("create it once: the second one refuses", async () => {
    const processes = await both();
    const created = await Promise.all(processes.map((process) => process.create(ATTRIBUTES)));
    expect([story.posts(), story.live()]).toEqual([1, [expect.any(String)]]);
    expect(created.flatMap(({ said }) => said)).toEqual(["error: The same webhook is declared twice"]);
  });

  it("create both if they allow duplicates", async () => {
    const processes = await both();
    const created = await Promise.all(
      processes.map((process) => process.create({ ...ATTRIBUTES, allow_duplicate: true })),
    );
    expect([story.posts(), created.flatMap(({ said }) => said)]).toEqual([2, []]);
  });

  it("create each of many once", async () => {
    const processes = await both();
    const urls = Array.from({ length: 6 }, (_, index) => ({ target_url: `https://c${String(index)}.example.com/` }));
    const created = await Promise.all(processes.flatMap((process) => urls.map((url) => process.create(url))));
    expect([story.posts(), new Set(story.live()).size]).toEqual([6, 6]);
    expect(created.flatMap(({ said }) => said)).toEqual(urls.map(() => "error: The same webhook is declared twice"));
  });
});

it("of two that plan side by side, neither forgets what the other has seen", async () => {
  const provider = await story.start();
  const old = await provider.create(ATTRIBUTES);
  await provider.shutdown();
  const changed = { ...ATTRIBUTES, secret: "other" };
  const [first, second] = [
    await story.start({ pid: 2001, livingPids: [2002] }),
    await story.start({ pid: 2002, livingPids: [2001] }),
  ];
  expect((await first.plan(await first.read(old), changed)).replaces).toEqual(["secret"]);
  await second.plan(null, OTHER);
  await first.shutdown();
  await second.shutdown();
  // As with create_before_destroy: what the new one takes the place of is still there.
  expect((await (await story.start()).create(changed)).said).toEqual([]);
});

describe("a process that has looked at a part of the state only", () => {
  it("does not have it said that Terraform does not know the rest", async () => {
    const provider = await story.start();
    await provider.create(ATTRIBUTES);
    await provider.shutdown();
    const partial = await story.start();
    await partial.plan(null, OTHER);
    await partial.shutdown();
    expect((await story.start()).greeting).toEqual([]);
  });

  it("does not take what is managed for a late outcome", async () => {
    story.sandbox.addFault({ method: "POST", action: { kind: "drop" } });
    const provider = await story.start();
    const first = await provider.create(ATTRIBUTES);
    expect(first.said).toEqual(["warning: A webhook was sent again"]);
    await provider.shutdown();
    const replacing = await story.start();
    await replacing.delete(first);
    const second = await replacing.create(ATTRIBUTES);
    expect(second.said).toEqual([]);
    await replacing.shutdown();
    const planning = await story.start();
    await planning.read(second);
    await planning.shutdown();
    const partial = await story.start();
    expect((await partial.create(OTHER)).said).toEqual([]);
    await partial.shutdown();
    expect((await story.start()).greeting).toEqual([]);
  });
});
