import type { SecretSource } from "../../core/model/declaration.ts";
import { type Diagnostic, DiagnosticsError, type Result, hasErrors, errorOf } from "../../core/model/diagnostic.ts";
import { isoTime } from "../../core/model/iso-time.ts";
import type { Path } from "../../core/model/path.ts";
import type { Value } from "../../core/model/value.ts";
import { LOCAL_BACKEND, chooseStore, isUrl, misnamed } from "../../core/state/backends.ts";
import { parseEnvelope } from "../../core/state/encryption/envelope-format.ts";
import { secretSource } from "../../core/state/settings.ts";
import type { Encryption, LockHolder, OpenStore, StateStore, StorePorts } from "../../core/state/state-store.ts";
import {
  type LoadedConfiguration,
  loadSection,
  loadSettings,
  withoutConfiguration,
} from "../configuration/load-configuration.ts";
import { settingValue } from "../configuration/setting-text.ts";
import type { OperationOptions } from "../options.ts";
import { keepOwn } from "../configuration/own-secrets.ts";
import { resolvePath } from "../configuration/named-file.ts";
import { lazyWeb, requestTimeoutMs } from "../service/lazy-web.ts";
import { withPlace, soundEncryption } from "./state-encryption.ts";
import type { OperationContext, Ports } from "../context.ts";

export function lockHolder({ process, clock }: Ports, operation: string): LockHolder {
  const { who, host, bootId, pidNamespace, pid, startedAt } = process;
  return { operation, who, host, bootId, pidNamespace, pid, startedAt, since: isoTime(clock.now()) };
}

/** The store of a command's state: by `--state`, else by `OUTREACH_STATE` (paths from the working folder), else by the configuration. */
export async function openStore(
  context: OperationContext,
  options: OperationOptions,
  loaded: LoadedConfiguration,
): Promise<StateStore> {
  const named = namedStore(context, options, loaded.configuration.team);
  if (named === null && !loaded.withSecrets && loaded.configuration.state.backend !== LOCAL_BACKEND.name)
    throw untrustedPlace(loaded);
  return opened(context, named ?? configuredStore(context, loaded), loaded);
}

/** An untrusted configuration could send the credentials of the state, or any other variable, to a server of its own. */
function untrustedPlace({ configuration: { state } }: LoadedConfiguration): DiagnosticsError {
  const place = state.locate?.(["backend"]);
  return DiagnosticsError.of("state_untrusted", "The state must be named outside the configuration", {
    detail: `With --no-secrets the configuration is untrusted, so it cannot choose the server that gets the credentials of the state (backend ${state.backend}).`,
    hint: "Set OUTREACH_STATE to the URL of the state, and the credentials in the environment.",
    place,
  });
}

/** The store of an operation that needs nothing else: of the configuration only `state` and the variables have to be sound. */
export async function openStoreAlone(context: OperationContext, options: OperationOptions): Promise<StateStore> {
  const named = namedStore(context, options, options.team.length === 1 ? options.team[0] : undefined);
  if (named !== null) return openNamed(context, named, options);
  const loaded = await loadSection(context, options, "state").catch((error: unknown) => {
    throw error instanceof DiagnosticsError ? new DiagnosticsError(error.diagnostics.map(orNameState)) : error;
  });
  const configured = configuredStore(context, loaded);
  if (configured.value === null && loaded.missing.length > 0)
    throw new DiagnosticsError(loaded.missing.map(orNameState));
  return opened(context, configured, loaded);
}

/** A state that the command line names has its keys in the configuration, too. One that is not encrypted needs no configuration. */
async function openNamed(
  context: OperationContext,
  named: Result<OpenStore | null>,
  options: OperationOptions,
): Promise<StateStore> {
  const { value: configured, diagnostics } = await keysFor(context, options);
  if (configured) return opened(context, named, configured);
  const store = await opened(context, named, withoutConfiguration(context));
  const read: StateStore["read"] = async (signal) => {
    const stored = await store.read(signal);
    if (stored && parseEnvelope(stored.bytes)) throw new DiagnosticsError(diagnostics);
    return stored;
  };
  return { ...store, read };
}

