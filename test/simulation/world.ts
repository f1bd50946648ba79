import type { JudgeMemory } from "./judge/memory.ts";
import type { Service, Stored } from "./service.ts";

/** Everything that outlives a process, as plain data: it can be copied, compared, and given to the next process. */
export interface World {
  /** The clock of the running process writes it. */
  nowMs: number;
  /** Counts the random numbers, so that a copy goes on with other ones than before. */
  chance: number;
  readonly service: Service;
  readonly store: StorePart;
  /** What the judge remembers of earlier runs. */
  readonly judge: JudgeMemory;
}

/** A part of the world. */
export interface WorldPart {
  /** Shares nothing that changes. */
  copy(): this;
  /** All that its future depends on, in texts with ids and times as they are: `key.ts` makes them relative. */
  key(): string | readonly string[];
  /** What may be left of it when the process that uses it dies now, in a fixed order. None is the part itself. */
  afterDeath(): readonly this[];
}

/** The place of a state. */
export interface StorePart extends WorldPart {
  /** What the next process would find; null where there is nothing. */
  stored(): Stored;
  /** Everything that lies there, to search it for secrets, and to tell whether anything was written. */
  texts(): readonly string[];
  /** Somebody takes the lock away by force. */
  unlock(): void;
  /** An older state is put in the place of the current one. */
  putBack(state: Uint8Array): void;
}

/**
 * Decides what happens at each point of a run. The first option is what happens when nothing goes wrong; every other one
 * costs one of the faults that a schedule may have. The same decisions give exactly the same run.
 */
export interface Decisions {
  choose<T extends string>(point: string, options: readonly [T, ...T[]]): T;
  /** A process may die here: between two effects on the world. */
  mayDie(point: string): void;
  /** What the process sees: an answer, the bytes of a read, an error. Two runs that see the same do the same. */
  sees(what: string | Uint8Array): void;
  /** What the server or the store sees: a request with what became of it, an operation of the disk. */
  does(what: string): void;
}

export function copyOf({ nowMs, chance, service, store, judge }: World): World {
  return { nowMs, chance, service: service.copy(), store: store.copy(), judge: judge.copy() };
}
