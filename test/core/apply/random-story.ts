import {
  type OpenAt,
  adopted,
  givenUp,
  openAt,
  takenAsNotDone,
} from "../../../src/core/apply/recovery/resolve-by-hand.ts";
import { blockOf } from "../../../src/core/model/address.ts";
import { DiagnosticsError } from "../../../src/core/model/diagnostic.ts";
import { managedIds } from "../../../src/core/model/instance.ts";
import { hasChanges } from "../../../src/core/plan/plan.ts";
import { type StateDocument, decodeState, encodeState } from "../../../src/core/state/document.ts";
import { type OpenState, foldInto, readState } from "../../../src/core/state/open-state.ts";
import { assertKeepsOpenWrites, reasonToKeep } from "../../../src/core/state/pushable.ts";
import { NEVER, countingRandom } from "../state/state-fixtures.ts";
import { NO_STATEMENTS } from "../toy.ts";
import { virtualClock } from "../virtual-clock.ts";
import { chanceOf } from "./chance.ts";
import { newLife } from "./life.ts";
import type { Home, HomePorts } from "./random-home.ts";
import { idsIn, keyText, randomJudge } from "./random-judge.ts";
import { type Ran, type World, runOnce } from "./random-process.ts";
import { PEACE, type RandomService, randomService } from "./random-service.ts";
import { type Configuration, restated } from "./random-statements.ts";
import { type DesiredThing, changed, declarationOf, desiredText } from "./random-desired.ts";
import { shopCatalog } from "./shop-things.ts";

const MOST_RUNS_TO_REST = 14;

