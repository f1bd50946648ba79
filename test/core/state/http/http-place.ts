import { afterEach, expect } from "vitest";
import type { Diagnostic, DiagnosticsError } from "../../../../src/core/model/diagnostic.ts";
import { chooseStore } from "../../../../src/core/state/backends.ts";
import { encodeState } from "../../../../src/core/state/document.ts";
import type { StateSettings } from "../../../../src/core/state/backend.ts";
import type { StateStore } from "../../../../src/core/state/state-store.ts";
import { nodeClock } from "../../../../src/platform/node-clock.ts";
import { virtualClock } from "../../virtual-clock.ts";
import { type Dialect, type HttpStateServer, SERVER_PASSWORD, startHttpStateServer } from "./http-state-server.ts";
import { memoryFiles } from "../memory-files.ts";
import { document, processOf, storePorts } from "../state-fixtures.ts";

export const DIALECTS = ["plain", "gitlab"] as const satisfies readonly Dialect[];
/** State documents with serials that grow. */
export const [ONE, TWO, THREE] = [1, 2, 3].map((serial) => encodeState(document({ serial, instances: [] }))) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
];
export interface HttpPlace {
  readonly server: HttpStateServer;
  readonly clock: ReturnType<typeof virtualClock>;
  open(settings?: StateSettings): Promise<StateStore>;
}

type PlaceOptions = NonNullable<Parameters<typeof startHttpStateServer>[1]> & { readonly timeoutMs?: number };

/** Servers, each with stores as those of several processes. Waits take no time. The servers end with the test, which fails if a store broke the protocol. */
export function useHttpPlaces(): (dialect: Dialect, options?: PlaceOptions) => Promise<HttpPlace> {
  const servers: HttpStateServer[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) {
      await server.close();
      if (server.violations.length > 0) throw new Error(`against the protocol: ${server.violations.join("; ")}`);
    }
  });
  return async (dialect, { timeoutMs = 30_000, ...options } = {}) => {
    const server = await startHttpStateServer(dialect, options);
    servers.push(server);
    const clock = virtualClock();
    const real = storePorts(
      { files: memoryFiles(), clock: nodeClock, random, process: processOf() },
      { PASSWORD: SERVER_PASSWORD },
    );
    const open = async (settings: StateSettings = {}): Promise<StateStore> => {
      const { value, diagnostics } = chooseStore(
        { backend: "http", settings: { ...server.settings(), password: { env: "PASSWORD" }, ...settings } },
        {},
      );
      return (await value?.({ ...real, clock, timeoutMs })) ?? expect.fail(JSON.stringify(diagnostics));
    };
    return { server, clock, open };
  };
}

let uuids = 0;
const random = { uuid: () => `uuid-${String(++uuids)}`, bytes: (length: number) => new Uint8Array(length) };

/** The diagnostics of a failure, which name no secret. */
export async function failureOf(work: Promise<unknown>): Promise<readonly Diagnostic[]> {
  const error = await work.then(
    () => expect.fail("it succeeded"),
    (reason: unknown) => reason as DiagnosticsError,
  );
  expect(JSON.stringify(error.diagnostics ?? String(error))).not.toContain(SERVER_PASSWORD);
  return error.diagnostics ?? expect.fail(`not a diagnostic: ${String(error)}`);
}

export async function codesOf(work: Promise<unknown>): Promise<readonly string[]> {
  return (await failureOf(work)).map(({ code }) => code);
}
