import { blockOf } from "../../../src/core/model/address.ts";
import { DiagnosticsError } from "../../../src/core/model/diagnostic.ts";
import { type RecordedInstance, managedIds } from "../../../src/core/model/instance.ts";
import type { StateDocument } from "../../../src/core/state/document.ts";
import type { LostCreate } from "../../../src/core/state/lost-create.ts";
import { type PendingIntent, openRequest, pendingIntents } from "../../../src/core/state/journal-event.ts";
import type { Home } from "./random-home.ts";
import { SEND_WITHIN_MS, SETTLE_MS, type Ran } from "./random-process.ts";
import { MAX_STALE_MS, type RandomService, type Sent } from "./random-service.ts";
import type { Configuration } from "./random-statements.ts";
import type { Desired } from "./random-desired.ts";

/** An unsubscription is sent again twice at most in one run. */
const MAX_SHOUTS = 3;
const IN_FLIGHT = 4;

/** Ids that a text names. */
export function idsIn(text: string): readonly string[] {
  return [...text.matchAll(/\bid_\d+\b/g)].map(([id]) => id);
}

const isOfKey = (key: string) => (given: { readonly name: unknown; readonly room: unknown }) => keyText(given) === key;
export function keyText({ name, room }: { readonly name?: unknown; readonly room?: unknown }): string {
  return `${String(name)} ${String(room ?? null)}`;
}

/** Of a delete-first replace that was begun ahead, nothing stored tells which half is open, unless it was left undecided. */
function mayCreate(one: PendingIntent): boolean {
  return (
    openRequest(one).half === "create" ||
    (one.intent.op === "replace" && one.intent.ahead === true && one.cause === null && !one.created)
  );
}

/** By windows it is stored when a request is sent at the latest. */
function isSentBy(sentMs: number, sentAtMs: number): boolean {
  return sentMs <= sentAtMs && sentAtMs <= sentMs + SEND_WITHIN_MS;
}

/** The ids that a run imported. */
function adoptedBy(planned: Ran["planned"]): readonly string[] {
  return (planned?.plan.steps ?? []).flatMap((step) =>
    (step.action === "adopt" || (step.action === "replace" && step.imported)) && step.id !== null ? [step.id] : [],
  );
}

/** The ids that a run released. */
function releasedBy({ planned }: Ran): readonly string[] {
  const addresses = new Set(
    (planned?.plan.steps ?? []).flatMap((step) =>
      step.action === "forget" && step.released ? [step.movedFrom ?? step.address] : [],
    ),
  );
  return [...managedIds((planned?.document.instances ?? []).filter(({ address }) => addresses.has(address)))];
}

