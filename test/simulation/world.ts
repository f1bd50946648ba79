/** Everything that outlives a process, as plain data: it can be copied, compared, and given to the next process. */
export interface World {
  nowMs: number;
  /** Counts the random numbers, so that a copy goes on with other ones than before. */
  chance: number;
  readonly service: ServicePart;
  readonly store: WorldPart;
}

/** A part of the world: the service, or the place of a state. */
export interface WorldPart {
  /** Shares nothing that changes. */
  copy(): this;
  /** Two parts with the same text have the same future. Times are relative to `nowMs`. */
  key(nowMs: number): string;
  /** What may be left of it when the process that uses it dies now. The worlds differ; none is the part itself. */
  afterDeath(): readonly this[];
}

/** The service, its log, and the requests that it may still carry out. */
export interface ServicePart extends WorldPart {
  /** Whether a request may still be carried out, although its sender has given up or died. */
  hasLate(): boolean;
}

/**
 * Decides what happens at each point of a run. The first option is what happens when nothing goes wrong; every other one
 * costs one of the faults that a schedule may have. The same decisions give exactly the same run.
 */
export interface Decisions {
  choose<T>(point: string, options: readonly [T, ...T[]]): T;
  /** A process may die here: between two effects on the world. */
  mayDie(point: string): void;
  /** What the process sees: an answer, the bytes of a read, an error. Two runs that see the same do the same. */
  sees(what: string): void;
}
