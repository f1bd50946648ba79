import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import type { ProcessIdentity, ProcessMark } from "../../../src/core/model/ports.ts";
import { fateOf, hiddenBy } from "../../../src/core/model/process-fate.ts";
import { fileOwner } from "../../../src/frontends/provider-journal/owner.ts";
import { nodeProcess } from "../../../src/platform/node-process.ts";
import { processOf } from "../../core/state/state-fixtures.ts";

const ID = "0f9a1c1e-1111-2222-3333-444455556666";
const OWN = `10-100-${ID}+here+boot-1+pid%3A%5B1%5D.journal`;

async function fate(file: string, process: ProcessIdentity) {
  const owner = fileOwner(file, process)?.owner;
  if (!owner || owner === "over") return owner;
  return { fate: await fateOf(owner, process), hidden: hiddenBy(owner, process) };
}

describe("the owner of a journal file of an earlier version", () => {
  it("is in its name, with its id", () => {
    const { host, bootId, pidNamespace, pid, startedAt } = processOf();
    expect(fileOwner(OWN, processOf())).toEqual({ id: ID, owner: { host, bootId, pidNamespace, pid, startedAt } });
    expect(fileOwner(`${OWN}.tmp`, processOf())?.id).toBe(ID);
    expect(fileOwner(`over-${ID}.journal`, processOf())).toEqual({ id: ID, owner: "over" });
    expect(["seen-1.json", "ledger.json", "ledger.json.lock"].map((file) => fileOwner(file, processOf()))).toEqual([null, null, null]);
  });

  it.each([
    ["runs", OWN, processOf(), { fate: "running", hidden: null }],
    ["has ended", OWN, processOf([]), { fate: "ended", hidden: null }],
    ["is in another container", OWN, processOf([], { pidNamespace: "pid:[2]" }), { fate: "unknown", hidden: "namespace" }],
    ["was there before a restart", OWN, processOf([], { bootId: "boot-2" }), { fate: "unknown", hidden: "boot" }],
    ["is on another host", OWN, processOf([], { host: "there" }), { fate: "unknown", hidden: "host" }],
    ["has no place in its name", `10-100-${ID}.journal`, processOf(), { fate: "unknown", hidden: "namespace" }],
    [
      "has no place in its name, on a system that shows all processes",
      `10-100-${ID}.journal`,
      processOf([], { pidNamespace: null, bootId: "" }),
      { fate: "ended", hidden: null },
    ],
    ["has a very long host name", OWN.replace("here", "h".repeat(100)), processOf(["10/100"], { host: "h".repeat(255) }), { fate: "running", hidden: null }],
  ] as const)("%s", async (_what, name, process, expected) => {
    expect(await fate(name, process)).toEqual(expected);
  });
});

it("a process in a real PID namespace is out of sight, and the other way round", async ({ skip }) => {
  skip(process.platform !== "linux", "only Linux has PID namespaces");
  skip(spawnSync("unshare", ["-Urpf", "true"]).status !== 0, "this system makes no PID namespaces for this user");
  const sources = new URL("../../../src/", import.meta.url).href;
  const script = `Promise.all([import("${sources}core/model/process-fate.ts"), import("${sources}platform/node-process.ts")]).then(
    async ([{ fateOf, hiddenBy }, { nodeProcess }]) => { const outer = JSON.parse(process.env.OUTER);
      console.log(JSON.stringify([nodeProcess, await fateOf(outer, nodeProcess), hiddenBy(outer, nodeProcess)])) })`;
  const { stdout } = spawnSync("unshare", ["-Urpf", "--mount-proc", process.execPath, "--import", "tsx", "-e", script], {
    encoding: "utf8",
    env: { ...process.env, OUTER: JSON.stringify(nodeProcess) },
  });
  const [inner, ...seen] = JSON.parse(stdout) as readonly [ProcessMark, ...unknown[]];
  expect(seen).toEqual(["unknown", "namespace"]);
  expect([await fateOf(inner, nodeProcess), hiddenBy(inner, nodeProcess)]).toEqual(["unknown", "namespace"]);
  expect([await fateOf(nodeProcess, nodeProcess), hiddenBy(nodeProcess, nodeProcess)]).toEqual(["running", null]);
});
