import type { MachinePorts, ProcessIdentity, Random } from "../../../src/core/model/ports.ts";
import type { StateDocument } from "../../../src/core/state/document.ts";
import type { Intent, JournalEvent } from "../../../src/core/state/journal-event.ts";
import type { LockHolder, StorePorts } from "../../../src/core/state/state-store.ts";
import { nodeWeb } from "../../../src/service/api/node-web.ts";
import { recorded } from "../toy.ts";

export const NEVER = new AbortController().signal;

export const HOLDER: LockHolder = {
  operation: "apply",
  who: "ada",
  host: "here",
  bootId: "boot-1",
  pidNamespace: "pid:[1]",
  pid: 10,
  startedAt: "100",
  since: "2026-01-01T00:00:00.000Z",
};

/** This process; the processes of `alive`, written PID/START, run as well. */
export function processOf(alive: readonly string[] = ["10/100"], more: Partial<ProcessIdentity> = {}): ProcessIdentity {
  return {
    who: "ada",
    host: "here",
    bootId: "boot-1",
    pidNamespace: "pid:[1]",
    pid: 10,
    startedAt: "100",
    isAlive: (pid, startedAt) => Promise.resolve(alive.includes(`${String(pid)}/${startedAt}`)),
    ...more,
  };
}

/** The ports of a store; secrets are those of `environment`. */
export function storePorts(local: MachinePorts, environment: StorePorts["environment"] = {}): StorePorts {
  const web = nodeWeb(local.clock, { environment: {}, hide: () => undefined });
  return {
    ...local,
    environment,
    web: () => Promise.resolve(web),
    reveal: (source) => {
      if (source.kind === "value") return Promise.resolve(source.value);
      return source.kind === "env"
        ? Promise.resolve(environment[source.name] ?? "")
        : Promise.reject(new Error(`no ${source.kind} here`));
    },
    hide: () => undefined,
    timeoutMs: 30_000,
  };
}

export function countingRandom(): Random {
  let count = 0;
  return { uuid: () => `uuid-${String(++count)}`, bytes: (length) => new Uint8Array(length).fill(7) };
}

export function document(more: Partial<StateDocument> = {}): StateDocument {
  return {
    format: 1,
    lineage: "line",
    serial: 3,
    salt: "0707",
    planKey: "07".repeat(32),
    service: { baseUrl: "https://toys.example/api", keyFingerprint: "ff" },
    instances: [recorded("ball")],
    outputs: [],
    lostCreates: [],
    pending: [],
    journalSeq: 10,
    ...more,
  };
}

export function intent(seq: number, more: Partial<Intent> = {}): JournalEvent & { readonly kind: "intent" } {
  return {
    seq,
    kind: "intent",
    op: "create",
    address: "toy_thing.kite",
    type: "toy_thing",
    provider: "toy",
    id: null,
    key: { name: "kite", room: null },
    planned: { name: "kite" },
    listed: null,
    sentAtMs: 0,
    serverDate: "",
    ...more,
  };
}
