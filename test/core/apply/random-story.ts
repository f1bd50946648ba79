import { expect } from "vitest";
import { adopted, givenUp, openAt, takenAsNotDone } from "../../../src/core/apply/settle.ts";
import type { Declaration } from "../../../src/core/model/declaration.ts";
import { type RecordedInstance, managedIds } from "../../../src/core/model/instance.ts";
import { hasChanges } from "../../../src/core/plan/plan.ts";
import { type StateDocument, decodeState } from "../../../src/core/state/document.ts";
import { fold } from "../../../src/core/state/fold.ts";
import { pendingIntents } from "../../../src/core/state/journal-event.ts";
import { readJournal } from "../../../src/core/state/journal.ts";
import { foldInto, readState } from "../../../src/core/state/open-state.ts";
import { memoryFiles } from "../state/memory-files.ts";
import { NEVER, countingRandom } from "../state/state-fixtures.ts";
import { declared } from "../toy.ts";
import { virtualClock } from "../virtual-clock.ts";
import { type Chance, chanceOf } from "./chance.ts";
import { PATH, type Ran, type World, runOnce, storeOf } from "./random-process.ts";
import { PEACE, type Sent, randomService } from "./random-service.ts";
import { shopCatalog } from "./shop-things.ts";

/** What somebody wants, as a configuration says it. */
type Wish =
  | {
      readonly kind: "thing";
      readonly address: string;
      readonly name: string;
      readonly room: string | null;
      readonly secret: string | null;
      readonly more: Declaration["attributes"];
    }
  | { readonly kind: "shout"; readonly address: string; readonly word: string };

const THINGS = ["a", "b", 'c["x"]', 'c["y"]'].map((name) => `toy_thing.${name}`) as [string, ...string[]];
const SHOUTS = ["s", 't["x"]', 't["y"]'].map((name) => `toy_shout.${name}`) as [string, ...string[]];

function declarationOf(wish: Wish): Declaration {
  const { address } = wish;
  if (wish.kind === "shout") return declared("", { name: null, word: wish.word }, { address, type: "toy_shout" });
  const secrets: Declaration["secrets"] = wish.secret === null ? {} : { secret: { kind: "env", name: wish.secret } };
  return declared(wish.name, { room: wish.room, ...wish.more }, { address, secrets });
}

function idsIn({ instances }: StateDocument): ReadonlySet<string> {
  return managedIds(instances);
}

/** Everything that happens in one world, and the judgement of it: the log of the service against what was declared and said. */
class Story {
  readonly chance: Chance;
  readonly world: World;
  wishes: Wish[] = [];
  /** Ids that somebody has let go on purpose, or that were said once and given up. */
  readonly released = new Set<string>();
  /** Ids that were said in some run, or may have been in one that ended before it could say anything. */
  readonly told = new Set<string>();
  /** How many requests there were when a word was recorded no more. */
  readonly forgottenAt = new Map<string, number>();
  running: { readonly approved: boolean; readonly firstSent: number } | null = null;
  readonly broken: string[] = [];
  serial = 0;
  readonly lines: string[] = [];

  constructor(seed: number) {
    this.chance = chanceOf(seed);
    const [files, clock, random] = [memoryFiles(), virtualClock(), countingRandom()];
    const service = randomService({ clock, chance: this.chance, arrives: (sent) => this.arrives(sent) });
    this.world = { files, clock, random, chance: this.chance, service };
  }

  /** State and journal as they lie on the disk; both must always be readable. */
  async onDisk(): Promise<StateDocument | null> {
    const { contents } = this.world.files;
    const bytes = contents.get(PATH);
    const notHere = (): never => {
      throw new Error("the judge only reads");
    };
    const journal = await readJournal({
      name: "journal",
      read: () => Promise.resolve(contents.get(`${PATH}.journal`) ?? null),
      append: notHere,
      remove: notHere,
      setAside: notHere,
    });
    if (!bytes) return null;
    const document = decodeState(bytes, PATH);
    return journal ? fold(document, journal.events) : document;
  }

