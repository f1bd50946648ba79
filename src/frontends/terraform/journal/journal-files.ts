import { basename, dirname } from "node:path";
import { type Diagnostic, DiagnosticsError } from "../../../core/model/diagnostic.ts";
import type { FileSystem, ProcessIdentity, ProcessMark, Random } from "../../../core/model/ports.ts";
import { type JournalContents, type JournalHeader, encodeJournal, openJournal, readJournal } from "../../../core/state/journal.ts";
import type { Journal, JournalEvent } from "../../../core/state/journal-event.ts";
import { journalFile } from "../../../core/state/local-store.ts";
import type { Hidden, ProcessFate } from "../../../core/model/process-fate.ts";
import { SUFFIX, UNFINISHED, fateOfOwner, fileNameOf, markAsOver, nameIn } from "../../provider-journal/owner.ts";
import { createsIn, isDecided } from "./journaled-create.ts";
import type { HiddenCreate } from "./journals.ts";

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
  /** Marks this process as ended, for those that cannot see it. The last call. */
  release(): Promise<void>;
}

/** A journal of another process, as read. */
export interface FoundJournal {
  readonly path: string;
  readonly id: string;
  readonly owner: ProcessMark | "over";
  readonly fate: ProcessFate;
  /** Why this process cannot tell whether the owner still runs. */
  readonly hidden: Hidden | null;
  readonly contents: JournalContents;
}

/** A new journal of this process. The first write creates the file. */
export function newJournal(folder: string, header: JournalHeader, ports: FilePorts): OwnedJournal {
  return ownedJournal(pathOf(folder, ports), { header, before: null }, ports);
}

function ownedJournal(
  path: string,
  { header, before }: { readonly header: JournalHeader; readonly before: readonly JournalEvent[] | null },
  { files }: FilePorts,
): OwnedJournal {
  const bytes = journalFile(path, files);
  const release = async (): Promise<void> => void (await markAsOver(dirname(path), basename(path), files));
  return { path, header, journal: openJournal(bytes, header, before), remove: () => bytes.remove(), release };
}

function pathOf(folder: string, { process, random }: FilePorts): string {
  return `${folder}/${fileNameOf({ id: random.uuid(), owner: process })}`;
}

export interface FoundJournals {
  readonly found: readonly FoundJournal[];
  /** Problems of journals that cannot be read. */
  readonly damaged: readonly Diagnostic[];
  /** Paths of files of ended processes without a complete line, and of unfinished copies. */
  readonly empty: readonly string[];
}

/** How often the folder is listed again because a journal got another owner, and so another name, while it was read. */
const MOST_LISTS = 5;

/** The journals of other processes. */
export async function findJournals(folder: string, isOwn: (path: string) => boolean, ports: FilePorts): Promise<FoundJournals> {
  const { files } = ports;
  for (let lists = 1; ; lists++) {
    const all = (await files.list(folder)).filter((file) => nameIn(file) !== null && !isOwn(`${folder}/${file}`)).toSorted();
    const { moved, ...read } = await readAll(folder, all, ports);
    if (!moved || lists === MOST_LISTS) return read;
  }
}

async function readAll(folder: string, all: readonly string[], { files, process }: FilePorts): Promise<FoundJournals & { readonly moved: boolean }> {
  const found: FoundJournal[] = [];
  const damaged: Diagnostic[] = [];
  const empty: string[] = [];
  let moved = false;
  for (const file of all) {
    const path = `${folder}/${file}`;
    try {
      const name = nameIn(file);
      if (!name) continue;
      const { fate, hidden } = await fateOfOwner(name, process);
      const contents = file.endsWith(UNFINISHED) ? null : await readJournal(journalFile(path, files));
      if (contents) found.push({ path, ...name, fate, hidden, contents });
      else if ((await files.kind(path)) === null) moved = true;
      else if (fate === "ended") empty.push(path);
    } catch (error) {
      damaged.push(...(error instanceof DiagnosticsError ? error.diagnostics : [unreadable(path, error)]));
    }
  }
  return { found, damaged, empty, moved };
}

/** The open creates of a journal whose owner this process cannot see. */
export function hiddenIn({ path, id, owner, hidden, contents }: FoundJournal): readonly HiddenCreate[] {
  if (owner === "over" || hidden === null) return [];
  const open = createsIn(contents).filter((create) => !isDecided(create));
  return open.map((create) => ({ create, path, id, owner, why: hidden }));
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
