import { createHash } from "node:crypto";
import { SEND_WITHIN_MS } from "../../../src/core/state/windowed-journal.ts";
import { judgeRest, judgeRun } from "../judge/judge.ts";
import { keyOf } from "../key.ts";
import { LISTING_DELAY_MS, type Ran } from "../process.ts";
import { judged } from "../scenarios.ts";
import { type World, copyOf } from "../world.ts";
import { type Bounds, boundsText, byBounds, isDeadly, less, takes, takesFates } from "./bounds.ts";
import type { Choices, Point } from "./run-decisions.ts";
import { type Death, DIED, type Stage, explore, settle } from "./runs.ts";
import type { Turn } from "./schedule.ts";

/** How a schedule ends: nothing is left to do; an outcome stays undecided, and the tool says so; or it reports what a person has to settle. */
export type End = "rest" | "undecided" | "reported";

/** A world between two runs, with the ways that lead on from it. */
export interface Node {
  readonly number: number;
  readonly world: World;
  /** Whether the run before had nothing to do. */
  readonly isQuiet: boolean;
  /** The first way that was found to it. */
  readonly from: { readonly node: Node; readonly turn: Turn } | null;
  /** Clean runs since the last trouble on that way. */
  readonly cleanRuns: number;
  readonly edges: Map<string, Edge>;
  /** Choices by their number. */
  readonly levels: Level[];
  /** The choices whose points are known. */
  readonly known: WeakSet<Choices>;
  readonly asked: Set<string>;
  end: End | null;
}

interface Level {
  /** Not tried yet. */
  fresh: Choices[];
  /** Tried, but not with deaths. */
  deathless: Choices[];
}

/** How many different runs lead from a world to another, with so many faults, and by a death or not. */
interface Edge {
  readonly faults: number;
  readonly deaths: 0 | 1;
  readonly to: Node;
  /** Each run by what server and store saw. */
  readonly ways: Set<number>;
}

export interface Violation {
  readonly rule: string;
  readonly turns: readonly Turn[];
}

export interface Figures {
  runs: number;
  readonly violations: Violation[];
  readonly undecided: Node[];
  /** What the tool says at the end of schedules: the first world for each. */
  readonly said: Map<string, Node>;
  /** The most that a run without trouble of its own took, in addition to the first one. */
  readonly recovery: { requests: number; ms: number };
}

/** Of recovery: a few requests, the listing delay, the time in which an announced request is sent, and pacing. */
const MOST_REQUESTS = 5;
const MOST_MS = LISTING_DELAY_MS.unanswered + SEND_WITHIN_MS + 2000;
const MOST_CLEAN_RUNS = 8;
const MOST_VIOLATIONS = 5;
const PROGRESS_RUNS = 50_000;

/** Enumerates the schedules of a scenario within bounds. Worlds with the same key are explored once. */
export class Explorer {
  readonly #stage: Stage;
  readonly #bounds: Bounds;
  readonly #nodes = new Map<string, Node>();
  /** Nodes to explore, by what may still go wrong. */
  readonly #queues = new Map<string, { readonly bounds: Bounds; readonly nodes: Node[] }>();
  /** Worlds that deaths have left, before the judge has seen them: the nodes where the next process starts. */
  readonly #left = new Map<string, readonly Node[]>();
  /** The first run of all. */
  #undisturbed: Ran | null = null;
  readonly #progress: (runs: number, worlds: number) => void;
  readonly figures: Figures = {
    runs: 0,
    violations: [],
    undecided: [],
    said: new Map(),
    recovery: { requests: 0, ms: 0 },
  };

  constructor(stage: Stage, bounds: Bounds, progress: (runs: number, worlds: number) => void = () => undefined) {
    this.#stage = stage;
    this.#bounds = bounds;
    this.#progress = progress;
  }

  get worlds(): number {
    return this.#nodes.size;
  }

  get isBroken(): boolean {
    return this.figures.violations.length >= MOST_VIOLATIONS;
  }

  async exploreAll(start: World): Promise<Node> {
    const root = this.#nodeOf(start, { isQuiet: false, from: null, cleanRuns: 0 });
    this.#ask(root, this.#bounds);
    for (let next = this.#next(); next && !this.isBroken; next = this.#next())
      await this.#expand(next.node, next.bounds);
    return root;
  }

  #ask(node: Node, bounds: Bounds): void {
    const key = boundsText(bounds);
    if (node.asked.has(key)) return;
    node.asked.add(key);
    const queue = this.#queues.get(key) ?? { bounds, nodes: [] };
    queue.nodes.push(node);
    this.#queues.set(key, queue);
  }

