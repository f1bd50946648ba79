import { describe, expect, test } from "vitest";
import { prepare } from "../../../src/core/apply/run/prepare.ts";
import type { Evaluate, PendingRead } from "../../../src/core/model/declaration.ts";
import { type Catalog, defineDataSource } from "../../../src/core/model/definition.ts";
import type { Diagnostic } from "../../../src/core/model/diagnostic.ts";
import { UNKNOWN } from "../../../src/core/model/value.ts";
import { NO_STATEMENTS, declared } from "../toy.ts";

const signal = new AbortController().signal;
const listing = () => Promise.reject(new Error("was listed"));

type Answer = (
  name: string,
) => Promise<{ readonly found: string | null; readonly diagnostics?: readonly Diagnostic[] }>;

const lookUp = defineDataSource<Answer>()({
  type: "toy_look",
  docs: "",
  schema: {
    name: { type: "string", mode: "required", docs: "" },
    other: { type: "string", mode: "optional", docs: "" },
    found: { type: "string", mode: "computed", docs: "" },
  },
  async read({ name, other }, { client }) {
    const { found, diagnostics = [] } = await client(name);
    return { value: found === null ? null : { name, other, found }, diagnostics };
  },
});
const catalog: Catalog = { resources: [], dataSources: [lookUp] };

const place = { file: "toys.yaml", line: 2 };
const pendingRead = (name: string): PendingRead => ({
  address: `data.toy_look.${name}`,
  type: "toy_look",
  config: { name },
  locate: () => place,
});
const problem = (severity: "error" | "warning"): Diagnostic => ({
  code: "toy_problem",
  severity,
  summary: "Hm",
  detail: "Hm.",
});

/** Reads of each round, in their order; then a declaration that needs them all. */
function rounds(...names: readonly (readonly string[])[]): Evaluate {
  return ({ known }) => {
    const reads = names.find((round) => round.some((name) => !known.has(`data.toy_look.${name}`))) ?? [];
    const room = reads.length > 0 ? UNKNOWN : [...known.values()].map(({ found }) => String(found)).join("+");
    return {
      declarations: [declared("ball", { room })],
      reads: reads.map(pendingRead),
      outputs: [],
      ...NO_STATEMENTS,
      diagnostics: [],
    };
  };
}

describe("preparing a plan", () => {
  test("reads in rounds until everything is known, each thing once, those of a round at once", async () => {
    const log: string[] = [];
    const client: Answer = async (name) => {
      log.push(`begin ${name}`);
      await Promise.resolve();
      log.push(`end ${name}`);
      return { found: name.toUpperCase() };
    };
    const prepared = await prepare(rounds(["a", "b"], ["c"]), { catalog, client, instances: [], signal, listing });
    expect(prepared.declarations[0]?.attributes["room"]).toBe("A+B+C");
    expect(prepared.diagnostics).toEqual([]);
    expect(log).toEqual(["begin a", "begin b", "end a", "end b", "begin c", "end c"]);
    expect(prepared.known.get("data.toy_look.a")).toEqual({ name: "a", other: null, found: "A" });
  });

  test("reads nothing when the configuration has errors", async () => {
    const evaluate: Evaluate = () => ({
      declarations: [],
      reads: [pendingRead("a")],
      outputs: [],
      ...NO_STATEMENTS,
      diagnostics: [problem("error")],
    });
    const client: Answer = () => Promise.reject(new Error("was read"));
    expect((await prepare(evaluate, { catalog, client, instances: [], signal, listing })).diagnostics).toEqual([
      problem("error"),
    ]);
  });

  test("says only the errors of a configuration, and not what they leave unknown", async () => {
    const evaluate: Evaluate = () => ({
      declarations: [declared("ball", { room: UNKNOWN })],
      reads: [],
      outputs: [],
      ...NO_STATEMENTS,
      diagnostics: [problem("error")],
    });
    expect(await prepare(evaluate, { catalog, client: null, instances: [], signal, listing })).toMatchObject({
      diagnostics: [problem("error")],
      said: [],
    });
  });

  test("says nothing of what is known, and no place where there is none", async () => {
    const evaluate: Evaluate = () => ({
      declarations: [declared("known"), declared("ball", { room: UNKNOWN })],
      reads: [],
      outputs: [],
      ...NO_STATEMENTS,
      diagnostics: [],
    });
    const { said } = await prepare(evaluate, { catalog, client: null, instances: [], signal, listing });
    expect(said.map(({ address }) => address)).toEqual(["toy_thing.ball"]);
    expect(said[0]).not.toHaveProperty("place");
  });

  test("fails where nothing can read a data source", async () => {
    const evaluate: Evaluate = () => ({
      declarations: [],
      reads: [{ ...pendingRead("a"), type: "toy_none" }],
      outputs: [],
      ...NO_STATEMENTS,
      diagnostics: [],
    });
    await expect(prepare(evaluate, { catalog, client: null, instances: [], signal, listing })).rejects.toThrow(
      "no data source type toy_none",
    );
  });

  test("ends at a read that finds nothing, says all that went wrong in its round, and where", async () => {
    const seen: string[] = [];
    const client: Answer = (name) => {
      seen.push(name);
      return Promise.resolve({ found: null, diagnostics: [problem("error")] });
    };
    const { said } = await prepare(rounds(["a", "b"], ["c"]), { catalog, client, instances: [], signal, listing });
    expect(said).toMatchObject([
      { address: "data.toy_look.a", place },
      { address: "data.toy_look.b", place },
    ]);
    expect(seen).toEqual(["a", "b"]);
  });

  test("keeps the warnings of every round", async () => {
    const client: Answer = (name) => Promise.resolve({ found: name, diagnostics: [problem("warning")] });
    const { said } = await prepare(rounds(["a"], ["b"]), { catalog, client, instances: [], signal, listing });
    expect(said.map(({ address }) => address)).toEqual(["data.toy_look.a", "data.toy_look.b"]);
  });

  test("says that a reference leads back to itself when something stays unknown", async () => {
    const evaluate: Evaluate = () => ({
      declarations: [declared("ball", { room: UNKNOWN }, { locate: () => place })],
      reads: [],
      outputs: [],
      ...NO_STATEMENTS,
      diagnostics: [],
    });
    const { said } = await prepare(evaluate, { catalog, client: null, instances: [], signal, listing });
    expect(said).toMatchObject([
      { code: "reference_cycle", address: "toy_thing.ball", place, detail: expect.stringContaining("room") },
    ]);
  });

  test("says so too of data sources that wait for each other, and reads neither", async () => {
    const evaluate: Evaluate = () => ({
      declarations: [],
      reads: ["a", "b"].map((name) => ({ ...pendingRead(name), config: { name: UNKNOWN } })),
      outputs: [],
      ...NO_STATEMENTS,
      diagnostics: [],
    });
    const { said } = await prepare(evaluate, { catalog, client: null, instances: [], signal, listing });
    expect(said.map(({ code, address }) => [code, address])).toEqual([
      ["reference_cycle", "data.toy_look.a"],
      ["reference_cycle", "data.toy_look.b"],
    ]);
  });

  test("does not read for ever", async () => {
    let count = 0;
    const evaluate: Evaluate = () => ({
      declarations: [],
      reads: [pendingRead(String(count++))],
      outputs: [],
      ...NO_STATEMENTS,
      diagnostics: [],
    });
    const client: Answer = (name) => Promise.resolve({ found: name });
    await expect(prepare(evaluate, { catalog, client, instances: [], signal, listing })).rejects.toThrow("rounds");
    expect(count).toBeLessThan(100);
  });
});
