import { type Diagnostic, type Result, errorOf } from "../../core/model/diagnostic.ts";
import { chooseStore, isUrl, misnamed, withoutCredentials } from "../../core/state/backends.ts";
import type { OpenStore } from "../../core/state/state-store.ts";

type Environment = { readonly [variable: string]: string | undefined };

/** Where the provider keeps its journal. */
export interface JournalPlace {
  /** Its place, as messages name it, without credentials. */
  readonly name: string;
  /** Null, with the reason, for a URL that no store is for. */
  readonly store: Result<OpenStore | null>;
}

const FILE = "ledger.json";

/** Reads the environment that Terraform passes on: `OUTREACH_JOURNAL` is a folder or the URL of a store, which holds one ledger. `locate` says where a path is. */
export function journalPlace(
  environment: Environment,
  locate: (path: string) => string = (path) => path,
): JournalPlace {
  const { OUTREACH_JOURNAL: named, TF_DATA_DIR: data } = environment;
  const mistaken = named ? misnamed(named) : null;
  if (mistaken) return { name: "OUTREACH_JOURNAL", store: { value: null, diagnostics: [mistaken] } };
  if (named && isUrl(named)) return { name: withoutCredentials(named), store: storeAt(named, environment) };
  const name = `${locate(named || `${data || ".terraform"}/outreach-journal`)}/${FILE}`;
  return { name, store: chooseStore({ named: name }, environment) };
}

const LOCKS = ["TF_HTTP_LOCK_ADDRESS", "TF_HTTP_UNLOCK_ADDRESS"];

/**
 * The store at a URL, without the lock of any other file. Terraform holds the lock of its own state while the provider runs, so waiting for it
 * would never end, and removing it would be wrong.
 */
function storeAt(url: string, environment: Environment): Result<OpenStore | null> {
  const state = environment["TF_HTTP_ADDRESS"]?.replace(/\/+$/, "");
  if (state && `${url}/`.startsWith(`${state}/`)) return { value: null, diagnostics: [journalInState(url)] };
  const isOwn = (address: string): boolean => address === url || address.startsWith(`${url}/`);
  const others = LOCKS.filter((variable) => environment[variable] && !isOwn(environment[variable]));
  const store = chooseStore(
    { named: url },
    { ...environment, ...Object.fromEntries(others.map((variable) => [variable, undefined])) },
  );
  if (!others.includes("TF_HTTP_LOCK_ADDRESS")) return store;
  const hint =
    "Set TF_HTTP_LOCK_ADDRESS to the address of the journal, or to one below it, and name the lock of Terraform's state in its backend block. Or keep the journal in another store.";
  const explained = store.diagnostics.map((one) =>
    one.code === "state_setting_missing"
      ? { ...one, detail: `${one.detail} TF_HTTP_LOCK_ADDRESS locks another file.`, hint }
      : one,
  );
  return { ...store, diagnostics: explained };
}

function journalInState(url: string): Diagnostic {
  return errorOf("journal_in_state", "The journal needs an address of its own", {
    detail: `TF_HTTP_ADDRESS names ${withoutCredentials(url)}, or a path above it, as Terraform's state, whose lock Terraform holds while the provider runs.`,
    hint: "Give the journal a name of its own, as in OUTREACH_JOURNAL=${TF_HTTP_ADDRESS}-journal.",
  });
}
