import { readFile } from "node:fs/promises";
import { hostname, userInfo } from "node:os";
import type { ProcessIdentity } from "../core/model/ports.ts";

/** The running process. Boot id and start times are Linux's; elsewhere they are empty, and the pid alone decides. */
export async function nodeProcess(): Promise<ProcessIdentity> {
  return {
    who: whoAmI(),
    host: hostname(),
    bootId: (await textOf("/proc/sys/kernel/random/boot_id")).trim(),
    pid: process.pid,
    startedAt: await startTimeOf(process.pid),
    isAlive: async (pid, startedAt) => {
      try {
        process.kill(pid, 0);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
      }
      const found = await startTimeOf(pid);
      return startedAt === "" || found === "" || found === startedAt;
    },
  };
}

function whoAmI(): string {
  try {
    return userInfo().username;
  } catch {
    return "unknown user";
  }
}

/** Field 22 of the process's stat line, counted behind the name, which may hold anything. */
async function startTimeOf(pid: number): Promise<string> {
  const stat = await textOf(`/proc/${String(pid)}/stat`);
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch {
    return "";
  }
}
