import type { RunPorts } from "../../core/apply/run.ts";
import type { SecretSource } from "../../core/model/declaration.ts";
import { type Diagnostic, DiagnosticsError, hasErrors } from "../../core/model/diagnostic.ts";
import { fingerprinter } from "../../core/secrets/fingerprint.ts";
import { type ResolvedSecret, resolveSecret } from "../../core/secrets/resolve.ts";
import { localStore } from "../../core/state/local-store.ts";
import { type OpenState, pendingDiagnostics, readState } from "../../core/state/open-state.ts";
import type { StateStore } from "../../core/state/state-store.ts";
import type { CallerOptions } from "../../service/api/caller.ts";
import { readClient, reserveWrites } from "../../service/api/client.ts";
import { nodeTransport } from "../../service/api/node-transport.ts";
import { slidingPacer } from "../../service/api/pacing.ts";
import { baseUrlProblem } from "../../service/api/service-path.ts";
import { API_KEY_VARIABLE, type LoadedConfiguration, loadConfiguration, resolvePath, settingText } from "./load-configuration.ts";
import { type PlanOptions, type StateOptions, parseDurationMs } from "./options.ts";
import type { Terminal } from "./terminal.ts";

/** An open configuration, state and service: what every command that plans or changes something works with. */
export interface Session {
  readonly loaded: LoadedConfiguration;
  readonly store: StateStore;
  readonly open: OpenState;
  readonly ports: RunPorts;
  readonly diagnostics: readonly Diagnostic[];
}

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_SETTLE_MS = 10_000;

/**
 * Opens a session, gives it to `work`, and closes it, whatever happens. `forWrite` is told to the holder of the lock.
 * Throws `DiagnosticsError` before `work` when something needed is missing, and when an earlier write is undecided.
 */
export async function withSession<T>(
  terminal: Terminal,
  options: StateOptions & Partial<PlanOptions>,
  { operation, settles }: { readonly operation: string; /** Whether the command may go on with this pending address. */ readonly settles?: string },
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { value: loaded, diagnostics } = await loadConfiguration(terminal, options);
  if (hasErrors(diagnostics)) throw new DiagnosticsError([...diagnostics, ...loaded.evaluate(new Map()).diagnostics]);
  const store = localStore(statePath(terminal, options, loaded), terminal);
  const lock = options.lock ? await store.lock(lockHolder(terminal, operation), options.lockTimeout, terminal.stop) : null;
  const transport = nodeTransport();
  try {
    const open = await readState(store, terminal.random, terminal.stop);
    const blocking = open.pending.filter(({ intent }) => settles === undefined || intent.address !== settles);
    if (blocking.length > 0) throw new DiagnosticsError(blocked(open, store), { undecided: true });
    const service = await openService(terminal, loaded);
    const caller: CallerOptions = {
      ...service,
      transport,
      clock: terminal.clock,
      pacer: slidingPacer(terminal.clock),
      timeoutMs: duration(terminal, "OUTREACH_TIMEOUT", DEFAULT_TIMEOUT_MS),
      userAgent: `outreach-as-code/${terminal.version}`,
      redactor: terminal.redactor,
    };
    return await work({ loaded, store, open, diagnostics, ports: runPorts(terminal, { options, loaded, service, caller }) });
  } finally {
    transport.close();
    await lock?.release();
  }
}

function lockHolder({ process, clock }: Terminal, operation: string) {
  const { who, host, bootId, pid, startedAt } = process;
  return { operation, who, host, bootId, pid, startedAt, since: new Date(clock.now()).toISOString() };
}

interface PortInputs {
  readonly options: Partial<PlanOptions>;
  readonly loaded: LoadedConfiguration;
  readonly service: { readonly baseUrl: string; readonly apiKey: string };
  readonly caller: CallerOptions;
}

function runPorts(terminal: Terminal, { options, loaded, service, caller }: PortInputs): RunPorts {
  const fingerprints = new Map<string, (secret: string) => Promise<string>>();
  return {
    catalog: terminal.catalog,
    readClient: readClient(caller),
    access: { reserve: (count, signal) => reserveWrites(caller, count, signal) },
    clock: terminal.clock,
    service,
    reveal: revealOnce(terminal, loaded),
    fingerprint: (salt, secret) => {
      const under = fingerprints.get(salt) ?? fingerprinter(salt);
      fingerprints.set(salt, under);
      return under(secret);
    },
    settleMs: duration(terminal, "OUTREACH_SETTLE", DEFAULT_SETTLE_MS),
    allowRecreate: options.allowRecreate ?? false,
    allowServiceChange: options.allowServiceChange ?? false,
    signal: terminal.stop,
  };
}

/** `--state`, then `OUTREACH_STATE` (both from the working folder), then the configuration's own. */
function statePath(terminal: Terminal, { state }: StateOptions, loaded: LoadedConfiguration): string {
  const named = state ?? terminal.environment["OUTREACH_STATE"];
  if (named !== undefined && named !== "") return named;
  const { value, diagnostics } = settingText(loaded.configuration.statePath, loaded);
  if (value === null || hasErrors(diagnostics)) throw new DiagnosticsError(diagnostics);
  const full = resolvePath(loaded.configuration.folder, value);
  return full.startsWith(`${terminal.folder}/`) ? full.slice(terminal.folder.length + 1) : full;
}

