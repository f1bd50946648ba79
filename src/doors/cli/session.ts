import type { RunPorts } from "../../core/apply/run.ts";
import { type Diagnostic, DiagnosticsError, hasErrors } from "../../core/model/diagnostic.ts";
import { fingerprinter } from "../../core/secrets/fingerprint.ts";
import { localStore } from "../../core/state/local-store.ts";
import { type OpenState, pendingDiagnostics, readState } from "../../core/state/open-state.ts";
import type { StateStore } from "../../core/state/state-store.ts";
import type { CallerOptions } from "../../service/api/caller.ts";
import { readClient, reserveWrites } from "../../service/api/client.ts";
import type { Transport } from "../../service/api/transport.ts";
import { callerOptions, duration, openService, revealOnce, type ServiceAddress } from "./connection.ts";
import { type LoadedConfiguration, loadConfiguration } from "./load-configuration.ts";
import type { PlanOptions, StateOptions } from "./options.ts";
import { learnState } from "./personal-data.ts";
import { assertStatePlace, lockHolder, statePath } from "./state-place.ts";
import type { Terminal } from "./terminal.ts";

/** An open configuration, state and service: what every command that plans or changes something works with. */
export interface Session {
  readonly loaded: LoadedConfiguration;
  readonly store: StateStore;
  readonly open: OpenState;
  readonly ports: RunPorts;
  readonly diagnostics: readonly Diagnostic[];
}

const DEFAULT_SETTLE_MS = 10_000;

/**
 * Opens a session, gives it to `work`, and closes it, whatever happens. `operation` is what somebody who waits for the lock is told.
 * Throws `DiagnosticsError` before `work` when something needed is missing, and when an earlier write is undecided.
 */
export async function withSession<T>(
  terminal: Terminal,
  options: StateOptions & Partial<PlanOptions>,
  { operation, settles }: { readonly operation: string; /** The pending addresses that the command may go on with. */ readonly settles?: readonly string[] },
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { value: loaded, diagnostics } = await loadConfiguration(terminal, options);
  if (hasErrors(diagnostics)) throw new DiagnosticsError([...diagnostics, ...loaded.evaluate({ known: new Map(), instances: [] }).diagnostics]);
  const path = statePath(terminal, options, loaded);
  await assertStatePlace(terminal, path);
  const store = localStore(path, terminal);
  const lock = options.lock ? await store.lock(lockHolder(terminal, operation), options.lockTimeout, terminal.stop) : null;
  let transport: Transport | null = null;
  try {
    const open = await readState(store, terminal.random, terminal.stop);
    learnState(terminal, open.document);
    const blocking = open.pending.filter(({ intent }) => intent.address === null || !settles?.includes(intent.address));
    if (blocking.length > 0) throw new DiagnosticsError(blocked(open), { undecided: true });
    const service = await openService(terminal, loaded);
    const caller = callerOptions(terminal, service);
    transport = caller.transport;
    return await work({ loaded, store, open, diagnostics, ports: runPorts(terminal, { options, loaded, service, caller }) });
  } finally {
    transport?.close();
    await lock?.release();
  }
}

interface PortInputs {
  readonly options: Partial<PlanOptions>;
  readonly loaded: LoadedConfiguration;
  readonly service: ServiceAddress;
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

function blocked({ pending }: OpenState): readonly Diagnostic[] {
  return pendingDiagnostics(pending, "Nothing was sent in this run.").map((diagnostic, index) => {
    const intent = pending[index]?.intent;
    const address = intent?.address ?? "ADDR";
    const hint = [
      "Look for it with: outreach get webhooks",
      ...(intent?.op === "create" || pending[index]?.deleted ? [`If it is there, take it over:   outreach import '${address}' ID`] : []),
      `Otherwise have it tried again:  outreach resolve '${address}' --retry`,
    ];
    return { ...diagnostic, hint: hint.join("\n") };
  });
}
