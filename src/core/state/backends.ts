import { type Diagnostic, type Result, errorOf } from "../model/diagnostic.ts";
import type { Path } from "../model/path.ts";
import type { StateBackend, StateSettings } from "./backend.ts";
import { httpBackend } from "./http/backend.ts";
import { localBackend } from "./local/backend.ts";
import { pgBackend } from "./pg/backend.ts";
import { s3Backend } from "./s3/backend.ts";
import { beginsAtHome, isQuoted, unseenEnds } from "../model/words.ts";
import { readSettings } from "./settings.ts";
import type { OpenStore } from "./state-store.ts";

/** Where a state is kept: as a user has named it on a command line, or as a configuration has it. */
export type StatePlace = { readonly named: string } | { readonly backend: string; readonly settings: StateSettings };

/** Every backend there is: a folder each, and a line here. */
export const STATE_BACKENDS: readonly StateBackend[] = [localBackend, httpBackend, s3Backend, pgBackend];

/** The values of `state.backend`. */
export const BACKEND_NAMES: readonly string[] = STATE_BACKENDS.map(({ name }) => name);

/** The backend of states whose place is a path. */
export const LOCAL_BACKEND: StateBackend = localBackend;

/**
 * The one choice of a store. Errors `state_backend_unknown` for a backend or a URL that this version does not have, and those
 * of `readSettings`. What looks like a URL, or like keywords of PostgreSQL, is never taken for a path.
 */
export function chooseStore(
  place: StatePlace,
  environment: { readonly [name: string]: string | undefined },
): Result<OpenStore | null> {
  if ("backend" in place) {
    const backend = STATE_BACKENDS.find(({ name }) => name === place.backend);
    if (!backend) return unknownBackend(`There is no state backend ${place.backend}.`, ["backend"]);
    const { path } = place.settings;
    const mistaken = typeof path === "string" ? misnamed(path, ["path"]) : null;
    if (mistaken) return { value: null, diagnostics: [mistaken] };
    if (backend === LOCAL_BACKEND && typeof path === "string" && isUrl(path))
      return unknownBackend(
        `${withoutCredentials(path)} is a URL, and the backend ${backend.name} keeps the state in a file.`,
        ["path"],
      );
    return chooseOf(backend, { settings: place.settings, environment });
  }
  const { named } = place;
  const mistaken = misnamed(named);
  if (mistaken) return { value: null, diagnostics: [mistaken] };
  const scheme = SCHEME.exec(named)?.[1]?.toLowerCase() ?? null;
  if (scheme === null && KEYWORDS.test(named))
    return unknownBackend(`The state is named by keywords of PostgreSQL. Write ${FORM}.`);
  const backend = scheme === null ? LOCAL_BACKEND : STATE_BACKENDS.find(({ schemes }) => schemes.includes(scheme));
  if (!backend)
    return unknownBackend(
      `${withoutCredentials(named)} is a URL, and no state backend is for ${String(scheme)}: URLs.`,
    );
  const { value: settings, diagnostics } = backend.fromUrl?.(named) ?? { value: { path: named }, diagnostics: [] };
  const chosen =
    settings === null
      ? { value: null, diagnostics }
      : chooseOf(backend, { settings, environment, isUrl: scheme !== null });
  return {
    ...chosen,
    diagnostics: chosen.diagnostics.map((one) => ({
      ...one,
      detail: `${one.detail} The state is named ${withoutCredentials(named)}.`,
    })),
  };
}

interface Chosen {
  readonly settings: StateSettings;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly isUrl?: boolean;
}

function chooseOf(
  backend: StateBackend,
  { settings, environment, isUrl: isNamedByUrl = false }: Chosen,
): Result<OpenStore | null> {
  const { value: read, diagnostics } = readSettings(backend, settings, {
    environment,
    isUrl: isNamedByUrl,
    backends: STATE_BACKENDS,
  });
  return read === null ? { value: null, diagnostics } : backend.open(read.values, read);
}

/** PostgreSQL's other notation for a connection. Taken for a path, its password would be printed. */
const KEYWORDS = /^(?:[^./][^/]*\s)?(?:host|hostaddr|dbname|user|password)\s*=/i;
const FORM = "postgres://USER:PASSWORD@HOST:PORT/DATABASE";

/** A URL behind a character or a name that was copied with it. Taken for a path, its password would be printed. */
const WRAPPED_URL = /^(?:[\s"'`]|[A-Za-z_]\w*=)+[a-z][a-z0-9+.-]*:\/\//i;

/** An error `state_place` for a name with something that a shell or a CI was to take away or to replace: it would name another place. */
export function misnamed(named: string, path?: Path): Diagnostic | null {
  if (WRAPPED_URL.test(named))
    return errorOf("state_place", "The state is not a URL", {
      detail:
        "The name of the state begins with a quotation mark, a space or NAME=, followed by a URL. It is not shown, because a URL can contain a password.",
      hint: "Write the URL alone. The value of a variable of the CI has no quotation marks.",
      path,
    });
  const ends = unseenEnds(named);
  const problem =
    ends !== null
      ? `has ${ends} at its ends`
      : isQuoted(named)
        ? "is in quotation marks"
        : beginsAtHome(named)
          ? "begins with ~, which only a shell expands"
          : null;
  if (problem === null) return null;
  return errorOf("state_place", "The state has another name", {
    detail: `${JSON.stringify(isUrl(named) ? withoutCredentials(named).trim() : named)} ${problem}. It would be another state.`,
    hint: "Write the path or the URL alone. If a file really has such a name, write ./ before it.",
    path,
  });
}

/** One letter is a drive. */
const SCHEME = /^([a-z][a-z0-9+.-]+):/i;

/** Whether a text names a state by a URL, and not by a path. */
export function isUrl(text: string): boolean {
  return SCHEME.test(text);
}

/** A URL may hold a password: in the user info, also one with an unescaped slash, or in the query. */
export function withoutCredentials(url: string): string {
  const [place = ""] = url.split(/[?#]/, 1);
  const [begin, at] = [place.indexOf("//"), place.lastIndexOf("@")];
  return begin < 0 || at < begin ? place : `${place.slice(0, begin)}//${place.slice(at + 1)}`;
}

function unknownBackend(what: string, path?: Path): Result<null> {
  const diagnostic: Diagnostic = errorOf("state_backend_unknown", "Unknown state backend", {
    detail: `${what} This version has: ${BACKEND_NAMES.join(", ")}.`,
    hint: "Name a file. If a file really has such a name, write ./ before it.",
    path,
  });
  return { value: null, diagnostics: [diagnostic] };
}
