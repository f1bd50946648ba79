import type { Clock, FileSystem, Random } from "../../../../src/core/model/ports.ts";
import { DiagnosticsError } from "../../../../src/core/model/diagnostic.ts";
import { localStore } from "../../../../src/core/state/local/local-store.ts";
import { type MemoryFiles, memoryFiles } from "../memory-files.ts";
import { HOLDER, NEVER, countingRandom, processOf } from "../state-fixtures.ts";

export const PATH = "work/s.json";
const DEAD_PID = 99;

/** What happens next in a schedule: a process makes its next call, or is killed before it, or in the middle of it. */
export interface Choice {
  readonly pid: number;
  readonly what: "step" | "kill" | "tear";
}

/** Picks one of these. `last` is the process of the choice before. */
export type Choose = (choices: readonly Choice[], last: number | null) => Choice;

export interface Setting {
  /** How many processes want the lock of a process that has ended. */
  readonly contenders: number;
  /** How many of them may be killed. */
  readonly kills?: number;
  /** Somebody removes by force, in the meantime, the lock of the ended process; or that of the first contender, which holds it already and releases it. */
  readonly unlocks?: "ended" | "living";
  /** Every second process runs in a container of its own, and sees none of the others. */
  readonly containers?: true;
  /** The file system has no hard links, and another process sees a new file before its content. */
  readonly hasLinks?: false;
}

export interface Played {
  /** What must not happen, in words. */
  readonly faults: readonly string[];
  /** How many of the processes had the lock at some time. */
  readonly held: number;
}

interface Process {
  readonly pid: number;
  life: "runs" | "ended" | "killed";
  /** It asks the schedule for nothing. */
  isFree: boolean;
  /** It goes on only when no other process can. */
  sleeps: boolean;
  /** Lets the call that it waits for happen. Null while it has not asked for one. */
  pending: ((torn: boolean) => void) | null;
}

/**
 * Runs processes that want the lock of an ended one, on a disk in memory. Each waits before every call on a file until the
 * schedule lets it go on. Whatever the schedule, no two may hold the lock at once, each other one gets a proper refusal,
 * and afterwards anyone gets the lock and nothing is left behind.
 */
export async function play(setting: Setting, choose: Choose): Promise<Played> {
  const disk = memoryFiles();
  const world = new World(setting, disk);
  if (setting.unlocks !== "living") await world.leaveStaleLock();
  const workers = Array.from({ length: setting.contenders }, (_, index) =>
    world.start(index + 1, (process) => world.contend(process)),
  );
  if (setting.unlocks) workers.push(world.start(setting.contenders + 1, (process) => world.unlock(process)));
  await world.run(workers, choose);
  await world.judgeRest();
  return { faults: world.faults, held: world.held };
}

class World {
  readonly faults: string[] = [];
  held = 0;
  readonly #setting: Setting;
  readonly #disk: MemoryFiles;
  readonly #processes: Process[] = [];
  readonly #inside = new Set<number>();
  #nowMs = 0;
  #arrived: () => void = () => undefined;

  constructor(setting: Setting, disk: MemoryFiles) {
    this.#setting = setting;
    this.#disk = disk;
  }

  #store(process: Process | null, pid = process?.pid ?? 0) {
    const identity = processOf([], {
      pid,
      startedAt: "1",
      pidNamespace: this.#namespaceOf(pid),
      isAlive: (other) =>
        Promise.resolve(other === pid || this.#processes.some((one) => one.pid === other && one.life === "runs")),
    });
    const files = process ? this.#filesOf(process) : whenNoLinks(this.#disk, this.#setting);
    const clock: Clock = {
      now: () => this.#nowMs,
      monotonicMs: () => this.#nowMs,
      sleep: async (durationMs) => {
        if (process) {
          process.sleeps = true;
          await this.#turn(process);
          process.sleeps = false;
        }
        this.#nowMs += durationMs;
      },
    };
    return localStore(PATH, { files, clock, random: this.#randomOf(pid), process: identity });
  }

  #namespaceOf(pid: number): string {
    return this.#setting.containers && pid % 2 === 1 ? `pid:[${String(pid)}]` : "pid:[0]";
  }

  /** The same ids in every schedule. */
  #randomOf(pid: number): Random {
    return { ...countingRandom(), uuid: () => `id-${String(pid)}` };
  }

