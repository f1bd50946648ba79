import type { Result } from "../../core/model/diagnostic.ts";
import { chooseStore, isUrl, withoutCredentials } from "../../core/state/backends.ts";
import type { OpenStore } from "../../core/state/state-store.ts";
import { unreadable } from "./ledger.ts";

type Environment = { readonly [variable: string]: string | undefined };

/** Where the provider keeps its journal. */
export interface JournalPlace {
  /** In messages. */
  readonly name: string;
  /** The folder of the journal; of a journal at a URL, the folder of the notes that stay on this machine. */
  readonly folder: string;
  /** Null, with the reason, for a URL that no store is for. */
  readonly store: Result<OpenStore | null>;
}

const FILE = "ledger.json";
const OTHER_FORMAT = ".journal";

/** From the environment that Terraform passes on: `OUTREACH_JOURNAL` is a folder or the URL of a store, which holds one ledger. `located`: where a path is. */
export function journalPlace(environment: Environment, located: (path: string) => string = (path) => path): JournalPlace {
  const { OUTREACH_JOURNAL: named, TF_DATA_DIR: data } = environment;
  const byDefault = located(`${data || ".terraform"}/outreach-journal`);
  if (named && isUrl(named)) return { name: withoutCredentials(named), folder: byDefault, store: chooseStore({ named }, environment) };
  const folder = named ? located(named) : byDefault;
  const name = `${folder}/${FILE}`;
  const { value: open, diagnostics } = chooseStore({ named: name }, environment);
  return { name, folder, store: { value: open && checked(folder, open), diagnostics } };
}

/** Refuses a folder with journals of another format: they may show writes whose outcome is open. */
function checked(folder: string, open: OpenStore): OpenStore {
  return async (ports) => {
    const [other] = (await ports.files.list(folder)).filter((file) => file.endsWith(OTHER_FORMAT)).toSorted();
    if (other === undefined) return open(ports);
    throw unreadable(
      `${folder}/${other} is a journal in the format of another version. It may show writes that were open when a run ended, so the provider creates nothing.`,
      "Finish that run with the version that wrote it. Or compare the service's list with Terraform's state. If they agree, move the file away.",
    );
  };
}
