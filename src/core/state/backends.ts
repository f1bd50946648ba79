import type { Diagnostic, Result } from "../model/diagnostic.ts";
import type { Path } from "../model/path.ts";
import type { Value } from "../model/value.ts";
import type { StateStore, StorePorts } from "./state-store.ts";

/** A backend's settings, by the names that `state:` has for them. */
export interface StateSettings {
  readonly [name: string]: Value;
}

/** Where a state is kept: as a user has named it on a command line, or as a configuration has it. */
export type StatePlace = { readonly named: string } | { readonly backend: string; readonly settings: StateSettings };

/** Loads the backend and opens a store of the chosen state, without asking it for anything. */
export type OpenStore = (ports: StorePorts) => Promise<StateStore>;

interface StateBackend {
  /** As `state.backend` names it. */
  readonly name: string;
  /** The schemes of the URLs that name such a state, in lower case and without the colon. */
  readonly schemes: readonly string[];
  /** Gets a URL of one of `schemes` as the setting `url`. */
  readonly choose: (settings: StateSettings) => Result<OpenStore | null>;
}

/** Every backend there is. Each is loaded when it is used. */
const BACKENDS: readonly StateBackend[] = [{ name: "local", schemes: [], choose: chooseLocal }];

/** The names that `state.backend` may have. */
export const BACKEND_NAMES: readonly string[] = BACKENDS.map(({ name }) => name);

/** The one choice of a store. Errors `state_backend_unknown` for a backend or a URL that this version does not have; what looks like a URL is never taken for a path. */
export function chooseStore(place: StatePlace): Result<OpenStore | null> {
  if ("backend" in place) {
    const backend = BACKENDS.find(({ name }) => name === place.backend);
    return backend ? backend.choose(place.settings) : unknownBackend(`There is no state backend ${place.backend}.`, ["backend"]);
  }
  const { named } = place;
  const scheme = schemeOf(named);
  if (scheme === null) return chooseLocal({ path: named });
  const backend = BACKENDS.find(({ schemes }) => schemes.includes(scheme));
  return backend ? backend.choose({ url: named }) : unknownBackend(`${withoutCredentials(named)} is a URL, and no state backend is for ${scheme}: URLs.`);
}

function chooseLocal({ path = "" }: StateSettings): Result<OpenStore | null> {
  if (typeof path !== "string" || path === "") throw new Error("the local backend needs a path");
  if (isUrl(path)) return unknownBackend(`${withoutCredentials(path)} is a URL, and the backend local keeps the state in a file.`, ["path"]);
  return { value: async (ports) => (await import("./local-store.ts")).localStore(path, ports), diagnostics: [] };
}

/** One letter is a drive. */
const SCHEME = /^([a-z][a-z0-9+.-]+):/i;

/** Whether a text names a state by a URL, and not by a path. */
export function isUrl(text: string): boolean {
  return SCHEME.test(text);
}

function schemeOf(text: string): string | null {
  return SCHEME.exec(text)?.[1]?.toLowerCase() ?? null;
}

/** A URL may hold a password: in the user info, also one with an unescaped slash, or in the query. */
function withoutCredentials(url: string): string {
  return url.replace(/[?#].*$/s, "").replace(/\/\/.*@/s, "//");
}

function unknownBackend(what: string, path?: Path): Result<null> {
  const diagnostic: Diagnostic = {
    code: "state_backend_unknown",
    severity: "error",
    summary: "Unknown state backend",
    detail: `${what} This version has: ${BACKEND_NAMES.join(", ")}.`,
    hint: "Name a file. If a file really has such a name, write ./ before it.",
    ...(path ? { path } : {}),
  };
  return { value: null, diagnostics: [diagnostic] };
}
