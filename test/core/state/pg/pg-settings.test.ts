import { expect, test } from "vitest";
import { pgBackend } from "../../../../src/core/state/pg/backend.ts";
import { readSettings } from "../../../../src/core/state/settings.ts";
import type { StateSettings } from "../../../../src/core/state/backend.ts";
import { virtualClock } from "../../virtual-clock.ts";
import { memoryFiles } from "../memory-files.ts";
import { countingRandom, processOf, storePorts } from "../state-fixtures.ts";

test.each([
  ["postgres://db/x", { url: { value: "postgres://db/x" } }],
  ["postgres://db/x?schema=toys&name=a%20b", { url: { value: "postgres://db/x" }, schema: "toys", name: "a b" }],
  ["postgres://db/x?sslmode=disable&name=a", { url: { value: "postgres://db/x?sslmode=disable" }, name: "a" }],
])("the settings of the URL %s", (named, settings) => {
  expect(pgBackend.fromUrl?.(named)).toEqual({ value: settings, diagnostics: [] });
});

function choose(settings: StateSettings) {
  const { value } = readSettings(pgBackend, { url: { env: "DB" }, ...settings }, { environment: {} });
  return value ? pgBackend.open(value.values, value) : expect.fail("invalid settings");
}

test.each([
  [{ schema: "ü".repeat(31) }, []],
  [{ schema: "x".repeat(63) }, []],
  [{ schema: "x".repeat(64) }, ["schema is not valid. It has more than 63 bytes."]],
  [{ schema: "ü".repeat(32) }, ["schema is not valid. It has more than 63 bytes."]],
])("a schema may have 63 bytes: %j", (settings, problems) => {
  const { value, diagnostics } = choose(settings);
  expect([value !== null, diagnostics.map(({ detail }) => detail)]).toEqual([problems.length === 0, problems]);
});

async function opened(url: string, source: StateSettings["url"] = { env: "DB" }) {
  const hidden: string[] = [];
  const local = storePorts({
    files: memoryFiles(),
    clock: virtualClock(),
    random: countingRandom(),
    process: processOf(),
  });
  const ports = { ...local, reveal: () => Promise.resolve(url), hide: (secret: string) => void hidden.push(secret) };
  const store = await choose({ url: source ?? null }).value?.(ports);
  return { hidden, name: store?.name };
}

test.each([
  ["postgres://ada:a%40b@db/x", ["a@b", "a%40b"]],
  ["postgres://ada:plain@db/x", ["plain", "plain"]],
  ["postgres://ada@db/x", []],
  ["postgres://ada:@db/x", []],
])("the password in %s is kept out of output, as it is and as it is written", async (url, secrets) => {
  expect(await opened(url)).toEqual({ hidden: secrets, name: "postgres://db/x?schema=outreach&name=default" });
});

test.each<readonly [StateSettings["url"], string]>([
  [{ env: "DB" }, " The environment variable DB holds it."],
  [{ file: "db.url" }, " The file db.url holds it."],
  [{ command: ["print"] }, ""],
])("a URL that is none is an error that says where it is: %j", async (source, where) => {
  const error = await opened("mysql://ada:hunter2@db", source).then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({
    diagnostics: [{ detail: expect.stringMatching(new RegExp(`DATABASE\\.${where}$`)) as string }],
  });
  expect(JSON.stringify(error)).not.toContain("hunter2");
});
