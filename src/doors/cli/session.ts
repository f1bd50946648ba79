import type { RunPorts } from "../../core/apply/run-ports.ts";
import { type Diagnostic, DiagnosticsError, hasErrors } from "../../core/model/diagnostic.ts";
import { shellWord } from "../../core/model/shell-word.ts";
import { fingerprinter } from "../../core/secrets/fingerprint.ts";
import { localStore } from "../../core/state/local-store.ts";
import { type OpenState, readState } from "../../core/state/open-state.ts";
import type { StateStore } from "../../core/state/state-store.ts";
import { durationText } from "../../output/progress.ts";
import type { CallerOptions } from "../../service/api/caller.ts";
import { readClient, reserveWrites } from "../../service/api/client.ts";
import { callerOptions, duration, openService, revealOnce, type ServiceAddress } from "./connection.ts";
import { type LoadedConfiguration, loadConfiguration } from "./load-configuration.ts";
import type { StateOptions } from "./options.ts";
import { learnState } from "./personal-data.ts";
import { resolvePath } from "./read-configuration.ts";
import { locked } from "./records.ts";
import { assertStatePlace, statePath } from "./state-place.ts";
import type { Terminal } from "./terminal.ts";

/** An open configuration, state and service: what every command that plans or changes something works with. */
export interface Session {
  readonly loaded: LoadedConfiguration;
  readonly store: StateStore;
  readonly open: OpenState;
  readonly ports: RunPorts;
  readonly diagnostics: readonly Diagnostic[];
}

const DEFAULT_SETTLE_MS = { answered: 10_000, unanswered: 60_000 };

export interface SessionOptions {
  /** What somebody who waits for the lock is told. */
  readonly operation: string;
  /** False for what may store nothing. */
  readonly persists?: boolean;
  /** False: nothing of the configuration is run, and the service's address and key come from the environment alone. */
  readonly trusted?: boolean;
  /** The state that is there, or a new one as a saved plan has begun it. */
  readonly begin?: (open: OpenState) => OpenState;
}

/**
 * Opens a session, gives it to `work`, and closes it, whatever happens. Throws `DiagnosticsError` before `work` when
 * something needed is missing.
 */
export async function withSession<T>(
  terminal: Terminal,
  options: StateOptions,
  { operation, persists = true, trusted = true, begin = (open) => open }: SessionOptions,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { value: loaded, diagnostics } = await loadConfiguration(terminal, options);
  if (hasErrors(diagnostics)) throw new DiagnosticsError([...diagnostics, ...loaded.evaluate({ known: new Map(), instances: [] }).diagnostics]);
  const path = statePath(terminal, options, loaded);
  await assertStatePlace(terminal, path);
  const store = localStore(path, terminal);
  return locked(terminal, { store, options, operation }, async () => {
    const open = begin(await readState(store, terminal.random, terminal.stop, { setsAside: persists }));
    learnState(terminal, open.document);
    const service = await openService(terminal, loaded, { trusted });
    const caller = callerOptions(terminal, service);
    const lost = open.version === null ? await lostState(terminal, path) : [];
    try {
      return await work({ loaded, store, open, diagnostics: [...diagnostics, ...lost], ports: runPorts(terminal, { loaded, service, caller }) });
    } finally {
      caller.transport.close();
    }
  });
}

/** A state that was there once is rarely meant to begin anew: unsubscriptions would be sent again. */
async function lostState({ files, folder }: Terminal, path: string): Promise<readonly Diagnostic[]> {
  const backup = `${path}.backup`;
  if ((await files.kind(resolvePath(folder, backup))) !== "file") return [];
  return [
    {
      code: "state_lost",
      severity: "warning",
      summary: "There is no state, but a backup of one",
      detail: `${path} is not there, so nothing counts as managed or sent; ${backup} holds what it was before its last change.`,
      hint: `To go on from there: outreach state push ${shellWord(backup)}`,
    },
  ];
}

interface PortInputs {
  readonly loaded: LoadedConfiguration;
  readonly service: ServiceAddress;
  readonly caller: CallerOptions;
}

function runPorts(terminal: Terminal, { loaded, service, caller }: PortInputs): RunPorts {
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
    settleMs: {
      answered: duration(terminal, "OUTREACH_SETTLE", DEFAULT_SETTLE_MS.answered),
      unanswered: duration(terminal, "OUTREACH_SETTLE", DEFAULT_SETTLE_MS.unanswered),
    },
    waiting: (durationMs) => terminal.err(`Waiting ${durationText(durationMs)}: what was sent last may not be in the service's list before.\n`),
    signal: terminal.stop,
  };
}
