import type { ProcessIdentity, ProcessMark } from "../../core/model/ports.ts";
import type { Hidden } from "../../core/model/process-fate.ts";

/** The owner of a journal file of an earlier version, from its name. */
interface FileOwner {
  readonly id: string;
  /** `over`: nobody writes to it any more. */
  readonly owner: ProcessMark | "over";
}

export const SUFFIX = ".journal";
export const UNFINISHED = `${SUFFIX}.tmp`;
const OVER = "over-";
/** Of a host name in a file name. */
const MOST_OF_HOST = 100;

/** `PID-START-ID+HOST+BOOT+NAMESPACE.journal`, or `over-ID.journal`; the oldest ones do not name the place. Null for a file that is no journal. */
export function fileOwner(file: string, here: ProcessIdentity): FileOwner | null {
  const suffix = [SUFFIX, UNFINISHED].find((one) => file.endsWith(one));
  if (suffix === undefined) return null;
  const name = file.slice(0, -suffix.length);
  if (name.startsWith(OVER)) return { id: name.slice(OVER.length), owner: "over" };
  const [process = "", ...place] = name.split("+");
  const [pid = "", startedAt = "", ...id] = process.split("-");
  const [host = "", bootId = "", pidNamespace = null] = place.map(decodeURIComponent);
  const mark = { pid: Number(pid), startedAt };
  if (host === "") {
    const owner = { ...mark, host: here.host, bootId: here.bootId, pidNamespace: here.pidNamespace === null ? null : "" };
    return { id: id.join("-"), owner };
  }
  return { id: id.join("-"), owner: { ...mark, host: host === here.host.slice(0, MOST_OF_HOST) ? here.host : host, bootId, pidNamespace } };
}

/** The owner in a message: `process 17 on runner-1`. */
export function ownerText(owner: ProcessMark, hidden: Hidden | null): string {
  const { pid, host, pidNamespace } = owner;
  if (pidNamespace === "") return `process ${String(pid)} of an earlier version`;
  return `process ${String(pid)} ${hidden === "namespace" && pidNamespace !== null ? `in ${pidNamespace} ` : ""}on ${host}`;
}
