import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

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
