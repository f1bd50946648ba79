import { type Row, addTo, emptyRow } from "./report.ts";
import { type Killed, type Lane, type Strike, type Target, chosenStrikes } from "./target.ts";

export interface TortureOptions {
  /** How many kills there are at a time. */
  readonly lanes: number;
  /** A lane for targets like this one. */
  readonly openLane: (id: string) => Promise<Lane>;
  /** For each target, at most. */
  readonly kills: number;
  /** Tells the progress, and how to repeat what failed. */
  readonly say: (line: string) => void;
}

/** Kills each target at boundaries that are spread over all of them. */
export async function killAll(
  ids: readonly string[],
  { lanes, openLane, kills, say }: TortureOptions,
): Promise<readonly Row[]> {
  const [left, rows] = [[...ids], new Map<string, Row>()];
  let total = 0;
  const work = async (like: string): Promise<void> => {
    const lane = await openLane(like);
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      const target = await lane.prepare(id);
      const row = emptyRow(id, target.boundaries.length * target.signals.length);
      rows.set(id, row);
      for (const strike of chosenStrikes(target, id, kills)) {
        const killed = await target.kill(strike).catch(failed);
        addTo(row, strike.signal, killed);
        const where = target.boundaries[strike.at - 1] ?? "";
        const { violations, recovery } = killed;
        const isDear = recovery.requests > MOST_REQUESTS;
        const told = [...violations, ...(isDear ? [`recovery took ${String(recovery.requests)} requests`] : [])];
        if (told.length > 0)
          say(
            `npm run torture -- --replay ${id}/${strike.signal}/${String(strike.at)}   # ${where}: ${told.join("; ")}`,
          );
        if (++total % PROGRESS_EVERY === 0) say(`${String(total)} kills, at ${id}`);
      }
    }
    await lane.close();
  };
  await Promise.all(ids.slice(0, lanes).map(work));
  return ids.flatMap((id) => rows.get(id) ?? []);
}

const PROGRESS_EVERY = 50;
/** That recovery takes at most, beside those of a run without trouble; more is told, and is no violation. */
const MOST_REQUESTS = 5;

/** A run that hangs, or that leaves what the judge cannot read, is a violation too. */
function failed(error: unknown): Killed {
  const what = error instanceof Error ? error.message : String(error);
  return { wasStruck: true, violations: [what], notes: [], recovery: { runs: 0, requests: 0, ms: 0 }, story: what };
}

/** The target and the strike that a line of `killAll` names. */
export async function replayOf(
  lane: Lane,
  line: string,
): Promise<{ readonly target: Target; readonly strike: Strike }> {
  const words = line.split("/");
  const [signal = "", at = ""] = words.splice(-2);
  const target = await lane.prepare(words.join("/"));
  if (!target.signals.includes(signal) || !(Number(at) > 0)) throw new Error(`${line} names no signal and boundary`);
  return { target, strike: { signal, at: Number(at) } };
}
