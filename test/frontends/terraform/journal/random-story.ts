import type { Clock } from "../../../../src/core/model/ports.ts";
import type { Attributes } from "../../../../src/core/model/value.ts";
import type { OpenStore } from "../../../../src/core/state/state-store.ts";
import { memoryPlace, memoryStore } from "../../../core/state/memory-store.ts";
import {
  type Ledger,
  type LedgerCreate,
  NO_RECORDS,
  decodeLedger,
} from "../../../../src/frontends/provider-journal/ledger.ts";
import { type Chance, chanceOf } from "../../../core/apply/chance.ts";
import { type Life, never, newLife } from "../../../core/apply/life.ts";
import {
  MAX_STALE_MS,
  PEACE,
  type RandomService,
  type Sent,
  randomService,
} from "../../../core/apply/random-service.ts";
import { memoryFiles } from "../../../core/state/memory-files.ts";
import { NEVER, countingRandom } from "../../../core/state/state-fixtures.ts";
import { virtualClock } from "../../../core/virtual-clock.ts";
import { type Declared, FOLDER, type Ran, type State, smallTerraform } from "./small-terraform.ts";

const MOST_RUNS_TO_REST = 14;
/** An unsubscription is sent again twice at most. */
const MAX_SHOUTS = 3;

function idsIn(text: string): readonly string[] {
  return [...text.matchAll(/\bid_\d+\b/g)].map(([id]) => id);
}

/** A store on another machine. With trouble, a call fails before or after it is carried out, or the process ends with it. */
function remoteStore({ clock, chance }: { readonly clock: Clock; readonly chance: Chance }) {
  const place = memoryPlace();
  let percent = 0;
  const of =
    (life: Life): OpenStore =>
    () => {
      const store = memoryStore(clock, place);
      const call = async <T>(act: () => Promise<T>): Promise<T> => {
        if (life.isOver) return never();
        const isBad = chance.percent(percent);
        const what = chance.oneOf(["lost", "refused", "crash"]);
        if (isBad && what === "refused") throw new Error("the store refused the connection");
        await clock.sleep(chance.below(20), NEVER);
        const answer = life.isOver ? await never() : await act();
        if (isBad && what === "lost") throw new Error("the store's answer was lost");
        if (isBad) life.end();
        return life.isOver ? never() : answer;
      };
      return Promise.resolve({
        ...store,
        read: (signal: AbortSignal) => call(() => store.read(signal)),
        write: (bytes: Uint8Array, expected: string | null, signal: AbortSignal) =>
          call(() => store.write(bytes, expected, signal)),
      });
    };
  return { place, of, suffer: (next: number) => void (percent = next) };
}

