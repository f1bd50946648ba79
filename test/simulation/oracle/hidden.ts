import type { Alternative } from "../explorer/replay.ts";
import type { Stage } from "../explorer/runs.ts";
import type { OpenWrite } from "../judge/parse.ts";
import type { Landing } from "../service.ts";
import { hiddenSide } from "../transport.ts";
import { Counter, type Died, type History, type Passed, type Told } from "./history.ts";
import { isAbout, isOf, landingsOf } from "./truth.ts";

/** Something that happened where no process could see it, in another way than it did. */
export interface Change {
  readonly turn: number;
  /** Of a request: its number among the decisions of its turn. Null for the writes in flight of a process that died. */
  readonly number: number | null;
  readonly instead: string;
}

const SWAPPED: { readonly [fate: string]: string } = {
  "rival-before": "rival-after",
  "rival-after": "rival-before",
  "rival-lost-before": "rival-lost-after",
  "rival-lost-after": "rival-lost-before",
};

/** The histories in which a write without a clear answer had another outcome, whether lost by the network or by the death of its sender. */
export function oneHidden(_: Stage, told: Told, open: OpenWrite): Promise<readonly History[]> {
  return Promise.resolve(changesIn(told, open).map((one) => withChanges(told, [one])));
}

/** Those in which two had. */
export function twoHidden(_: Stage, told: Told, open: OpenWrite): Promise<readonly History[]> {
  const changes = changesIn(told, open);
  const pairs = changes.flatMap((one, index) =>
    changes
      .slice(index + 1)
      .flatMap((other) => (one.turn === other.turn && one.number === other.number ? [] : [[one, other]])),
  );
  return Promise.resolve(pairs.map((pair) => withChanges(told, pair)));
}

export function changesIn({ replayed, passed, died }: Told, open: OpenWrite): readonly Change[] {
  const landings = landingsOf(replayed.world, open);
  return [
    ...passed.filter(({ point }) => isAbout(point, open)).flatMap((one) => changesOfRequest(one, landings)),
    ...died.flatMap((one) => changesOfDeath(one, open, landings)),
  ];
}

export function withChanges({ turns }: Told, changes: readonly Change[]): History {
  return {
    from: Math.min(...changes.map(({ turn }) => turn)),
    turns,
    alternative: () => alternativeOf(changes),
    lost: [],
  };
}

export function changesOfRequest({ turn, number, chosen }: Passed, landings: readonly Landing[]): readonly Change[] {
  const swapped = SWAPPED[chosen];
  if (swapped !== undefined) return [{ turn, number, instead: swapped }];
  const hidden = hiddenSide(chosen);
  if (!hidden) return [];
  return landings
    .filter((landing) => landing !== hidden.landing)
    .map((landing) => ({ turn, number, instead: `as ${hidden.visible}: ${landing}` }));
}

/** Only the writes that the open one could be taken for have other outcomes; with them the others in flight keep theirs. */
function changesOfDeath(
  { turn, before, fates }: Died,
  open: OpenWrite,
  landings: readonly Landing[],
): readonly Change[] {
  const all = before.service.inFlight.reduce<readonly (readonly Landing[])[]>(
    (some, write, index) =>
      some.flatMap((chosen) =>
        (isOf(write, open) ? landings : [fates[index] ?? "dropped"]).map((landing) => [...chosen, landing]),
      ),
    [[]],
  );
  return all
    .filter((landing) => landing.join() !== fates.join())
    .map((landing) => ({ turn, number: null, instead: landing.join() }));
}

function alternativeOf(changes: readonly Change[]): Alternative {
  const counter = new Counter();
  const changeOf = (turn: number, number: number | null): string | undefined =>
    changes.find((one) => one.turn === turn && one.number === number)?.instead;
  return {
    choose: (turn, _point, chosen) => changeOf(turn, counter.next(turn)) ?? chosen,
    left: (turn, { before, left }) => {
      const instead = changeOf(turn, null);
      return instead === undefined
        ? left
        : { ...left, service: before.service.afterDeathWith(instead.split(",") as readonly Landing[], before.nowMs) };
    },
  };
}