/** Null for a configuration that cannot be read. Throws for mistakes in its encryption: nothing may be written in plain text because of them. */
async function keysFor(
  context: OperationContext,
  options: OperationOptions,
): Promise<Result<LoadedConfiguration | null>> {
  try {
    return { value: await loadSettings(context, options, "state"), diagnostics: [] };
  } catch (error) {
    if (!(error instanceof DiagnosticsError) || error.diagnostics.some(({ path }) => path?.[1] === "encryption"))
      throw error;
    return { value: null, diagnostics: error.diagnostics };
  }
}

/** A store that does not belong to the configuration. */
export function openOtherStore(context: OperationContext, chosen: Result<OpenStore | null>): Promise<StateStore> {
  return opened(context, chosen, withoutConfiguration(context));
}

/** Opens the chosen store, encrypted if the configuration says so, and closes it when the command has ended. */
async function opened(
  context: OperationContext,
  { value: open, diagnostics }: Result<OpenStore | null>,
  loaded: LoadedConfiguration,
): Promise<StateStore> {
  if (open === null || hasErrors(diagnostics))
    throw new DiagnosticsError(diagnostics.length > 0 ? diagnostics : loaded.missing);
  const settings = soundEncryption(loaded);
  const ports = storePorts(context, loaded);
  const store = await open(ports);
  context.atEnd(() => store.close());
  const { watchStore = (watched: StateStore) => watched } = context;
  if (settings === null) return watchStore(store);
  const { encryptedStore } = await import("../../core/state/encryption/encrypted-store.ts");
  return watchStore(encryptedStore(store, settings, ports));
}

/** The encryption of a configuration without its state, to read a saved plan; null if it has none. */
export async function openEncryption(
  context: OperationContext,
  loaded: LoadedConfiguration,
  { runKeyCommand }: { readonly runKeyCommand: boolean },
): Promise<Encryption | null> {
  const settings = soundEncryption(loaded);
  if (settings === null) return null;
  const { openEnvelopes } = await import("../../core/state/encryption/envelope.ts");
  const { random, reveal } = storePorts(context, loaded);
  return openEnvelopes(settings, {
    random,
    reveal: async (source) => {
      if (source.kind === "command" && !runKeyCommand) throw keyCommandNotRun();
      return reveal(source);
    },
  });
}

/** What the chosen store needs. Only what it uses is loaded. */
function storePorts(context: OperationContext, loaded: LoadedConfiguration): StorePorts {
  const hide = (secret: string): void => keepOwn(context, secret, "a secret of the state");
  return {
    ...context,
    hide,
    web: lazyWeb(context),
    reveal: async (source, options) => {
      if (!loaded.withSecrets && source.kind === "command") throw commandNotRun();
      const { revealOnce } = await import("../configuration/reveal-secrets.ts");
      const resolved = await revealOnce(context, loaded)(source, options);
      if ("value" in resolved) {
        hide(resolved.value);
        return resolved.value;
      }
      const { detail, hint } = resolved;
      const missing: Diagnostic = errorOf("state_secret_missing", "No secret for the state", { detail, hint });
      throw new DiagnosticsError([
        withPlace({ ...missing, path: pathOfSecret(loaded, source) }, loaded.configuration.state.locate),
      ]);
    },
    timeoutMs: requestTimeoutMs(context),
  };
}

/** The path in the section of the state that refers to a secret; the section itself if only the environment does. */
function pathOfSecret(loaded: LoadedConfiguration, source: SecretSource): Path {
  const wanted = JSON.stringify(source);
  const search = (value: Value, path: Path): Path | null => {
    if (JSON.stringify(secretSource(value)) === wanted) return path;
    if (typeof value !== "object" || value === null) return null;
    for (const [name, inner] of Object.entries(value)) {
      const found = search(inner as Value, [...path, name]);
      if (found) return found;
    }
    return null;
  };
  for (const [name, argument] of Object.entries(loaded.configuration.state.settings)) {
    const found = search(settingValue(argument, loaded, () => undefined).value, [name]);
    if (found) return found;
  }
  return [];
}