/** `OUTREACH_BASE_URL` wins over the file, so that a change of the file cannot send the key elsewhere. */
async function openService(terminal: Terminal, loaded: LoadedConfiguration): Promise<{ readonly baseUrl: string; readonly apiKey: string }> {
  if (terminal.environment["NODE_TLS_REJECT_UNAUTHORIZED"] === "0") throw new DiagnosticsError([tlsOff()]);
  const { baseUrl: declared, apiKey: source, locate } = loaded.configuration.service;
  const inFile = declared === null ? { value: null, diagnostics: [] } : settingText(declared, loaded);
  const environment = terminal.environment["OUTREACH_BASE_URL"] ?? "";
  const baseUrl = environment === "" ? inFile.value : environment;
  if (hasErrors(inFile.diagnostics)) throw new DiagnosticsError(inFile.diagnostics);
  if (baseUrl === null) throw new DiagnosticsError([noBaseUrl()]);
  const problem = baseUrlProblem(baseUrl);
  const place = environment === "" ? locate(["base_url"]) : undefined;
  if (problem !== undefined) throw new DiagnosticsError([{ code: "base_url_invalid", severity: "error", summary: "Invalid base URL", detail: problem, ...(place ? { place } : {}) }]);
  const reveal = revealOnce(terminal, loaded);
  const key = source && source.kind !== "secret" ? await settingKey(source, loaded) : await reveal(source?.kind === "secret" ? source.source : { kind: "env", name: API_KEY_VARIABLE });
  if (!("value" in key)) {
    throw new DiagnosticsError([{ code: "api_key_missing", severity: "error", summary: "No API key", detail: key.detail, hint: `${key.hint} Keys are made in the integration settings of the service.` }]);
  }
  terminal.redactor.add(key.value);
  return { baseUrl: baseUrl.replace(/\/+$/, ""), apiKey: key.value };
}

function settingKey(source: NonNullable<LoadedConfiguration["configuration"]["service"]["apiKey"]>, loaded: LoadedConfiguration): Promise<ResolvedSecret> | ResolvedSecret {
  const { value } = settingText(source, loaded);
  return value === null ? { detail: "The provider's api_key has no value.", hint: "Give the variable that it refers to." } : { value };
}

function noBaseUrl(): Diagnostic {
  return {
    code: "base_url_missing",
    severity: "error",
    summary: "No base URL",
    detail: "Neither OUTREACH_BASE_URL nor service.base_url says where the service is.",
    hint: "Set OUTREACH_BASE_URL. To try things out without an account, start the local service with: outreach sandbox",
  };
}

function tlsOff(): Diagnostic {
  return {
    code: "tls_not_verified",
    severity: "error",
    summary: "Certificates would not be verified",
    detail: "NODE_TLS_REJECT_UNAUTHORIZED=0 is set: anybody on the way could take the API key and the secrets.",
    hint: "Unset it. For a private certificate authority set NODE_EXTRA_CA_CERTS.",
  };
}

/** Each source is read once, and what it gives is kept out of everything printed. */
function revealOnce(terminal: Terminal, loaded: LoadedConfiguration): RunPorts["reveal"] {
  const known = new Map<string, Promise<ResolvedSecret>>();
  const sources = loaded.configuration.blocks.flatMap((block) => Object.values(block.arguments)).flatMap((argument) => (argument.kind === "secret" ? [argument.source] : []));
  const apiKey = loaded.configuration.service.apiKey;
  const all: readonly SecretSource[] = [...sources, ...(apiKey?.kind === "secret" ? [apiKey.source] : [])];
  const hidden = new Set([API_KEY_VARIABLE, ...all.flatMap((source) => (source.kind === "env" ? [source.name] : []))]);
  return (source) => {
    const key = JSON.stringify(source);
    const before = known.get(key);
    if (before) return before;
    const revealing = resolveSecret(source, {
      files: terminal.files,
      environment: terminal.environment,
      folder: loaded.configuration.folder,
      hiddenFromCommands: hidden,
      signal: terminal.stop,
    }).then((resolved) => {
      if ("value" in resolved) terminal.redactor.add(resolved.value);
      return resolved;
    });
    known.set(key, revealing);
    return revealing;
  };
}

function duration({ environment }: Terminal, name: string, fallbackMs: number): number {
  const text = environment[name];
  if (text === undefined || text === "") return fallbackMs;
  try {
    return parseDurationMs(text);
  } catch {
    throw new DiagnosticsError([{ code: "setting_invalid", severity: "error", summary: "Invalid setting", detail: `${name} is ${JSON.stringify(text)}, which is not a duration.`, hint: "Write a number and a unit, as in 10s or 500ms." }]);
  }
}

function blocked({ pending }: OpenState, store: StateStore): readonly Diagnostic[] {
  return pendingDiagnostics(pending, "Nothing was sent in this run.").map((diagnostic, index) => {
    const intent = pending[index]?.intent;
    const address = intent?.address ?? "ADDR";
    const hint = `Look whether the service has it. A webhook that is there is taken over by: outreach import '${address}' ID. The record of what was sent is in ${store.name}.`;
    return { ...diagnostic, hint };
  });
}