  /** A write has arrived at the service: what must lie on the disk before? */
  async arrives({ method, what, room }: Sent): Promise<void> {
    const document = await this.onDisk();
    const pending = pendingIntents(document?.pending ?? []).map(({ intent }) => intent);
    const isAsked = pending.some(({ id, planned, key }) =>
      method === "DELETE" ? id === what : method === "SHOUT" ? planned?.["word"] === what : key["name"] === what && (key["room"] ?? null) === room,
    );
    if (!isAsked) this.broken.push(`${method} ${what} was sent without an intent`);
    if (method === "DELETE" && !(document && idsIn(document).has(what))) this.broken.push(`${what} was deleted, and not managed`);
    if (method === "SHOUT") this.shoutArrives(what);
  }

  shoutArrives(word: string): void {
    const { running, world } = this;
    const earlier = world.service.sent
      .slice(this.forgottenAt.get(word) ?? 0, running?.firstSent)
      .filter(({ method, what, refused }) => method === "SHOUT" && what === word && !refused);
    const inRun = world.service.sent.slice(running?.firstSent).filter(({ method, what }) => method === "SHOUT" && what === word).length;
    if (inRun > 3) this.broken.push(`${word} was sent ${String(inRun)} times in a run`);
    if (earlier.length > 0 && running?.approved !== true) this.broken.push(`${word} was sent again silently`);
  }

  say(line: string): void {
    this.lines.push(`${String(this.world.clock.monotonicMs())} ${line}`);
  }

  async run({ approved, trouble, adopt = false }: { readonly approved: boolean; readonly trouble: boolean; readonly adopt?: boolean }): Promise<Ran> {
    const { chance, world } = this;
    const { service, files, clock } = world;
    const stop = new AbortController();
    this.running = { approved, firstSent: service.sent.length };
    if (trouble) this.letSuffer(stop);
    const before = await this.onDisk();
    const meanwhile =
      approved && chance.percent(50) ? async () => (await clock.sleep(50, NEVER), void (trouble && chance.percent(20) && this.actByHand())) : null;
    const ran = await runOnce(world, { declarations: this.wishes.map(declarationOf), approved, meanwhile, adopt, stop });
    files.fail(null);
    service.suffer(PEACE);
    this.running = null;
    const text = JSON.stringify(ran.said);
    this.say(
      `run${approved ? " approved" : ""} -> ${String(ran.exit)} ${ran.planned?.plan.steps.flatMap(({ action, address }) => (action === "keep" ? [] : [`${action} ${address}`])).join(", ") ?? ""} | ${ran.said.map(({ code, address }) => `${code} ${address ?? ""}`).join(", ")} | ${ran.error instanceof Error ? ran.error.message : ""}`,
    );
    await this.judgeRun(ran, before, text);
    return ran;
  }

  letSuffer(stop: AbortController): void {
    const { chance, world } = this;
    const [write, list, crash] = [chance.oneOf([0, 15, 40, 80]), chance.oneOf([0, 0, 20, 60]), chance.oneOf([0, 0, 5, 20])];
    world.service.suffer({ write, list, crash });
    if (chance.percent(25)) {
      const code = chance.oneOf(["CRASH", "CRASH", "ENOSPC", "EIO"] as const);
      world.files.fail({ at: chance.below(40), code, done: chance.oneOf(["nothing", "half", "all"]) });
    }
    if (chance.percent(15)) void world.clock.sleep(chance.below(900), NEVER).then(() => stop.abort());
    if (chance.percent(30)) void world.clock.sleep(chance.below(300), NEVER).then(() => this.actByHand());
  }

  async judgeRun({ exit, said, open, planned, applied }: Ran, before: StateDocument | null, text: string): Promise<void> {
    const { everMade, shelf } = this.world.service;
    expect(this.broken).toEqual([]);
    const after = await this.onDisk();
    expect(after?.serial ?? 0, "the serial only grows").toBeGreaterThanOrEqual(this.serial);
    this.serial = after?.serial ?? 0;
    for (const id of everMade.keys())
      if (text.includes(`${id} `) || text.includes(`${id},`) || text.includes(`${id}\\n`) || text.includes(`${id}"`)) this.told.add(id);
    const had = before ? idsIn(before) : new Set<string>();
    for (const id of after ? idsIn(after) : []) {
      const isForeign = everMade.get(id)?.isOurs !== true;
      const isAdopted = planned?.plan.steps.some((step) => step.action === "adopt" && step.id === id) === true;
      if (exit === "crashed") this.told.add(id);
      if (isForeign && !had.has(id) && !isAdopted) expect(this.told, `${id} of somebody else is recorded without a word`).toContain(id);
    }
    for (const { identity } of this.forgotten(before, after)) this.forgottenAt.set(identity, this.world.service.sent.length);
    if (exit === "crashed" || !planned || !applied || !after) return;
    const pending = pendingIntents(after.pending);
    if (pending.length > 0 && exit !== 3) expect.fail(`exit ${String(exit)} with ${String(pending.length)} undecided`);
    if (exit === 0) for (const wish of this.wishes) this.judgeDone(wish, after);
    if (open && pendingIntents(planned.document.pending).length === 0) this.judgeCounts({ said, planned, applied }, after);
    void shelf;
  }

