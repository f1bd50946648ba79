import { fieldsOf, textIn } from "./http-answers.ts";
import { type LockInfo, holderWords } from "../lock-info.ts";
import type { HeldLockInfo } from "../state-store.ts";

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
export function holderIn(body: Uint8Array, refused: LockInfo): OtherLock {
  const fields = fieldsOf(body);
  const text = (name: keyof LockInfo): string => textIn(fields?.[name]);
  const isEcho = text("Info") === refused.Info && text("Operation") === refused.Operation && text("Version") === refused.Version;
  const since = ISO_TIME.test(text("Created")) ? text("Created") : null;
  const operation = isEcho ? "" : text("Operation");
  const who = text("Who") || "an unknown run";
  const holder = holderWords({ Who: who, Operation: operation, Info: isEcho ? "" : text("Info"), Created: since ?? "" });
  return { id: text("ID"), who, operation: operation || UNKNOWN, since, holder, fate: "unknown", body };
}
