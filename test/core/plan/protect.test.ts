import { describe, expect, test } from "vitest";
import { declared, live, recorded } from "../toy.ts";
import { type World, codes, planOf, steps } from "./world.ts";

const ON = { protect: true };
const at = (key: string): string => `toy_thing.x["${key}"]`;

describe("a protected object", () => {
  const refused: readonly (readonly [string, Partial<World>])[] = [
    ["is not deleted when its block is gone", { instances: [recorded("ball", ON)], live: [live("ball")] }],
    [
      "is not replaced because of an attribute",
      {
        declarations: [declared("ball", { ...ON, room: "attic" })],
        instances: [recorded("ball", ON)],
        live: [live("ball")],
      },
    ],
    [
      "is not replaced because of drift",
      {
        declarations: [declared("ball", ON)],
        instances: [recorded("ball", ON)],
        live: [live("ball", { room: "attic" })],
      },
    ],
    [
      "is not replaced by request",
      {
        declarations: [declared("ball", ON)],
        instances: [recorded("ball", ON)],
        live: [live("ball")],
        options: { replace: ["toy_thing.ball"] },
      },
    ],
    [
      "is not replaced because of a secret and an attribute",
      {
        declarations: [declared("ball", { ...ON, room: "attic", secret: { $secret: "bb" } })],
        instances: [recorded("ball", { ...ON, secret: { $secret: "aa" } })],
        live: [live("ball")],
      },
    ],
    ["is not destroyed", { instances: [recorded("ball", ON)], live: [live("ball")], options: { destroy: true } }],
    [
      "is protected as soon as it is declared so, before that is recorded",
      {
        declarations: [declared("ball", { ...ON, room: "attic" })],
        instances: [recorded("ball")],
        live: [live("ball")],
      },
    ],
    [
      "is protected from destroy as soon as it is declared so",
      {
        declarations: [declared("ball", ON)],
        instances: [recorded("ball")],
        live: [live("ball")],
        options: { destroy: true },
      },
    ],
  ];
  test.each(refused)("%s", (_, world) => {
    const made = planOf(world);
    expect(codes(made)).toEqual(["protected thing.ball"]);
    expect(steps(made)).toEqual([]);
  });

  test("is protected by its block also where the block no longer yields it", () => {
    const made = planOf({
      declarations: [declared("ball", ON, { address: at("a") })],
      instances: [recorded("ball", {}, { address: at("a") }), recorded("doll", {}, { address: at("b") })],
      live: [live("ball"), live("doll")],
    });
    expect(codes(made)).toEqual([`protected thing.x["b"]`]);
  });

  const allowed: readonly (readonly [string, Partial<World>, string])[] = [
    [
      "may have its secret rotated",
      {
        declarations: [declared("ball", { ...ON, secret: { $secret: "bb" } })],
        instances: [recorded("ball", { ...ON, secret: { $secret: "aa" } })],
        live: [live("ball")],
      },
      "replace thing.ball",
    ],
    [
      "may have its secret taken away",
      {
        declarations: [declared("ball", ON)],
        instances: [recorded("ball", { ...ON, secret: { $secret: "aa" } })],
        live: [live("ball")],
      },
      "replace thing.ball",
    ],
    [
      "may change a setting",
      {
        declarations: [declared("ball", { ...ON, rotation: "create_first" })],
        instances: [recorded("ball", ON)],
        live: [live("ball")],
      },
      "update-state thing.ball",
    ],
    [
      "is created again when it is gone",
      { declarations: [declared("ball", ON)], instances: [recorded("ball", ON)] },
      "create thing.ball",
    ],
    ["is forgotten when it is gone and not declared", { instances: [recorded("ball", ON)] }, "forget thing.ball"],
    [
      "is given up as soon as that is declared",
      {
        declarations: [declared("ball", { protect: false, room: "attic" })],
        instances: [recorded("ball", ON)],
        live: [live("ball")],
      },
      "replace thing.ball",
    ],
    [
      "is given up to destroy as soon as that is declared",
      {
        declarations: [declared("ball", { protect: false })],
        instances: [recorded("ball", ON)],
        live: [live("ball")],
        options: { destroy: true },
      },
      "delete thing.ball",
    ],
    [
      "may move",
      {
        declarations: [declared("ball", ON, { address: at("ball") })],
        instances: [recorded("ball", ON, { address: "toy_thing.x" })],
        live: [live("ball")],
      },
      `update-state thing.x["ball"] from thing.x`,
    ],
  ];
  test.each(allowed)("%s", (_, world, expected) => {
    const made = planOf(world);
    expect(codes(made)).toEqual([]);
    expect(steps(made)).toEqual([expected]);
  });

  test.each<readonly [string, Partial<World>, string]>([
    ["in its block, where it is declared", refused[1]?.[1] ?? {}, "Undo the change, or lift the protection:"],
    [
      "in the block that is to be put back",
      refused[0]?.[1] ?? {},
      "Put its block back. To delete it, lift the protection there, apply, and then remove the block:",
    ],
    ["before a destroy", refused[5]?.[1] ?? {}, "Put its block back, lift the protection, apply, and then destroy:"],
  ])("says where protection is lifted: %s", (_, world, hint) => {
    const [said] = planOf(world).diagnostics;
    expect(said?.hint).toBe(hint);
    expect(said?.ways).toMatchObject([
      { kind: "set-attribute", address: said?.address, attribute: "protect", value: false },
    ]);
  });
});
