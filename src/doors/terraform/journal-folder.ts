import type { Diagnostic } from "../../core/model/diagnostic.ts";
import type { FileSystem, ProcessIdentity, Random } from "../../core/model/ports.ts";
import { openJournal, readJournal } from "../../core/state/journal.ts";
import { pendingIntents } from "../../core/state/journal-event.ts";
import { journalFile } from "../../core/state/local-store.ts";
import type { ProviderJournal, UnfinishedCreate } from "./services.ts";

export interface JournalFolderPorts {
  readonly files: FileSystem;
  readonly random: Random;
  readonly process: ProcessIdentity;
}

const SUFFIX = ".journal";
const SALT_BYTES = 16;

/**
 * Journals in a folder, one file a process, named for it: `PID-START-UUID.journal`. Terraform's state cannot hold what is
 * about to be sent, and tells no address; so each process leaves its file behind until every outcome in it is known, and
 * the next one reads the files of those that have gone. Nothing is written before the first write to the service.
 */
export function openJournalFolder(folder: string, ports: JournalFolderPorts): ProviderJournal & { close(): Promise<void> } {
  const { files, random, process } = ports;
  const own = `${String(process.pid)}-${process.startedAt}-${random.uuid()}${SUFFIX}`;
  const salt = Buffer.from(random.bytes(SALT_BYTES)).toString("hex");
  const bytes = journalFile(`${folder}/${own}`, files);
  const journal = openJournal(bytes, { journal: 1, lineage: salt, baseSerial: 0, baseSeq: 0 });
  let unfinished: Promise<readonly UnfinishedCreate[]> | null = null;
  let untold: Diagnostic[] = [];
  return {
    salt,
    windowSize: journal.windowSize,
    begin: (facts, signal) => journal.begin(facts, signal),
    // The answer is there and Terraform records it: a journal that cannot be written must not lose it.
    settle: (facts) => journal.settle(facts).catch((error: unknown) => void untold.push(notStored(`${folder}/${own}`, error))),
    unfinished: () => (unfinished ??= readUnfinished(folder, own, ports)),
    warnings: () => {
      const told = untold;
      untold = [];
      return told;
    },
    close: async () => {
      const events = journal.recorded();
      if (events.length > 0 && pendingIntents(events).length === 0) await bytes.remove();
    },
  };
}

async function readUnfinished(folder: string, own: string, ports: JournalFolderPorts): Promise<readonly UnfinishedCreate[]> {
  const names = (await ports.files.list(folder)).filter((name) => name.endsWith(SUFFIX) && name !== own).toSorted();
  return (await Promise.all(names.map((name) => readAbandoned(`${folder}/${name}`, name, ports)))).flat();
}

async function readAbandoned(file: string, name: string, { files, process }: JournalFolderPorts): Promise<readonly UnfinishedCreate[]> {
  const [pid = "", startedAt = ""] = name.split("-");
  if (await process.isAlive(Number(pid), startedAt)) return [];
  const bytes = journalFile(file, files);
  const contents = await readJournal(bytes);
  const pending = pendingIntents(contents?.events ?? []);
  if (pending.length === 0) await bytes.remove();
  return pending.flatMap(({ intent: { op, type, key } }) => (op === "delete" ? [] : [{ type, key, file }]));
}

function notStored(file: string, error: unknown): Diagnostic {
  return {
    code: "journal_not_written",
    severity: "warning",
    summary: "The journal could not be written",
    detail: `The write was carried out, but ${file} does not tell so: ${error instanceof Error ? error.message : String(error)}.`,
    hint: "Make room, and remove the file when this run is over; otherwise a later create of the same object is refused.",
  };
}
