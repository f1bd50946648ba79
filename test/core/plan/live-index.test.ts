import { describe, expect, test } from "vitest";
import { indexLive } from "../../../src/core/plan/live-index.ts";
import { live, toy } from "../toy.ts";

describe("a duplicate", () => {
  test.each([
    ["agrees in the whole identity", { name: "ball", room: "attic" }, { room: "attic" }, true],
    ["may write it differently", { name: "Ball", room: "attic" }, { room: "attic" }, true],
    ["may hide a part of it", { name: "ball", room: "attic" }, { room: undefined }, true],
    ["has null where null is wanted", { name: "ball" }, {}, true],
    ["is none with another value", { name: "ball", room: "attic" }, { room: "cellar" }, false],
    ["is none with null where a value is wanted", { name: "ball", room: "attic" }, { room: null }, false],
    ["is none with a value where null is wanted", { name: "ball" }, { room: "attic" }, false],
    ["need not agree outside the identity", { name: "ball", shiny: true }, { made_at: "another time" }, true],
  ] as const)("%s", (_, wanted, shown, expected) => {
    const index = indexLive(toy, [live("ball", shown), live("kite", { room: "roof" })]);
    expect(index.duplicates(wanted).map(({ id }) => id)).toEqual(expected ? ["id_ball"] : []);
  });
});
