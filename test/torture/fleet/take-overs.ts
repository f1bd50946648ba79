/** A time in which nobody could take teams over: the database was down, or no controller ran. */
export interface Standstill {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A run whose process was killed. */
export interface Interrupted {
  readonly team: string;
  readonly process: string;
  readonly killedMs: number;
  /** When another process began a run of the team. */
  readonly againMs: number;
}

export interface TakeOver extends Interrupted {
  /** For a part of the time, nobody could take the team over: the rest counts. */
  readonly isHindered: boolean;
  readonly seconds: number;
}

export class Standstills {
  readonly #past: Standstill[] = [];
  readonly #since = new Map<string, number>();

  begin(why: string, atMs = Date.now()): void {
    if (!this.#since.has(why)) this.#since.set(why, atMs);
  }

  end(why: string, atMs = Date.now()): void {
    const fromMs = this.#since.get(why);
    if (fromMs !== undefined) this.#past.push({ fromMs, toMs: atMs });
    this.#since.delete(why);
  }

  /** How long teams waited for another process, from the kill or from the end of the last standstill. */
  takeOvers(interrupted: readonly Interrupted[]): readonly TakeOver[] {
    return interrupted.map((one) => {
      const ends = this.#past
        .filter(({ fromMs, toMs }) => fromMs < one.againMs && toMs > one.killedMs)
        .map(({ toMs }) => toMs);
      return {
        ...one,
        isHindered: ends.length > 0,
        seconds: Math.max(0, one.againMs - Math.max(one.killedMs, ...ends)) / 1000,
      };
    });
  }
}
