import type { Clock, ProcessMark } from "../model/ports.ts";
import { fold } from "./fold.ts";
import { openJournal } from "./journal.ts";
import type { OpenState } from "./open-state.ts";
import type { StateStore } from "./state-store.ts";
import { type RunJournal, SEND_WITHIN_MS, openWindowedJournal } from "./windowed-journal.ts";

/** Opens the journal of a run that is about to write. The stored state must be that of `open`. */
export function openRunJournal(
  store: StateStore,
  open: OpenState,
  {
    clock,
    process,
    sendWithinMs = SEND_WITHIN_MS,
  }: { readonly clock: Clock; readonly process: ProcessMark; readonly sendWithinMs?: number },
): RunJournal {
  if (!store.journal) return openWindowedJournal(store, open, { clock, process, sendWithinMs });
  const { lineage, serial, journalSeq } = open.document;
  const { assertLocked } = store.journal;
  const { recorded, ...journal } = openJournal(store.journal, {
    journal: 1,
    lineage,
    baseSerial: serial,
    baseSeq: journalSeq,
  });
  return {
    ...journal,
    // Results are recorded without the lock too: they are facts.
    begin: async (facts, signal) => {
      signal.throwIfAborted();
      await assertLocked();
      return journal.begin(facts, signal);
    },
    // Who has taken the lock away before this has not seen the intent.
    beforeRequest: () => assertLocked(),
    end: () =>
      Promise.resolve({
        open: { ...open, document: fold(open.document, recorded()) },
        hasFacts: recorded().length > 0,
      }),
  };
}
