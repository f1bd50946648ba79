import { spawnSync } from "node:child_process";
import { chmod, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { DiagnosticsError } from "../../../../src/core/model/diagnostic.ts";
import { encodeState } from "../../../../src/core/state/document.ts";
import { localStore } from "../../../../src/core/state/local/local-store.ts";
import { readState } from "../../../../src/core/state/open-state.ts";
import { nodeFiles } from "../../../../src/platform/node-files.ts";
import { virtualClock } from "../../virtual-clock.ts";
import { type FileFault, memoryFiles } from "../memory-files.ts";
import { HOLDER, NEVER, countingRandom, document, processOf } from "../state-fixtures.ts";

const PATH = "work/outreach.state.json";
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("a state in a file", () => {
  let folder = "";
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "outreach-state-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const open = (name = "s.json") =>
    localStore(join(folder, name), {
      files: nodeFiles(),
      clock: virtualClock(),
      random: countingRandom(),
      process: processOf(),
    });

  test("keeps the previous version next to it, both for the owner alone, and nothing else", async () => {
    const store = open();
    const first = await store.write(bytes("one"), null, NEVER);
    await store.write(bytes("two"), first, NEVER);
    expect((await readdir(folder)).toSorted()).toEqual(["s.json", "s.json.backup"]);
    expect(await readFile(join(folder, "s.json.backup"), "utf8")).toBe("one");
    for (const name of ["s.json", "s.json.backup"]) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  });

  test("keeps lock and journal for the owner alone", async () => {
    const store = open();
    const lock = await store.lock(HOLDER, 0, NEVER);
    await store.journal?.append(bytes("x"));
    for (const name of ["s.json.lock", "s.json.journal"])
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    await store.journal?.remove();
    await lock.release();
    expect(await readdir(folder)).toEqual([]);
  });

  test("does not continue the journal that another run has begun", async () => {
    const [one, other] = [open(), open()];
    await other.journal?.append(bytes("other"));
    await expect(one.journal?.append(bytes("one"))).rejects.toMatchObject({
      diagnostics: [{ code: "state_changed", detail: expect.stringContaining("s.json.journal") as string }],
    });
    expect(await readFile(join(folder, "s.json.journal"), "utf8")).toBe("other");
    await other.close();
  });

  test("closes a journal that stays behind, with the store", async () => {
    const open: string[] = [];
    const files = nodeFiles();
    const openAppend: typeof files.openAppend = async (path, options) => {
      const file = await files.openAppend(path, options);
      open.push(path);
      return { ...file, close: () => file.close().then(() => void open.pop()) };
    };
    const store = localStore(join(folder, "s.json"), {
      files: { ...files, openAppend },
      clock: virtualClock(),
      random: countingRandom(),
      process: processOf(),
    });
    await store.journal?.append(bytes("x"));
    expect(open).toEqual([join(folder, "s.json.journal")]);
    await store.close();
    expect(open).toEqual([]);
    await store.close();
  });

  test.each(["s.json", "s.json.lock", "s.json.journal"])(
    "is refused while %s is a named pipe, which would never be opened",
    async (name) => {
      expect(spawnSync("mkfifo", [join(folder, name)]).status).toBe(0);
      await expect(open().assertReady(NEVER)).rejects.toMatchObject({
        diagnostics: [{ code: "state_place", detail: expect.stringContaining(name) as string }],
      });
    },
  );

  test("is not locked again while another program has damaged a field of its lock", async () => {
    await writeFile(
      join(folder, "s.json.lock"),
      JSON.stringify({ ...HOLDER, id: "x", startedAt: { toString: { a: 1 } } }),
    );
    await expect(open().lock(HOLDER, 0, NEVER)).rejects.toMatchObject({
      diagnostics: [{ code: "state_locked", detail: expect.stringContaining("unreadable lock file") as string }],
    });
    await rm(join(folder, "s.json.lock"));
  });

  test("is refused as a symbolic link, and the link's target stays as it is", async () => {
    await writeFile(join(folder, "target"), "mine");
    await symlink(join(folder, "target"), join(folder, "s.json"));
    const store = open();
    await expect(store.read(NEVER)).rejects.toMatchObject({ diagnostics: [{ code: "state_symlink" }] });
    await expect(store.write(bytes("one"), null, NEVER)).rejects.toMatchObject({
      diagnostics: [{ code: "state_symlink" }],
    });
    expect(await readFile(join(folder, "target"), "utf8")).toBe("mine");
  });

  test.each(["s.json.tmp", "s.json.backup.tmp", "s.json.backup"])(
    "never writes through a symbolic link at %s",
    async (name) => {
      await writeFile(join(folder, "target"), "mine");
      await symlink(join(folder, "target"), join(folder, name));
      const store = open();
      const first = await store.write(bytes("one"), null, NEVER);
      await store.write(bytes("two"), first, NEVER);
      expect(await readFile(join(folder, "target"), "utf8")).toBe("mine");
      expect(await readFile(join(folder, "s.json"), "utf8")).toBe("two");
    },
  );

  test("does not take over the mode of a temporary file that a crash has left", async () => {
    await writeFile(join(folder, "s.json.tmp"), "rest of a crash");
    await chmod(join(folder, "s.json.tmp"), 0o666);
    await open().write(bytes("one"), null, NEVER);
    expect((await stat(join(folder, "s.json"))).mode & 0o777).toBe(0o600);
  });
});

describe("a state on a disk that fails", () => {
  const old = document({ serial: 3 });
  const next = document({ serial: 4, instances: [] });

  async function writeUnder(
    fault: FileFault | null,
    before: typeof old | null,
  ): Promise<{ readonly files: ReturnType<typeof memoryFiles>; readonly failed: boolean }> {
    const files = memoryFiles();
    const store = localStore(PATH, { files, clock: virtualClock(), random: countingRandom(), process: processOf() });
    const version = before ? await store.write(encodeState(before), null, NEVER) : null;
    files.fail(fault);
    const failed = await store.write(encodeState(next), version, NEVER).then(
      () => false,
      () => true,
    );
    files.fail(null);
    return { files, failed };
  }

  const codes = ["ENOSPC", "EIO", "EACCES", "CRASH"] as const;
  const extents = ["nothing", "half", "all"] as const;
  const first = codes.flatMap((code) => extents.map((done) => ({ code, done })));

  test.each(first)(
    "is the old or the new one, whole, whichever call ends in $code after $done",
    async ({ code, done }) => {
      const unharmed = await writeUnder(null, old);
      for (const before of [old, null]) {
        for (let at = 0; at < unharmed.files.calls.length; at++) {
          const { files, failed } = await writeUnder({ at, code, done }, before);
          const store = localStore(PATH, {
            files,
            clock: virtualClock(),
            random: countingRandom(),
            process: processOf(),
          });
          const { document: read, version } = await readState(store, countingRandom(), NEVER);
          const { salt, serial } = read;
          expect(version === null ? null : serial).toBeOneOf([before?.serial ?? null, next.serial]);
          if (version !== null) expect(salt).toBe(old.salt);
          if (!failed) expect(serial).toBe(next.serial);
          // Whatever was left behind is in nobody's way.
          await store.write(encodeState(next), version, NEVER);
          expect((await readState(store, countingRandom(), NEVER)).document).toEqual(next);
        }
      }
    },
  );

  test("is flushed before it takes the old one's place, and the folder after", async () => {
    const { files } = await writeUnder(null, null);
    const calls = files.calls.filter((call) => !call.startsWith("read"));
    expect(calls.slice(-3)).toEqual([expect.stringContaining(`${PATH}.tmp`), `rename ${PATH}.tmp`, "syncFolder work"]);
  });
});

describe("the lock", () => {
  const waitMs = 1000;
  const random = countingRandom();

  function storeOf(files = memoryFiles(), process = processOf(), clock = virtualClock()) {
    return { files, clock, store: localStore(PATH, { files, clock, random, process }) };
  }

  async function held(holder: Partial<typeof HOLDER>): Promise<ReturnType<typeof memoryFiles>> {
    const { files, store } = storeOf();
    await store.lock({ ...HOLDER, pid: 99, startedAt: "900", who: "grace", ...holder }, 0, NEVER);
    return files;
  }

  test.each([
    ["its process is gone", {}, processOf(["10/100"]), null],
    ["its process runs", {}, processOf(["99/900"]), "Only one run may change a state at a time."],
    ["its pid belongs to another process now", {}, processOf(["99/901"]), null],
    [
      "its process is gone, on a system without PID namespaces",
      { bootId: "", pidNamespace: null },
      processOf([], { bootId: "", pidNamespace: null }),
      null,
    ],
    ["it was taken on another machine", { host: "elsewhere" }, processOf([]), "from another host"],
    ["it was taken in another container", { pidNamespace: "pid:[2]" }, processOf([]), "from another container"],
    [
      "it was taken on another machine of this name, or before a restart",
      { bootId: "boot-2" },
      processOf([]),
      "from another machine of this name",
    ],
    [
      "it was taken on a system without PID namespaces",
      { bootId: "", pidNamespace: null },
      processOf([]),
      "from another machine of this name",
    ],
    ["no namespace can be read", { pidNamespace: "" }, processOf([], { pidNamespace: "" }), "from another container"],
    ["no boot id can be read", { bootId: "" }, processOf([], { bootId: "" }), "from another machine of this name"],
  ] as const)("when %s", async (_, holder, process, refused) => {
    const { store } = storeOf(await held(holder), process);
    const attempt = store.lock(HOLDER, 0, NEVER);
    if (refused === null) return void (await expect(attempt).resolves.toMatchObject({ id: expect.any(String) }));
    const error = await attempt.then(
      () => expect.fail("the lock was taken"),
      (reason: unknown) => reason as DiagnosticsError,
    );
    expect(error.diagnostics).toMatchObject([
      { code: "state_locked", ways: [{ kind: "wait-for-lock" }, { kind: "unlock" }] },
    ]);
    expect(error.diagnostics[0]?.detail).toContain("grace");
    expect(error.diagnostics[0]?.detail).toContain(refused);
  });

  test("is waited for as long as the time-out says, and no longer", async () => {
    const { store, clock } = storeOf(await held({ host: "elsewhere" }));
    await expect(store.lock(HOLDER, waitMs, NEVER)).rejects.toMatchObject({ diagnostics: [{ code: "state_locked" }] });
    expect(clock.monotonicMs()).toBe(waitMs);
  });

  test("is taken as soon as it is given back", async () => {
    const { store, clock, files } = storeOf();
    const first = await store.lock({ ...HOLDER, host: "elsewhere" }, 0, NEVER);
    const waiting = store.lock(HOLDER, 60_000, NEVER);
    await clock.sleep(500, NEVER);
    await first.release();
    const second = await waiting;
    expect(clock.monotonicMs()).toBeLessThan(1000);
    await second.release();
    expect([...files.contents.keys()]).toEqual([]);
  });

  test.each(["", "null", "{}", "[]", "not JSON", '{"id":5}'])(
    "that cannot be understood (%j) holds, and does not hang",
    async (content) => {
      const files = memoryFiles();
      await files.writeDurably(`${PATH}.lock`, bytes(content));
      await expect(storeOf(files).store.lock(HOLDER, waitMs, NEVER)).rejects.toMatchObject({
        diagnostics: [{ code: "state_locked", detail: expect.stringContaining(`${PATH}.lock`) }],
      });
    },
  );

  test("that a run was about to take when it was killed, or the disk was full, does not lock the next one out", async () => {
    const { files: unharmed, store: probe } = storeOf();
    await probe.lock(HOLDER, 0, NEVER);
    for (const code of ["CRASH", "ENOSPC"] as const) {
      for (const done of ["nothing", "half", "all"] as const) {
        for (let at = 0; at < unharmed.calls.length; at++) {
          const { files, store } = storeOf();
          files.fail({ at, code, done });
          await store.lock({ ...HOLDER, pid: 99, startedAt: "900" }, 0, NEVER).catch(() => undefined);
          files.fail(null);
          const next = await storeOf(files).store.lock(HOLDER, 0, NEVER);
          expect(next.id, `${code} ${done} ${String(at)}`).toEqual(expect.any(String));
        }
      }
    }
  });

  test("sweeps up what killed processes have left behind, and nothing else", async () => {
    const files = memoryFiles();
    const put = (name: string, content: object | string) =>
      files.createExclusively(
        `${PATH}.lock${name}`,
        bytes(typeof content === "string" ? content : JSON.stringify(content)),
      );
    await put("", { ...HOLDER, id: "held", host: "elsewhere" });
    await put(".ended.new", { ...HOLDER, id: "ended", pid: 99 });
    await put(".broken.new", "{");
    await put(".running.new", { ...HOLDER, id: "running" });
    await put(".other.claim-1", { ...HOLDER, id: "other" });
    await put(".held.claim-7", { ...HOLDER, id: "held" });
    await put(".x.old", "");
    await files.createExclusively("work/other.lock.ended.new", bytes("{"));
    await expect(storeOf(files).store.lock(HOLDER, 0, NEVER)).rejects.toMatchObject({
      diagnostics: [{ code: "state_locked" }],
    });
    expect([...files.contents.keys()].toSorted()).toEqual(
      [
        ...["", ".held.claim-7", ".running.new", ".x.old"].map((name) => `${PATH}.lock${name}`),
        "work/other.lock.ended.new",
      ].toSorted(),
    );
    await files.remove(`${PATH}.lock`);
    await storeOf(files).store.lock(HOLDER, 0, NEVER);
    expect(files.text(`${PATH}.lock.held.claim-7`)).toBeNull();
  });

  test.each([".ended.new", ".other.claim-1"])(
    "is not taken if %s, which a killed process has left behind, cannot be removed",
    async (name) => {
      const files = memoryFiles();
      await files.createExclusively(`${PATH}.lock${name}`, bytes("{"));
      files.fail({ at: 0, code: "EACCES", done: "nothing", operations: ["remove"] });
      await expect(storeOf(files).store.lock(HOLDER, 0, NEVER)).rejects.toMatchObject({ code: "EACCES" });
    },
  );

  test("leaves claims alone while it cannot be read", async () => {
    const files = memoryFiles();
    await files.createExclusively(`${PATH}.lock`, bytes("{"));
    await files.createExclusively(`${PATH}.lock.other.claim-1`, bytes("{}"));
    await expect(storeOf(files).store.lock(HOLDER, 0, NEVER)).rejects.toMatchObject({
      diagnostics: [{ code: "state_locked" }],
    });
    expect(files.text(`${PATH}.lock.other.claim-1`)).toBe("{}");
  });

  test("is removed by force after its holder has released it, if that is just doing so, and at once if the holder has ended in the middle", async () => {
    for (const isRunning of [true, false]) {
      const { files, store, clock } = storeOf(memoryFiles(), processOf(isRunning ? ["10/100"] : []));
      const { id } = await store.lock(HOLDER, 0, NEVER);
      await files.link(`${PATH}.lock`, `${PATH}.lock.${id}.claim-1`);
      const removing = store.forceUnlock(id, NEVER).then(
        () => "removed",
        (error: unknown) => (error as DiagnosticsError).diagnostics[0]?.code,
      );
      await clock.sleep(500, NEVER);
      if (isRunning) for (const name of ["", `.${id}.claim-1`]) await files.remove(`${PATH}.lock${name}`);
      expect(await removing).toBe(isRunning ? "lock_absent" : "removed");
      expect([...files.contents.keys()]).toEqual([]);
    }
  });

  test("is not given back for somebody who took it over", async () => {
    const { files, store } = storeOf();
    const first = await store.lock(HOLDER, 0, NEVER);
    await files.remove(`${PATH}.lock`);
    await store.lock({ ...HOLDER, who: "grace", host: "elsewhere" }, 0, NEVER);
    const taken = files.text(`${PATH}.lock`);
    await first.release();
    expect(files.text(`${PATH}.lock`)).toBe(taken);
  });
});