  async leaveStaleLock(): Promise<void> {
    await this.#store(null).lock({ ...HOLDER, pid: DEAD_PID, pidNamespace: "pid:[0]", startedAt: "1" }, 0, NEVER);
  }

  start(pid: number, work: (process: Process) => Promise<void>): Process {
    const process: Process = { pid, life: "runs", isFree: false, sleeps: false, pending: null };
    this.#processes.push(process);
    void work(process).then(
      () => this.#end(process, null),
      (error: unknown) => this.#end(process, error),
    );
    return process;
  }

  #end(process: Process, error: unknown): void {
    if (process.life === "killed") return;
    process.life = "ended";
    if (error !== null && !isRefusal(error))
      this.faults.push(`process ${String(process.pid)} failed: ${String(error)}`);
    this.#arrived();
  }

  async contend(process: Process): Promise<void> {
    const isUnlocked = this.#setting.unlocks === "living" && process.pid === 1;
    process.isFree = isUnlocked;
    const store = this.#store(process);
    const lock = await store.lock(
      { ...HOLDER, pid: process.pid, startedAt: "1", pidNamespace: this.#namespaceOf(process.pid) },
      0,
      NEVER,
    );
    process.isFree = false;
    this.held++;
    // Whoever takes a lock away by force answers for its holder.
    if (!isUnlocked) {
      this.#inside.add(process.pid);
      if (this.#inside.size > 1) this.faults.push(`processes ${[...this.#inside].join(" and ")} hold the lock at once`);
      await store.journal?.assertLocked();
      this.#inside.delete(process.pid);
    }
    await lock.release();
  }

  async unlock(process: Process): Promise<void> {
    await this.#store(process).forceUnlock(this.#setting.unlocks === "living" ? "id-1" : "id-0", NEVER);
  }

  async run(processes: readonly Process[], choose: Choose): Promise<void> {
    let kills = this.#setting.kills ?? 0;
    let last: number | null = null;
    for (;;) {
      const ready = processes.filter(({ life, pending }) => life === "runs" && pending !== null);
      if (ready.length < processes.filter(({ life }) => life === "runs").length) {
        await new Promise<void>((resolve) => (this.#arrived = resolve));
        continue;
      }
      if (ready.length === 0) return;
      const awake = ready.filter(({ sleeps }) => !sleeps);
      const steps = (awake.length > 0 ? awake : ready).map(({ pid }): Choice => ({ pid, what: "step" }));
      const deaths =
        kills === 0
          ? []
          : ready.flatMap(({ pid }): Choice[] => [
              { pid, what: "kill" },
              { pid, what: "tear" },
            ]);
      const { pid, what } = choose([...steps, ...deaths], last);
      last = pid;
      const process = ready.find((one) => one.pid === pid);
      const go = process?.pending;
      if (!process || !go) throw new Error("no such choice");
      process.pending = null;
      if (what !== "step") {
        kills--;
        process.life = "killed";
        this.#inside.delete(pid);
      }
      if (what !== "kill") go(what === "tear");
    }
  }

  #turn(process: Process): Promise<boolean> {
    if (process.isFree) return Promise.resolve(false);
    return new Promise((resolve) => {
      process.pending = resolve;
      this.#arrived();
    });
  }

  /** The disk as one process has it: a killed process never hears of a call that it made. */
  #filesOf(process: Process): FileSystem {
    const disk = whenNoLinks(this.#disk, this.#setting);
    const through =
      <A extends readonly unknown[], R>(act: (...args: A) => Promise<R>) =>
      async (...args: A): Promise<R> => {
        await this.#turn(process);
        try {
          return await act(...args);
        } finally {
          if (process.life === "killed") await new Promise(() => undefined);
        }
      };
    return {
      ...disk,
      read: through(disk.read),
      link: through(disk.link),
      rename: through(disk.rename),
      remove: through(disk.remove),
      list: through(disk.list),
      createExclusively: async (path, bytes) => {
        if ((await this.#turn(process)) && process.life === "killed") {
          await disk.createExclusively(path, bytes.slice(0, bytes.length / 2)).catch(() => undefined);
          await new Promise(() => undefined);
        }
        if (this.#setting.hasLinks !== false || path.endsWith(".new")) return disk.createExclusively(path, bytes);
        await disk.createExclusively(path, new Uint8Array());
        await this.#turn(process);
        await disk.writeDurably(path, bytes);
        if (process.life === "killed") await new Promise(() => undefined);
      },
    };
  }

  /** Afterwards the lock is free for the next one, and then nothing is left. */
  async judgeRest(): Promise<void> {
    try {
      const lock = await this.#store(null, 50).lock(
        { ...HOLDER, pid: 50, startedAt: "1", pidNamespace: "pid:[0]" },
        0,
        NEVER,
      );
      await lock.release();
    } catch (error) {
      const isTorn =
        this.#setting.hasLinks === false &&
        isRefusal(error) &&
        String(error.diagnostics[0]?.detail).includes("unreadable lock file");
      if (!isTorn)
        this.faults.push(
          `nobody gets the lock afterwards: ${isRefusal(error) ? JSON.stringify(error.diagnostics) : String(error)}`,
        );
      return;
    }
    const left = [...this.#disk.contents.keys()];
    if (left.length > 0) this.faults.push(`left behind: ${left.join(", ")}`);
  }
}

function whenNoLinks(disk: FileSystem, { hasLinks = true }: { readonly hasLinks?: boolean }): FileSystem {
  return hasLinks
    ? disk
    : { ...disk, link: (from) => Promise.reject(Object.assign(new Error(`EPERM: ${from}`), { code: "EPERM" })) };
}

const REFUSALS = ["state_locked", "lock_absent", "lock_other"];

function isRefusal(error: unknown): error is DiagnosticsError {
  return error instanceof DiagnosticsError && error.diagnostics.every(({ code }) => REFUSALS.includes(code));
}

/**
 * Plays every schedule with at most `switches` places where a process is stopped although it could go on, or is killed.
 * Returns how many there were. Throws at the first one that shows a fault.
 */
export async function playAll(
  setting: Setting,
  switches: number,
): Promise<{ readonly schedules: number; readonly held: number }> {
  const path: { index: number; count: number }[] = [];
  let [schedules, held] = [0, 0];
  for (;;) {
    let [depth, left] = [0, switches];
    const taken: Choice[] = [];
    const played = await play(setting, (choices, last) => {
      const free = choices.filter(({ pid, what }) => what === "step" && pid === last);
      const isForced = free.length === 0;
      const others = choices.filter(
        (choice) => !free.includes(choice) && (left > 0 || (isForced && choice.what === "step")),
      );
      const open = [...free, ...others];
      const at = (path[depth] ??= { index: 0, count: open.length });
      depth++;
      const choice = open[at.index];
      if (!choice) throw new Error("the schedule cannot be played again");
      if (!(free.includes(choice) || (isForced && choice.what === "step"))) left--;
      taken.push(choice);
      return choice;
    });
    schedules++;
    held += played.held;
    if (played.faults.length > 0) throw new Error(`${played.faults.join("; ")} in the schedule ${written(taken)}`);
    while (path.length > 0 && isLast(path.at(-1))) path.pop();
    const next = path.at(-1);
    if (!next) return { schedules, held };
    next.index++;
  }
}

function isLast(at: { readonly index: number; readonly count: number } | undefined): boolean {
  return at === undefined || at.index + 1 >= at.count;
}

function written(taken: readonly Choice[]): string {
  return taken.map(({ pid, what }) => (what === "step" ? String(pid) : `${what} ${String(pid)}`)).join(", ");
}
