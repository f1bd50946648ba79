import { fieldsOf, shown } from "./http-answers.ts";
import type { HeldLockInfo, LockHolder } from "./state-store.ts";

/** A lock as the protocol has it. GitLab requires every field. */
export interface HttpLock {
  readonly ID: string;
  readonly Operation: string;
  readonly Info: string;
  readonly Who: string;
  readonly Version: string;
  readonly Created: string;
  readonly Path: string;
}

export function httpLock(id: string, { operation, who, host, pid, since }: LockHolder): HttpLock {
  return { ID: id, Operation: operation, Info: `process ${String(pid)} on ${host}`, Who: `${who}@${host}`, Version: "none", Created: since, Path: "" };
}

/** The lock that another run holds, and its JSON as the server sent it. */
export interface OtherLock extends HeldLockInfo {
  readonly body: Uint8Array;
}

const UNKNOWN = "unknown";
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[\d.]*(Z|[+-]\d\d:?\d\d)$/;

/**
 * The holder in the answer to a refused lock. Its id is empty if the answer names none. GitLab answers with the fields of the refused
 * request, and replaces only `ID`, `Who` and `Created`: the rest then says nothing about the holder.
 */
export function holderIn(body: Uint8Array, refused: HttpLock): OtherLock {
  const fields = fieldsOf(body);
  const text = (name: keyof HttpLock): string => shown(fields?.[name]);
  const isEcho = text("Info") === refused.Info && text("Operation") === refused.Operation && text("Version") === refused.Version;
  const since = ISO_TIME.test(text("Created")) ? text("Created") : null;
  const operation = isEcho ? "" : text("Operation");
  const about = [operation, isEcho ? "" : text("Info"), since === null ? "" : `since ${since}`].filter((part) => part !== "");
  const who = text("Who") || "an unknown run";
  return { id: text("ID"), who, operation: operation || UNKNOWN, since, holder: `${who}${about.length > 0 ? ` (${about.join(", ")})` : ""}`, body };
}