/** Watches the service's own log and what lies on the disk, and collects every rule that is broken. */
export function randomJudge(home: Home, serviceOf: () => RandomService) {
  const broken: string[] = [];
  /** Ids that were said in some run, or could not be said as the run ended before. */
  const told = new Set<string>();
  /** What somebody has given up, as key: nobody wants to hear of it. */
  const givenUp = new Set<string>();
  /** How many requests there were when a word was recorded no more. */
  const forgottenAt = new Map<string, number>();
  const runsBegunMs: number[] = [];
  let running: {
    readonly approved: boolean;
    readonly firstSent: number;
    readonly stated: Configuration | null;
    runs: number;
  } | null = null;
  /** What runs imported that were at work next to another one. */
  const adopted = new Set<string>();
  /** The released objects. */
  const released = new Set<string>();
  let serial = 0;
  /** Whether one object may be taken for another, as the list cannot tell: by recovery, which says so, or as the user wants it. */
  let isMistaken = false;
  let isSettledByUser = false;
  const demand = (holds: boolean, rule: string): void => {
    if (!holds) broken.push(rule);
  };

  /** A write has arrived at the service. */
  async function arrives({ method, what, room }: Sent): Promise<void> {
    const document = await home.read();
    const pending = pendingIntents(document?.pending ?? []);
    const intents = pending.map(({ intent }) => intent);
    const isIntended = intents.some(({ id, planned, key }) =>
      method === "POST"
        ? isOfKey(keyText({ name: what, room }))({ name: key["name"], room: key["room"] })
        : what === (method === "DELETE" ? id : planned?.["word"]),
    );
    demand(isIntended, `${method} ${what} was sent without an intent`);
    if (method === "POST") {
      const { showsRooms } = serviceOf();
      const lookalikes = pending.filter(
        (one) => mayCreate(one) && one.intent.key["name"] === what && (!showsRooms || one.intent.key["room"] === room),
      );
      demand(
        lookalikes.length === 1,
        `${String(lookalikes.length)} creates of ${what} are open that the list cannot tell apart`,
      );
    }
    if (method === "DELETE") {
      demand(managedIds(document?.instances ?? []).has(what), `${what} was deleted, and not managed`);
      demand(!released.has(what), `${what} was released, and deleted`);
      if (running?.stated) deletedAsStated(what, running.stated, document?.instances ?? []);
    }
    if (method !== "SHOUT" || !running) return;
    const { sent } = serviceOf();
    const isThis = (one: Sent): boolean => one.method === "SHOUT" && one.what === what;
    const earlier = sent
      .slice(forgottenAt.get(what) ?? 0, running.firstSent)
      .filter((one) => isThis(one) && !one.refused);
    demand(
      sent.slice(running.firstSent).filter(isThis).length <= MAX_SHOUTS * running.runs,
      `${what} was sent too often in one run`,
    );
    demand(earlier.length === 0 || running.approved, `${what} was sent again silently`);
  }

  /** An unchanged object may move, and is not created again. A released object is not deleted. */
  function deletedAsStated(
    id: string,
    { allDesired, statements }: Configuration,
    instances: readonly RecordedInstance[],
  ): void {
    const made = serviceOf().everMade.get(id);
    const holder = instances.find((instance) => instance.id === id);
    if (!made || !holder) return;
    const isReleased = statements.removed.some(({ from, destroy }) => !destroy && from === blockOf(holder.address));
    demand(!isReleased, `${id} must be released, and was deleted`);
    if (isMistaken || !serviceOf().showsRooms || !made.isOurs) return;
    const isWanted = allDesired.some(
      (desired) => desired.kind === "thing" && isOfKey(keyText(desired))(made) && desired.secret === made.secret,
    );
    demand(!isWanted, `${id} is wanted as it is, and was deleted`);
  }

  /** `isAlone`: no other run was at work on the same state. */
  async function ended(
    ran: Ran,
    allDesired: readonly Desired[],
    { before, isAlone }: { readonly before: StateDocument | null; readonly isAlone: boolean },
  ): Promise<void> {
    const { exit, said, planned, applied, error } = ran;
    running = null;
    const after = await home.read();
    demand((after?.serial ?? 0) >= serial, "the serial has not grown");
    serial = after?.serial ?? 0;
    for (const id of idsIn(JSON.stringify(said))) told.add(id);
    if (after) notGivenUp(after);
    const instances = [...(planned?.document.instances ?? []), ...(after?.instances ?? [])];
    const isMute = exit === "crashed" || (error !== null && !(error instanceof DiagnosticsError));
    foreignRecords(instances, ran, { before, isMute });
    for (const id of releasedBy(ran)) released.add(id);
    const words = new Set((after?.instances ?? []).map(({ attributes }) => attributes["word"]));
    for (const { attributes } of (planned?.document ?? before)?.instances ?? []) {
      const word = attributes["word"];
      if (typeof word === "string" && !words.has(word)) forgottenAt.set(word, serviceOf().sent.length);
    }
    if (exit === "crashed" || !planned || !applied || !after || !isAlone) return;
    demand(
      exit === 3 || pendingIntents(after.pending).length === 0,
      `exit ${String(exit)} with an outcome that is undecided`,
    );
    if (exit === 0) for (const desired of allDesired) isDone(desired, after);
    if (pendingIntents(planned.document.pending).length === 0) counts({ planned, applied }, after);
  }

  /** What was made soon enough to be found, and is there, is not given up. */
  function notGivenUp({ instances, lostCreates }: StateDocument): void {
    const managed = managedIds(instances);
    const inTime = [...serviceOf().bucket.values()].filter(
      ({ id, isOurs, lateMs }) => isOurs && !managed.has(id) && lateMs <= SETTLE_MS.unanswered - MAX_STALE_MS,
    );
    for (const made of inTime) {
      const isOf = ({ id, key, sentAtMs, found }: LostCreate): boolean =>
        id === undefined && !found && keyText(key) === keyText(made) && isSentBy(made.madeMs - made.lateMs, sentAtMs);
      demand(isSettledByUser || !lostCreates.some(isOf), `${made.id} was made in time, and was given up`);
    }
  }

  function foreignRecords(
    instances: readonly RecordedInstance[],
    { open, planned }: Ran,
    { before, isMute }: { readonly before: StateDocument | null; readonly isMute: boolean },
  ): void {
    // A stale read shows a state that was judged before.
    const stale = open && open.document.serial < (before?.serial ?? 0) ? open.document.instances : [];
    const had = managedIds([...(before?.instances ?? []), ...stale]);
    for (const id of managedIds(instances)) {
      if (isMute) told.add(id);
      if (adopted.has(id) || adoptedBy(planned).includes(id) || serviceOf().everMade.get(id)?.isOurs === true) continue;
      isMistaken = true;
      demand(had.has(id) || told.has(id), `${id} of somebody else is recorded silently`);
      const made = serviceOf().everMade.get(id);
      const wasThereBefore = made && made.madeMs < openSinceMs(made.name, before) - MAX_STALE_MS;
      demand(
        had.has(id) || isSettledByUser || !wasThereBefore,
        `${id} was there before, and is taken for the outcome of a create`,
      );
    }
  }

  /** The beginning of the first run that may have an open create of this name. */
  function openSinceMs(name: string, before: StateDocument | null): number {
    const begins = pendingIntents(before?.pending ?? [])
      .filter(({ intent }) => intent.key["name"] === name)
      // By windows, the latest time of a request may be after the end of its run.
      .map(({ intent }) => runsBegunMs.slice(0, -1).findLast((begunMs) => begunMs <= intent.sentAtMs) ?? 0);
    return Math.min(runsBegunMs.at(-1) ?? 0, ...begins);
  }

  /** After a complete apply, every declared object exists. */
  function isDone(desired: Desired, { instances }: StateDocument): void {
    const { address } = desired;
    const instance = instances.find((one) => one.address === address);
    demand(instance !== undefined, `${address} is not recorded after an apply that was complete`);
    if (!instance || desired.kind === "shout") return;
    const made = serviceOf().everMade.get(instance.id ?? "");
    demand(made?.name === desired.name, `${address} is another thing`);
    if (!made?.isOurs || isMistaken) return;
    demand(made.room === desired.room, `${address} is in another room`);
    const isUnknown =
      instance.assumed.includes("secret") || (desired.secret === null && instance.unobserved.includes("secret"));
    demand(isUnknown || made.secret === desired.secret, `${address} has another secret`);
  }

  /** What is said to have been done was done. */
  function counts(
    {
      planned: { plan, document },
      applied,
    }: { readonly planned: NonNullable<Ran["planned"]>; readonly applied: NonNullable<Ran["applied"]> },
    after: StateDocument,
  ): void {
    // What was imported to be replaced was there before.
    const imported = plan.steps.flatMap((step) => (step.action === "replace" && step.imported ? [step.id] : []));
    const [had, has] = [new Set([...managedIds(document.instances), ...imported]), managedIds(after.instances)];
    const isHeard = (instance: RecordedInstance | undefined, word: unknown): boolean =>
      instance?.attributes["outcome"] === "heard" && instance.attributes["word"] === word;
    const added = plan.steps.filter(({ action, address }) => {
      const [before, now] = [document, after].map(({ instances }) => instances.find((one) => one.address === address));
      if (!now || (action !== "create" && action !== "replace")) return false;
      const word = now.attributes["word"];
      return now.id === null ? isHeard(now, word) && !isHeard(before, word) : !had.has(now.id);
    });
    const destroyed = plan.steps.filter(
      (step) => (step.action === "delete" || step.action === "replace") && !has.has(step.id),
    );
    const told = `${String(applied.counts.add)} added, ${String(applied.counts.destroy)} destroyed`;
    const truth = `${String(added.length)} added, ${String(destroyed.length)} destroyed`;
    demand(told === truth, `said: ${told}; true: ${truth}`);
  }

  /** In the end one live object for each declaration, and nothing of ours that is not managed and was never said. */
  async function end(allDesired: readonly Desired[]): Promise<void> {
    const { bucket, mostAtOnce } = serviceOf();
    const document = await home.read();
    const managed = managedIds(document?.instances ?? []);
    for (const desired of allDesired) if (document) isDone(desired, document);
    demand(
      managed.size === allDesired.filter(({ kind }) => kind === "thing").length,
      `${String(managed.size)} objects are managed`,
    );
    for (const id of managed) demand(bucket.has(id), `${id} is managed, and not live`);
    for (const { id, isOurs, ...made } of bucket.values()) {
      demand(
        !isOurs || managed.has(id) || released.has(id) || told.has(id) || givenUp.has(keyText(made)),
        `${id} is ours, not managed, and was never said`,
      );
    }
    demand(mostAtOnce() <= IN_FLIGHT, `${String(mostAtOnce())} requests were in flight`);
  }

  return {
    broken: broken as readonly string[],
    arrives,
    /** With `stated`, no address and no name was ever used for something else. */
    begins: (approved: boolean, nowMs: number, stated: Configuration | null) => {
      runsBegunMs.push(nowMs);
      running = { approved, firstSent: serviceOf().sent.length, stated, runs: 1 };
    },
    /** Another run begins while one is at work. */
    joins: () => {
      if (running) running.runs++;
    },
    ended,
    /** Another run has ended, which was at work at the same time. */
    hears: (ran: Ran) => {
      const { said, exit, open, planned, error } = ran;
      for (const id of adoptedBy(planned)) adopted.add(id);
      for (const id of releasedBy(ran)) released.add(id);
      for (const id of idsIn(JSON.stringify(said))) told.add(id);
      if (exit !== "crashed" && (error === null || error instanceof DiagnosticsError)) return;
      for (const id of managedIds([...(open?.document.instances ?? []), ...(planned?.document.instances ?? [])]))
        told.add(id);
    },
    end,
    demand,
    givesUp: (key: string) => void givenUp.add(key),
    /** A user resolved something, rightly or not. */
    resolves: () => {
      isMistaken = true;
      isSettledByUser = true;
    },
  };
}
