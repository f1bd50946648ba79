import { createHmac } from "node:crypto";
import type { ProcessIdentity } from "../../core/model/ports.ts";
import type { Fingerprinter } from "../../core/secrets/fingerprint.ts";
import { keptConnections } from "../../core/state/pg/pg-connections.ts";
import type { Masks, OperationContext, Ports } from "../../operations/context.ts";
import { stackOf } from "../../operations/known-failure.ts";
import { nodeExchange } from "../../service/api/node-exchange.ts";
import type { Proxy } from "../../service/api/proxy.ts";
import type { Web } from "../../core/model/web.ts";
import type { RunEvent } from "../../operations/run-event.ts";

/** What runs of teams use of their process. */
export interface TeamContext extends OperationContext {
  /** Masks that know nothing yet: each run has its own, which end with it. */
  newMasks(): Masks;
  /** Prints a message for people. */
  err(text: string): void;
  /** Makes the process use less memory from now on, and a little more time. */
  readonly saveMemory?: () => void;
}

/** What all runs of this process share. Nothing of it holds a secret of a team. */
export interface SharedByRuns {
  readonly fingerprinter: Fingerprinter;
  readonly process: ProcessIdentity;
  readonly pacers: NonNullable<Ports["pacers"]>;
  readonly pgConnections: NonNullable<Ports["pgConnections"]>;
  readonly openTransport: NonNullable<Ports["openTransport"]>;
}

const KEY_BYTES = 32;
/** Keys are rotated: one that was not used for long needs no pacer any more. */
const MAX_PACERS = 10_000;
/** The most connections to the service, for all teams. */
const MAX_SOCKETS = 256;

/** Opens what runs share, until the context ends. */
export function openShared(context: TeamContext): SharedByRuns {
  const pgConnections = keptConnections(context.clock, context.random.bytes(KEY_BYTES));
  const transports = new Map<string, Web>();
  context.atEnd(() => {
    for (const transport of transports.values()) transport.close();
    return pgConnections.close();
  });
  return {
    fingerprinter: keptFingerprints(context.fingerprinter, context.random.bytes(KEY_BYTES)),
    // Each read of it asks the system.
    process: { ...context.process },
    pgConnections,
    pacers: recentlyUsed(MAX_PACERS),
    openTransport: (proxy: Proxy | null) => {
      const name = proxy?.url.href ?? "";
      const transport = transports.get(name) ?? nodeExchange(context.clock, { proxy, maxSockets: MAX_SOCKETS });
      transports.set(name, transport);
      return transport;
    },
  };
}

/** One run of a team. */
export interface TeamRun {
  readonly context: OperationContext;
  /** How many requests were sent to the service. */
  readonly requests: () => number;
  /** Masks secrets and emails, also those that nobody has declared: others may store the text. */
  readonly masked: (text: string) => string;
  /** Prints the stack of a bug. */
  readonly printStack: (error: unknown) => void;
}

/** Gives `work` a context of its own: masks, connections and listeners end with it. */
export async function withTeamRun<T>(
  context: TeamContext,
  {
    shared,
    team,
    signal,
  }: { readonly shared: SharedByRuns; readonly team: string | null; readonly signal: AbortSignal },
  work: (run: TeamRun) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  // The signal may live as long as the process: nothing of a run may stay with it.
  const stop = new AbortController();
  const abort = (): void => stop.abort(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  const closing: (() => Promise<void>)[] = [];
  const masks = context.newMasks();
  const { personal, redactor } = masks;
  const shown = (text: string): string => personal.mask(redactor.redact(text));
  let requests = 0;
  const own: TeamRun["context"] = {
    ...context,
    ...shared,
    ...masks,
    given: team === null ? context.given : `${context.given}--team ${team} `,
    openTransport: (proxy) => countRequests(shared.openTransport(proxy), () => void requests++),
    notify: (event) => context.notify(maskedEvent(event, shown)),
    stop: stop.signal,
    atEnd: (close) => void closing.push(close),
  };
  try {
    return await work({
      context: own,
      requests: () => requests,
      masked: (text) => personal.maskLine(redactor.redact(text)),
      printStack: (error) => context.err(`${shown(stackOf(error))}\n`),
    });
  } finally {
    await Promise.all(closing.map((close) => close()));
    signal.removeEventListener("abort", abort);
  }
}

function maskedEvent(event: RunEvent, shown: (text: string) => string): RunEvent {
  switch (event.kind) {
    case "waiting-for-lock":
      return { ...event, state: shown(event.state), holder: shown(event.holder) };
    case "waiting-for-list":
      return event;
    case "log":
      return { ...event, text: shown(event.text) };
  }
}

/** A transport that counts its requests, and stays open for others. */
function countRequests({ send }: Web, count: () => void): Web {
  return {
    send: (request, signal) => {
      count();
      return send(request, signal);
    },
    close: () => undefined,
  };
}

/** The most fingerprints that a process keeps: about 20 MB. */
const MAX_FINGERPRINTS = 100_000;

/**
 * Fingerprints that a process which runs for long computes once. It keeps no secret: only fingerprints, by digests under `key`, random
 * bytes that nobody else knows.
 */
export function keptFingerprints(fingerprinter: Fingerprinter, key: Uint8Array): Fingerprinter {
  const kept = recentlyUsed<Promise<string>>(MAX_FINGERPRINTS);
  return (salt) => (secret) => {
    const name = createHmac("sha256", key)
      .update(JSON.stringify([salt, secret]))
      .digest("base64");
    const before = kept.get(name);
    if (before) return before;
    const fingerprint = fingerprinter(salt)(secret);
    kept.set(name, fingerprint);
    // What failed is tried again.
    fingerprint.catch(() => kept.delete(name));
    return fingerprint;
  };
}

/** A map that forgets: beyond `max` entries, the one that was not used for the longest time goes first. */
export function recentlyUsed<T>(
  max: number,
): Pick<Map<string, T>, "delete" | "get"> & { set(name: string, value: T): void } {
  const entries = new Map<string, T>();
  const set = (name: string, value: T): void => {
    entries.delete(name);
    entries.set(name, value);
    const [oldest] = entries.keys();
    if (entries.size > max && oldest !== undefined) entries.delete(oldest);
  };
  return {
    set,
    get: (name) => {
      const value = entries.get(name);
      if (value !== undefined) set(name, value);
      return value;
    },
    delete: (name) => entries.delete(name),
  };
}
