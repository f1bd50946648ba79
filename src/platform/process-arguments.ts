import { readFile } from "node:fs/promises";

/** The arguments of a running process, its own name first; null where the system does not tell them (only Linux does). */
export async function argumentsOf(pid: number): Promise<readonly string[] | null> {
  try {
    return (await readFile(`/proc/${String(pid)}/cmdline`, "utf8")).split("\0").slice(0, -1);
  } catch {
    return null;
  }
}
