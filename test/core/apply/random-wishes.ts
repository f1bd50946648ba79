import type { Declaration } from "../../../src/core/model/declaration.ts";
import { declared } from "../toy.ts";
import type { Chance } from "./chance.ts";

export interface ThingWish {
  readonly kind: "thing";
  readonly address: string;
  readonly name: string;
  readonly room: string | null;
  readonly secret: string | null;
  readonly rotation?: string;
}

/** What somebody wants, as a configuration says it. */
export type Wish = ThingWish | { readonly kind: "shout"; readonly address: string; readonly word: string };

const THINGS = ["a", "b", 'c["x"]', 'c["y"]'].map((name) => `toy_thing.${name}`);
const SHOUTS = ["s", 't["x"]', 't["y"]'].map((name) => `toy_shout.${name}`);
const ROOMS = [null, "r1", "r2"] as const;
const SECRETS = [null, "k1", "k2", "k3"] as const;

export function declarationOf(wish: Wish): Declaration {
  const { address } = wish;
  if (wish.kind === "shout") return { ...declared("", {}, { address, type: "toy_shout" }), attributes: { word: wish.word } };
  const { name, room, secret, rotation } = wish;
  return declared(
    name,
    { room, ...(rotation === undefined ? {} : { rotation }) },
    { address, secrets: secret === null ? {} : { secret: { kind: "env", name: secret } } },
  );
}

export function wishText(wish: Wish): string {
  return wish.kind === "shout" ? `${wish.address}=${wish.word}` : `${wish.address}=${[wish.name, wish.room, wish.secret, wish.rotation ?? ""].join("/")}`;
}

/**
 * The same with one thing changed, if chance has found one that may be. With `fresh`, which gives a number that was never
 * used, every thing has a name and an address of its own for ever.
 */
export function changed(wishes: readonly Wish[], chance: Chance, fresh: (() => number) | null = null): readonly Wish[] {
  const what = chance.oneOf(["thing", "thing", "thing", "shout", "remove", "rename", "rotate", "rotate", "order", "room"]);
  const free = (addresses: readonly string[]): string | undefined =>
    chance.any(addresses.filter((address) => wishes.every((wish) => wish.address !== address)));
  if (what === "thing" && fresh) {
    const [block, name] = [`toy_thing.new${String(fresh())}`, `n${String(fresh())}`];
    const keys = chance.oneOf<readonly string[]>([[""], ['["x"]'], ['["x"]', '["y"]']]);
    const [room, secret] = [chance.oneOf(ROOMS), chance.oneOf(SECRETS)];
    return [...wishes, ...keys.map((key) => ({ kind: "thing", address: `${block}${key}`, name: `${name}${key}`, room, secret }) as const)];
  }
  if (what === "thing") {
    const address = free(THINGS);
    const name = chance.oneOf(["n1", "n2", "n3"]);
    return address === undefined ? wishes : withWish(wishes, { kind: "thing", address, name, room: chance.oneOf(ROOMS), secret: chance.oneOf(SECRETS) });
  }
  if (what === "shout") {
    const address = free(SHOUTS);
    return address === undefined ? wishes : withWish(wishes, { kind: "shout", address, word: chance.oneOf(["hey", "ho", "hi"]) });
  }
  const one = chance.any(wishes);
  if (!one) return wishes;
  if (what === "remove") return wishes.filter((wish) => wish !== one);
  if (what === "rename" && one.kind === "thing" && fresh) return wishes;
  if (what === "rename") {
    const address = free(one.kind === "thing" ? THINGS : SHOUTS) ?? one.address;
    return wishes.map((wish) => (wish === one ? { ...one, address } : wish));
  }
  if (one.kind === "shout") return wishes;
  if (what === "rotate") return withWish(wishes, { ...one, secret: chance.oneOf(SECRETS) });
  if (what === "order") return withWish(wishes, { ...one, rotation: chance.oneOf(["create_first", "delete_first"]) });
  return withWish(wishes, { ...one, room: chance.oneOf(ROOMS) });
}

/** Unless it would be declared twice. */
function withWish(wishes: readonly Wish[], wish: Wish): readonly Wish[] {
  const others = wishes.filter(({ address }) => address !== wish.address);
  return others.some((other) => whatOf(other) === whatOf(wish)) ? wishes : [...others, wish];
}

function whatOf(wish: Wish): string {
  return wish.kind === "shout" ? wish.word : `${wish.name} ${String(wish.room)}`;
}
