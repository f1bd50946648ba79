import { type Diagnostic, DiagnosticsError } from "../../core/model/diagnostic.ts";
import type { StateStore } from "../../core/state/state-store.ts";

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
export function placedStore(store: StateStore, located: (diagnostic: Diagnostic) => Diagnostic): StateStore {
  const place = (error: unknown): never => {
    if (!(error instanceof DiagnosticsError) || !error.diagnostics.some(({ code }) => OF_SETTINGS.has(code))) throw error;
    const diagnostics = error.diagnostics.map((one) => (OF_SETTINGS.has(one.code) ? located(one) : one));
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
