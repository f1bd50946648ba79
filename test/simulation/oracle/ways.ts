import type { Choices } from "../explorer/run-decisions.ts";
import { scheduleText } from "../explorer/schedule.ts";
import type { OpenWrite } from "../judge/parse.ts";
import type { Landing } from "../service.ts";
import { type Change, changesOfRequest } from "./hidden.ts";
import type { Passed, Told } from "./history.ts";
import { isAbout, landingsOf } from "./truth.ts";

/** Another way through one run: other choices by their numbers, or no answer to the open write, and other decisions by their points. */
export interface Way {
  readonly name: string;
  readonly choices: Choices;
  /** With what becomes of the open write. */
  readonly decide: ((landing: Landing) => Decide) | null;
  /** Whether the open write may be sent at a point. */
  readonly isUnanswered: (point: string) => boolean;
}
type Decide = (point: string, chosen: string) => string;

/** Whether a decision is about the service; the others are about the store. */
export const isRequest = ({ point }: Pick<Passed, "point">): boolean => /^(?:GET|POST|DELETE) /.test(point);

/** With the first of these choices, from all to none. */
export function prefixes(choices: Choices): readonly Way[] {
  return Array.from({ length: choices.length + 1 }, (_, left) => choices.slice(0, choices.length - left)).map(
    (kept) => ({
      name: scheduleText([{ choices: kept, dies: null, isSettled: false }]),
      choices: kept,
      decide: null,
      isUnanswered: () => false,
    }),
  );
}

/** Those in which the process died waiting for an answer: to any request for the same, while an earlier one may have had another outcome too. */
export function waysWithoutAnswer(told: Told, turn: number, open: OpenWrite): readonly Way[] {
  const here = told.passed.filter((one) => one.turn === turn && isRequest(one) && isAbout(one.point, open));
  const landings = landingsOf(told.replayed.world, open);
  const answered = here.filter(({ chosen }) => chosen === "well").length;
  const changes = [null, ...here.flatMap((one) => changesOfRequest(one, landings))];
  const firsts = Array.from({ length: answered + 1 }, (_, index) => index + 1);
  return firsts.flatMap((first) => [
    ...changes.map((hidden) =>
      wayWithoutAnswer(told, { turn, open, visible: "slow", isElseTheSame: true, first, hidden }),
    ),
    wayWithoutAnswer(told, { turn, open, visible: "slow", isElseTheSame: false, first, hidden: null }),
  ]);
}

interface Unanswered {
  readonly turn: number;
  readonly open: OpenWrite;
  /** Whether the answer is known to be lost, or just does not come for long. */
  readonly visible: "lost" | "slow";
  readonly isElseTheSame: boolean;
  /** Which of the requests that could be the open write, and were answered, is the first without an answer. */
  readonly first: number;
  /** Another outcome of a request whose sender does not know it. */
  readonly hidden: Change | null;
}

/** Other decisions are found by their points and not by their numbers: the process may come to more points. */
export function wayWithoutAnswer(
  { passed, turns }: Told,
  { turn, open, visible, isElseTheSame, first, hidden }: Unanswered,
): Way {
  const before = new Map<string, string>();
  if (isElseTheSame) {
    const name = counting();
    for (const { number, point, chosen } of passed.filter((one) => one.turn === turn)) {
      before.set(name(point), number === hidden?.number ? hidden.instead : chosen);
    }
  }
  const isUnanswered = (point: string): boolean => isRequest({ point }) && isAbout(point, open);
  const same = isElseTheSame ? scheduleText(turns.slice(turn, turn + 1)) : "";
  return {
    isUnanswered,
    name: [same, open.address, visible, first, hidden && [hidden.number, hidden.instead]].join(" "),
    choices: [],
    decide: (landing) => {
      const name = counting();
      let answered = 0;
      return (point, chosen) => {
        const known = before.get(name(point)) ?? chosen;
        return isUnanswered(point) && known === "well" && ++answered >= first ? `as ${visible}: ${landing}` : known;
      };
    },
  };
}

/** Names points that come more than once. */
function counting(): (point: string) => string {
  const counts = new Map<string, number>();
  return (point) => {
    const count = (counts.get(point) ?? 0) + 1;
    counts.set(point, count);
    return `${point} ${String(count)}`;
  };
}
