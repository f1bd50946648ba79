import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { AppendFile, FileSystem } from "../../../../src/core/model/ports.ts";
import { URL_A, dying, idOf, journalStory } from "./story.ts";

const story = journalStory();
const ATTRIBUTES = { target_url: URL_A, secret: "s3cret" };
const NOT_STORED = "error: The journal could not be written";

/** A disk on which one call goes wrong: the n-th of those that a journal makes. */
function failing(operation: "openAppend" | "append" | "makeFolder" | "rename" | "list" | "read", code: string, at = 0): (files: FileSystem) => FileSystem {
  let count = 0;
  const fails = (): boolean => count++ === at;
  const error = (): Error => Object.assign(new Error(`${code}: no such luck`), { code });
  return (files) => {
    if (operation !== "append") {
      const call = files[operation] as (...args: unknown[]) => Promise<unknown>;
      return { ...files, [operation]: (...args: unknown[]) => (fails() ? Promise.reject(error()) : call(...args)) };
    }
    return {
      ...files,
      openAppend: async (path): Promise<AppendFile> => {
        const file = await files.openAppend(path);
        return { append: (bytes) => (fails() ? Promise.reject(error()) : file.append(bytes)), close: () => file.close() };
      },
    };
  };
}

describe("a disk that fails", () => {
  it.each([
    ["the folder cannot be made", "makeFolder", "EACCES"],
    ["the file cannot be opened", "openAppend", "ENOSPC"],
    ["the list of what is there cannot be stored", "append", "ENOSPC"],
  ] as const)("before the intent is stored: nothing is sent (%s)", async (_what, operation, code) => {
    const provider = await story.start({ files: failing(operation, code) });
    expect(await provider.create(ATTRIBUTES)).toMatchObject({ state: null, said: [NOT_STORED] });
    expect(story.posts()).toBe(0);
  });

  it("as the intent is stored: nothing is sent, and nothing is sent after it", async () => {
    const provider = await story.start({ files: failing("append", "EIO", 1) });
    expect(await provider.create(ATTRIBUTES)).toMatchObject({ state: null, said: [NOT_STORED] });
    expect(await provider.create({ target_url: "https://b.example.com/" })).toMatchObject({ state: null, said: [NOT_STORED] });
    expect(story.posts()).toBe(0);
  });

  it("after the answer: the object is returned with a warning, nothing more is created, and the next process finds it", async () => {
    const provider = await story.start({ files: failing("append", "ENOSPC", 2) });
    const created = await provider.create(ATTRIBUTES);
    expect(created.said).toEqual(["warning: The journal could not be written"]);
    expect(story.live()).toEqual([idOf(created)]);
    expect(await provider.create({ target_url: "https://b.example.com/" })).toMatchObject({ state: null, said: [NOT_STORED] });
    await provider.kill();
    const next = await story.start();
    expect(idOf(await next.create(ATTRIBUTES))).toBe(idOf(created));
    expect(story.posts()).toBe(1);
  });

  it("after the answer: another that looks the same in the list is not taken for it", async () => {
    story.sandbox.configure({ profile: { omit: ["campaignId"] } } as never);
    const provider = await story.start({ files: failing("append", "ENOSPC", 2) });
    const created = await provider.create({ ...ATTRIBUTES, campaign_id: "cam_000001" });
    expect(story.live()).toEqual([idOf(created)]);
    // Whether it could be looked for or not.
    for (const times of [0, null]) {
      if (times === null) story.sandbox.addFault({ method: "GET", action: { kind: "answer", status: 400, body: "Bad team" }, times });
      expect(await provider.create(ATTRIBUTES)).toMatchObject({ state: null, said: [NOT_STORED] });
    }
    expect(story.posts()).toBe(1);
  });

  it("while the outcome of an earlier create is stored: nothing is sent, and the next process finds it", async () => {
    const first = await story.start();
    story.sandbox.addFault({ method: "POST", action: { kind: "drop" }, when: "after", where: dying(first) });
    first.create(ATTRIBUTES).catch(() => undefined);
    while (story.live().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const second = await story.start({ files: failing("append", "ENOSPC") });
    for (let times = 0; times < 2; times++) expect(await second.create(ATTRIBUTES)).toMatchObject({ state: null, said: [NOT_STORED] });
    await second.kill();
    const third = await story.start();
    expect([idOf(await third.create(ATTRIBUTES))]).toEqual(story.live());
    expect(story.posts()).toBe(1);
  });

  it("as a create is given up: it is not sent again, and not said to be unsent; the next process looks for it", async () => {
    const provider = await story.start({ files: failing("append", "ENOSPC", 3) });
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

  it("as a journal is taken over: nothing is sent", async () => {
    const first = await story.start();
    await first.create(ATTRIBUTES);
    await first.kill();
    const second = await story.start({ files: failing("rename", "EACCES") });
    for (let times = 0; times < 2; times++) expect(await second.create(ATTRIBUTES)).toMatchObject({ state: null, said: [NOT_STORED] });
    expect(story.posts()).toBe(1);
  });

  it("that cannot be read: reading goes on with a warning, and nothing is created", async () => {
    const provider = await story.start();
    const created = await provider.create(ATTRIBUTES);
    await provider.kill();
    const blind = await story.start({ files: failing("list", "EACCES") });
    expect(blind.greeting).toEqual(["warning: The journal cannot be read"]);
    expect((await blind.read(created)).said).toEqual([]);
  });

  it("that cannot be read: what was made only just now, and is not listed yet, does not count as gone", async () => {
    story.sandbox.configure({ profile: { staleMs: 300 } });
    const provider = await story.start();
    const created = await provider.create(ATTRIBUTES);
    await provider.shutdown();
    const files = (all: FileSystem): FileSystem => ({
      ...all,
      read: (path, options) => (path.endsWith(".journal") ? Promise.reject(new Error("EIO: no such luck")) : all.read(path, options)),
    });
    const blind = await story.start({ files, variables: { OUTREACH_SETTLE: "600ms" } });
    expect(blind.greeting).toEqual(["warning: The journal cannot be read"]);
    expect((await blind.read(created)).state).toEqual(created.state);
  });

  it("and has a damaged line: that is reported, reads go on, and nothing is created before it is fixed", async () => {
    const provider = await story.start();
    const created = await provider.create(ATTRIBUTES);
    await provider.kill();
    const [name = ""] = story.journals();
    writeFileSync(`${story.folder}/${name}`, story.text().replace('"kind":"intent"', '"kind":"intend"'));
    const next = await story.start();
    expect(next.greeting).toEqual(["warning: The journal cannot be read"]);
    expect((await next.read(created)).said).toEqual([]);
    expect(await next.create({ target_url: "https://b.example.com/" })).toMatchObject({ state: null, said: ["error: The journal cannot be read"] });
    expect(story.posts()).toBe(1);
  });
});

describe("a torn last line", () => {
  it.each([0, 1, 2])("is what a crash leaves: the journal is continued without it (after line %i)", async (kept) => {
    const first = await story.start();
    const created = await first.create(ATTRIBUTES);
    await first.kill();
    const [name = ""] = story.journals();
    const lines = story.text().split("\n");
    writeFileSync(`${story.folder}/${name}`, `${lines.slice(0, kept + 1).join("\n")}\n${(lines[kept + 1] ?? "").slice(0, 20)}`);
    const second = await story.start();
    const again = await second.create(ATTRIBUTES);
    if (kept < 2) expect(again.said).toEqual(["error: An identical unmanaged webhook exists"]);
    else expect(idOf(again)).toBe(idOf(created));
    await second.kill();
    expect(story.posts()).toBe(1);
    expect((await story.start()).greeting.every((line) => !line.includes("cannot be read"))).toBe(true);
  });
});
