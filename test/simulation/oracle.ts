import type { Replayed } from "./explorer/replay.ts";
import type { Stage } from "./explorer/runs.ts";
import type { Turn } from "./explorer/schedule.ts";
import { type OpenWrite, parseStored } from "./judge/parse.ts";
import {
  deathsAndEndings,
  deathsAndHidden,
  endingsAndHidden,
  likelyDeaths,
  otherEndings,
  twoDeaths,
  unlikelyDeaths,
} from "./oracle/lost-knowledge.ts";
import { type Told, tellWhole, worldAfter } from "./oracle/history.ts";
import { oneHidden, twoHidden } from "./oracle/hidden.ts";
import { rightDecisions, withOthersWebhooks } from "./oracle/truth.ts";

const MOST_REPLAYS = 20_000;
/** The run that leaves the outcome undecided, without any trouble. */
const LAST: Turn = { choices: [], dies: null, isSettled: true };

/**
 * Shows that nobody could have decided: finds another history of the service that agrees with everything that the processes could know, byte for
 * byte, and in which the undecided write had another outcome. Each one is carried out by the production engine. Null if there is one for each
 * write that the last run leaves undecided, else why not.
 */
export async function justify(stage: Stage, turns: readonly Turn[]): Promise<string | null> {
  const told = await tellWhole(stage, [...turns, LAST]);
  const undecided = undecidedWrites(told.replayed);
  if (undecided.length === 0) return "the last run leaves nothing undecided that the service could have done";
  for (const open of undecided) {
    if (!(await hasRival(stage, told, open)))
      return `no other history explains that the ${open.op} of ${String(open.address)} is undecided`;
  }
  return null;
}

/**
 * Whether another history explains why nobody could know the outcome of a write. By contract no rejection after a lost answer decides about an
 * unsubscription: this service rejects so a lead that it has unsubscribed, others one that they never had.
 */
export async function hasRival(stage: Stage, told: Told, open: OpenWrite): Promise<boolean> {
  if (open.op === "unsubscription" && told.replayed.saw.flat().some((text) => text.includes("Lead not found")))
    return true;
  const { world: end } = told.replayed;
  const [beginning = end] = told.starts;
  const rightOfOthers = rightDecisions(withOthersWebhooks(end, beginning), open);
  let right = rightDecisions(end, open).filter((one) => rightOfOthers.includes(one));
  if (right.length === 0) return true;
  let replays = 0;
  for (const histories of [
    oneHidden,
    likelyDeaths,
    twoDeaths,
    twoHidden,
    otherEndings,
    unlikelyDeaths,
    deathsAndHidden,
    endingsAndHidden,
    deathsAndEndings,
  ]) {
    for (const history of await histories(stage, told, open)) {
      if (++replays > MOST_REPLAYS) return false;
      const world = await worldAfter(stage, told, history);
      if (!world) continue;
      const rightThen = rightDecisions(world, open);
      right = right.filter((one) => rightThen.includes(one));
      if (right.length === 0) return true;
    }
  }
  return false;
}

/** The writes that the last run names as undecided, as the state has them. */
function undecidedWrites({ rans, world }: Replayed): readonly OpenWrite[] {
  const last = rans.at(-1);
  const named = new Set([
    ...(last?.plan?.undecided ?? []).map(({ address }) => address),
    ...(last?.said ?? []).flatMap(({ address }) => address ?? []),
  ]);
  const { open, records } = parseStored(world.store.stored());
  const unconfirmed = [...records.values()]
    .filter(({ attributes }) => attributes["outcome"] === "unconfirmed")
    .map(({ address, attributes }): OpenWrite => ({
      op: "unsubscription",
      address,
      id: null,
      key: {},
      planned: attributes,
      mayCreate: true,
      sinceMs: null,
      mark: null,
    }));
  return [...open, ...unconfirmed].filter(({ address }) => named.has(address));
}
