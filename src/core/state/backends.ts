import type { Diagnostic, Result } from "../model/diagnostic.ts";
import type { Path } from "../model/path.ts";
import type { BackendDefinition } from "../model/backend-definition.ts";
import { LOCAL_BACKEND, STATE_BACKENDS } from "../model/state-backends.ts";
import { HTTP_BACKEND } from "../model/state-backends/http.ts";
import { S3_BACKEND } from "../model/state-backends/s3.ts";
import { chooseHttp } from "./http/http-backend.ts";
import { chooseS3, s3SettingsOfUrl } from "./s3/s3-backend.ts";
import { PG_BACKEND } from "../model/state-backends/pg.ts";
import { choosePg, pgSettings } from "./pg/pg-settings.ts";
import { type ReadSettings, type StateSettings, readSettings } from "./settings.ts";
import type { OpenStore } from "./state-store.ts";

/** Where a state is kept: as a user has named it on a command line, or as a configuration has it. */
export type StatePlace = { readonly named: string } | { readonly backend: string; readonly settings: StateSettings };

interface StateBackend {
  readonly definition: BackendDefinition;
  /** The settings that a URL of one of the definition's schemes has. */
  readonly fromUrl?: (url: string) => Result<StateSettings | null>;
  /** Loaded when it is used. Errors that only this backend knows of are diagnostics, too. */
  readonly choose: (settings: ReadSettings) => Result<OpenStore | null>;
}

/** Every backend there is: one file each, and a line here. */
const BACKENDS: readonly StateBackend[] = [
  { definition: LOCAL_BACKEND, choose: chooseLocal },
  { definition: HTTP_BACKEND, fromUrl: (address) => ({ value: { address }, diagnostics: [] }), choose: chooseHttp },
  { definition: S3_BACKEND, fromUrl: s3SettingsOfUrl, choose: chooseS3 },
  { definition: PG_BACKEND, fromUrl: pgSettings, choose: choosePg },
];

/** The names that `state.backend` may have. */
export const BACKEND_NAMES: readonly string[] = STATE_BACKENDS.map(({ name }) => name);

/**
 * The one choice of a store. Errors `state_backend_unknown` for a backend or a URL that this version does not have, and those
 * of `readSettings`. What looks like a URL, or like keywords of PostgreSQL, is never taken for a path.
 */
export function chooseStore(place: StatePlace, environment: { readonly [name: string]: string | undefined }): Result<OpenStore | null> {
  if ("backend" in place) {
    const backend = BACKENDS.find(({ definition }) => definition.name === place.backend);
    return backend ? chooseOf(backend, place.settings, environment) : unknownBackend(`There is no state backend ${place.backend}.`, ["backend"]);
  }
  const { named } = place;
  const scheme = schemeOf(named);
  if (scheme === null && KEYWORDS.test(named)) return unknownBackend(`The state is named by keywords of PostgreSQL. Write ${FORM}.`);
  const backend = BACKENDS.find(({ definition }) => (scheme === null ? definition === LOCAL_BACKEND : definition.schemes.includes(scheme)));
  if (!backend) return unknownBackend(`${withoutCredentials(named)} is a URL, and no state backend is for ${String(scheme)}: URLs.`);
  const { value: settings, diagnostics } = backend.fromUrl?.(named) ?? { value: { path: named }, diagnostics: [] };
  const chosen = settings === null ? { value: null, diagnostics } : chooseOf(backend, settings, environment, { isUrl: scheme !== null });
  return { ...chosen, diagnostics: chosen.diagnostics.map((one) => ({ ...one, detail: `${one.detail} The state is named ${withoutCredentials(named)}.` })) };
}

function chooseOf(
  { definition, choose }: StateBackend,
  settings: StateSettings,
  environment: { readonly [name: string]: string | undefined },
  place: { readonly isUrl?: boolean } = {},
): Result<OpenStore | null> {
  const { value: read, diagnostics } = readSettings(definition, settings, environment, place);
  return read === null ? { value: null, diagnostics } : choose(read);
}

function chooseLocal(settings: ReadSettings): Result<OpenStore | null> {
  const path = settings.text("path") ?? "";
  if (isUrl(path)) return unknownBackend(`${withoutCredentials(path)} is a URL, and the backend local keeps the state in a file.`, ["path"]);
  return { value: async (ports) => (await import("./local/local-store.ts")).localStore(path, ports), diagnostics: [] };
}

/** PostgreSQL's other notation for a connection. Taken for a path, its password would be printed. */
const KEYWORDS = /^(?:[^./][^/]*\s)?(?:host|hostaddr|dbname|user|password)\s*=/i;
const FORM = "postgres://USER:PASSWORD@HOST:PORT/DATABASE";

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
export function withoutCredentials(url: string): string {
  const [place = ""] = url.split(/[?#]/, 1);
  const [begin, at] = [place.indexOf("//"), place.lastIndexOf("@")];
  return begin < 0 || at < begin ? place : `${place.slice(0, begin)}//${place.slice(at + 1)}`;
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
