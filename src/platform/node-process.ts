import { closeSync, openSync, readFileSync, readlinkSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import type { ProcessIdentity } from "../core/model/ports.ts";
import { setMaxListeners } from "node:events";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { NEVER_ABORTED } from "../core/model/async.ts";

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
  get endGroup() {
    return process.platform === "win32" || hasTerminal() ? null : endGroup;
  },
};

/** Whether a terminal controls this process: a program in a group of its own could not use it. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync("/dev/tty", "r"));
    return true;
  } catch {
    return false;
  }
}

function endGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGTERM");
  } catch {
    // It has ended.
  }
}

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

/** After a collection, the heap may grow by so much before the next one. By default V8 lets it grow to several times what is in use. */
const PERCENT = 30;

/** Keeps the heap of a process small that lives long, next to many others. */
export function growHeapSlowly(): void {
  process.getBuiltinModule("node:v8").setFlagsFromString(`--heap-growing-percent=${String(PERCENT)}`);
}

/** One signal stops all requests and waits of a run. From the eleventh on, Node.js would warn of a leak. */
export function liftListenerLimit(): void {
  setMaxListeners(0);
  // It exists already, and has the limit from before.
  setMaxListeners(0, NEVER_ABORTED);
}

/** The arguments of a running process, its own name first; null where the system does not tell them (only Linux does). */
export async function argumentsOf(pid: number): Promise<readonly string[] | null> {
  try {
    return (await readFile(`/proc/${String(pid)}/cmdline`, "utf8")).split("\0").slice(0, -1);
  } catch {
    return null;
  }
}

/** The arguments as one text, with a space between two of them: macOS tells no more. Null where even that is not known, as on Windows. */
export async function commandLineOf(pid: number): Promise<string | null> {
  const known = await argumentsOf(pid);
  if (known !== null) return known.join(" ");
  try {
    return (await promisify(execFile)("ps", ["-ww", "-o", "args=", "-p", String(pid)])).stdout.trim();
  } catch {
    return null;
  }
}

/** The environment variables and the working folder of this process, as they are now. */
export function nodeSurroundings(): {
  readonly environment: { readonly [name: string]: string | undefined };
  readonly folder: string;
} {
  return { environment: process.env, folder: process.cwd() };
}
