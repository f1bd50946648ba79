import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { fateOfOwner, fileNameOf, nameIn } from "../../../src/frontends/provider-journal/owner.ts";
import { nodeProcess } from "../../../src/platform/node-process.ts";
import { processOf } from "../../core/state/state-fixtures.ts";

const ID = "0f9a1c1e-1111-2222-3333-444455556666";

describe("the name of a journal file", () => {
  it.each([
    ["with a PID namespace", processOf()],
    ["on a system without namespaces", processOf([], { pidNamespace: null, bootId: "" })],
    ["whose namespace cannot be read", processOf([], { pidNamespace: "" })],
    ["with a host name that a file cannot have", processOf([], { host: "a/b@c-d.é" })],
  ])("holds its owner: %s", (_what, { host, bootId, pidNamespace, pid, startedAt, ...process }) => {
    const owner = { host, bootId, pidNamespace, pid, startedAt };
    const file = fileNameOf({ id: ID, owner: { ...process, ...owner } });
    expect(file).toMatch(/^[^/\\:*?"<>|]+\.journal$/);
    expect(nameIn(file)).toEqual({ id: ID, owner });
    expect(nameIn(`${file}.tmp`)).toEqual({ id: ID, owner });
  });

  it("says that nobody owns it any more, and a file with another name is none", () => {
    expect(nameIn(fileNameOf({ id: ID, owner: "over" }))).toEqual({ id: ID, owner: "over" });
    expect(nameIn("seen-1.json")).toBeNull();
  });
});

describe("the owner of a journal", () => {
  const fate = (name: string, process = processOf()) => fateOfOwner(nameIn(name) ?? { owner: "over" }, process);
  const own = fileNameOf({ id: ID, owner: processOf() });

  it.each([
    ["runs", own, processOf(), { fate: "running", hidden: null }],
    ["has ended", own, processOf([]), { fate: "ended", hidden: null }],
    ["has released it", `over-${ID}.journal`, processOf(), { fate: "ended", hidden: null }],
    ["is in another container", own, processOf([], { pidNamespace: "pid:[2]" }), { fate: "unknown", hidden: "namespace" }],
    ["was there before a restart", own, processOf([], { bootId: "boot-2" }), { fate: "unknown", hidden: "boot" }],
    ["is on another host", own, processOf([], { host: "there" }), { fate: "unknown", hidden: "host" }],
    ["is of an earlier version", `10-100-${ID}.journal`, processOf(), { fate: "unknown", hidden: "namespace" }],
    [
      "is of an earlier version, on a system that shows all processes",
      `10-100-${ID}.journal`,
      processOf([], { pidNamespace: null, bootId: "" }),
      { fate: "ended", hidden: null },
    ],
  ] as const)("%s", async (_what, name, process, expected) => {
    expect(await fate(name, process)).toEqual(expected);
  });

  it("with a very long host name is known again", async () => {
    const process = processOf(["10/100"], { host: "h".repeat(255) });
    const file = fileNameOf({ id: ID, owner: process });
    expect(file.length).toBeLessThan(256);
    expect(await fate(file, process)).toEqual({ fate: "running", hidden: null });
  });

  it("is out of sight from a real PID namespace, and the other way round", async ({ skip }) => {
    skip(process.platform !== "linux", "only Linux has PID namespaces");
    skip(spawnSync("unshare", ["-Urpf", "true"]).status !== 0, "this system makes no PID namespaces for this user");
    const sources = new URL("../../../src/", import.meta.url).href;
    const script = `Promise.all([import("${sources}frontends/provider-journal/owner.ts"), import("${sources}platform/node-process.ts")]).then(
      async ([{ fateOfOwner, fileNameOf, nameIn }, { nodeProcess }]) => console.log(JSON.stringify([
        fileNameOf({ id: "1", owner: nodeProcess }), await fateOfOwner(nameIn(process.env.OUTER), nodeProcess)])))`;
    const outer = fileNameOf({ id: "2", owner: nodeProcess });
    const { stdout } = spawnSync("unshare", ["-Urpf", "--mount-proc", process.execPath, "--import", "tsx", "-e", script], {
      encoding: "utf8",
      env: { ...process.env, OUTER: outer },
    });
    const [inner, seen] = JSON.parse(stdout) as readonly [string, unknown];
    expect(seen).toEqual({ fate: "unknown", hidden: "namespace" });
    expect(await fate(inner, nodeProcess)).toEqual({ fate: "unknown", hidden: "namespace" });
    expect(await fate(outer, nodeProcess)).toEqual({ fate: "running", hidden: null });
  });
});
