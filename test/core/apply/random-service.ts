import type { LiveListing, LiveObject, WriteOutcome } from "../../../src/core/model/definition.ts";
import type { Clock } from "../../../src/core/model/ports.ts";
import type { Attributes } from "../../../src/core/model/value.ts";
import { NEVER } from "../state/state-fixtures.ts";
import type { Chance } from "./chance.ts";
import { type Life, never } from "./life.ts";
import type { Shop } from "./shop-things.ts";

/** How much goes wrong with requests and lists, in percent. */
export interface Trouble {
  readonly write: number;
  readonly list: number;
  /** Whether the process may end at a request. */
  readonly crash: number;
}

export const PEACE: Trouble = { write: 0, list: 0, crash: 0 };

/** What the service itself knows of an object. */
export interface Made {
  readonly id: string;
  readonly name: string;
  readonly room: string | null;
  readonly secret: string | null;
  readonly madeMs: number;
  /** How long after its request was sent. */
  readonly lateMs: number;
  /** Made by a request of the tool's, not by hand. */
  readonly isOurs: boolean;
}

export interface Sent {
  readonly method: "POST" | "DELETE" | "SHOUT";
  /** The name, id or word. */
  readonly what: string;
  readonly room: string | null;
  readonly atMs: number;
  /** Whether it was refused for certain. */
  refused: boolean;
}

/** How long a list may be behind, at most: less than the listing delay. */
export const MAX_STALE_MS = 90;

/** A service that keeps its own log; what goes wrong with it is left to chance. */
export function randomService({
  clock,
  chance,
  arrives,
}: {
  readonly clock: Clock;
  readonly chance: Chance;
  readonly arrives: (sent: Sent) => Promise<void>;
}) {
  const bucket = new Map<string, Made>();
  const everMade = new Map<string, Made>();
  const gone = new Map<string, number>();
  const sent: Sent[] = [];
  const shouted: string[] = [];
  /** Whether its list shows rooms at all: as a service that promises them only in its answer to a delete. */
  const showsRooms = chance.percent(70);
  let trouble = PEACE;
  let late = 0;
  let [atOnce, most, made] = [0, 0, 0];

  function make(object: Omit<Made, "id" | "madeMs" | "lateMs">, sentMs = clock.now()): Made {
    const one = { ...object, id: `id_${String(++made)}`, madeMs: clock.now(), lateMs: clock.now() - sentMs };
    bucket.set(one.id, one);
    everMade.set(one.id, one);
    return one;
  }
  function take(id: string): Made | undefined {
    const object = bucket.get(id);
    if (bucket.delete(id)) gone.set(id, clock.now());
    return object;
  }

  async function request(life: Life, given: Omit<Sent, "refused">, process: () => WriteOutcome): Promise<WriteOutcome> {
    if (life.isOver) return never();
    const one: Sent = { ...given, refused: false };
    sent.push(one);
    await arrives(one);
    most = Math.max(most, ++atOnce);
    await clock.sleep(1 + chance.below(20), NEVER);
    atOnce--;
    if (chance.percent(trouble.crash)) life.end();
    const fate = chance.percent(trouble.write)
      ? chance.oneOf(["refused", "lost-before", "lost-after", "unsure-before", "unsure-after", "late"])
      : "well";
    if (fate === "refused") {
      one.refused = true;
      return life.isOver
        ? never()
        : { kind: "refused", diagnostic: { code: "no", severity: "error", summary: "No", detail: "No." } };
    }
    if (fate === "late") {
      late++;
      void clock.sleep(chance.below(1500), NEVER).then(() => {
        process();
        late--;
      });
    }
    const outcome = fate.endsWith("-before") || fate === "late" ? null : process();
    if (outcome?.kind === "refused") one.refused = true;
    if (chance.percent(trouble.crash)) life.end();
    if (life.isOver) return never();
    return fate === "well" && outcome
      ? outcome
      : { kind: "unsure", cause: `no answer to ${given.method} ${given.what}`, answered: fate.startsWith("unsure") };
  }

  /** As it was then. */
  function listedAt(thenMs: number): readonly LiveObject[] {
    const objects = [...everMade.values()].filter(
      ({ id, madeMs }) => madeMs <= thenMs && (gone.get(id) ?? Number.POSITIVE_INFINITY) > thenMs,
    );
    const withRooms = showsRooms && objects.some(({ room }) => room !== null);
    return objects.map((object) => ({ id: object.id, attributes: shown(object, withRooms) }));
  }
  function shown({ id, name, room, madeMs }: Made, withRoom: boolean): Attributes {
    return { id, name, made_at: new Date(madeMs).toISOString(), ...(withRoom ? { room } : {}) };
  }

  const shopOf = (life: Life): Shop => ({
    list: async (): Promise<LiveListing> => {
      if (life.isOver) return never();
      await clock.sleep(1 + chance.below(10), NEVER);
      if (chance.percent(trouble.crash)) life.end();
      if (life.isOver) return never();
      const fate = chance.percent(trouble.list) ? chance.oneOf(["fails", "stale", "cut"]) : "well";
      if (fate === "fails") throw new Error("the list could not be read");
      const objects = listedAt(clock.now() - (fate === "stale" ? chance.below(MAX_STALE_MS) : 0));
      const isCut = fate === "cut";
      return {
        objects: isCut ? objects.filter(() => chance.percent(70)) : objects,
        complete: !isCut,
        serverDate: new Date(clock.now()).toUTCString(),
      };
    },
    create: (planned) => {
      const [name, room, secret] = [String(planned["name"]), textOf(planned["room"]), textOf(planned["secret"])];
      const sentMs = clock.now();
      return request(life, { method: "POST", what: name, room, atMs: sentMs }, () => {
        const object = make({ name, room, secret, isOurs: true }, sentMs);
        return { kind: "done", id: object.id, returned: shown(object, chance.percent(50)) };
      });
    },
    delete: (id) =>
      request(life, { method: "DELETE", what: id, room: null, atMs: clock.now() }, () => {
        const object = take(id);
        if (object) return { kind: "done", id, returned: shown(object, true) };
        return {
          kind: "refused",
          gone: true,
          diagnostic: { code: "gone", severity: "error", summary: "Gone", detail: "Gone." },
        };
      }),
    shout: (word) =>
      request(life, { method: "SHOUT", what: word, room: null, atMs: clock.now() }, () => {
        shouted.push(word);
        return { kind: "done", id: null, returned: { id: null, outcome: "heard" } };
      }),
  });

  return {
    shopOf,
    showsRooms,
    /** What is there now. */
    bucket: bucket as ReadonlyMap<string, Made>,
    everMade: everMade as ReadonlyMap<string, Made>,
    sent: sent as readonly Sent[],
    shouted: shouted as readonly string[],
    suffer: (what: Trouble) => void (trouble = what),
    /** How many requests it will process although nobody waits for them. */
    late: () => late,
    mostAtOnce: () => most,
    byHand: {
      make: (object: Pick<Made, "name" | "room">): Made =>
        make({ ...object, secret: "of somebody else", isOurs: false }),
      take,
    },
  };
}

export type RandomService = ReturnType<typeof randomService>;

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
