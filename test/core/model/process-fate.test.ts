import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import type { ProcessMark } from "../../../src/core/model/ports.ts";
import { fateOf, hiddenBy } from "../../../src/core/model/process-fate.ts";
import { nodeProcess } from "../../../src/platform/node-process.ts";
import { processOf } from "../state/state-fixtures.ts";

const MARK: ProcessMark = { host: "here", bootId: "boot-1", pidNamespace: "pid:[1]", pid: 10, startedAt: "100" };

it.each([
  ["runs", processOf(), ["running", null]],
  ["has ended", processOf([]), ["ended", null]],
  ["is in another container", processOf([], { pidNamespace: "pid:[2]" }), ["unknown", "namespace"]],
  ["was there before a restart", processOf([], { bootId: "boot-2" }), ["unknown", "boot"]],
  ["is on another host", processOf([], { host: "there" }), ["unknown", "host"]],
] as const)("a process %s", async (_what, process, expected) => {
  expect([await fateOf(MARK, process), hiddenBy(MARK, process)]).toEqual(expected);
});

it("a process in a real PID namespace is out of sight, and the other way round", async ({ skip }) => {
  skip(process.platform !== "linux", "only Linux has PID namespaces");
  skip(spawnSync("unshare", ["-Urpf", "true"]).status !== 0, "this system makes no PID namespaces for this user");
  const sources = new URL("../../../src/", import.meta.url).href;
  const script = `Promise.all([import("${sources}core/model/process-fate.ts"), import("${sources}platform/node-process.ts")]).then(
    async ([{ fateOf, hiddenBy }, { nodeProcess }]) => { const outer = JSON.parse(process.env.OUTER);
      console.log(JSON.stringify([nodeProcess, await fateOf(outer, nodeProcess), hiddenBy(outer, nodeProcess)])) })`;
  const { stdout } = spawnSync(
    "unshare",
    ["-Urpf", "--mount-proc", process.execPath, "--import", "tsx", "-e", script],
    {
      encoding: "utf8",
      env: { ...process.env, OUTER: JSON.stringify(nodeProcess) },
    },
  );
  const [inner, ...seen] = JSON.parse(stdout) as readonly [ProcessMark, ...unknown[]];
  expect(seen).toEqual(["unknown", "namespace"]);
  expect([await fateOf(inner, nodeProcess), hiddenBy(inner, nodeProcess)]).toEqual(["unknown", "namespace"]);
  expect([await fateOf(nodeProcess, nodeProcess), hiddenBy(nodeProcess, nodeProcess)]).toEqual(["running", null]);
});
