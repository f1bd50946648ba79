import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { isOfBlocks } from "../../../src/core/model/relocate.ts";
import { TERRAFORM_SETTINGS } from "../../frontends/terraform/terraform-settings.ts";
import { hasTerraform } from "../../frontends/terraform/terraform-under-test.ts";
import { chanceOf } from "../apply/chance.ts";
import { KEYS, NAMES, type Said, type World, planned } from "./statement-world.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "statements-"));
  writeFileSync(path.join(folder, "empty.rc"), "");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach((context) => {
  if (!hasTerraform) context.skip("no terraform on the PATH");
});

interface Message {
  readonly type: string;
  readonly diagnostic?: { readonly severity: string; readonly summary: string };
  readonly change?: {
    readonly action: string;
    readonly resource: { readonly addr: string };
    readonly previous_resource?: { readonly addr: string };
  };
}

/** Different messages of Terraform, and of OpenTofu, for a single one of ours. */
const SAME: { readonly [summary: string]: string } = {
  "Invalid import 'to' expression": "Configuration for import target does not exist",
  "Removed resource block still exists": "Removed resource still exists",
  "Resource instance address with keys is not allowed": "Resource instance keys not allowed",
  "Resource will be removed from the state": "Some objects will no longer be managed",
};

const FORGOTTEN = "Some objects will no longer be managed";

/** The plan of the real terraform: its built-in resource needs neither a provider nor a network. */
function terraformPlans({ declared, recorded, moved, removed, imports }: World): Said {
  const resources = Object.entries(declared).map(([name, keys]) => [
    name,
    keys === "one" ? {} : { for_each: `\${toset(${JSON.stringify(keys)})}` },
  ]);
  const configuration = {
    ...(resources.length > 0 ? { resource: { terraform_data: Object.fromEntries(resources) } } : {}),
    moved,
    removed: removed.map(({ from, destroy }) => ({ from, lifecycle: { destroy } })),
    import: imports,
  };
  const instances = (keys: World["recorded"][string]): readonly object[] =>
    (keys === "one" ? [null] : keys).map((key) => ({
      ...(key === null ? {} : { index_key: key }),
      schema_version: 0,
      attributes: { id: "1", input: null, output: null, triggers_replace: null },
    }));
  const provider = 'provider["terraform.io/builtin/terraform"]';
  const state = {
    version: 4,
    terraform_version: "1.11.4",
    serial: 1,
    lineage: "one",
    outputs: {},
    resources: Object.entries(recorded).map(([name, keys]) => ({
      mode: "managed",
      type: "terraform_data",
      name,
      provider,
      instances: instances(keys),
    })),
  };
  writeFileSync(path.join(folder, "main.tf.json"), JSON.stringify(configuration));
  writeFileSync(path.join(folder, "terraform.tfstate"), JSON.stringify(state));
  const environment = {
    PATH: process.env["PATH"],
    HOME: folder,
    TF_CLI_CONFIG_FILE: path.join(folder, "empty.rc"),
    ...TERRAFORM_SETTINGS,
  };
  const { stdout } = spawnSync("terraform", ["plan", "-json"], { cwd: folder, env: environment, encoding: "utf8" });
  const messages = stdout
    .split("\n")
    .flatMap((line): readonly Message[] => (line.startsWith("{") ? [JSON.parse(line) as Message] : []));
  const summaries = (severity: string): readonly string[] =>
    messages.flatMap(({ diagnostic }) =>
      diagnostic?.severity === severity
        ? [(SAME[diagnostic.summary] ?? diagnostic.summary).replace(/ by Terraform$/, "")]
        : [],
    );
  const changes = messages.flatMap(({ type, change }): readonly string[] => {
    if (type !== "planned_change" || !change) return [];
    const from = change.previous_resource ? ` from ${change.previous_resource.addr}` : "";
    return [`${change.action === "remove" ? "forget" : change.action} ${change.resource.addr}${from}`];
  });
  // OpenTofu warns of each object.
  const warnings = summaries("warning").filter(
    (summary, index, all) => summary !== FORGOTTEN || all.indexOf(summary) === index,
  );
  return {
    errors: [...new Set(summaries("error"))].toSorted(),
    warnings: warnings.toSorted(),
    changes: changes.toSorted(),
  };
}

