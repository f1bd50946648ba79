import type { ProcessIdentity, ProcessMark } from "./ports.ts";

/** `unknown`: the process may run where this one cannot see it. */
export type ProcessFate = "running" | "ended" | "unknown";

/** Why this process cannot tell whether another one still runs. */
export type Hidden = "host" | "boot" | "namespace";

/**
 * Whether another process still runs. A pid has a meaning only within one PID namespace of one boot of one machine:
 * containers and machines of the same name do not see each other's processes. Everywhere else the answer is `unknown`,
 * and nobody may take that process for ended.
 */
export async function fateOf(mark: ProcessMark, process: ProcessIdentity): Promise<ProcessFate> {
  if (hiddenBy(mark, process) !== null) return "unknown";
  return (await process.isAlive(mark.pid, mark.startedAt)) ? "running" : "ended";
}

/** Null if this process sees the processes that the other one saw. */
export function hiddenBy(mark: ProcessMark, process: ProcessIdentity): Hidden | null {
  if (mark.host !== process.host) return "host";
  const hasNamespaces = process.pidNamespace !== null;
  if (mark.bootId !== process.bootId || (hasNamespaces && mark.bootId === "")) return "boot";
  if (mark.pidNamespace !== process.pidNamespace || mark.pidNamespace === "") return "namespace";
  return null;
}

/** Why whether another process still runs is unknown here. `thing` is what it left: `The lock`. */
export function hiddenText(thing: string, hidden: Hidden): string {
  return `${thing} is from ${HIDDEN[hidden]}, so whether that run is still active cannot be checked here.`;
}

const HIDDEN: { readonly [K in Hidden]: string } = {
  host: "another host",
  boot: "another machine of this name, or from before the last restart",
  namespace: "another container of this host (PID namespace)",
};
