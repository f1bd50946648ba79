import { type Diagnostic, DiagnosticsError } from "../../../core/model/diagnostic.ts";
import type { FileSystem, ProcessIdentity, Random } from "../../../core/model/ports.ts";
import { type JournalContents, type JournalHeader, encodeJournal, openJournal, readJournal } from "../../../core/state/journal.ts";
import type { Journal, JournalEvent } from "../../../core/state/journal-event.ts";
import { journalFile } from "../../../core/state/local-store.ts";

export interface FilePorts {
  readonly files: FileSystem;
  readonly random: Random;
  readonly process: ProcessIdentity;
}

/** A journal that this process writes to. */
export interface OwnedJournal {
  readonly path: string;
  readonly header: JournalHeader;
  readonly journal: Journal & { recorded(): readonly JournalEvent[] };
  remove(): Promise<void>;
}

/** A journal of another process, as read. */
export interface FoundJournal {
  readonly path: string;
  readonly isAlive: boolean;
  readonly contents: JournalContents;
}

const SUFFIX = ".journal";
const UNFINISHED = `${SUFFIX}.tmp`;

/** A new journal of this process: `PID-START-UUID.journal`. The first write creates the file. */
export function newJournal(folder: string, header: JournalHeader, ports: FilePorts): OwnedJournal {
  return ownedJournal(pathOf(folder, ports), { header, before: null }, ports);
}

function ownedJournal(
  path: string,
  { header, before }: { readonly header: JournalHeader; readonly before: readonly JournalEvent[] | null },
  { files }: FilePorts,
): OwnedJournal {
  const bytes = journalFile(path, files);
  return { path, header, journal: openJournal(bytes, header, before), remove: () => bytes.remove() };
}

function pathOf(folder: string, { process, random }: FilePorts): string {
  return `${folder}/${String(process.pid)}-${process.startedAt}-${random.uuid()}${SUFFIX}`;
}

export interface FoundJournals {
  readonly found: readonly FoundJournal[];
  /** Problems of journals that cannot be read. */
  readonly damaged: readonly Diagnostic[];
  /** Paths of files of ended processes without a complete line, and of unfinished copies. */
  readonly empty: readonly string[];
}

/** The journals of other processes. */
export async function findJournals(folder: string, isOwn: (path: string) => boolean, ports: FilePorts): Promise<FoundJournals> {
  const names = (await ports.files.list(folder)).filter((name) => name.endsWith(SUFFIX) || name.endsWith(UNFINISHED)).toSorted();
  const found: FoundJournal[] = [];
  const damaged: Diagnostic[] = [];
  const empty: string[] = [];
  for (const name of names) {
    const path = `${folder}/${name}`;
    if (isOwn(path)) continue;
    try {
      const [pid = "", startedAt = ""] = name.split("-");
      const isAlive = await ports.process.isAlive(Number(pid), startedAt);
      const contents = name.endsWith(UNFINISHED) ? null : await readJournal(journalFile(path, ports.files));
      if (contents) found.push({ path, isAlive, contents });
      else if (!isAlive) empty.push(path);
    } catch (error) {
      damaged.push(...(error instanceof DiagnosticsError ? error.diagnostics : [unreadable(path, error)]));
    }
  }
  return { found, damaged, empty };
}

/**
 * Takes over the journal of an ended process, with a rename, so that only one process can. Null if another process was
 * first.
 */
export async function takeJournal(folder: string, { path, contents }: FoundJournal, ports: FilePorts): Promise<OwnedJournal | null> {
  const { files } = ports;
  const own = pathOf(folder, ports);
  try {
    await files.rename(path, own);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  if (contents.torn) {
    // Nothing may be appended to a torn line.
    const whole = `${own.slice(0, -SUFFIX.length)}${UNFINISHED}`;
    await files.createExclusively(whole, encodeJournal(contents));
    await files.rename(whole, own);
  }
  await files.syncFolder(folder);
  return ownedJournal(own, { header: contents.header, before: contents.events }, ports);
}

function unreadable(path: string, error: unknown): Diagnostic {
  return {
    code: "journal_unreadable",
    severity: "error",
    summary: "The journal cannot be read",
    detail: `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}. It shows which writes were open when a run ended, so the provider creates nothing until it can read it.`,
    hint: "Make it readable. Or compare the service's list of webhooks with Terraform's state. If they agree, move the file away.",
  };
}