function namedStore(
  { environment }: Ports,
  { state }: OperationOptions,
  team: string | undefined,
): Result<OpenStore | null> | null {
  const given = state ?? environment["OUTREACH_STATE"] ?? "";
  const from = state === undefined ? "OUTREACH_STATE" : "--state";
  if (given === "") return null;
  // `echo URL | gh secret set` stores a line end, too.
  const named = given.replace(/[\r\n]+$/, "");
  if (named.trim() === "") return { value: null, diagnostics: [blankPlace(from)] };
  const unset = UNSET_SECRET.exec(named)?.[1];
  if (unset !== undefined) return { value: null, diagnostics: [secretNotSet(from, unset)] };
  if (TEAM_NAME.test(named) && team === undefined) return { value: null, diagnostics: [placeOfNoTeam(from)] };
  const { value, diagnostics } = chooseStore({ named: named.replaceAll(TEAM_NAMES, team ?? "") }, environment);
  return {
    value: value && (async (ports) => placedStore(await value(ports), (one) => withRole(one, { named, from }))),
    diagnostics,
  };
}

/** What the examples for CIs set in place of a secret that does not exist: without it, the state would silently be a local file. */
const UNSET_SECRET = /^set-the-secret:\/\/(\w+)/;

function secretNotSet(from: string, secret: string): Diagnostic {
  return errorOf("state_place", "A secret of this job is not set", {
    detail: `${from} has only the placeholder of the workflow, because the secret ${secret} does not exist, or this job cannot read it.`,
    hint: `Set the secret ${secret} for this repository, or for the environment of this job. Jobs for forks get no secrets.`,
  });
}

/** In PostgreSQL, the URL decides which role is refused. A job without a secret of its own environment gets that of the repository, whose role only reads. */
function withRole(
  diagnostic: Diagnostic,
  { named, from }: { readonly named: string; readonly from: string },
): Diagnostic {
  if (diagnostic.code !== "state_denied" || !/^postgres(ql)?:/i.test(named)) return diagnostic;
  const role = `${from} names this URL. Is ${from === "OUTREACH_STATE" ? "OUTREACH_STATE set in the environment of this job, to" : "it"} the URL of a role that may do this?`;
  return { ...diagnostic, hint: [role, ...(diagnostic.hint === undefined ? [] : [diagnostic.hint])].join("\n") };
}

/** The name of the team, in a place that is named outside the configuration: the same expression as in the settings of `state`. */
const TEAM_NAME = /\$\{\s*team\.name\s*\}/;
const TEAM_NAMES = new RegExp(TEAM_NAME, "g");

/** The store that the configuration names. */
export function configuredStore(context: Ports, loaded: LoadedConfiguration): Result<OpenStore | null> {
  const {
    backend,
    settings: { encryption: _, ...settings },
    locate,
  } = loaded.configuration.state;
  const read = Object.entries(settings).map(([name, argument]) => {
    const { value, diagnostics } = settingValue(argument, loaded, (written) => locate?.([name], written));
    return {
      name,
      value: name === "path" && typeof value === "string" ? fromWorkingFolder(context, loaded, value) : value,
      diagnostics,
    };
  });
  if (read.some(({ value }) => value === null))
    return { value: null, diagnostics: read.flatMap(({ diagnostics }) => diagnostics) };
  const { value, diagnostics } = chooseStore(
    { backend, settings: Object.fromEntries(read.map((setting) => [setting.name, setting.value])) },
    context.environment,
  );
  const path = [PLACES.find((name) => name in settings) ?? "backend"];
  const open: OpenStore | null =
    value && (async (ports) => placedStore(await value(ports), (one) => withPlace({ ...one, path }, locate)));
  return { value: open, diagnostics: diagnostics.map((one) => withPlace(one, locate)) };
}

