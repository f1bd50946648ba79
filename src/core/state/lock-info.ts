import type { LockHolder } from "./state-store.ts";

/** A lock as Terraform's remote backends write it. GitLab requires every field. */
export interface LockInfo {
  readonly ID: string;
  readonly Operation: string;
  readonly Info: string;
  readonly Who: string;
  readonly Version: string;
  readonly Created: string;
  readonly Path: string;
}

export function lockInfo(id: string, { operation, who, host, pid, since }: LockHolder, path = ""): LockInfo {
  return {
    ID: id,
    Operation: operation,
    Info: `process ${String(pid)} on ${host}`,
    Who: `${who}@${host}`,
    Version: "none",
    Created: since,
    Path: path,
  };
}

/** The holder in words, as in messages. Unknown parts are empty. */
export function holderWords({
  Who: who,
  Operation: operation,
  Info: info,
  Created: created,
}: Pick<LockInfo, "Who" | "Operation" | "Info" | "Created">): string {
  const about = [operation, info, created === "" ? "" : `since ${created}`].filter((part) => part !== "");
  return `${who === "" ? "an unknown run" : who}${about.length > 0 ? ` (${about.join(", ")})` : ""}`;
}
