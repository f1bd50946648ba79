import { spawn, spawnSync } from "node:child_process";
import fs, { readFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import { afterEach, describe, expect, it, vi } from "vitest";
import { nodeProcess, argumentsOf, commandLineOf } from "../../src/platform/node-process.ts";

const { platform } = process;
/** No process ever has it. */
const NO_PID = 2 ** 30;

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  Object.defineProperty(process, "platform", { value: platform });
});

function refuse(code: string): never {
  throw Object.assign(new Error(code), { code });
}

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

  it("if this user may not send it signals, but not if there is none", async () => {
    expect(await nodeProcess.isAlive(NO_PID, "")).toBe(false);
    vi.spyOn(process, "kill").mockImplementation(() => refuse("EPERM"));
    expect(await nodeProcess.isAlive(process.pid, nodeProcess.startedAt)).toBe(true);
  });

  it("if its start cannot be read", async () => {
    vi.spyOn(process, "kill").mockReturnValue(true);
    expect(await nodeProcess.isAlive(NO_PID, "5")).toBe(true);
  });

  it("as long as it takes signals, where the system has no /proc", async () => {
    const absent = (real: (...words: never[]) => unknown) =>
      ((...words: never[]) => (String(words[0]).startsWith("/proc/") ? refuse("ENOENT") : real(...words))) as never;
    vi.spyOn(fs, "readFileSync").mockImplementation(absent(fs.readFileSync));
    vi.spyOn(fs, "readlinkSync").mockImplementation(absent(fs.readlinkSync));
    syncBuiltinESMExports();
    Object.defineProperty(process, "platform", { value: "freebsd" });
    const { startedAt, bootId, pidNamespace } = nodeProcess;
    expect({ startedAt, bootId, pidNamespace }).toEqual({ startedAt: "", bootId: "", pidNamespace: "" });
    expect(await nodeProcess.isAlive(process.pid, "5")).toBe(true);
  });

  it("but not after it has ended, even before its parent reaps it", async ({ skip }) => {
    skip(process.platform !== "linux", "only Linux reports it");
    // The shell becomes a program that never reaps the shell's child.
    const parent = spawn("sh", ["-c", "sleep 0.3 & echo $!; exec sleep 60"], { stdio: ["ignore", "pipe", "ignore"] });
    try {
      const pid = await new Promise<number>((resolve) =>
        parent.stdout.once("data", (chunk: Buffer) => resolve(Number(chunk.toString()))),
      );
      await vi.waitFor(() => expect(readFileSync(`/proc/${String(pid)}/stat`, "utf8")).toContain(") Z "), {
        timeout: 5000,
        interval: 10,
      });
      expect(await nodeProcess.isAlive(pid, "")).toBe(false);
    } finally {
      parent.kill("SIGKILL");
    }
  });
});

it("a user whom the system does not know has no name", () => {
  expect(nodeProcess.who).toBe(os.userInfo().username);
  vi.spyOn(os, "userInfo").mockImplementation(() => refuse("ENOENT"));
  syncBuiltinESMExports();
  expect(nodeProcess.who).toBe("unknown user");
});

it("a process has arguments until it has ended, where the system shows them", async ({ skip }) => {
  skip(platform !== "linux", "only Linux shows them");
  expect(await argumentsOf(process.pid)).toEqual(readFileSync("/proc/self/cmdline", "utf8").split("\0").slice(0, -1));
  expect(await argumentsOf(NO_PID)).toBeNull();
});

it("a process has a command line until it has ended, also where the system has no /proc", async ({ skip }) => {
  skip(platform === "win32", "Windows shows none");
  const shown = await commandLineOf(process.pid);
  expect(shown).toMatch(/\S/);
  vi.spyOn(fs.promises, "readFile").mockImplementation(() => refuse("ENOENT"));
  syncBuiltinESMExports();
  expect(await argumentsOf(process.pid)).toBeNull();
  expect(await commandLineOf(process.pid)).toBe(shown?.trim());
  expect(await commandLineOf(NO_PID)).toBeNull();
});

describe("a PID namespace", () => {
  it.each(["darwin", "win32"])("does not exist on %s", (system) => {
    Object.defineProperty(process, "platform", { value: system });
    expect(nodeProcess.pidNamespace).toBeNull();
  });

  it("has another name in each container, also where /proc is the outer one's", ({ skip }) => {
    skip(process.platform !== "linux", "only Linux has PID namespaces");
    skip(spawnSync("unshare", ["-Urpf", "true"]).status !== 0, "this system makes no PID namespaces for this user");
    const script = `import("${new URL("../../src/platform/node-process.ts", import.meta.url).href}").then(async ({ nodeProcess: p }) =>
      console.log(JSON.stringify([p.pidNamespace, p.bootId, await p.isAlive(p.pid, p.startedAt), await p.isAlive(${String(process.pid)}, "")])))`;
    for (const mount of [[], ["--mount-proc"]]) {
      const { stdout } = spawnSync("unshare", ["-Urpf", ...mount, process.execPath, "--import", "tsx", "-e", script], {
        encoding: "utf8",
      });
      const [namespace, bootId, seesItself, seesOuter] = JSON.parse(stdout) as readonly unknown[];
      expect(namespace).toMatch(/^pid:\[\d+\]$/);
      expect(namespace).not.toBe(nodeProcess.pidNamespace);
      expect({ bootId, seesItself, seesOuter }).toEqual({
        bootId: nodeProcess.bootId,
        seesItself: true,
        seesOuter: false,
      });
    }
  });
});
