import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { REMOTE_BACKENDS, openRemote } from "../core/state/remote-places.ts";

export const STORES = ["local", ...REMOTE_BACKENDS] as const;
export type StoreName = (typeof STORES)[number];
export const STATE_FILE = "outreach.state.json";

/** Where one project keeps its state. */
export interface StatePlace {
  /** Whether the state outlives the machine. */
  readonly isRemote: boolean;
  readonly environment: { readonly [variable: string]: string };
  /** The state, and the journal if there is one; null: none yet. */
  read(): Promise<{ readonly state: string | null; readonly journal: string | null }>;
  /** Everything durable in one text, where it can be looked at while a request is on its way. */
  durable?(): string;
  begin(state: string): Promise<void>;
  /** What a client did that the protocol of the store does not allow. */
  violations?(): readonly string[];
}

export interface Store {
  open(folder: string, name: string): StatePlace;
  close(): Promise<void>;
}

/** `postgres` gives the URL of a server. */
export async function openStore(name: StoreName, postgres: () => Promise<string>): Promise<Store> {
  if (name === "local") return { open: localPlace, close: () => Promise.resolve() };
  const server = await openRemote(name, postgres);
  return {
    open: (_folder, state) => {
      const { url, environment, stateNow, violations, ...place } = server.place(state);
      return {
        isRemote: true,
        environment: {
          ...environment,
          OUTREACH_STATE: url,
          ...(name === "pg" ? { OUTREACH_TORTURE_SOCKETS: "1" } : {}),
        },
        ...(stateNow ? { durable: stateNow } : {}),
        ...(violations ? { violations } : {}),
        read: async () => ({ state: (await place.state()) || null, journal: null }),
        begin: (text) => place.begin(Buffer.from(text)),
      };
    },
    close: () => server.close(),
  };
}

function localPlace(folder: string): StatePlace {
  const file = path.join(folder, STATE_FILE);
  const textOf = (name: string): string | null => (existsSync(name) ? readFileSync(name, "utf8") : null);
  const read = () => ({ state: textOf(file), journal: textOf(`${file}.journal`) });
  return {
    isRemote: false,
    environment: {},
    durable: () => Object.values(read()).join("\n"),
    read: () => Promise.resolve(read()),
    begin: (text) => Promise.resolve(writeFileSync(file, text, { mode: 0o600 })),
  };
}
