import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type EventStore, type OutreachEvent, eventHandler, memoryStore } from "../../src/service/receiver/index.ts";

/** A receiver that accepts two secrets, as during a rotation, and what it got. */
export interface RotatingReceiver {
  readonly url: string;
  /** The events that were handled, each once, in the order of their arrival. */
  readonly handled: readonly OutreachEvent[];
  /** The events that arrived again, once for each time. */
  readonly duplicates: readonly string[];
  /** Deliveries that failed: with a secret that is not accepted, or for any other reason. */
  readonly failures: readonly unknown[];
  close(): void;
}

export async function startRotatingReceiver(secrets: readonly [string, string]): Promise<RotatingReceiver> {
  const handled: OutreachEvent[] = [];
  const duplicates: string[] = [];
  const failures: unknown[] = [];
  const fail = (error: unknown): void => void failures.push(error);
  const onEvent = (event: OutreachEvent): void => void handled.push(event);
  const handler = eventHandler({
    secrets,
    onEvent,
    name: "crm",
    store: noting(duplicates),
    onError: fail,
    onRejected: fail,
  });
  const server = createServer((request, response) => void handler(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/hooks`,
    handled,
    duplicates,
    failures,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The store of the library, which also notes the keys that it has seen before. */
function noting(duplicates: string[]): EventStore {
  const store = memoryStore();
  return {
    ...store,
    claim: async (key, token) => {
      const claim = await store.claim(key, token);
      if (claim !== "claimed") duplicates.push(key);
      return claim;
    },
  };
}
