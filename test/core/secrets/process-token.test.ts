import { describe, expect, test } from "vitest";
import type { ProcessIdentity } from "../../../src/core/model/ports.ts";
import { PROCESS_TOKEN, fateOfToken, processToken } from "../../../src/core/secrets/process-token.ts";

const RANDOM = "0123456789abcdef0123456789abcdef";

/** A process of a machine on which only pid 7, started at 100, runs. */
function processOf(fields: Partial<ProcessIdentity> = {}): ProcessIdentity {
  return {
    who: "ada",
    host: "laptop",
    bootId: "b1",
    pidNamespace: "pid:[1]",
    pid: 7,
    startedAt: "100",
    isAlive: (pid, startedAt) => Promise.resolve(pid === 7 && (startedAt === "100" || startedAt === "")),
    ...fields,
  };
}

const token = (fields: Partial<ProcessIdentity> = {}): string => processToken(processOf(fields), RANDOM);

test("a token has its form, and does not name the machine", () => {
  expect(token()).toMatch(PROCESS_TOKEN);
  expect(token({ startedAt: "" })).toMatch(PROCESS_TOKEN);
  expect(token()).not.toMatch(/laptop|b1|ada/);
});

describe("the process of a token", () => {
  test.each([
    ["that runs", {}, {}, "running"],
    ["that runs, on a system without start times", { startedAt: "" }, {}, "running"],
    ["whose pid nobody has", { pid: 8 }, {}, "ended"],
    ["whose pid another process has", { startedAt: "99" }, {}, "ended"],
    ["of another host", { host: "desktop" }, {}, "unknown"],
    ["from before a restart", { bootId: "b0" }, {}, "unknown"],
    ["of another container", { pidNamespace: "pid:[2]" }, {}, "unknown"],
    ["of a machine that cannot be told apart", { bootId: "" }, { bootId: "" }, "unknown"],
  ] as const)("%s", async (_, of, seenBy, fate) => {
    expect(await fateOfToken(token(of), processOf(seenBy))).toBe(fate);
  });

  test("cannot be known from other texts", async () => {
    for (const text of [
      "",
      "x",
      token().slice(0, -1),
      token().replace("-7-", "-8-").replace(RANDOM, RANDOM.toUpperCase()),
    ])
      expect(await fateOfToken(text, processOf())).toBe("unknown");
  });
});
