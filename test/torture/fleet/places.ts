import { setTimeout as delay } from "node:timers/promises";
import type { Chance } from "../../core/apply/chance.ts";
import type { Controller, LogLine } from "./controllers.ts";
import type { Standstills } from "./take-overs.ts";
import type { Killed } from "./team-ends.ts";

/** The place of a controller, which is started there again after each kill. */
interface Place {
  controller: Controller | null;
  secret: string;
  isBusy: boolean;
  /** Whether it has read the configuration. */
  hasStarted: boolean;
  isStopped: boolean;
}

export interface PlacesOptions {
  readonly count: number;
  readonly chance: Chance;
  readonly standstills: Standstills;
  start(secret: string, logged: (line: LogLine) => void): Promise<Controller>;
  /** The secret that a controller has from its start. */
  secret(): string;
  /** Whether a controller rightly ended before it had started. */
  isExpected(said: string): boolean;
  /** Waits for a good moment. The id under which a controller is registered. */
  aim(controller: Controller): Promise<string | null>;
  readonly note: (what: string) => void;
}

const [LEAST_STOP_MS, MOST_STOP_MS] = [1000, 16_000];
/** Of so many strikes of a hundred, nobody may be left to take over. */
const LAST_PERCENT = 20;
const MOST_DOWN_MS = 3000;
const POLL_MS = 500;

/** The controllers of a fleet, which are killed, stopped and started. */
export class Places {
  readonly figures = { SIGKILL: 0, SIGTERM: 0, SIGSTOP: 0 };
  readonly violations: string[] = [];
  readonly killed: Killed[] = [];
  readonly #options: PlacesOptions;
  readonly #places: readonly Place[];
  readonly #under: Promise<unknown>[] = [];
  #isOver = false;

  constructor(options: PlacesOptions) {
    this.#options = options;
    this.#places = Array.from({ length: options.count }, () => ({
      controller: null,
      secret: "",
      isBusy: false,
      hasStarted: false,
      isStopped: false,
    }));
    options.standstills.begin("no controller");
  }

  async start(): Promise<void> {
    await Promise.all(this.#places.map((place) => this.#start(place)));
  }

  /** Kills or stops one of them. What follows goes on without the caller. */
  async strike(): Promise<void> {
    const { chance } = this.#options;
    const place = chance.any(this.#places.filter(({ controller, isBusy }) => controller && !isBusy));
    if (
      !place?.controller ||
      (!chance.percent(LAST_PERCENT) && !this.#places.some((other) => other !== place && works(other)))
    )
      return;
    const signal = chance.oneOf(["SIGKILL", "SIGKILL", "SIGKILL", "SIGTERM", "SIGSTOP"]);
    this.figures[signal]++;
    this.#under.push(signal === "SIGSTOP" ? this.#hold(place, place.controller) : this.#restart(place, signal));
  }

  /** Resolves when all of them run, with the newest secret. */
  async settle(): Promise<void> {
    for (const place of this.#places) {
      await Promise.all(this.#under);
      if (place.secret !== this.#options.secret()) await this.#restart(place, "SIGTERM");
    }
    while (!this.#places.every(works)) await delay(POLL_MS);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    for (const { controller } of this.#places) controller?.signal("SIGKILL");
    await Promise.allSettled(this.#under);
    for (const { controller } of this.#places) controller?.signal("SIGKILL");
    for (const { controller } of this.#places) await controller?.ended;
  }

  async #start(place: Place): Promise<void> {
    const { start, secret, isExpected, note } = this.#options;
    place.secret = secret();
    const logged = ({ event }: LogLine): void => {
      if (event === "started") this.#mark(place, { hasStarted: true });
    };
    while (!this.#isOver) {
      const controller = await start(place.secret, logged).catch((error: unknown) => {
        if (!isExpected(String(error))) throw error;
        return null;
      });
      if (controller) {
        place.controller = controller;
        void controller.ended.then(() => this.#under.push(this.#ended(place, controller)));
        return note(`a controller has started: ${String(controller.pid)}`);
      }
      await delay(POLL_MS);
    }
  }

  /** What ended by itself is started again. */
  async #ended(place: Place, controller: Controller): Promise<void> {
    if (this.#isOver || place.controller !== controller) return;
    if (!this.#isEarly(controller))
      this.violations.push(`a controller ended by itself: ${controller.said().slice(-1000)}`);
    place.controller = null;
    this.#mark(place, { hasStarted: false });
    await this.#start(place);
  }

  #isEarly(controller: Controller): boolean {
    return !controller.said().includes('"event":"started"') && this.#options.isExpected(controller.said());
  }

  /** Ends a controller and starts another one in its place. */
  async #restart(place: Place, signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const { chance, aim, note } = this.#options;
    const { controller } = place;
    if (!controller) return;
    place.isBusy = true;
    place.controller = null;
    const process = await aim(controller);
    const atMs = Date.now();
    controller.signal(signal);
    note(`${signal} ${String(controller.pid)} ${process ?? ""}`);
    this.#mark(place, { hasStarted: false });
    const code = await controller.ended;
    // One that has only begun to start is interrupted as any command.
    const isInterrupted =
      code === 1 && controller.said().trimEnd().endsWith("Interrupted. No further requests were sent.");
    if (code !== (signal === "SIGKILL" ? 137 : 0) && !isInterrupted && !this.#isEarly(controller))
      this.violations.push(
        `after ${signal}, a controller ended with ${String(code)}: ${controller.said().slice(-1000)}`,
      );
    if (signal === "SIGKILL" && process !== null) this.killed.push({ process, atMs });
    await delay(chance.below(MOST_DOWN_MS));
    await this.#start(place);
    place.isBusy = false;
  }

  async #hold(place: Place, controller: Controller): Promise<void> {
    const { chance, note } = this.#options;
    place.isBusy = true;
    controller.signal("SIGSTOP");
    this.#mark(place, { isStopped: true });
    note(`SIGSTOP ${String(controller.pid)}`);
    await delay(LEAST_STOP_MS + chance.below(MOST_STOP_MS - LEAST_STOP_MS));
    controller.signal("SIGCONT");
    note(`SIGCONT ${String(controller.pid)}`);
    this.#mark(place, { isStopped: false });
    place.isBusy = false;
  }

  #mark(place: Place, state: Partial<Pick<Place, "hasStarted" | "isStopped">>): void {
    const { standstills } = this.#options;
    Object.assign(place, state);
    if (this.#places.some(works)) standstills.end("no controller");
    else standstills.begin("no controller");
  }
}

function works({ controller, hasStarted, isStopped }: Place): boolean {
  return controller !== null && hasStarted && !isStopped;
}