/** The settings that say where a server is. */
const PLACES = ["endpoint", "address", "url", "bucket"] as const;

function fromWorkingFolder({ folder }: Ports, { configuration }: LoadedConfiguration, path: string): string {
  if (isUrl(path) || misnamed(path)) return path;
  const full = resolvePath(configuration.folder, path);
  return full.startsWith(`${folder}/`) ? full.slice(folder.length + 1) : full;
}

function blankPlace(from: string): Diagnostic {
  return errorOf("state_place", "The state has no name", {
    detail: `${from} has only spaces, so it names no state. Is a variable of the shell or of the CI not set?`,
    hint: from === "OUTREACH_STATE" ? "Set OUTREACH_STATE to a path or a URL, or unset it." : "Pass --state PATH.",
  });
}

function placeOfNoTeam(from: string): Diagnostic {
  return errorOf("state_place", "The state of which team?", {
    detail: `${from} contains \${team.name}, but this command is about no team.`,
    hint: "Name the team with --team NAME. For a configuration without teams, name its one state.",
  });
}

function commandNotRun(): DiagnosticsError {
  return DiagnosticsError.of("state_secret_missing", "No secret for the state", {
    detail: "With --no-secrets the configuration is untrusted, so the command that prints the secret does not run.",
    hint: "Name the secret by env or file.",
  });
}

function keyCommandNotRun(): DiagnosticsError {
  return DiagnosticsError.of("key_command", "The plan is encrypted", {
    detail:
      "state.encryption takes its key from a command, and a saved plan may come from anybody: to read one, no command runs unless you allow it.",
    hint: "If you trust the configuration, pass --run-key-command. Or name the key by env or file.",
  });
}

function orNameState(diagnostic: Diagnostic): Diagnostic {
  return {
    ...diagnostic,
    hint: `${diagnostic.hint === undefined ? "" : `${diagnostic.hint}\n`}Or name the state itself with --state PATH.`,
  };
}

/** Whether the command line or the environment names the state. */
export function stateNamed({ environment }: Ports, { state }: Pick<OperationOptions, "state">): boolean {
  return (state ?? environment["OUTREACH_STATE"] ?? "") !== "";
}

/** Whether the command line or the environment names one state, and not that of each team. */
export function oneStateNamed({ environment }: Ports, { state }: OperationOptions): boolean {
  const named = state ?? environment["OUTREACH_STATE"] ?? "";
  return named !== "" && !TEAM_NAME.test(named);
}

/** What a server, or the way to it, has against the store: the settings decide it, and not another run. */
const OF_SETTINGS: ReadonlySet<string> = new Set([
  "state_unreachable",
  "state_denied",
  "state_answer",
  "state_credentials",
  "state_unsuitable",
  "state_pooled",
]);

/** A store whose errors show the line of the configuration that names it. */
function placedStore(store: StateStore, atSetting: (diagnostic: Diagnostic) => Diagnostic): StateStore {
  const place = (error: unknown): never => {
    if (!(error instanceof DiagnosticsError) || !error.diagnostics.some(({ code }) => OF_SETTINGS.has(code)))
      throw error;
    const diagnostics = error.diagnostics.map((one) => (OF_SETTINGS.has(one.code) ? atSetting(one) : one));
    throw new DiagnosticsError(diagnostics, { undecided: error.undecided, cause: error });
  };
  return {
    ...store,
    assertReady: (signal) => store.assertReady(signal).catch(place),
    read: (signal) => store.read(signal).catch(place),
    write: (...write) => store.write(...write).catch(place),
    lock: async (...request) => {
      const lock = await store.lock(...request).catch(place);
      return { ...lock, release: () => lock.release().catch(place) };
    },
    forceUnlock: (id, signal) => store.forceUnlock(id, signal).catch(place),
    heldLock: (signal) => store.heldLock(signal).catch(place),
  };
}
