import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { nodeProcess } from "../../src/platform/node-process.ts";

describe("a process is alive", () => {
  it("if it is this one, but not if another took over its pid", async () => {
    expect(await nodeProcess.isAlive(process.pid, nodeProcess.startedAt)).toBe(true);
    if (nodeProcess.startedAt !== "") expect(await nodeProcess.isAlive(process.pid, "1")).toBe(false);
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
