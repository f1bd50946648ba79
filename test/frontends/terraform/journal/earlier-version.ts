import { rmSync } from "node:fs";
import path from "node:path";
import { openJournal } from "../../../../src/core/state/journal.ts";
import { journalFile } from "../../../../src/core/state/local/local-store.ts";
import type { LedgerCreate } from "../../../../src/frontends/provider-journal/ledger.ts";
import { nodeFiles } from "../../../../src/platform/node-files.ts";
import { NEVER } from "../../../core/state/state-fixtures.ts";
import type { JournalStory } from "./story.ts";

/** Puts what the ledger holds into a file of the version before it, named for its process. */
export async function asEarlierVersion({ folder, ledger }: Pick<JournalStory, "folder" | "ledger">, file: string): Promise<void> {
  const [records] = ledger().scopes;
  if (!records) throw new Error("the ledger is empty");
  const journal = openJournal(journalFile(path.join(folder, file), nodeFiles()), {
    journal: 1,
    lineage: "old",
    baseSerial: 0,
    baseSeq: 0,
    scope: records.scope,
  });
  for (const { intent, list, outcome } of Object.values<LedgerCreate>(records.creates)) {
    const { ids = [] } = records.lists[list ?? ""] ?? {};
    const [listed = null] = await journal.begin([{ kind: "listed", ids }], NEVER);
    const planned = outcome.kind === "made" ? outcome.record.attributes : intent.planned;
    const [of = 0] = await journal.begin([{ ...intent, planned, listed }], NEVER);
    if (outcome.kind === "made") await journal.record([{ kind: "done", of, record: outcome.record }]);
  }
  rmSync(path.join(folder, "ledger.json"));
}
