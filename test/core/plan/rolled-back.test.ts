import { describe, expect, test } from "vitest";
import type { Declaration, Evaluation, SecretSource, Statements } from "../../../src/core/model/declaration.ts";
import type { RecordedInstance } from "../../../src/core/model/instance.ts";
import { changedSince, rolledBack } from "../../../src/core/plan/rolled-back.ts";
import { NO_STATEMENTS, declared, live, recorded } from "../toy.ts";
import { codes, given, inputOf, pledged, planOf, steps } from "./world.ts";

interface Case {
  readonly earlier: readonly RecordedInstance[];
  readonly now?: readonly RecordedInstance[];
  readonly today?: readonly Declaration[];
  readonly statements?: Partial<Statements>;
  readonly sourceOf?: (block: string, attribute: string) => SecretSource | undefined;
}

const { catalog } = inputOf({});
const ENV: SecretSource = { kind: "env", name: "BALL_SECRET" };
const secretOf = (digest: string) => ({ secret: { $secret: digest } });

function evaluated({ earlier, now = [], today = [], statements = {}, sourceOf = () => undefined }: Case): Evaluation {
  const said: Evaluation = {
    declarations: today,
    reads: [],
    outputs: [],
    diagnostics: [],
    ...NO_STATEMENTS,
    ...statements,
  };
  const evaluate = rolledBack(() => said, { catalog, earlier: { serial: 4, instances: earlier }, sourceOf });
  return evaluate({ known: new Map(), instances: now });
}

/** The steps and messages of the plan, where everything that is recorded is live. Secrets count as those that are recorded. */
function planned(given_: Case): readonly string[] {
  const { declarations, diagnostics, imports, moved, removed, leaves = [] } = evaluated(given_);
  const instances = given_.now ?? [];
  const objects = instances.flatMap(({ type, attributes, id }) =>
    type === "toy_thing" ? [live(String(attributes["name"]), { ...attributes, id })] : [],
  );
  const plan = planOf({ declarations, instances, live: objects, statements: { imports, moved, removed, leaves } });
  return [
    ...steps(plan).filter((step) => !step.startsWith("keep")),
    ...codes({ diagnostics: [...diagnostics, ...plan.diagnostics] }),
  ];
}

