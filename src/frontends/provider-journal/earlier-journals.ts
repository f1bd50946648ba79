import { type Diagnostic, DiagnosticsError } from "../../core/model/diagnostic.ts";
import type { FileSystem, ProcessIdentity } from "../../core/model/ports.ts";
import { fateOf } from "../../core/model/process-fate.ts";
import { type JournalContents, readJournal } from "../../core/state/journal.ts";
import { journalFile } from "../../core/state/local/local-store.ts";
import { type Ledger, type ScopeRecords, recordsOf, withRecords } from "./ledger.ts";
import { withEvents } from "./ledger-facts.ts";
import { UNFINISHED, fileOwner } from "./owner.ts";

/** The journals of earlier versions: one file for each process, in the folder of the ledger. */
export interface EarlierJournals {
  /** Adds their creates. What the ledger has already stays as it is. */
  readonly addTo: (ledger: Ledger) => Ledger;
  /** The files to remove once that is stored. */
  readonly paths: readonly string[];
  /** Those that cannot be read, or that a process still writes to. */
  readonly problems: readonly Diagnostic[];
}

interface Found {
  readonly owner: NonNullable<ReturnType<typeof fileOwner>>;
  /** Null for a process that ended before it sent anything. */
  readonly contents: JournalContents | null;
}

export async function readEarlierJournals(
  folder: string,
  { files, process }: { readonly files: FileSystem; readonly process: ProcessIdentity },
): Promise<EarlierJournals> {
  const found = new Map<string, Found>();
  const problems: Diagnostic[] = [];
  for (const file of (await files.list(folder)).toSorted()) {
    const owner = fileOwner(file, process);
    if (!owner) continue;
    const path = `${folder}/${file}`;
    try {
      if (owner.owner !== "over" && (await fateOf(owner.owner, process)) === "running") throw new Error("a provider of an earlier version still writes to it");
      found.set(path, { owner, contents: file.endsWith(UNFINISHED) ? null : await readJournal(journalFile(path, files)) });
    } catch (error) {
      problems.push(...(error instanceof DiagnosticsError ? error.diagnostics : [unreadable(path, error)]));
    }
  }
  return { addTo: (ledger) => [...found.values()].reduce(withJournal, ledger), paths: [...found.keys()], problems };
}

function withJournal(ledger: Ledger, { owner: { id, owner }, contents }: Found): Ledger {
  if (!contents?.header.scope) return ledger;
  const { header, events } = contents;
  const process = owner === "over" ? null : id;
  const empty: ScopeRecords = { scope: contents.header.scope, creates: {}, lists: {}, lostCreates: {} };
  // Nobody knows for how long a process of an earlier version may send.
  const added = withEvents(empty, events, { lineage: header.lineage, process, endsByMs: () => null });
  const now = recordsOf(ledger, empty.scope);
  const isOfMissing = ([, { intent }]: [string, ScopeRecords["creates"][string]]): boolean => intent.id !== null;
  const creates = Object.fromEntries(Object.entries(added.creates).filter((one) => !isOfMissing(one)));
  const merged = {
    ...now,
    creates: { ...creates, ...now.creates },
    lists: { ...added.lists, ...now.lists },
    lostCreates: { ...added.lostCreates, ...now.lostCreates },
  };
  const processes = owner === "over" ? ledger.processes : { ...ledger.processes, [id]: owner };
  return withRecords({ ...ledger, processes }, merged);
}

function unreadable(path: string, error: unknown): Diagnostic {
  return {
    code: "journal_unreadable",
    severity: "error",
    summary: "The journal cannot be read",
    detail: `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}. It shows which writes were open when a run ended, so the provider creates nothing until it can read it.`,
    hint: "Wait for that run to end, or make the file readable. Or compare the service's list of webhooks with Terraform's state. If they agree, move the file away.",
  };
}
