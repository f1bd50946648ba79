import { createHash } from "node:crypto";
import type { ProcessIdentity, ProcessMark } from "../model/ports.ts";
import type { ProcessFate } from "../model/process-fate.ts";

/** Names a process where others can read it, without naming its machine. `random`: 32 hexadecimal digits that nobody can guess. */
export function processToken(process: ProcessMark, random: string): string {
  return [random, String(process.pid), process.startedAt, machineDigest(process, random)].join("-");
}

/** The form of these names. */
export const PROCESS_TOKEN = /^([0-9a-f]{32})-(\d{1,10})-(\d{0,20})-([0-9a-f]{16})$/;

/** Whether the process of a token still runs. `unknown`: it runs, or ran, where this process cannot see it. */
export async function fateOfToken(token: string, process: ProcessIdentity): Promise<ProcessFate> {
  const [, random = "", pid = "", startedAt = "", digest] = PROCESS_TOKEN.exec(token) ?? [];
  const isNameless = process.pidNamespace !== null && (process.bootId === "" || process.pidNamespace === "");
  if (isNameless || digest !== machineDigest(process, random)) return "unknown";
  return (await process.isAlive(Number(pid), startedAt)) ? "running" : "ended";
}

/** A text that is equal for all processes that see each other's pids. */
function machineDigest({ host, bootId, pidNamespace }: ProcessMark, random: string): string {
  return createHash("sha256")
    .update(JSON.stringify([random, host, bootId, pidNamespace]))
    .digest("hex")
    .slice(0, 16);
}
