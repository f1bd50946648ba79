import { expect, test } from "vitest";
import { leaveSecrets, resolveSecrets } from "../../../src/core/apply/run/resolve-secrets.ts";
import type { RunPorts } from "../../../src/core/apply/run/run-ports.ts";
import { UNKNOWN } from "../../../src/core/model/value.ts";
import { declared, recorded } from "../toy.ts";

const ports: Pick<RunPorts, "reveal" | "fingerprint"> = {
  reveal: (source) =>
    Promise.resolve(
      source.kind === "env" ? { value: source.name.toLowerCase() } : { detail: "There is none.", hint: "Make one." },
    ),
  fingerprint: (salt, secret) => Promise.resolve(`${salt}/${secret}`),
};
const place = { file: "toys.yaml", line: 2 };
const file = (path: string) => ({ kind: "file", path }) as const;

test("secrets become digests among the attributes, and their values are kept apart", async () => {
  const plain = declared("plain");
  const hidden = declared(
    "hidden",
    { room: "hall" },
    { secrets: { secret: { kind: "env", name: "ONE" }, secret_wo: { kind: "env", name: "TWO" } } },
  );
  const { value, diagnostics } = await resolveSecrets([plain, hidden], "salt", ports);
  expect(diagnostics).toEqual([]);
  expect(value.declarations[0]).toBe(plain);
  expect(value.declarations[1]?.attributes).toEqual({
    name: "hidden",
    room: "hall",
    secret: { $secret: "salt/one" },
    secret_wo: { $secret: "salt/two" },
  });
  expect([...value.secrets]).toEqual([["toy_thing.hidden", { secret: "one", secret_wo: "two" }]]);
});

test("every secret that is not available is an error, with its place where that is known, and the same cause for the same source", async () => {
  const { diagnostics } = await resolveSecrets(
    [
      declared(
        "a",
        {},
        { secrets: { secret: file("x") }, locate: ([name]) => (name === "secret" ? place : undefined) },
      ),
      declared("b", {}, { secrets: { secret: file("x"), secret_wo: file("y") } }),
    ],
    "salt",
    ports,
  );
  expect(diagnostics).toMatchObject([
    {
      code: "secret_unavailable",
      address: "toy_thing.a",
      path: ["secret"],
      place,
      detail: "There is none.",
      hint: "Make one.",
    },
    { address: "toy_thing.b", path: ["secret"] },
    { address: "toy_thing.b", path: ["secret_wo"] },
  ]);
  expect(diagnostics.map((one) => "place" in one)).toEqual([true, false, false]);
  const [first, second, third] = diagnostics.map(({ cause }) => cause);
  expect([first === second, second === third]).toEqual([true, false]);
});

test("where no secret is looked at, a recorded one counts as unchanged, and any other is unknown", () => {
  const secrets = { secret: file("x"), secret_wo: file("x") };
  const { declarations } = leaveSecrets(
    [declared("a", {}, { secrets }), declared("new", {}, { secrets })],
    [recorded("a", { secret: { $secret: "aa" }, secret_wo: "not a digest" })],
  );
  expect(declarations.map(({ attributes: { secret, secret_wo } }) => [secret, secret_wo])).toEqual([
    [{ $secret: "aa" }, UNKNOWN],
    [UNKNOWN, UNKNOWN],
  ]);
});