  #next(): { readonly node: Node; readonly bounds: Bounds } | null {
    const [queue] = [...this.#queues.values()]
      .filter(({ nodes }) => nodes.length > 0)
      .toSorted((a, b) => byBounds(a.bounds, b.bounds));
    const node = queue?.nodes.pop();
    return queue && node ? { node, bounds: queue.bounds } : null;
  }

  async #expand(node: Node, bounds: Bounds): Promise<void> {
    for (let faults = 0; faults <= Math.min(bounds.faults, bounds.troubles); faults++) {
      const level = (node.levels[faults] ??= { fresh: [], deathless: [] });
      const withDeaths = less(bounds, { faults, deaths: 1 }) !== null;
      const tried = [...level.fresh, ...(withDeaths ? level.deathless : [])];
      level.deathless = withDeaths ? [] : [...level.deathless, ...level.fresh];
      level.fresh = [];
      for (const choices of tried) {
        if (this.isBroken) return;
        await this.#run(node, choices, withDeaths);
      }
    }
    for (const edge of node.edges.values()) {
      const left = less(bounds, edge);
      if (left) this.#ask(edge.to, left);
    }
  }

  async #run(node: Node, choices: Choices, withDeaths: boolean): Promise<void> {
    // What else this process does, as a test's report, has its turn now and then.
    if (this.figures.runs++ % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    if (this.figures.runs % PROGRESS_RUNS === 0) this.#progress(this.figures.runs, this.worlds);
    const faults = choices.length;
    const { ran, world, trace, open, broken } = await explore(this.#stage, node.world, {
      choices,
      dies: withDeaths ? (death) => this.#dies(node, choices, death) : null,
      diesAt: (point) => isDeadly(this.#bounds, point),
    });
    this.#report(broken, node, { choices, dies: null, isSettled: false });
    if (!node.known.has(choices)) this.#addChoices(node, choices, open);
    if (faults > 0) {
      this.#follow(node, { choices, dies: null, isSettled: false }, { world, trace });
      this.#follow(node, { choices, dies: null, isSettled: true }, { world, trace });
    } else this.#cleanRun(node, ran, { world, trace });
  }

  #addChoices(node: Node, choices: Choices, open: readonly Point[]): void {
    node.known.add(choices);
    if (choices.length >= Math.min(this.#bounds.faults, this.#bounds.troubles)) return;
    const level = (node.levels[choices.length + 1] ??= { fresh: [], deathless: [] });
    for (const { number, name, options } of open) {
      for (const [option, fate] of options.entries())
        if (option > 0 && takes(this.#bounds, name, fate)) level.fresh.push([...choices, [number, option]]);
    }
  }

  /** Without trouble: it comes to rest, or goes on. */
  #cleanRun(node: Node, ran: Ran, { world, trace }: { readonly world: World; readonly trace: number }): void {
    const turn: Turn = { choices: [], dies: null, isSettled: true };
    this.#undisturbed ??= ran;
    this.#report(this.#dearRecovery(ran), node, turn);
    if (ran.isQuiet && node.isQuiet) return this.#ends(node, "rest", { world, ran });
    const next = this.#follow(node, turn, { world, trace, isQuiet: ran.isQuiet });
    if (next === node) this.#ends(node, ran.exit === 3 ? "undecided" : "reported", { world, ran });
    else if (next.cleanRuns > MOST_CLEAN_RUNS) this.#report(["it does not come to rest"], node, turn);
  }

  /** Recovery takes no longer than the listing delay, and a few requests. */
  #dearRecovery({ requests, tookMs }: Ran): readonly string[] {
    const { recovery } = this.figures;
    const more = {
      requests: requests - (this.#undisturbed?.requests ?? 0),
      ms: tookMs - (this.#undisturbed?.tookMs ?? 0),
    };
    recovery.requests = Math.max(recovery.requests, more.requests);
    recovery.ms = Math.max(recovery.ms, more.ms);
    const isDear = this.#stage.scenario.running.marks && (more.requests > MOST_REQUESTS || more.ms > MOST_MS);
    return isDear
      ? [`recovery took ${String(more.requests)} requests and ${String(more.ms)} ms more than a run without trouble`]
      : [];
  }

  #ends(node: Node, end: End, { world, ran }: { readonly world: World; readonly ran: Ran }): void {
    node.end = end;
    this.#report(judgeRest(world, ran, judged(this.#stage.scenario)), node, {
      choices: [],
      dies: null,
      isSettled: true,
    });
    if (end === "undecided") this.figures.undecided.push(node);
    const codes = `${end}: ${ran.said.map(({ code }) => code).join(" ")}`;
    if (end !== "rest" && !this.figures.said.has(codes)) this.figures.said.set(codes, node);
  }

  #dies(node: Node, choices: Choices, { at, variant, world, plan, trace, fates }: Death): void {
    if (!takesFates(this.#bounds, fates)) return;
    const id = digest(
      `${this.#keyOf(world)} ${world.service.log.map(({ write, fate }) => `${String(write.number)}${fate.kind}`).join()}`,
    );
    let nexts = this.#left.get(id);
    if (!nexts) {
      const left = copyOf(world);
      const broken = judgeRun(
        left,
        { ...DIED, plan, approved: this.#stage.scenario.running.approved },
        judged(this.#stage.scenario),
      );
      this.#report(broken, node, { choices, dies: { at, variant }, isSettled: false });
      nexts = [false, true].map((isSettled) => this.#begin(node, { choices, dies: { at, variant }, isSettled }, left));
      this.#left.set(id, nexts);
    }
    nexts.forEach((next, index) =>
      this.#join(node, next, { faults: choices.length, deaths: 1, way: wayOf(trace, 2 * variant + index) }),
    );
  }

  #follow(
    node: Node,
    turn: Turn,
    { world, trace, isQuiet = false }: { readonly world: World; readonly trace: number; readonly isQuiet?: boolean },
  ): Node {
    const next = this.#begin(node, turn, world, isQuiet);
    this.#join(node, next, { faults: turn.choices.length, deaths: 0, way: wayOf(trace, turn.isSettled ? 1 : 0) });
    return next;
  }

  /** The world in which the next process starts. */
  #begin(node: Node, turn: Turn, left: World, isQuiet = false): Node {
    const world = copyOf(left);
    const isTroubled = turn.choices.length > 0 || turn.dies !== null;
    if (turn.isSettled) settle(world);
    if (isTroubled) this.#stage.kind.tidy(world.store);
    return this.#nodeOf(world, { isQuiet, from: { node, turn }, cleanRuns: isTroubled ? 0 : node.cleanRuns + 1 });
  }

  #nodeOf(world: World, given: Pick<Node, "isQuiet" | "from" | "cleanRuns">): Node {
    const key = digest(`${given.isQuiet ? "quiet " : ""}${this.#keyOf(world)}`);
    const before = this.#nodes.get(key);
    if (before) return before;
    const node: Node = {
      ...given,
      number: this.#nodes.size,
      world,
      edges: new Map(),
      levels: [{ fresh: [[]], deathless: [] }],
      known: new WeakSet(),
      asked: new Set(),
      end: null,
    };
    this.#nodes.set(key, node);
    return node;
  }

  #keyOf(world: World): string {
    return keyOf(world, this.#bounds.which === "all" ? "seconds" : "thresholds");
  }

  #join(
    node: Node,
    to: Node,
    { faults, deaths, way }: Pick<Edge, "faults" | "deaths"> & { readonly way: number },
  ): void {
    const key = `${String(faults)}.${String(deaths)}.${String(to.number)}`;
    const edge = node.edges.get(key) ?? { faults, deaths, to, ways: new Set() };
    edge.ways.add(way);
    node.edges.set(key, edge);
  }

  #report(broken: readonly string[], node: Node, turn: Turn): void {
    for (const rule of broken) this.figures.violations.push({ rule, turns: [...turnsTo(node), turn] });
  }
}

/** Stands for a long text: there are millions of them. */
function digest(text: string): string {
  return createHash("sha1").update(text).digest("base64");
}

/** A run by its trace and by what comes after it: one of less than 2^10. */
function wayOf(trace: number, after: number): number {
  return trace + after * 0x9e3779b97f;
}

/** The first way that was found to a world. */
export function turnsTo({ from }: Node): readonly Turn[] {
  return from ? [...turnsTo(from.node), from.turn] : [];
}
