import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { nodeProcess } from "../../src/platform/node-process.ts";

describe("a process is alive", () => {
  it("if it is this one, but not if another took over its pid", async () => {
    expect(await nodeProcess.isAlive(process.pid, nodeProcess.startedAt)).toBe(true);
    expect(await nodeProcess.isAlive(process.pid, "")).toBe(true);
    if (nodeProcess.startedAt !== "") expect(await nodeProcess.isAlive(process.pid, "1")).toBe(false);
  });

  it("also after it has grown", async () => {
    const { startedAt } = nodeProcess;
    const room = Buffer.allocUnsafeSlow(64 * 1024 * 1024);
    expect(await nodeProcess.isAlive(process.pid, startedAt)).toBe(true);
    expect(room).toHaveLength(64 * 1024 * 1024);
  });

  it("but not after it has ended, even before its parent reaps it", async ({ skip }) => {
    skip(process.platform !== "linux", "only Linux reports it");
    // The shell becomes a program that never reaps the shell's child.
    const parent = spawn("sh", ["-c", "sleep 0.3 & echo $!; exec sleep 60"], { stdio: ["ignore", "pipe", "ignore"] });
    try {
      const pid = await new Promise<number>((resolve) => parent.stdout.once("data", (chunk: Buffer) => resolve(Number(chunk.toString()))));
      await vi.waitFor(() => expect(readFileSync(`/proc/${String(pid)}/stat`, "utf8")).toContain(") Z "), { timeout: 5000, interval: 10 });
      expect(await nodeProcess.isAlive(pid, "")).toBe(false);
    } finally {
      parent.kill("SIGKILL");
    }
  });
});

describe("a PID namespace", () => {
  it("has another name in each container, also where /proc is the outer one's", ({ skip }) => {
    skip(process.platform !== "linux", "only Linux has PID namespaces");
    skip(spawnSync("unshare", ["-Urpf", "true"]).status !== 0, "this system makes no PID namespaces for this user");
    const script = `import("${new URL("../../src/platform/node-process.ts", import.meta.url).href}").then(async ({ nodeProcess: p }) =>
      console.log(JSON.stringify([p.pidNamespace, p.bootId, await p.isAlive(p.pid, p.startedAt), await p.isAlive(${String(process.pid)}, "")])))`;
    for (const mount of [[], ["--mount-proc"]]) {
      const { stdout } = spawnSync("unshare", ["-Urpf", ...mount, process.execPath, "--import", "tsx", "-e", script], { encoding: "utf8" });
      const [namespace, bootId, seesItself, seesOuter] = JSON.parse(stdout) as readonly unknown[];
      expect(namespace).toMatch(/^pid:\[\d+\]$/);
      expect(namespace).not.toBe(nodeProcess.pidNamespace);
      expect({ bootId, seesItself, seesOuter }).toEqual({ bootId: nodeProcess.bootId, seesItself: true, seesOuter: false });
    }
  });
});