/** A world, who acts in it, and what they do. */
async function openStory(seed: number, homeOf: (ports: HomePorts) => Home | Promise<Home>) {
  const chance = chanceOf(seed);
  const [clock, random] = [virtualClock(), countingRandom()];
  const home = await homeOf({ clock, random, chance });
  const judge = randomJudge(home, (): RandomService => service);
  const service: RandomService = randomService({ clock, chance, arrives: judge.arrives });
  const world: World = { home, clock, random, chance, service };
  const lines: string[] = [];
  let declared: Configuration = { allDesired: [], statements: NO_STATEMENTS };
  /** Every other story also has statements: moves, imports and removals. */
  const isStated = seed % 2 === 1;
  const takenByHand = new Set<string>();
  let numbers = 0;
  const next = (): number => ++numbers;
  const say = (line: string): void => void lines.push(`${String(clock.monotonicMs())} ${line}`);

  function change(times: number): void {
    for (let time = 0; time < times; time++) {
      const byHand = (object: Pick<DesiredThing, "name" | "room">): string => service.byHand.make(object).id;
      if (isStated && chance.percent(50)) declared = restated(declared, chance, { next, byHand });
      else declared = { ...declared, allDesired: changed(declared.allDesired, chance, isStated ? next : null) };
    }
    say(`declared: ${declared.allDesired.map(desiredText).join(" ")} ${JSON.stringify(declared.statements)}`);
  }

  /** What somebody else does, who does not use the tool. */
  function actByHand(): void {
    const { byHand, bucket, everMade } = service;
    const what = chance.oneOf(["identical", "identical", "other", "take"]);
    if (what === "take") return takeByHand(chance.any([...bucket.keys()]));
    const desired = chance.any(
      declared.allDesired.filter((one): one is DesiredThing => what === "identical" && one.kind === "thing"),
    );
    const { id } = byHand.make(
      desired ?? { name: `foreign ${String(everMade.size)}`, room: chance.oneOf([null, "r1"]) },
    );
    say(`by hand: ${id} like ${desired?.address ?? "nothing"}`);
  }
  function takeByHand(id: string | undefined): void {
    if (id === undefined || !service.byHand.take(id)) return;
    takenByHand.add(id);
    say(`by hand: ${id} is deleted`);
  }

  function suffer(stop: AbortController, stolen: () => void): void {
    const later = (belowMs: number, what: () => void): void =>
      void clock.sleep(chance.below(belowMs), NEVER).then(what);
    service.suffer({
      write: chance.oneOf([0, 15, 40, 80]),
      list: chance.oneOf([0, 0, 20, 60]),
      crash: chance.oneOf([0, 0, 5, 20]),
    });
    if (chance.percent(40)) home.suffer(stolen);
    if (chance.percent(15)) later(900, () => stop.abort());
    if (chance.percent(30)) later(300, actByHand);
  }

  async function run({
    approved,
    trouble,
    adopt = false,
  }: {
    readonly approved: boolean;
    readonly trouble: boolean;
    readonly adopt?: boolean;
  }): Promise<Ran> {
    const stop = new AbortController();
    const { allDesired, statements } = declared;
    judge.begins(approved, clock.now(), isStated ? declared : null);
    const others: Promise<Ran>[] = [];
    // Somebody unlocks by force because another run waits: that one runs now, next to this one.
    const another = (): void => {
      if (chance.percent(30)) return;
      judge.joins();
      others.push(
        runOnce(world, { ...declaredNow, approved: false, meanwhile: null, adopt: false, stop: new AbortController() }),
      );
    };
    const declaredNow = { declarations: allDesired.map(declarationOf), statements };
    if (trouble) suffer(stop, another);
    const before = await home.read();
    const meanwhile = async (): Promise<void> => {
      await clock.sleep(50, NEVER);
      if (trouble && chance.percent(20)) actByHand();
    };
    const ran = await runOnce(world, {
      ...declaredNow,
      approved,
      meanwhile: approved && chance.percent(50) ? meanwhile : null,
      adopt,
      stop,
    });
    for (const other of await Promise.all(others)) judge.hears(other);
    home.recover();
    service.suffer(PEACE);
    const steps =
      ran.planned?.plan.steps.flatMap(({ action, address }) => (action === "keep" ? [] : [`${action} ${address}`])) ??
      [];
    const said = ran.said.map(({ code, address = "" }) => `${code} ${address}`);
    say(
      `run${approved ? " approved" : ""} -> ${String(ran.exit)} ${steps.join(", ")} | ${said.join(", ")} | ${ran.error instanceof Error ? ran.error.message : ""}`,
    );
    // What another run has stored since is newer: a push is refused.
    if (ran.unstored && others.length === 0 && chance.percent(70)) await push(ran.unstored);
    await judge.ended(ran, allDesired, { before, isAlone: others.length === 0 });
    if (judge.broken.length > 0) throw new Error(judge.broken.join("\n"));
    return ran;
  }

  /** A user stores what a run could not store. */
  async function push(unstored: Uint8Array): Promise<void> {
    const store = home.storeOf(newLife());
    const pushed = decodeState(unstored, "errored");
    const { run: _, ...contents } = pushed;
    const stored = await readState(store, random, NEVER);
    const isRefused = (): boolean => {
      try {
        assertKeepsOpenWrites(pushed, stored);
        return reasonToKeep(pushed, stored) !== null;
      } catch (error) {
        if (!(error instanceof DiagnosticsError)) throw error;
        return true;
      }
    };
    if (stored.version !== null && isRefused()) return say("state push is refused");
    const serial = Math.max(contents.serial, stored.document.serial + 1);
    await store.write(encodeState({ ...contents, serial }), stored.version, NEVER);
    say("state push");
  }

  /** A user does what a run has proposed: as `outreach resolve` does it. */
  async function resolve({ said }: Ran): Promise<void> {
    const proposal = chance.any(
      said.filter(
        ({ code, address }) =>
          address !== undefined && ["outcome_pending", "outcome_undecided", "late_duplicate"].includes(code),
      ),
    );
    if (!proposal) return;
    const store = home.storeOf(newLife());
    const open = await readState(store, random, NEVER);
    const at = openAt(open.document, proposal.address ?? "", shopCatalog);
    if (at.pending.length === 0 && at.lostCreates.length === 0) return;
    const document = resolved(
      open,
      at,
      chance.any((proposal.ways ?? []).flatMap((way) => ("id" in way ? [way.id] : []))),
    );
    if (document) await foldInto(store, { ...open, document }, NEVER);
  }

  function resolved({ document }: OpenState, at: OpenAt, id: string | undefined): StateDocument | null {
    judge.resolves();
    const isLetGo = declared.statements.removed.some(({ from, destroy }) => !destroy && from === blockOf(at.address));
    // A released object is not adopted again and again.
    if (id !== undefined && !isLetGo && chance.percent(60)) {
      const objects = [...service.bucket.values()].map((made) => ({
        id: made.id,
        attributes: { id: made.id, name: made.name, room: made.room },
      }));
      const adoption = adopted(document, at, { catalog: shopCatalog, id, objects, nowMs: clock.now() });
      say(`resolve ${at.address} --adopt ${id}: ${adoption.kind}`);
      return "document" in adoption ? adoption.document : null;
    }
    const isRetried = at.pending.length > 0 && chance.percent(70);
    say(`resolve ${at.address} ${isRetried ? "--retry" : "--forget"}`);
    if (isRetried) return takenAsNotDone(document, at, shopCatalog);
    for (const key of [...at.pending.map(({ intent }) => intent.key), ...at.lostCreates.map((one) => one.key)])
      judge.givesUp(keyText(key));
    return givenUp(document, at);
  }

  /** An import that is refused is taken out. */
  function notImported({ said }: Ran): void {
    const refused = new Set(said.flatMap(({ code, address }) => (code.startsWith("import_") ? [address] : [])));
    const { statements } = declared;
    for (const { to, id } of statements.imports) {
      const isOurDoing =
        service.sent.some(({ method, what, refused: isRefused }) => method === "DELETE" && what === id && !isRefused) &&
        !takenByHand.has(String(id));
      judge.demand(!refused.has(to) || !isOurDoing, `${String(id)} was deleted to be replaced, and is asked for again`);
    }
    declared = {
      ...declared,
      statements: { ...statements, imports: statements.imports.filter(({ to }) => !refused.has(to)) },
    };
  }

  /** What is reported as somebody else's is taken away by hand; what is reported as open is resolved. */
  async function tidyUp(ran: Ran): Promise<void> {
    await resolve(ran);
    notImported(ran);
    const managed = managedIds((await home.read())?.instances ?? []);
    const reported = ran.said
      .filter(({ code }) => code === "unmanaged_duplicate" || code === "late_duplicate")
      .flatMap(({ detail }) => idsIn(detail));
    for (const id of new Set(reported)) if (!managed.has(id)) takeByHand(id);
    await clock.sleep(200, NEVER);
  }

  /** Runs without trouble until two in a row have nothing to do. */
  async function rest(): Promise<void> {
    while (service.late() > 0) await clock.sleep(500, NEVER);
    await clock.sleep(2000, NEVER);
    let quiet = 0;
    for (let turn = 0; turn < MOST_RUNS_TO_REST && quiet < 2; turn++) {
      const before = home.texts();
      const ran = await run({ approved: true, trouble: false });
      const isQuiet =
        ran.exit === 0 &&
        ran.planned !== null &&
        !hasChanges(ran.planned.plan) &&
        !ran.said.some(({ code }) => code === "late_duplicate");
      quiet = isQuiet ? quiet + 1 : 0;
      if (quiet === 2) judge.demand(home.texts() === before, "a plan without changes has written something");
      if (!isQuiet) await tidyUp(ran);
    }
    judge.demand(quiet === 2, "it does not come to rest");
    await judge.end(declared.allDesired);
    if (judge.broken.length > 0) throw new Error(judge.broken.join("\n"));
  }

  async function tell(): Promise<void> {
    const episodes = 2 + chance.below(5);
    for (let episode = 0; episode < episodes; episode++) {
      change(chance.below(4) + (episode === 0 ? 2 : 0));
      if (chance.percent(20)) actByHand();
      const ran = await run({ approved: chance.percent(50), trouble: chance.percent(85), adopt: chance.percent(10) });
      if (chance.percent(20)) await resolve(ran);
      await clock.sleep(chance.oneOf([0, 50, 300, 1500]), NEVER);
    }
    await rest();
  }
  return {
    tell,
    log: () =>
      [
        ...lines,
        service.sent.map(({ method, what, refused }) => `${method} ${what}${refused ? " refused" : ""}`).join(", "),
      ].join("\n"),
  };
}

/** The story of one seed. Throws where it breaks a rule: with the way to tell it again, or then with all that happened. */
export async function tellStory(
  seed: number,
  { aloud, homeOf }: { readonly aloud: boolean; readonly homeOf: (ports: HomePorts) => Home | Promise<Home> },
): Promise<void> {
  const story = await openStory(seed, homeOf);
  try {
    await story.tell();
  } catch (error) {
    const rule = error instanceof Error ? error.message : String(error);
    const again = `OUTREACH_SEEDS=1 OUTREACH_SEEDS_FROM=${String(seed)} npx vitest run test/core/apply/random-runs.deep.test.ts`;
    throw new Error(`${rule}: ${aloud ? `\n${story.log()}` : again}`, { cause: error });
  }
}
