import { type Diagnostic, DiagnosticsError } from "../../../core/model/diagnostic.ts";
import type { JournalScope } from "../../provider-journal/ledger.ts";
import type { StateStore, StorePorts } from "../../../core/state/state-store.ts";
import { type LedgerStore, openLedgerStore } from "../../provider-journal/ledger-store.ts";
import type { JournalSettings } from "./journal-place.ts";
import type { JournaledCreate } from "./journaled-create.ts";
import type { Journals } from "./journals.ts";
import { openJournals } from "./ledger-journals.ts";

/** The journal, before the provider knows its service. */
export interface ProviderJournal {
  readonly problems: readonly Diagnostic[];
  /** `service` names the service and key of the writes. `end` runs at the end, and decides which creates can be forgotten. */
  open(service: () => Promise<Omit<JournalScope, "workspace">>, end: () => Promise<(create: JournaledCreate) => boolean>): Journals;
  /** Ends the process: in order if Terraform requested it. It never fails. */
  close(options: { readonly wasOrderly: boolean }): Promise<void>;
}

export function openProviderJournal(settings: JournalSettings, ports: StorePorts): ProviderJournal {
  const { place, workspace, listingDelayMs, timeoutMs, isShortLived, problems } = settings;
  let opened: { readonly journals: Journals; readonly end: Parameters<ProviderJournal["open"]>[1] } | null = null;
  let opening: Promise<{ readonly store: StateStore; readonly ledger: LedgerStore }> | null = null;

  async function openStore() {
    const { value, diagnostics } = place.store;
    if (!value) throw new DiagnosticsError(diagnostics);
    const store = await value(ports);
    return { store, ledger: openLedgerStore(store, ports) };
  }
  function open() {
    opening ??= openStore();
    opening.catch(() => (opening = null));
    return opening;
  }
  return {
    problems,
    open: (service, end) => {
      let scope: Promise<JournalScope> | null = null;
      const journals = openJournals(
        {
          name: place.name,
          store: async () => (await open()).ledger,
          scope: () => (scope ??= Promise.all([workspace(), service()]).then(([name, { baseUrl, key }]) => ({ workspace: name, baseUrl, key }))),
          listingDelayMs,
          timeoutMs,
          isShortLived,
        },
        ports,
      );
      opened = { journals, end };
      return journals;
    },
    close: async ({ wasOrderly }) => {
      try {
        if (opened) await opened.journals.close({ wasOrderly, isOver: await opened.end() });
        await (await opening)?.store.close();
      } catch {
        // The next process reads what is left.
      }
    },
  };
}