  /** Shouts that are recorded no more. */
  forgotten(before: StateDocument | null, after: StateDocument | null): readonly { readonly identity: string }[] {
    const words = (document: StateDocument | null): readonly string[] =>
      (document?.instances ?? []).flatMap(({ type, attributes }) => (type === "toy_shout" ? [String(attributes["word"])] : []));
    const left = new Set(words(after));
    return words(before).flatMap((identity) => (left.has(identity) ? [] : [{ identity }]));
  }

  /** After an apply that was complete, what is declared is recorded. */
  judgeDone(wish: Wish, { instances }: StateDocument): void {
    const instance = instances.find(({ address }) => address === wish.address);
    expect(instance, `${wish.address} after an apply that was complete`).toBeDefined();
    if (!instance || wish.kind === "shout") return;
    const { everMade } = this.world.service;
    const made = everMade.get(instance.id ?? "");
    expect(made?.name, wish.address).toEqual(wish.name);
    // What somebody else has made just then, and the list does not tell apart, is said to be recorded and is not more than that.
    if (!made?.isOurs) return;
    expect(made.room, wish.address).toEqual(wish.room);
    expect(made.secret, `the secret of ${wish.address}`).toBe([...instance.assumed, ...instance.unobserved].includes("secret") ? made.secret : wish.secret);
  }

  /** What is said to have been done was done. */
  judgeCounts(
    { planned, applied }: Pick<Ran, "said"> & { readonly planned: NonNullable<Ran["planned"]>; readonly applied: NonNullable<Ran["applied"]> },
    after: StateDocument,
  ): void {
    const now = new Map(after.instances.map((instance) => [instance.address, instance]));
    const managedBefore = managedIds(planned.document.instances);
    const managedNow = managedIds(after.instances);
    const isNew = ({ id, attributes }: RecordedInstance, address: string): boolean => {
      if (id !== null) return !managedBefore.has(id);
      const old = planned.document.instances.find((one) => one.address === address);
      return attributes["outcome"] === "heard" && !(old && old.attributes["outcome"] === "heard" && old.attributes["word"] === attributes["word"]);
    };
    const { steps } = planned.plan;
    const added = steps.filter(({ action, address }) => {
      const instance = now.get(address);
      return (action === "create" || action === "replace") && instance !== undefined && isNew(instance, address);
    });
    const destroyed = steps.filter((step) => (step.action === "delete" || step.action === "replace") && !managedNow.has(step.id));
    expect({ add: applied.counts.add, destroy: applied.counts.destroy }, "counts").toEqual({ add: added.length, destroy: destroyed.length });
  }

  actByHand(): void {
    const { chance } = this;
    const { byHand, shelf, everMade } = this.world.service;
    const what = chance.oneOf(["identical", "identical", "other", "take"]);
    if (what === "take") {
      const one = chance.any([...shelf.keys()]);
      if (one !== undefined) (this.say(`by hand: ${one} is deleted`), byHand.take(one));
      return;
    }
    const wish = what === "identical" ? chance.any(this.wishes.filter((one) => one.kind === "thing")) : undefined;
    const { id } = byHand.make(wish?.kind === "thing" ? wish : { name: `foreign ${String(everMade.size)}`, room: chance.oneOf([null, "r1"]) });
    this.say(`by hand: ${id} like ${wish?.address ?? "nothing"}`);
  }

