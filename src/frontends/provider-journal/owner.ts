import type { FileSystem, ProcessIdentity, ProcessMark } from "../../core/model/ports.ts";
import { type Hidden, type ProcessFate, fateOf, hiddenBy } from "../../core/model/process-fate.ts";

/** The name of a journal file. A rename changes the owner, so that a crash leaves the old one or the new one. */
export interface JournalName {
  /** Names this ownership: a process that takes the journal over gives it another id. */
  readonly id: string;
  /** `over`: nobody writes to it any more. Without a host, the file is from an earlier version. */
  readonly owner: ProcessMark | "over";
}

export const SUFFIX = ".journal";
export const UNFINISHED = `${SUFFIX}.tmp`;
const OVER = "over-";
/** A file name holds 255 bytes, on every system. */
const MOST_OF_HOST = 100;

/** `PID-START-ID+HOST+BOOT+NAMESPACE.journal`, or `over-ID.journal`. No `@`: messages mask what looks like an address of a lead. */
export function fileNameOf({ id, owner }: JournalName): string {
  if (owner === "over") return `${OVER}${id}${SUFFIX}`;
  const { pid, startedAt, host, bootId, pidNamespace } = owner;
  const place = [shortened(host), bootId, ...(pidNamespace === null ? [] : [pidNamespace])];
  return `${[`${String(pid)}-${startedAt}-${id}`, ...place.map(encodeURIComponent)].join("+")}${SUFFIX}`;
}

/** Null for a file that is no journal. */
export function nameIn(file: string): JournalName | null {
  const suffix = [SUFFIX, UNFINISHED].find((one) => file.endsWith(one));
  if (suffix === undefined) return null;
  const name = file.slice(0, -suffix.length);
  if (name.startsWith(OVER)) return { id: name.slice(OVER.length), owner: "over" };
  const [process = "", ...place] = name.split("+");
  const [pid = "", startedAt = "", ...id] = process.split("-");
  const [host = "", bootId = "", pidNamespace = null] = place.map(decodeURIComponent);
  return { id: id.join("-"), owner: { pid: Number(pid), startedAt, host, bootId, pidNamespace } };
}

/** Whether the owner still runs. `hidden`: why this process cannot tell. */
export async function fateOfOwner(
  { owner }: Pick<JournalName, "owner">,
  process: ProcessIdentity,
): Promise<{ readonly fate: ProcessFate; readonly hidden: Hidden | null }> {
  if (owner === "over") return { fate: "ended", hidden: null };
  const { pidNamespace } = process;
  const here = { ...process, host: shortened(process.host) };
  const mark = owner.host === "" ? { ...owner, host: here.host, bootId: here.bootId, pidNamespace: pidNamespace === null ? null : "" } : owner;
  return { fate: await fateOf(mark, here), hidden: hiddenBy(mark, here) };
}

/** Marks a journal's owner as ended. Its records stay. Does nothing if the file is gone: another process owns it, or nobody needed it. */
export async function markAsOver(folder: string, file: string, files: Pick<FileSystem, "rename" | "syncFolder">): Promise<boolean> {
  const name = nameIn(file);
  if (!name || name.owner === "over") return false;
  try {
    await files.rename(`${folder}/${file}`, `${folder}/${fileNameOf({ id: name.id, owner: "over" })}`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
  await files.syncFolder(folder);
  return true;
}

/** The owner in a message: `process 17 on runner-1`. */
export function ownerText(owner: ProcessMark, hidden: Hidden | null): string {
  const { pid, host, pidNamespace } = owner;
  if (host === "") return `process ${String(pid)} of an earlier version`;
  return `process ${String(pid)} ${hidden === "namespace" && pidNamespace !== null ? `in ${pidNamespace} ` : ""}on ${host}`;
}

function shortened(host: string): string {
  return host.slice(0, MOST_OF_HOST);
}
