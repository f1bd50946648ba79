import { isInCi } from "../../../core/model/in-ci.ts";
import { type Diagnostic, DiagnosticsError, errorOf } from "../../../core/model/diagnostic.ts";
import type { StateStore, StorePorts } from "../../../core/state/state-store.ts";
import type { JournalScope } from "../../provider-journal/ledger.ts";
import { type LedgerStore, openLedgerStore } from "../../provider-journal/ledger-store.ts";
import { type CreateJournal, openCreateJournal } from "./create-journal.ts";
import type { KnownCreate } from "./known-creates.ts";
import type { ListingDelayMs } from "../../../core/apply/live/listing-delay.ts";
import { durationMs } from "../../../core/model/iso-time.ts";
import type { FileSystem } from "../../../core/model/ports.ts";
import { type JournalPlace, journalPlace } from "../../provider-journal/ledger-place.ts";

/** The journal, before the provider knows its service. */
export interface ProviderJournal {
  readonly problems: readonly Diagnostic[];
  /** `service` names the service and key of the writes. `end` runs at the end, notes what this process has seen, and decides which creates can be forgotten. */
  open(service: () => Promise<Omit<JournalScope, "workspace">>, end: EndOfProcess): CreateJournal;
  /** Ends the process: in order if Terraform requested it. It never fails. */
  close(options: { readonly wasOrderly: boolean }): Promise<void>;
}

type EndOfProcess = (options: { readonly wasOrderly: boolean }) => Promise<(create: KnownCreate) => boolean>;

export function openProviderJournal(settings: JournalSettings, ports: StorePorts): ProviderJournal {
  const { place, workspace, problems } = settings;
  let opened: { readonly journal: CreateJournal; readonly end: EndOfProcess } | null = null;
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
    open: (service, end) => {
      let scope: Promise<JournalScope> | null = null;
      const scopeOf = async (): Promise<JournalScope> => ({ workspace: await workspace(), ...(await service()) });
      const store = async () => (await openStore()).ledger;
      const journal = openCreateJournal(
        { ...settings, name: place.name, store, scope: () => (scope ??= scopeOf()) },
        ports,
      );
      opened = { journal, end };
      return journal;
    },
    close: async ({ wasOrderly }) => {
      try {
        if (opened) await opened.journal.close({ wasOrderly, isOver: await opened.end({ wasOrderly }) });
        await (await opening)?.store.close();
      } catch {
        // The next process reads what is left.
      }
    },
  };
}

/** Where the journal is, and how it is used. */
export interface JournalSettings {
  readonly place: JournalPlace;
  /** The Terraform workspace of the records. */
  readonly workspace: () => Promise<string>;
  readonly listingDelayMs: ListingDelayMs;
  /** How long one request to the service may take. */
  readonly timeoutMs: number;
  /** The journal may disappear with the machine. */
  readonly isShortLived: boolean;
  /** Mistakes in the environment. The provider does nothing before they are fixed. */
  readonly problems: readonly Diagnostic[];
}

const DEFAULT_LISTING_DELAY_MS: ListingDelayMs = { answered: 10_000, unanswered: 60_000 };
const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_WORKSPACE = "default";
const MAX_NAME_BYTES = 4096;

/** Reads the environment that Terraform passes on. */
export function journalSettings(
  environment: { readonly [variable: string]: string | undefined },
  files: FileSystem,
): JournalSettings {
  const {
    OUTREACH_JOURNAL: named,
    OUTREACH_SETTLE: listingDelay,
    TF_DATA_DIR: dataFolder,
    TF_WORKSPACE: workspace,
  } = environment;
  const data = dataFolder || ".terraform";
  const place = journalPlace(environment);
  const listingDelayMs = listingDelay ? durationMs(listingDelay) : null;
  return {
    place,
    workspace: async () => workspace || (await selectedWorkspace(`${data}/environment`, files)),
    listingDelayMs:
      listingDelayMs === null ? DEFAULT_LISTING_DELAY_MS : { answered: listingDelayMs, unanswered: listingDelayMs },
    timeoutMs: durationMs(environment["OUTREACH_TIMEOUT"] ?? "") ?? DEFAULT_TIMEOUT_MS,
    isShortLived: !named && isInCi(environment),
    problems: [...place.store.diagnostics.map(ofJournal), ...notDurations(environment)],
  };
}

/** Where `terraform workspace select` leaves its choice. */
async function selectedWorkspace(path: string, files: FileSystem): Promise<string> {
  const bytes = await files.read(path, { maxBytes: MAX_NAME_BYTES, followLinks: true });
  return (bytes && new TextDecoder().decode(bytes).trim()) || DEFAULT_WORKSPACE;
}

/** A problem of the store at a URL. */
function ofJournal(diagnostic: Diagnostic): Diagnostic {
  const summary = "OUTREACH_JOURNAL cannot be used";
  if (diagnostic.code !== "state_backend_unknown") return { ...diagnostic, summary };
  const hint =
    "Set OUTREACH_JOURNAL to a folder that outlives the run or to the URL of a state store, or unset it to use Terraform's data directory.";
  return { ...diagnostic, summary, hint };
}

const DURATIONS = {
  OUTREACH_SETTLE: "how long a new webhook may take to appear in the service's list",
  OUTREACH_TIMEOUT: "how long one request may take",
};

function notDurations(environment: { readonly [variable: string]: string | undefined }): readonly Diagnostic[] {
  return Object.entries(DURATIONS).flatMap(([name, meaning]) => {
    const text = environment[name];
    if (!text || durationMs(text) !== null) return [];
    return [
      errorOf("duration_invalid", `${name} is not a duration`, {
        detail: `${name} is ${JSON.stringify(text)}. It says ${meaning}.`,
        hint: "Write it as in 30s, 5m or 250ms, or unset it.",
      }),
    ];
  });
}