  /** Changes what is declared. */
  change(): void {
    const { chance } = this;
    const what = chance.oneOf(["thing", "thing", "thing", "shout", "remove", "rename", "rotate", "rotate", "order", "room"]);
    const one = chance.any(this.wishes);
    const free = (addresses: readonly string[]): string | undefined =>
      chance.any(addresses.filter((address) => !this.wishes.some((wish) => wish.address === address)));
    const put = (wish: Wish): void => {
      const isDouble = (other: Wish): boolean =>
        other.kind === "thing" && wish.kind === "thing" && other.address !== wish.address && other.name === wish.name && other.room === wish.room;
      if (!this.wishes.some(isDouble)) this.wishes = [...this.wishes.filter(({ address }) => address !== wish.address), wish];
    };
    if (what === "thing") {
      const address = free(THINGS);
      if (address !== undefined)
        put({
          kind: "thing",
          address,
          name: chance.oneOf(["n1", "n2", "n3"]),
          room: chance.oneOf([null, "r1", "r2"]),
          secret: chance.oneOf([null, "k1", "k2"]),
          more: {},
        });
    } else if (what === "shout") {
      const address = free(SHOUTS);
      const word = chance.oneOf(["hey", "ho", "hi"]);
      if (address !== undefined && !this.wishes.some((wish) => wish.kind === "shout" && wish.word === word)) put({ kind: "shout", address, word });
    } else if (!one) return;
    else if (what === "remove") this.wishes = this.wishes.filter((wish) => wish !== one);
    else if (what === "rename") {
      const address = free(one.kind === "thing" ? THINGS : SHOUTS);
      if (address !== undefined) this.wishes = this.wishes.map((wish) => (wish === one ? { ...one, address } : wish));
    } else if (one.kind === "thing" && what === "rotate") put({ ...one, secret: chance.oneOf([null, "k1", "k2", "k3"]) });
    else if (one.kind === "thing" && what === "order") put({ ...one, more: { rotation: chance.oneOf(["create_first", "delete_first"]) } });
    else if (one.kind === "thing") put({ ...one, room: chance.oneOf([null, "r1", "r2"]) });
  }

  /** A user does what a run has proposed: as `outreach resolve` does it. */
  async resolve({ said }: Ran): Promise<void> {
    const { chance, world } = this;
    const open = said.filter(({ code, address }) => address !== undefined && /^(outcome_pending|outcome_undecided|late_twin)$/.test(code));
    const one = chance.any(open);
    if (!one) return;
    const store = storeOf(world);
    const state = await readState(store, world.random, NEVER);
    const at = openAt(state.document, one.address ?? "", shopCatalog);
    const ids = [...(one.hint ?? "").matchAll(/--adopt (id_\d+)/g)].flatMap(([, id]) => (id === undefined ? [] : [id]));
    const id = chance.any(ids);
    if (at.pending.length === 0 && at.tombstones.length === 0) return;
    if (id !== undefined && chance.percent(60)) {
      const objects = [...world.service.shelf.values()].map((made) => ({ id: made.id, attributes: { id: made.id, name: made.name, room: made.room } }));
      const adoption = adopted(state.document, at, { catalog: shopCatalog, id, objects, nowMs: world.clock.now() });
      this.say(`resolve ${at.address} --adopt ${id} -> ${adoption.kind}`);
      if ("document" in adoption) await foldInto(store, { ...state, document: adoption.document }, [], NEVER);
    } else if (at.pending.length > 0 && chance.percent(70)) {
      this.say(`resolve ${at.address} --retry`);
      await foldInto(store, { ...state, document: takenAsNotDone(state.document, at, shopCatalog) }, [], NEVER);
    } else {
      this.say(`resolve ${at.address} --forget`);
      // What is given up may be there, or come: nobody wants to hear of it.
      for (const { id: other, name, room } of world.service.everMade.values()) {
        const keys = [...at.pending.map(({ intent }) => intent.key), ...at.tombstones.map(({ key }) => key)];
        if (keys.some((key) => key["name"] === name && (key["room"] ?? null) === room)) this.released.add(other);
      }
      this.givenUpKeys.push(
        ...[...at.pending.map(({ intent }) => intent.key), ...at.tombstones.map(({ key }) => key)].map(
          (key) => `${String(key["name"])} ${String(key["room"] ?? null)}`,
        ),
      );
      await foldInto(store, { ...state, document: givenUp(state.document, at) }, [], NEVER);
    }
    this.serial = (await this.onDisk())?.serial ?? this.serial;
  }
  readonly givenUpKeys: string[] = [];

