import type { Stage } from "../explorer/runs.ts";
import type { OpenWrite } from "../judge/parse.ts";
import type { Landing } from "../service.ts";
import { hiddenSide } from "../transport.ts";
import { Counter, type Died, type History, type Passed, type Told } from "./history.ts";
import { isAbout, isLike } from "./truth.ts";

/** Something that happened where no process could see it, in another way than it did. */
interface Change {
  readonly turn: number;
  /** Of a request: its number among the decisions of its turn. Null for the writes in flight of a process that died. */
  readonly number: number | null;
  readonly instead: string;
}

const LANDINGS = ["dropped", "done", "forged", "late-soon", "late-long"] as const satisfies readonly Landing[];
const SWAPPED: { readonly [fate: string]: string } = { "rival-lost-before": "rival-lost-after", "rival-lost-after": "rival-lost-before" };

/** The histories in which one or two writes without a clear answer had another outcome, whether lost by the network or by the death of their sender. */
export function hiddenHistories(_: Stage, { turns, replayed, passed, died }: Told, open: OpenWrite): Promise<readonly History[]> {
  const lookalikes = replayed.world.service.hooks.filter((hook) => isLike(hook, open));
  const times = [...new Set(lookalikes.map(({ createdMs }) => createdMs))];
  const anyTime: readonly Landing[] = [...LANDINGS, ...times.flatMap((ms): readonly Landing[] => [`done at ${ms}`, `forged at ${ms}`])];
  // The only webhook that a create can have made counts as its outcome: that somebody else made it, and the create was lost, is no excuse.
  const landings = lookalikes.length > 1 ? anyTime : anyTime.filter((landing) => !landing.startsWith("forged"));
  const single = [
    ...passed.filter(({ point }) => isAbout(point, open)).flatMap((one) => changesOfRequest(one, landings)),
    ...died.flatMap((one) => changesOfDeath(one, landings)),
  ];
  const double = single.flatMap((one, index) =>
    single.slice(index + 1).flatMap((other) => (one.turn === other.turn && one.number === other.number ? [] : [[one, other]])),
  );
  return Promise.resolve([...single.map((one) => [one]), ...double].map((changes) => ({ turns, alternative: alternativeOf(changes), lost: null })));
}

function changesOfRequest({ turn, number, chosen }: Passed, landings: readonly Landing[]): readonly Change[] {
  const swapped = SWAPPED[chosen];
  if (swapped !== undefined) return [{ turn, number, instead: swapped }];
  const hidden = hiddenSide(chosen);
  if (!hidden) return [];
  return landings.filter((landing) => landing !== hidden.landing).map((landing) => ({ turn, number, instead: `as ${hidden.visible}: ${landing}` }));
}

function changesOfDeath({ turn, before }: Died, landings: readonly Landing[]): readonly Change[] {
  const [first, ...others] = before.service.inFlight;
  if (!first) return [];
  const all = others.length === 0 ? landings : LANDINGS.filter((landing) => landings.includes(landing));
  const fates = others.reduce<readonly (readonly Landing[])[]>(
    (some) => some.flatMap((chosen) => all.map((landing) => [...chosen, landing])),
    all.map((landing) => [landing]),
  );
  return fates.map((landing) => ({ turn, number: null, instead: landing.join() }));
}

function alternativeOf(changes: readonly Change[]): History["alternative"] {
  const counter = new Counter();
  const changeOf = (turn: number, number: number | null): string | undefined => changes.find((one) => one.turn === turn && one.number === number)?.instead;
  return {
    choose: (turn, _point, chosen) => changeOf(turn, counter.next(turn)) ?? chosen,
    left: (turn, { before, left }) => {
      const instead = changeOf(turn, null);
      return instead === undefined ? left : { ...left, service: before.service.afterDeathWith(instead.split(",") as readonly Landing[]) };
    },
  };
}
