import { readFileSync, readlinkSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { hostname, userInfo } from "node:os";
import type { ProcessIdentity } from "../core/model/ports.ts";

/** These show every process to every other one: there, host name and pid identify a process. */
const WITHOUT_NAMESPACES: readonly string[] = ["darwin", "win32"];

/**
 * The running process; each property is read when used. Boot id, PID namespace and start times exist only on Linux. Where
 * start times are missing, a pid that another process took over counts as alive.
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
  get pidNamespace() {
    return WITHOUT_NAMESPACES.includes(process.platform) ? null : linkOf("/proc/self/ns/pid");
  },
  pid: process.pid,
  get startedAt() {
    return startTimeIn(textOf("/proc/self/stat"));
  },
  isAlive: async (pid, startedAt) => {
    try {
      process.kill(pid, 0);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
    }
    if (!procHasOwnPids()) return true;
    const stat = await readFile(`/proc/${String(pid)}/stat`, "utf8").catch(() => "");
    if (hasEnded(stat)) return false;
    const found = startTimeIn(stat);
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

/** False if /proc shows the pids of an outer namespace, in which the same pid is another process. */
function procHasOwnPids(): boolean {
  return /^NSpid:\s+\d+$/m.test(textOf("/proc/self/status"));
}

/** Field 22 of the process's stat line. */
function startTimeIn(stat: string): string {
  return fieldsIn(stat)[19] ?? "";
}

/** A killed process keeps its pid until its parent reaps it, which may never happen in a container without an init. */
function hasEnded(stat: string): boolean {
  const [state = ""] = fieldsIn(stat);
  return state === "Z" || state === "X";
}

/** The fields of the stat line after the process name, which can contain anything. */
function fieldsIn(stat: string): readonly string[] {
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
