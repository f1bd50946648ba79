import type { ProcessIdentity } from "../../../core/model/ports.ts";
import { recentlyUsed } from "../../../core/model/recently-used.ts";
import type { Fingerprinter } from "../../../core/secrets/fingerprint.ts";
import { keptFingerprints } from "../../../core/secrets/kept-fingerprints.ts";
import { keptConnections } from "../../../core/state/pg/pg-connections.ts";
import { nodeTransport } from "../../../service/api/node-transport.ts";
import type { Proxy } from "../../../service/api/proxy.ts";
import type { Transport } from "../../../service/api/transport.ts";
import type { Environment } from "../../../operations/context.ts";
import type { CommandContext } from "../command-context.ts";
import { quietContext } from "../screen/quiet-context.ts";

/** What all runs of this process share. Nothing of it holds a secret of a team. */
export interface SharedByRuns {
  readonly fingerprinter: Fingerprinter;
  readonly process: ProcessIdentity;
  readonly pacers: NonNullable<Environment["pacers"]>;
  readonly pgConnections: NonNullable<Environment["pgConnections"]>;
  readonly openTransport: NonNullable<Environment["openTransport"]>;
}

const KEY_BYTES = 32;
/** Keys are rotated: one that was not used for long needs no pacer any more. */
const MAX_PACERS = 10_000;
/** With one service, for all teams. */
const MAX_SOCKETS = 256;

/** Closed when the command ends. */
export function openShared(context: CommandContext): SharedByRuns {
  const pgConnections = keptConnections(context.clock, context.random.bytes(KEY_BYTES));
  const transports = new Map<string, Transport>();
  context.atEnd(() => {
    for (const transport of transports.values()) transport.close();
    return pgConnections.close();
  });
  return {
    fingerprinter: keptFingerprints(context.fingerprinter, context.random.bytes(KEY_BYTES)),
    // Each look at it asks the system.
    process: { ...context.process },
    pgConnections,
    pacers: recentlyUsed(MAX_PACERS),
    openTransport: (proxy: Proxy | null) => {
      const name = proxy?.url.href ?? "";
      const transport = transports.get(name) ?? nodeTransport(context.clock, proxy, MAX_SOCKETS);
      transports.set(name, transport);
      return transport;
    },
  };
}

/** One run of a team. */
export interface Run {
  readonly context: CommandContext;
  /** How many requests were sent to the service. */
  readonly requests: () => number;
  /** Masks secrets and emails, also those that nobody has declared: others may store the text. */
  readonly masked: (text: string) => string;
}

/** Gives `work` a context of its own: masks, connections and listeners end with it. */
export async function withRun<T>(
  context: CommandContext,
  { shared, team, signal }: { readonly shared: SharedByRuns; readonly team: string | null; readonly signal: AbortSignal },
  work: (run: Run) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  // The signal may live as long as the process: nothing of a run may stay with it.
  const stop = new AbortController();
  const abort = (): void => stop.abort(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  const closing: (() => Promise<void>)[] = [];
  const quiet = quietContext(context, { signal: stop.signal, atEnd: (close) => void closing.push(close) });
  const { personal, redactor } = quiet;
  let requests = 0;
  const own: CommandContext = {
    ...quiet,
    ...shared,
    given: team === null ? context.given : `${context.given}--team ${team} `,
    openTransport: (proxy) => counted(shared.openTransport(proxy), () => void requests++),
  };
  try {
    return await work({
      context: own,
      requests: () => requests,
      masked: (text) => personal.maskLine(redactor.redact(text)),
    });
  } finally {
    await Promise.all(closing.map((close) => close()));
    signal.removeEventListener("abort", abort);
  }
}

/** The same transport. It stays open for others. */
function counted({ send }: Transport, count: () => void): Transport {
  return {
    send: (request, signal) => {
      count();
      return send(request, signal);
    },
    close: () => undefined,
  };
}
