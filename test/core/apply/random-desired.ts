import type { Declaration } from "../../../src/core/model/declaration.ts";
import { declared } from "../toy.ts";
import type { Chance } from "./chance.ts";

export interface DesiredThing {
  readonly kind: "thing";
  readonly address: string;
  readonly name: string;
  readonly room: string | null;
  readonly secret: string | null;
  readonly rotation?: string;
}

/** What somebody wants, as a configuration says it. */
export type Desired = DesiredThing | { readonly kind: "shout"; readonly address: string; readonly word: string };

const THINGS = ["a", "b", 'c["x"]', 'c["y"]'].map((name) => `toy_thing.${name}`);
const SHOUTS = ["s", 't["x"]', 't["y"]'].map((name) => `toy_shout.${name}`);
const ROOMS = [null, "r1", "r2"] as const;
const SECRETS = [null, "k1", "k2", "k3"] as const;

export function declarationOf(desired: Desired): Declaration {
  const { address } = desired;
  if (desired.kind === "shout")
    return { ...declared("", {}, { address, type: "toy_shout" }), attributes: { word: desired.word } };
  const { name, room, secret, rotation } = desired;
  return declared(
    name,
    { room, ...(rotation === undefined ? {} : { rotation }) },
    { address, secrets: secret === null ? {} : { secret: { kind: "env", name: secret } } },
  );
}

export function desiredText(desired: Desired): string {
  return desired.kind === "shout"
    ? `${desired.address}=${desired.word}`
    : `${desired.address}=${[desired.name, desired.room, desired.secret, desired.rotation ?? ""].join("/")}`;
}

/**
 * The same with one thing changed, if chance has found one that may be. With `fresh`, which gives a number that was never
 * used, every thing has a name and an address of its own for ever.
 */
export function changed(
  allDesired: readonly Desired[],
  chance: Chance,
  fresh: (() => number) | null = null,
): readonly Desired[] {
  const what = chance.oneOf([
    "thing",
    "thing",
    "thing",
    "shout",
    "remove",
    "rename",
    "rotate",
    "rotate",
    "order",
    "room",
  ]);
  const free = (addresses: readonly string[]): string | undefined =>
    chance.any(addresses.filter((address) => allDesired.every((desired) => desired.address !== address)));
  if (what === "thing" && fresh) {
    const [block, name] = [`toy_thing.new${String(fresh())}`, `n${String(fresh())}`];
    const keys = chance.oneOf<readonly string[]>([[""], ['["x"]'], ['["x"]', '["y"]']]);
    const [room, secret] = [chance.oneOf(ROOMS), chance.oneOf(SECRETS)];
    return [
      ...allDesired,
      ...keys.map(
        (key) => ({ kind: "thing", address: `${block}${key}`, name: `${name}${key}`, room, secret }) as const,
      ),
    ];
  }
  if (what === "thing") {
    const address = free(THINGS);
    const name = chance.oneOf(["n1", "n2", "n3"]);
    return address === undefined
      ? allDesired
      : withDesired(allDesired, {
          kind: "thing",
          address,
          name,
          room: chance.oneOf(ROOMS),
          secret: chance.oneOf(SECRETS),
        });
  }
  if (what === "shout") {
    const address = free(SHOUTS);
    return address === undefined
      ? allDesired
      : withDesired(allDesired, { kind: "shout", address, word: chance.oneOf(["hey", "ho", "hi"]) });
  }
  const one = chance.any(allDesired);
  if (!one) return allDesired;
  if (what === "remove") return allDesired.filter((desired) => desired !== one);
  if (what === "rename" && one.kind === "thing" && fresh) return allDesired;
  if (what === "rename") {
    const address = free(one.kind === "thing" ? THINGS : SHOUTS) ?? one.address;
    return allDesired.map((desired) => (desired === one ? { ...one, address } : desired));
  }
  if (one.kind === "shout") return allDesired;
  if (what === "rotate") return withDesired(allDesired, { ...one, secret: chance.oneOf(SECRETS) });
  if (what === "order")
    return withDesired(allDesired, { ...one, rotation: chance.oneOf(["create_first", "delete_first"]) });
  return withDesired(allDesired, { ...one, room: chance.oneOf(ROOMS) });
}

/** Unless it would be declared twice. */
function withDesired(allDesired: readonly Desired[], desired: Desired): readonly Desired[] {
  const others = allDesired.filter(({ address }) => address !== desired.address);
  return others.some((other) => whatOf(other) === whatOf(desired)) ? allDesired : [...others, desired];
}

function whatOf(desired: Desired): string {
  return desired.kind === "shout" ? desired.word : `${desired.name} ${String(desired.room)}`;
}