/** A world, who acts in it, what they do, and every rule that is broken. */
function openStory(seed: number) {
  const chance = chanceOf(seed);
  const [files, clock, random] = [memoryFiles(), virtualClock(), countingRandom()];
  const service: RandomService = randomService({ clock, chance, arrives });
  const store = seed % 3 === 0 ? remoteStore({ clock, chance }) : null;
  const terraform = smallTerraform({ files, clock, random, chance, service, ...(store ? { store: store.of } : {}) });
  const lines: string[] = [];
  const broken: string[] = [];
  /** Ids that were printed, or that somebody has taken away. */
  const told = new Set<string>();
  /** Foreign objects that came while a create like them was open: nobody can tell them from its outcome. */
  const confusable = new Set<string>();
  const imported = new Set<string>();
  let isForgotten = false;
  let run = 0;
  const shouts = new Map<string, { readonly run: number; readonly sent: Sent }[]>();
  let allDesired: readonly Declared[] = [];
  let state: State = new Map();
  const say = (line: string): void => void lines.push(`${String(clock.monotonicMs())} ${line}`);
  const demand = (holds: boolean, rule: string): void => {
    if (!holds) broken.push(rule);
  };

  function ledger(): Ledger {
    const name = `${FOLDER}/ledger.json`;
    const bytes = store ? store.place.stored?.bytes : files.contents.get(name);
    return bytes ? decodeLedger(bytes, name) : NO_RECORDS;
  }
  const lostNames = () =>
    ledger().scopes.flatMap(({ lostCreates }) => Object.values(lostCreates).map(({ key }) => key["name"]));

  function openCreates(): readonly LedgerCreate[] {
    return ledger()
      .scopes.flatMap(({ creates }) => Object.values(creates))
      .filter(({ outcome }) => outcome.kind === "open");
  }

  async function arrives(sent: Sent): Promise<void> {
    const { method, what, room } = sent;
    const open = openCreates();
    if (method === "POST") {
      const lookalikes = open.filter(
        ({ intent: { key } }) => key["name"] === what && (!service.showsRooms || (key["room"] ?? null) === room),
      );
      demand(
        lookalikes.length === 1,
        `${String(lookalikes.length)} creates of ${what} are open as it is sent, that the list cannot tell apart`,
      );
    }
    if (method === "DELETE") {
      const isOurs = service.everMade.get(what)?.isOurs === true;
      demand(isOurs || imported.has(what) || confusable.has(what), `${what} of somebody else is deleted`);
    }
    if (method === "SHOUT") shouts.set(what, [...(shouts.get(what) ?? []), { run, sent }]);
  }

  function thing(): Declared {
    const free = ["a", "b", "c", "d", "e", "f"]
      .map((name) => `toy_thing.${name}`)
      .filter((address) => allDesired.every((desired) => desired.address !== address));
    const allowed = chance.percent(15);
    for (;;) {
      const attributes: Attributes = {
        name: chance.oneOf(["n1", "n2", "n3"]),
        room: chance.oneOf([null, "r1", "r2"]),
        secret: chance.oneOf([null, "k1", "k2"]),
        ...(allowed ? { allow_duplicate: true } : {}),
      };
      const { name, room } = attributes;
      const duplicates = allDesired.filter(
        (desired) => desired.attributes["name"] === name && (desired.attributes["room"] ?? null) === room,
      );
      if (duplicates.every((duplicate) => allowed && duplicate.attributes["allow_duplicate"] === true))
        return { address: chance.any(free) ?? "", type: "toy_thing", attributes };
    }
  }

  function change(): void {
    const what = chance.oneOf(["thing", "thing", "thing", "shout", "remove", "rotate"]);
    const one = chance.any(allDesired.filter(({ type }) => type === "toy_thing"));
    if (what === "thing" && allDesired.filter(({ type }) => type === "toy_thing").length < 6)
      allDesired = [...allDesired, thing()];
    else if (what === "shout") {
      const word = `w${String(allDesired.filter(({ type }) => type === "toy_shout").length)}`;
      allDesired = [...allDesired, { address: `toy_shout.${word}`, type: "toy_shout", attributes: { word } }];
    } else if (what === "remove" && one) allDesired = allDesired.filter((desired) => desired !== one);
    else if (what === "rotate" && one) {
      allDesired = allDesired.map((desired) =>
        desired === one
          ? { ...one, attributes: { ...one.attributes, secret: chance.oneOf([null, "k1", "k2"]) } }
          : desired,
      );
    }
  }

  /** Somebody makes the same by hand, or deletes one. */
  async function actByHand(): Promise<void> {
    if (chance.percent(30)) {
      const id = chance.any([...service.bucket.keys()]);
      if (id !== undefined && service.byHand.take(id)) say(`by hand: ${id} is deleted`);
      return;
    }
    const desired = chance.any(allDesired.filter(({ type }) => type === "toy_thing"));
    const { name, room = null } = (desired?.attributes ?? { name: "foreign" }) as {
      readonly name: string;
      readonly room?: string | null;
    };
    const open = openCreates();
    const { id } = service.byHand.make({ name, room });
    if (
      open.some(({ intent }) => intent.key["name"] === name) ||
      [...state.values()].some(({ attributes }) => attributes["name"] === name && attributes["id"] === null)
    ) {
      confusable.add(id);
    }
    say(`by hand: ${id} like ${name}/${String(room)}`);
    // The service's clock tells seconds: what came within one cannot be told apart.
    await clock.sleep(1100, NEVER);
  }

  async function apply({ trouble }: { readonly trouble: boolean }): Promise<Ran> {
    run++;
    const life = newLife();
    let stop: Promise<void> | null = null;
    if (trouble) {
      service.suffer({
        write: chance.oneOf([0, 15, 40, 80]),
        list: chance.oneOf([0, 0, 20, 60]),
        crash: chance.oneOf([0, 0, 5, 20]),
      });
      if (chance.percent(35)) {
        files.fail({
          at: chance.below(chance.oneOf([30, 200])),
          code: chance.oneOf(["CRASH", "CRASH", "ENOSPC", "EIO"]),
          done: chance.oneOf(["nothing", "half", "all"]),
        });
      }
      store?.suffer(chance.oneOf([0, 0, 3, 10]));
      if (chance.percent(15)) stop = clock.sleep(chance.below(900), NEVER);
    }
    const before = state;
    const ran = await terraform.apply(before, allDesired, { life, stop });
    files.fail(null);
    store?.suffer(0);
    service.suffer(PEACE);
    say(
      `apply -> ${ran.kind}: ${ran.said.map(({ address, summary, isError }) => `${isError ? "E" : "W"} ${address} ${summary}`).join("; ")}`,
    );
    if (ran.kind === "crashed") {
      // What was on its way to the service is over, or happens late: nothing of the process comes back.
      const left = chance.oneOf(["before", "now", "now", "nothing"]);
      if (left === "nothing") {
        isForgotten = true;
        // What Terraform had recorded before, it has lost by itself.
        for (const { attributes } of before.values()) told.add(String(attributes["id"]));
      }
      state = left === "now" ? ran.state : left === "before" ? before : new Map();
      say(`crashed: the state is ${left === "now" ? "as it was" : left}`);
    } else {
      for (const { detail, summary } of ran.said) {
        for (const id of idsIn(detail)) told.add(id);
        // An open outcome is reported with the values that were sent.
        if (/not known yet/.test(summary))
          for (const { id, name } of service.bucket.values()) if (detail.includes(`name = "${name}"`)) told.add(id);
      }
      state = ran.state;
    }
    say(
      `state: ${[...state].map(([address, { attributes, isTainted }]) => `${address}=${String(attributes["id"] ?? attributes["outcome"])}${isTainted ? "!" : ""}`).join(" ")}`,
    );
    check(ran);
    return ran;
  }

  function check({ kind }: Ran): void {
    const ids = [...state.values()].flatMap(({ attributes }) =>
      typeof attributes["id"] === "string" ? [attributes["id"]] : [],
    );
    demand(new Set(ids).size === ids.length, `one object is at two addresses: ${ids.join()}`);
    if (kind === "well")
      for (const { address } of allDesired)
        demand(state.has(address), `${address} is not recorded after an apply that went well`);
    for (const [word, sends] of shouts) {
      const kept = sends.filter(({ sent }) => !sent.refused);
      demand(isForgotten || kept.length <= MAX_SHOUTS, `${word} was sent too often`);
      demand(isForgotten || new Set(kept.map((one) => one.run)).size <= 1, `${word} was sent again silently`);
    }
    if (broken.length > 0) throw new Error(broken.join("\n"));
  }

  /** A user does what the last run has proposed. */
  async function tidyUp({ said }: Ran): Promise<void> {
    const managed = (): ReadonlySet<unknown> => new Set([...state.values()].map(({ attributes }) => attributes["id"]));
    for (const { address, summary, detail } of said) {
      const desired = allDesired.find((one) => one.address === address);
      const ids = idsIn(detail).filter((id) => service.bucket.has(id) && !managed().has(id));
      const [known] = /undecided/.test(summary) ? ids.filter((id) => service.everMade.get(id)?.isOurs) : ids;
      if (
        desired &&
        !state.has(address) &&
        /identical|already created such|undecided/.test(summary) &&
        known !== undefined
      ) {
        imported.add(known);
        state = await terraform.importInto(state, desired, known);
        say(`imported ${known} at ${address}`);
      } else if (
        desired &&
        /undecided/.test(summary) &&
        state.get(address)?.attributes["id"] === null &&
        ids[0] !== undefined
      ) {
        const without = new Map(state);
        without.delete(address);
        imported.add(ids[0]);
        state = await terraform.importInto(without, desired, ids[0]);
        say(`removed ${address} from the state, and imported ${ids[0]} there`);
        for (const id of ids.slice(1)) service.byHand.take(id);
      } else if (/late|undecided/.test(summary)) {
        const foreign = ids.filter((id) => /late/.test(summary) || service.everMade.get(id)?.isOurs !== true);
        for (const id of foreign) if (service.byHand.take(id)) say(`by hand: ${id} is deleted, as it was reported`);
      }
    }
    await clock.sleep(2 * MAX_STALE_MS, NEVER);
  }

  async function rest(): Promise<void> {
    while (service.late() > 0) await clock.sleep(500, NEVER);
    await clock.sleep(2000, NEVER);
    let quiet = 0;
    for (let turn = 0; turn < MOST_RUNS_TO_REST && quiet < 2; turn++) {
      const ran = await apply({ trouble: false });
      quiet = ran.hadNothingToDo && !ran.said.some(({ summary }) => /late/.test(summary)) ? quiet + 1 : 0;
      if (quiet === 0) await tidyUp(ran);
    }
    demand(quiet === 2, "it does not come to rest");
    for (const { address, type, attributes: wanted } of allDesired) {
      const attributes: Attributes = state.get(address)?.attributes ?? {};
      if (type !== "toy_thing") continue;
      const id = String(attributes["id"]);
      const made = service.bucket.get(id);
      demand(made?.name === wanted["name"], `${address} is not live as it is declared`);
      if (!made?.isOurs || imported.has(id) || confusable.size > 0) continue;
      demand(
        made.room === (wanted["room"] ?? null) && made.secret === (wanted["secret"] ?? null),
        `${address} has another room or secret`,
      );
    }
    const managed = new Set([...state.values()].map(({ attributes }) => attributes["id"]));
    // Nothing reads the list if no thing is declared. Then the ledger remembers what to look for.
    const remembered = allDesired.some(({ type }) => type === "toy_thing") ? [] : lostNames();
    for (const { id, name, isOurs } of service.bucket.values())
      demand(
        !isOurs || managed.has(id) || told.has(id) || remembered.includes(name),
        `${id} is ours, not managed, and was never said`,
      );
    // What a write that failed has left, the next one replaces.
    const replaced = [`${FOLDER}/ledger.json.tmp`, `${FOLDER}/ledger.json.backup.tmp`];
    const leftOver = [...files.contents.keys()].filter(
      (name) => name.startsWith(FOLDER) && name.endsWith(".tmp") && !replaced.includes(name),
    );
    demand(leftOver.length === 0, `left behind: ${leftOver.join()}`);
    if (broken.length > 0) throw new Error(broken.join("\n"));
  }

  async function tell(): Promise<void> {
    const episodes = 2 + chance.below(4);
    for (let episode = 0; episode < episodes; episode++) {
      for (let times = chance.below(4) + (episode === 0 ? 2 : 0); times > 0; times--) change();
      say(
        `declared: ${allDesired.map(({ address, attributes }) => `${address}=${JSON.stringify(Object.values(attributes))}`).join(" ")}`,
      );
      if (chance.percent(25)) await actByHand();
      const ran = await apply({ trouble: chance.percent(85) });
      if (chance.percent(20)) await tidyUp(ran);
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
export async function tellStory(seed: number, { aloud }: { readonly aloud: boolean }): Promise<void> {
  const story = openStory(seed);
  try {
    await story.tell();
  } catch (error) {
    const rule = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const again = `OUTREACH_SEEDS=1 OUTREACH_SEEDS_FROM=${String(seed)} npx vitest run test/frontends/terraform/journal/random-story.deep.test.ts`;
    throw new Error(`${aloud ? rule : rule.split("\n    at")[0]}: ${aloud ? `\n${story.log()}` : again}`, {
      cause: error,
    });
  }
}
