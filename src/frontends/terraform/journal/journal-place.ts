import type { ListingDelayMs } from "../../../core/apply/recovery/decide-creates.ts";
import type { Diagnostic } from "../../../core/model/diagnostic.ts";
import { durationMs } from "../../../core/model/time.ts";
import type { FileSystem } from "../../../core/model/ports.ts";
import { type JournalPlace, journalPlace } from "../../provider-journal/place.ts";

/** Where the journal is, and how it is used. */
export interface JournalSettings {
  readonly place: JournalPlace;
  /** The Terraform workspace of the records. */
  readonly workspace: () => Promise<string>;
  readonly listingDelayMs: ListingDelayMs;
  /** For one request to the service. */
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
export function journalSettings(environment: { readonly [variable: string]: string | undefined }, files: Pick<FileSystem, "read">): JournalSettings {
  const { OUTREACH_JOURNAL: named, OUTREACH_SETTLE: listingDelay, TF_DATA_DIR: dataFolder, TF_WORKSPACE: workspace, CI: ci } = environment;
  const data = dataFolder || ".terraform";
  const place = journalPlace(environment);
  const listingDelayMs = listingDelay ? durationMs(listingDelay) : null;
  return {
    place,
    workspace: async () => workspace || (await selectedWorkspace(`${data}/environment`, files)),
    listingDelayMs: listingDelayMs === null ? DEFAULT_LISTING_DELAY_MS : { answered: listingDelayMs, unanswered: listingDelayMs },
    timeoutMs: durationMs(environment["OUTREACH_TIMEOUT"] ?? "") ?? DEFAULT_TIMEOUT_MS,
    isShortLived: !named && ci !== undefined && !["", "0", "false"].includes(ci.toLowerCase()),
    problems: [...place.store.diagnostics.map(ofJournal), ...notDurations(environment)],
  };
}

/** Where `terraform workspace select` leaves its choice. */
async function selectedWorkspace(path: string, files: Pick<FileSystem, "read">): Promise<string> {
  const bytes = await files.read(path, { maxBytes: MAX_NAME_BYTES, followLinks: true });
  return (bytes && new TextDecoder().decode(bytes).trim()) || DEFAULT_WORKSPACE;
}

/** A problem of the store at a URL. */
function ofJournal(diagnostic: Diagnostic): Diagnostic {
  const summary = "OUTREACH_JOURNAL cannot be used";
  if (diagnostic.code !== "state_backend_unknown") return { ...diagnostic, summary };
  const hint = "Set OUTREACH_JOURNAL to a folder that outlives the run or to the URL of a state store, or unset it to use Terraform's data directory.";
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
      {
        code: "duration_invalid",
        severity: "error",
        summary: `${name} is not a duration`,
        detail: `${name} is ${JSON.stringify(text)}. It says ${meaning}.`,
        hint: "Write it as in 30s, 5m or 250ms, or unset it.",
      },
    ];
  });
}
