import type { Diagnostic } from "../../../core/model/diagnostic.ts";
import type { JournalScope } from "../../../core/state/journal.ts";
import type { JournaledCreate } from "./journaled-create.ts";
import { FolderJournals, type JournalPorts } from "./folder-journals.ts";
import type { Journals } from "./journals.ts";
import type { JournalSettings } from "./journal-place.ts";

/** The journal's folder, before the provider knows its service. */
export interface JournalFolder {
  readonly problems: readonly Diagnostic[];
  /** `service` names the service and key of the writes. `end` runs at the end, and decides which creates can be forgotten. */
  open(service: () => Promise<Omit<JournalScope, "workspace">>, end: () => Promise<(create: JournaledCreate) => boolean>): Journals;
  /** Ends the process: in order if Terraform requested it. It never fails. */
  close(options: { readonly wasOrderly: boolean }): Promise<void>;
}

export function openJournalFolder(settings: JournalSettings, ports: JournalPorts): JournalFolder {
  let opened: { readonly journals: Journals; readonly end: Parameters<JournalFolder["open"]>[1] } | null = null;
  return {
    problems: settings.problems,
    open: (service, end) => {
      const journals = new FolderJournals(settings, service, ports);
      opened = { journals, end };
      return journals;
    },
    close: async ({ wasOrderly }) => {
      if (!opened) return;
      try {
        await opened.journals.close({ wasOrderly, isOver: await opened.end() });
      } catch {
        // The next process reads what is left.
      } finally {
        await opened.journals.release();
      }
    },
  };
}
