import type { Result } from "../../core/model/diagnostic.ts";
import { chooseStore, isUrl, withoutCredentials } from "../../core/state/backends.ts";
import type { OpenStore } from "../../core/state/state-store.ts";

type Environment = { readonly [variable: string]: string | undefined };

/** Where the provider keeps its journal. */
export interface JournalPlace {
  /** In messages. */
  readonly name: string;
  /** The folder of the journal; of a journal at a URL, the folder of the notes that stay on this machine. */
  readonly folder: string;
  /** Null, with the reason, for a URL that no store is for. */
  readonly store: Result<OpenStore | null>;
  /** A folder, where earlier versions kept a journal for each process. */
  readonly isFolder: boolean;
}

const FILE = "ledger.json";

/** From the environment that Terraform passes on: `OUTREACH_JOURNAL` is a folder or the URL of a store, which holds one ledger. `located`: where a path is. */
export function journalPlace(environment: Environment, located: (path: string) => string = (path) => path): JournalPlace {
  const { OUTREACH_JOURNAL: named, TF_DATA_DIR: data } = environment;
  const byDefault = located(`${data || ".terraform"}/outreach-journal`);
  if (named && isUrl(named)) return { name: withoutCredentials(named), folder: byDefault, store: chooseStore({ named }, environment), isFolder: false };
  const folder = named ? located(named) : byDefault;
  const name = `${folder}/${FILE}`;
  return { name, folder, store: chooseStore({ named: name }, environment), isFolder: true };
}
