import { expect, test } from "vitest";
import { keptFingerprints, recentlyUsed } from "../../src/fleet/team/team-run.ts";

test("each secret is computed once under each salt, and a failure again", async () => {
  const computed: string[] = [];
  const kept = keptFingerprints(
    (salt) => async (secret) => {
      computed.push(`${salt} ${secret}`);
      if (computed.length === 1) throw new Error("no memory");
      return Promise.resolve(`${salt}-${secret}`);
    },
    new Uint8Array(32),
  );
  await expect(kept("aa")("one")).rejects.toThrow("no memory");
  expect(await Promise.all([kept("aa")("one"), kept("aa")("one"), kept("aa")("two"), kept("bb")("one")])).toEqual([
    "aa-one",
    "aa-one",
    "aa-two",
    "bb-one",
  ]);
  expect(await kept("aa")("one")).toBe("aa-one");
  expect(computed).toEqual(["aa one", "aa one", "aa two", "bb one"]);
});

test("what was not used for the longest time goes first", () => {
  const map = recentlyUsed<number>(2);
  map.set("one", 1);
  map.set("two", 2);
  expect(map.get("one")).toBe(1);
  map.set("three", 3);
  expect(["one", "two", "three"].map((name) => map.get(name))).toEqual([1, undefined, 3]);
});