const X = 'terraform_data.a["x"]';
const EMPTY: World = { declared: {}, recorded: {}, moved: [], removed: [], imports: [] };
const move = (from: string, to: string) => ({ from, to });

/** Whether an address without a key is a block in one move and an instance in another: terraform does not always distinguish them. */
function isBlockAndInstance(moved: World["moved"]): boolean {
  const ends = moved.flatMap((one) => [one.from, one.to].map((end) => ({ end, ofBlocks: isOfBlocks(one) })));
  return ends.some(({ end, ofBlocks }) => ofBlocks && ends.some((other) => other.end === end && !other.ofBlocks));
}

describe("like terraform:", () => {
  const stories: { readonly [rule: string]: Partial<World> } = {
    "a moved block keeps its objects": {
      recorded: { a: "one" },
      declared: { b: "one" },
      moved: [move("terraform_data.a", "terraform_data.b")],
    },
    "a block moves with all its instances": {
      recorded: { a: ["x", "y"] },
      declared: { b: ["x", "y"] },
      moved: [move("terraform_data.a", "terraform_data.b")],
    },
    "an instance moves within its block": {
      recorded: { a: ["x"] },
      declared: { a: ["y"] },
      moved: [move(X, 'terraform_data.a["y"]')],
    },
    "an instance without a key moves to a key": {
      recorded: { a: "one" },
      declared: { b: ["x"] },
      moved: [move("terraform_data.a", 'terraform_data.b["x"]')],
    },
    "an instance with a key moves to an address without one": {
      recorded: { a: ["x"] },
      declared: { b: "one" },
      moved: [move(X, "terraform_data.b")],
    },
    "a block does not move to a single instance": {
      recorded: { a: ["x"] },
      declared: { b: ["x"] },
      moved: [move("terraform_data.a", 'terraform_data.b["x"]')],
    },
    "moves are followed to their end": {
      recorded: { a: "one" },
      declared: { c: "one" },
      moved: [move("terraform_data.b", "terraform_data.c"), move("terraform_data.a", "terraform_data.b")],
    },
    "an instance moves before its block": {
      recorded: { a: ["x", "y"] },
      declared: { b: ["y"], c: "one" },
      moved: [move("terraform_data.a", "terraform_data.b"), move(X, "terraform_data.c")],
    },
    "cyclic moves are an error": {
      recorded: { a: "one" },
      moved: [move("terraform_data.a", "terraform_data.b"), move("terraform_data.b", "terraform_data.a")],
    },
    "a move from one to two is an error": {
      recorded: { a: "one" },
      declared: { b: "one", c: "one" },
      moved: [move("terraform_data.a", "terraform_data.b"), move("terraform_data.a", "terraform_data.c")],
    },
    "a move from two to one is an error": {
      recorded: { a: "one" },
      declared: { c: "one" },
      moved: [move("terraform_data.a", "terraform_data.c"), move("terraform_data.b", "terraform_data.c")],
    },
    "the same move twice is allowed": {
      recorded: { a: "one" },
      declared: { b: "one" },
      moved: [move("terraform_data.a", "terraform_data.b"), move("terraform_data.a", "terraform_data.b")],
    },
    "a move to itself is an error": {
      recorded: { a: "one" },
      declared: { a: "one" },
      moved: [move("terraform_data.a", "terraform_data.a")],
    },
    "a block that is still declared cannot have moved": {
      declared: { a: "one", b: "one" },
      moved: [move("terraform_data.a", "terraform_data.b")],
    },
    "an instance that is still declared cannot have moved": {
      declared: { a: ["x"], b: "one" },
      moved: [move(X, "terraform_data.b")],
    },
    "a move to a recorded address is skipped with a warning": {
      recorded: { a: "one", b: "one" },
      declared: { b: "one" },
      moved: [move("terraform_data.a", "terraform_data.b")],
    },
    "a move of a block to a recorded address is skipped with a warning": {
      recorded: { a: ["x"], b: ["y"] },
      declared: { b: ["x", "y"] },
      moved: [move("terraform_data.a", "terraform_data.b")],
    },
    "a move from a missing address is allowed": {
      declared: { b: "one" },
      moved: [move("terraform_data.a", "terraform_data.b")],
    },
    "an object moved to an undeclared address is destroyed": {
      recorded: { a: "one" },
      moved: [move("terraform_data.a", "terraform_data.b")],
    },
    "a removal without destroy forgets each instance": {
      recorded: { a: ["x", "y"] },
      removed: [{ from: "terraform_data.a", destroy: false }],
    },
    "a removal destroys by default": { recorded: { a: "one" }, removed: [{ from: "terraform_data.a", destroy: true }] },
    "a declared block cannot be removed": {
      declared: { a: "one" },
      removed: [{ from: "terraform_data.a", destroy: false }],
    },
    "a single instance cannot be removed": { recorded: { a: ["x"] }, removed: [{ from: X, destroy: false }] },
    "removing a missing block is allowed": { removed: [{ from: "terraform_data.a", destroy: false }] },
    "a removal uses the address after a move": {
      recorded: { a: "one" },
      moved: [move("terraform_data.a", "terraform_data.b")],
      removed: [{ from: "terraform_data.b", destroy: false }],
    },
    "a declared object is imported": { declared: { a: "one" }, imports: [{ to: "terraform_data.a", id: "5" }] },
    "a recorded object is not imported again": {
      recorded: { a: "one" },
      declared: { a: "one" },
      imports: [{ to: "terraform_data.a", id: "5" }],
    },
    "an object that moved there is not imported again": {
      recorded: { a: "one" },
      declared: { b: "one" },
      moved: [move("terraform_data.a", "terraform_data.b")],
      imports: [{ to: "terraform_data.b", id: "5" }],
    },
    "an import to an undeclared address is an error": { imports: [{ to: "terraform_data.a", id: "5" }] },
    "an import to an undeclared instance is an error": { declared: { a: ["y"] }, imports: [{ to: X, id: "5" }] },
  };

  test.each(Object.entries(stories))("%s", (_, story) => {
    const world = { ...EMPTY, ...story };
    expect(planned(world)).toEqual(terraformPlans(world));
  });

  test("random combinations of statements", () => {
    const { oneOf, below } = chanceOf(20_261_121);
    const [first = "", ...others] = NAMES.flatMap((name) => [
      `terraform_data.${name}`,
      ...KEYS.map((key) => `terraform_data.${name}["${key}"]`),
    ]);
    const end = (): string => oneOf([first, ...others]);
    const some = (): World["declared"] => {
      const kinds = NAMES.map((name) => [name, oneOf(["none", "one", "x", "both"])] as const);
      const keys = { one: "one", x: ["x"], both: KEYS } as const;
      return Object.fromEntries(kinds.flatMap(([name, kind]) => (kind === "none" ? [] : [[name, keys[kind]]])));
    };
    const several = <T>(most: number, make: () => T): readonly T[] => Array.from({ length: below(most + 1) }, make);
    const tally = { sound: 0, mistaken: 0 };
    for (let round = 0; round < 150; round++) {
      const moved = several(3, () => move(end(), end()));
      const removed = several(1, () => ({ from: `terraform_data.${oneOf(NAMES)}`, destroy: below(2) === 0 }));
      const world: World = { declared: some(), recorded: some(), moved, removed, imports: [] };
      if (isBlockAndInstance(moved)) continue;
      const [ours, theirs] = [planned(world), terraformPlans(world)];
      const shown = JSON.stringify(world);
      // Terraform stops at the first kind of error; we report all.
      if (theirs.errors.length > 0)
        expect(
          theirs.errors.filter((summary) => !ours.errors.includes(summary)),
          shown,
        ).toEqual([]);
      else expect(ours, shown).toEqual(theirs);
      tally[theirs.errors.length > 0 ? "mistaken" : "sound"]++;
    }
    expect(Math.min(tally.sound, tally.mistaken)).toBeGreaterThan(30);
  }, 120_000);
});
