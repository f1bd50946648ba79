import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { hostname, userInfo } from "node:os";
import type { ProcessIdentity } from "../core/model/ports.ts";

/**
 * The running process, looked up as far as it is asked for. Boot id and start times are Linux's; elsewhere they are empty,
 * and the pid alone decides.
 */
export const nodeProcess: ProcessIdentity = {
  get who() {
    return whoAmI();
  },
  get host() {
    return hostname();
  },
  get bootId() {
    return textOf("/proc/sys/kernel/random/boot_id").trim();
  },
  pid: process.pid,
  get startedAt() {
    return startTimeIn(textOf(statOf(process.pid)));
  },
  isAlive: async (pid, startedAt) => {
    try {
      process.kill(pid, 0);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
    }
    const found = startTimeIn(await readFile(statOf(pid), "utf8").catch(() => ""));
    return startedAt === "" || found === "" || found === startedAt;
  },
};

function whoAmI(): string {
  try {
    return userInfo().username;
  } catch {
    return "unknown user";
  }
}

function statOf(pid: number): string {
  return `/proc/${String(pid)}/stat`;
}

/** Field 22 of the process's stat line, counted behind the name, which may hold anything. */
function startTimeIn(stat: string): string {
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
