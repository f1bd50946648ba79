import { type Diagnostic, DiagnosticsError } from "../../../core/model/diagnostic.ts";
import type { StateStore, StorePorts } from "../../../core/state/state-store.ts";
import type { JournalScope } from "../../provider-journal/ledger.ts";
import { type LedgerStore, openLedgerStore } from "../../provider-journal/ledger-store.ts";
import { type CreateJournal, openCreateJournal } from "./create-journal.ts";
import type { JournalSettings } from "./journal-place.ts";
import type { KnownCreate } from "./known-creates.ts";

/** The journal, before the provider knows its service. */
export interface ProviderJournal {
  readonly problems: readonly Diagnostic[];
  /** `service` names the service and key of the writes. `end` runs at the end, and decides which creates can be forgotten; `afterwards` runs once everything is stored. */
  open(
    service: () => Promise<Omit<JournalScope, "workspace">>,
    end: () => Promise<(create: KnownCreate) => boolean>,
    afterwards: () => Promise<void>,
  ): CreateJournal;
  /** Ends the process: in order if Terraform requested it. It never fails. */
  close(options: { readonly wasOrderly: boolean }): Promise<void>;
}

export function openProviderJournal(settings: JournalSettings, ports: StorePorts): ProviderJournal {
  const { place, workspace, problems } = settings;
  let opened: { readonly journal: CreateJournal; readonly end: Parameters<ProviderJournal["open"]>[1]; readonly afterwards: () => Promise<void> } | null = null;
  let opening: Promise<{ readonly store: StateStore; readonly ledger: LedgerStore }> | null = null;

  function openStore() {
    opening ??= (async () => {
      const { value: open, diagnostics } = place.store;
      if (!open) throw new DiagnosticsError(diagnostics);
      const store = await open(ports);
      return { store, ledger: openLedgerStore(store, ports) };
    })();
    opening.catch(() => (opening = null));
    return opening;
  }
  return {
    problems,
    open: (service, end, afterwards) => {
      let scope: Promise<JournalScope> | null = null;
      const scopeOf = async (): Promise<JournalScope> => ({ workspace: await workspace(), ...(await service()) });
      const store = async () => (await openStore()).ledger;
      const journal = openCreateJournal({ ...settings, name: place.name, store, scope: () => (scope ??= scopeOf()) }, ports);
      opened = { journal, end, afterwards };
      return journal;
    },
    close: async ({ wasOrderly }) => {
      try {
        if (opened) await opened.journal.close({ wasOrderly, isOver: await opened.end() });
        await (await opening)?.store.close();
        if (wasOrderly) await opened?.afterwards();
      } catch {
        // The next process reads what is left.
      }
    },
  };
}
