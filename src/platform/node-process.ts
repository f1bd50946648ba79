import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { hostname, userInfo } from "node:os";
import type { ProcessIdentity } from "../core/model/ports.ts";

/**
 * The running process; each property is read when used. Boot id and start times exist only on Linux; elsewhere they are
 * empty, and the pid alone identifies a process.
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
    const stat = await readFile(statOf(pid), "utf8").catch(() => "");
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

function statOf(pid: number): string {
  return `/proc/${String(pid)}/stat`;
}

/** Field 22 of the process's stat line. */
function startTimeIn(stat: string): string {
  return fieldsIn(stat)[19] ?? "";
}

/** A killed process keeps its pid until its parent reaps it, which may never happen in a container without an init. */
function hasEnded(stat: string): boolean {
  return ["Z", "X"].includes(fieldsIn(stat)[0] ?? "");
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
