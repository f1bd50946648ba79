import { type Machine, machineOf, runProcess } from "../simulation/process.ts";
import { parseStored } from "../simulation/judge/parse.ts";
import { newMemory } from "../simulation/judge/memory.ts";
import { running, webhook } from "../simulation/declarations.ts";
import { BEGIN_MS, settle } from "../simulation/explorer/runs.ts";
import { COPIED_TYPE, DEATH_FATES, type Hook, type Landing, newService } from "../simulation/service.ts";
import type { StoreKind } from "../simulation/ports.ts";
import { unmarked } from "../simulation/marks.ts";
import { type Decisions, type World, copyOf } from "../simulation/world.ts";

/** What a history comes to, by model or by engine. The ids of webhooks are numbers, in the order in which they were made. */
export interface Outcome {
  /** The exit code of each run; 9: killed. */
  readonly exits: readonly number[];
  /** The live webhooks that the tool has made, and those of somebody else. */
  readonly ours: readonly number[];
  readonly others: readonly number[];
  /** The recorded webhook, or 0, and older ones that are still to be deleted. */
  readonly recorded: number;
  readonly older: readonly number[];
  /** The live webhooks that nothing manages, and that the last run named. */
  readonly reported: readonly number[];
  readonly deleted: readonly number[];
}

export interface Setting {
  readonly marks: boolean;
  readonly unique: boolean;
}

const WRITES: { readonly [event: string]: string } = {
  well: "well",
  refused: "refused",
  "lost dropped": "lost-before",
  "lost done": "lost-after",
  "lost soon": "late-soon",
  "lost late": "late-long",
};
const DEATHS: { readonly [event: string]: Landing } = Object.fromEntries(
  ["dropped", "done", "soon", "late"].map((fate, index) => [`killed ${fate}`, DEATH_FATES[index] ?? "dropped"]),
);

/** A history of the model, carried out by the production engine on the simulated service. */
export async function drive(events: readonly string[], { marks, unique }: Setting, kind: StoreKind): Promise<Outcome> {
  const service = newService({ hasOnePerUrl: unique }, BEGIN_MS);
  let world: World = {
    nowMs: BEGIN_MS,
    chance: 0,
    service,
    store: kind.newPart(),
    judge: newMemory(),
  };
  const exits: number[] = [];
  let said = "";
  for (const [event = "", ...following] of turnsOf(events)) {
    if (event === "settle") settle(world);
    else if (!event.startsWith("run")) addByHand(world, event);
    else {
      const ran = await runOnce(world, [event, ...following], { marks, kind });
      world = ran.world;
      exits.push(ran.exit);
      said = ran.said;
    }
  }
  return { exits, ...outcomeOf(world, said) };
}

/** Each run with what happens during it, and everything else alone. */
function turnsOf(events: readonly string[]): readonly (readonly string[])[] {
  const turns: string[][] = [];
  for (const event of events) {
    if (event in WRITES || event in DEATHS || event === "look stale") turns.at(-1)?.push(event);
    else turns.push([event]);
  }
  return turns;
}

const DECLARED = webhook("a");
const [ADDRESS, URL_DECLARED] = [DECLARED.address, String(DECLARED.attributes["target_url"])];

/** The service tells times in seconds: between this and the next run, some pass. */
const PAUSE_MS = 5000;

function addByHand(world: World, event: string): void {
  const { service, nowMs } = world;
  const copied = service.hooks.find(({ targetUrl }) => unmarked(targetUrl).mark !== null);
  if (event === "copy" && copied) service.addByHand({ targetUrl: copied.targetUrl, type: COPIED_TYPE }, nowMs);
  else service.addByHand({ targetUrl: URL_DECLARED, type: String(DECLARED.attributes["type"]) }, nowMs);
  world.nowMs += PAUSE_MS;
}

/** Does what the history says. */
class Script implements Decisions {
  /** How the engine has left the history. */
  readonly problems: string[] = [];
  #staleNow: boolean;
  #fate = "";
  readonly #rest: string[];
  readonly #kill: (landing: Landing) => void;

  constructor([run = "", ...rest]: readonly string[], kill: (landing: Landing) => void) {
    this.#staleNow = run === "run stale";
    this.#rest = [...rest];
    this.#kill = kill;
  }

  choose<T extends string>(point: string, options: readonly [T, ...T[]]): T {
    const [ordinary] = options;
    if (point.startsWith("GET /hooks"))
      return options.find((option) => this.#staleNow && option === "stale") ?? ordinary;
    if (!point.startsWith("POST ")) return ordinary;
    this.#fate = this.#rest.shift() ?? "";
    if (this.#fate === "") this.problems.push("the engine sends a create that the model does not send");
    this.#staleNow = this.#rest[0] === "look stale";
    if (this.#staleNow) this.#rest.shift();
    const wanted = this.#fate in DEATHS ? "well" : WRITES[this.#fate];
    return options.find((option) => option === wanted) ?? ordinary;
  }

  mayDie(point: string): void {
    const landing = DEATHS[this.#fate];
    if (landing === undefined || !point.startsWith("POST ")) return;
    this.#fate = "";
    this.#kill(landing);
  }

  sees(): void {
    // The outcome is compared, not the way to it.
  }

  does(): void {
    // The same.
  }

  ended(): void {
    if (this.#rest.length > 0) this.problems.push(`the engine does not send: ${this.#rest.join(", ")}`);
  }
}

async function runOnce(
  start: World,
  turn: readonly string[],
  { marks, kind }: { readonly marks: boolean; readonly kind: StoreKind },
) {
  const machine: Machine = machineOf(copyOf(start), kind);
  const { world } = machine;
  const life = { isOver: false };
  let left: World | null = null;
  const script = new Script(turn, (landing) => {
    const [store] = world.store.afterDeath();
    if (!store) throw new Error("a death leaves no store");
    left = copyOf({ ...world, service: world.service.afterDeathWith([landing], world.nowMs), store });
    life.isOver = true;
  });
  const { exit, said, texts } = await runProcess(machine, running([DECLARED], { marks }), script, life);
  script.ended();
  const problems = [...texts, ...script.problems];
  if (problems.length > 0) throw new Error(problems.join("\n"));
  const after = left ?? world;
  kind.tidy(after.store);
  return { world: after, exit: left || exit === "died" ? 9 : exit, said: JSON.stringify(said) };
}

function outcomeOf({ service, store }: World, said: string): Omit<Outcome, "exits"> {
  const record = parseStored(store.stored()).records.get(ADDRESS);
  const [recorded, older] = [numberOf(record?.id ?? null), (record?.deposed ?? []).map(numberOf)];
  const ids = (hooks: readonly Hook[]): readonly number[] => hooks.map(({ id }) => numberOf(id));
  const unmanaged = service.hooks.filter(({ id }) => ![recorded, ...older].includes(numberOf(id)));
  const deleted = service.log.flatMap(({ write: { kind, id } }) => (kind === "delete" ? [numberOf(id)] : []));
  return {
    ours: ids(service.hooks.filter(({ isOurs }) => isOurs)),
    others: ids(service.hooks.filter(({ isOurs }) => !isOurs)),
    recorded,
    older,
    reported: ids(unmanaged.filter(({ id }) => said.includes(id))),
    deleted: [...new Set(deleted)].toSorted((a, b) => a - b),
  };
}

function numberOf(id: string | null): number {
  return id === null ? 0 : Number(id.replace("hoo_", ""));
}