describe("a rollback", () => {
  const cases: readonly (readonly [string, Case, readonly string[]])[] = [
    ["brings back what is gone", { earlier: [recorded("ball")] }, ["create thing.ball"]],
    [
      "deletes what came later",
      { earlier: [], now: [recorded("kite")], today: [declared("kite")] },
      ["delete thing.kite"],
    ],
    [
      "replaces what has other values",
      {
        earlier: [recorded("ball", { room: "attic" })],
        now: [recorded("ball", { room: "hall" })],
        today: [declared("ball", { room: "hall" })],
      },
      ["replace thing.ball"],
    ],
    [
      "changes nothing where only an id is another",
      { earlier: [recorded("ball", {}, { id: "id_old" })], now: [recorded("ball")] },
      [],
    ],
    [
      "keeps an object at its new address",
      {
        earlier: [recorded("ball")],
        now: [recorded("ball", {}, { address: "toy_thing.new" })],
        today: [declared("ball", {}, { address: "toy_thing.new" })],
      },
      [],
    ],
    [
      "follows a move of what was replaced since",
      {
        earlier: [recorded("ball", { room: "attic" })],
        now: [recorded("ball", { room: "hall", id: "id_2" }, { id: "id_2", address: "toy_thing.new" })],
        today: [declared("ball", { room: "hall" }, { address: "toy_thing.new" })],
        statements: { moved: [{ from: "toy_thing.ball", to: "toy_thing.new" }] },
      },
      ["replace thing.new"],
    ],
    [
      "makes a move that is not applied yet, and nothing else",
      {
        earlier: [recorded("ball")],
        now: [recorded("ball")],
        today: [declared("ball", {}, { address: "toy_thing.new" })],
        statements: { moved: [{ from: "toy_thing.ball", to: "toy_thing.new" }] },
      },
      ["update-state thing.new from thing.ball"],
    ],
    [
      "uses the earlier addresses where two objects would get one",
      {
        earlier: [recorded("a"), recorded("b")],
        now: [recorded("a", {}, { address: "toy_thing.b" })],
        today: [declared("a", {}, { address: "toy_thing.b" })],
      },
      ["create thing.a", "replace thing.b"],
    ],
    [
      "leaves what had a secret that is no longer declared, recorded or not",
      {
        earlier: [recorded("ball", secretOf("aa")), recorded("kite", secretOf("bb"))],
        now: [recorded("ball")],
        today: [declared("ball")],
      },
      ["rollback_secret_gone"],
    ],
    [
      "keeps what would take the place of one that it leaves",
      {
        earlier: [recorded("ball", secretOf("aa"))],
        now: [
          recorded("ball", { id: "id_2" }, { id: "id_2", address: "toy_thing.other" }),
          recorded("kite", { id: "id_3" }, { id: "id_3" }),
        ],
        today: [declared("ball", {}, { address: "toy_thing.other" }), declared("kite")],
      },
      ["delete thing.kite", "rollback_secret_gone", "kept_for_excluded"],
    ],
    [
      "keeps settings of ours as they are declared now",
      {
        earlier: [recorded("ball", { rotation: "create_first" })],
        now: [recorded("ball", { rotation: "delete_first" })],
        today: [declared("ball", { rotation: "delete_first" })],
      },
      [],
    ],
    [
      "does not lift a protection by going back to a time without it",
      {
        earlier: [recorded("ball", { room: "attic" })],
        now: [recorded("ball", { room: "hall", protect: true })],
        today: [declared("ball", { room: "hall", protect: true })],
      },
      ["protected thing.ball"],
    ],
    [
      "does not delete what the configuration protects without having been applied",
      { earlier: [], now: [recorded("ball")], today: [declared("ball", { protect: true })] },
      ["delete thing.ball", "protected thing.ball"],
    ],
    [
      "sends and forgets nothing irreversible",
      {
        earlier: [given("x", { club: "c", name: "old" })],
        now: [given("x", { club: "c", name: "ada" })],
        today: [pledged("x", { club: "c", name: "ada" }), pledged("y", { club: "c", name: "bob" })],
      },
      ["rollback_final"],
    ],
    [
      "keeps what was not observed then",
      {
        earlier: [recorded("ball", { shiny: null }, { unobserved: ["shiny"] })],
        now: [recorded("ball", { shiny: true })],
        today: [declared("ball", { shiny: true })],
      },
      [],
    ],
    [
      "forgets what the configuration releases, and deletes nothing of it",
      { earlier: [], now: [recorded("ball")], statements: { removed: [{ from: "toy_thing.ball", destroy: false }] } },
      ["forget thing.ball", "released"],
    ],
    [
      "keeps what it brings back, although the configuration releases it",
      {
        earlier: [recorded("ball")],
        now: [recorded("ball")],
        statements: { removed: [{ from: "toy_thing.ball", destroy: false }] },
      },
      [],
    ],
  ];
  test.each(cases)("%s", (_, of, expected) => {
    expect(planned(of)).toEqual(expected);
  });

  test("takes a secret from the address, or from a block that has one for all its instances", () => {
    const earlier = [
      recorded("ball", secretOf("aa")),
      recorded("kite", secretOf("bb"), { address: 'toy_thing.all["kite"]' }),
    ];
    const today = [declared("ball", {}, { secrets: { secret: ENV } })];
    const { declarations, leaves } = evaluated({
      earlier,
      today,
      sourceOf: (block, attribute) =>
        block === "toy_thing.all" && attribute === "secret" ? { kind: "file", path: "all.txt" } : undefined,
    });
    expect(declarations.map(({ secrets }) => secrets)).toEqual([
      { secret: ENV },
      { secret: { kind: "file", path: "all.txt" } },
    ]);
    expect(leaves).toEqual([]);
    expect(JSON.stringify(declarations)).not.toContain("$secret");
  });

  test("says only the mistakes of a configuration that has some", () => {
    const mistake = { code: "x", severity: "error", summary: "Wrong", detail: "Wrong." } as const;
    const evaluate = rolledBack(
      () => ({ declarations: [], reads: [], outputs: [], diagnostics: [mistake], ...NO_STATEMENTS }),
      {
        catalog,
        earlier: { serial: 4, instances: [recorded("ball")] },
        sourceOf: () => undefined,
      },
    );
    expect(evaluate({ known: new Map(), instances: [] })).toMatchObject({ declarations: [], diagnostics: [mistake] });
  });
});

test("what has changed since counts objects by their values, not ids, names and settings", () => {
  const now = [
    recorded("same", {}, { id: "id_2", attributes: { ...recorded("same").attributes, id: "id_2" } }),
    recorded("ball", { room: "hall" }),
    recorded("kite", secretOf("new"), { address: "toy_thing.renamed" }),
    recorded("set", { rotation: "create_first" }),
    recorded("new"),
    given("x", { club: "c", name: "ada" }),
  ];
  const people = [given("x", { club: "c", name: "ada" }), given("y", { club: "c", name: "bob" })];
  const earlier = [
    ...people,
    recorded("same"),
    recorded("ball", { room: "attic" }),
    recorded("kite", secretOf("old")),
    recorded("set"),
    recorded("gone"),
  ];
  expect(changedSince(catalog, { serial: 4, instances: earlier }, now)).toBe(3);
});
