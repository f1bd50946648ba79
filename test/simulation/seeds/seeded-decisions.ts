import type { Chance } from "../../core/apply/chance.ts";
import type { Decisions, World } from "../world.ts";

/** How often something goes wrong, in percent of the points where it may. */
export interface Trouble {
  readonly fault: number;
  readonly death: number;
  readonly meddling: number;
}

/** Leaves to chance what goes wrong in one run. */
export class SeededDecisions implements Decisions {
  readonly story: string[] = [];
  /** The process has died, and left one of these worlds. */
  left: readonly World[] | null = null;
  readonly #chance: Chance;
  readonly #trouble: Trouble;
  readonly #dies: () => readonly World[];
  readonly #life: { isOver: boolean };

  constructor({
    chance,
    trouble,
    life,
    dies,
  }: {
    readonly chance: Chance;
    readonly trouble: Trouble;
    readonly life: { isOver: boolean };
    readonly dies: () => readonly World[];
  }) {
    this.#chance = chance;
    this.#trouble = trouble;
    this.#life = life;
    this.#dies = dies;
  }

  choose<T extends string>(point: string, options: readonly [T, ...T[]]): T {
    if (this.left) return options[0];
    const isMeddling = point.startsWith("meanwhile") || point.startsWith("first");
    if (options.length === 1 || !this.#chance.percent(isMeddling ? this.#trouble.meddling : this.#trouble.fault))
      return options[0];
    const [first, ...others] = options;
    const chosen = this.#chance.any(others) ?? first;
    this.story.push(`${point}: ${chosen}`);
    return chosen;
  }

  mayDie(point: string): void {
    if (this.left || !this.#chance.percent(this.#trouble.death)) return;
    this.left = this.#dies();
    this.#life.isOver = true;
    this.story.push(`${point}: dies`);
  }

  sees(): void {
    // Chance does not look.
  }

  does(): void {
    // What matters is in the service's log.
  }
}