  /** Runs without trouble until two in a row have nothing to do; then everything must be in order. */
  async settleDown(): Promise<void> {
    const { world } = this;
    const { service, clock, files } = world;
    while (service.late() > 0) await clock.sleep(500, NEVER);
    await clock.sleep(2000, NEVER);
    let quiet = 0;
    for (let turn = 0; turn < 14 && quiet < 2; turn++) {
      const before = new Map([...files.contents].map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]));
      const ran = await this.run({ approved: true, trouble: false });
      const isQuiet = ran.exit === 0 && ran.planned !== null && !hasChanges(ran.planned.plan) && !ran.said.some(({ code }) => code === "late_twin");
      quiet = isQuiet ? quiet + 1 : 0;
      if (quiet === 2)
        expect(new Map([...files.contents].map(([path, bytes]) => [path, new TextDecoder().decode(bytes)])), "a plan without changes writes nothing").toEqual(
          before,
        );
      if (!isQuiet) await this.tidyUp(ran);
    }
    expect(quiet, "it comes to rest").toBe(2);
    await this.judgeEnd();
  }

  /** What a run has reported as somebody else's is taken away by hand; what it has reported as open is resolved. */
  async tidyUp(ran: Ran): Promise<void> {
    await this.resolve(ran);
    const managed = (await this.onDisk())?.instances ?? [];
    for (const { code, detail } of ran.said.filter((one) => one.code === "unmanaged_twin" || one.code === "late_twin"))
      for (const [id = ""] of detail.matchAll(/id_\d+/g))
        if (!managedIds(managed).has(id)) (this.say(`by hand: ${id} goes, as ${code}`), this.world.service.byHand.take(id));
    await this.world.clock.sleep(200, NEVER);
  }

  async judgeEnd(): Promise<void> {
    const { shelf } = this.world.service;
    const document = await this.onDisk();
    const managed = document ? idsIn(document) : new Set<string>();
    for (const wish of this.wishes) if (document) this.judgeDone(wish, document);
    const wanted = this.wishes.filter(({ kind }) => kind === "thing").length;
    expect(managed.size, "managed objects").toBe(wanted);
    for (const id of managed) expect(shelf.has(id), `${id} is live`).toBe(true);
    for (const { id, isOurs, name, room } of shelf.values()) {
      if (!isOurs || managed.has(id) || this.released.has(id) || this.givenUpKeys.includes(`${name} ${String(room)}`)) continue;
      expect(this.told, `${id} is ours, not managed, and never said`).toContain(id);
    }
    expect(this.world.service.mostAtOnce()).toBeLessThanOrEqual(4);
  }
}

/** The story of one seed: throws where it breaks a rule. */
export async function tell(seed: number, { aloud = false }: { readonly aloud?: boolean } = {}): Promise<void> {
  const story = new Story(seed);
  const { chance, world } = story;
  try {
    const episodes = 2 + chance.below(5);
    for (let episode = 0; episode < episodes; episode++) {
      for (let changes = chance.below(4) + (episode === 0 ? 2 : 0); changes > 0; changes--) story.change();
      story.say(
        `declared: ${story.wishes.map((wish) => (wish.kind === "thing" ? `${wish.address}=${wish.name}/${String(wish.room)}/${String(wish.secret)}${JSON.stringify(wish.more)}` : `${wish.address}=${wish.word}`)).join(" ")}`,
      );
      if (chance.percent(20)) story.actByHand();
      const ran = await story.run({ approved: chance.percent(50), trouble: chance.percent(85), adopt: chance.percent(10) });
      if (chance.percent(20)) await story.resolve(ran);
      await world.clock.sleep(chance.oneOf([0, 50, 300, 1500]), NEVER);
    }
    await story.settleDown();
  } catch (error) {
    const first = error instanceof Error ? error.message.split("\n").slice(0, 12).join("\n") : String(error);
    const log = aloud
      ? `\n${story.lines.join("\n")}\n${world.service.sent.map(({ method, what, refused }) => `${method} ${what}${refused ? " refused" : ""}`).join(", ")}\n${error instanceof Error ? (error.stack ?? "") : ""}`
      : "";
    throw new Error(`seed ${String(seed)}: ${first}${log}\nOUTREACH_SEED=${String(seed)} npx vitest run test/core/apply/random-runs.test.ts`, { cause: error });
  }
}
