import type { Clock } from "../../core/model/ports.ts";
import type { CommandOutput } from "../../core/secrets/command-output.ts";
import type { RunSecrets } from "../../core/secrets/run-secrets.ts";

/** The configuration is read every few seconds: a command that asks a database runs less often. */
const KEPT_MS = 60_000;

/** What commands have printed, for one run after the other: each runs at most once a minute. */
export function keptOutputs(clock: Clock): () => RunSecrets["printed"] {
  const kept = new Map<string, { readonly atMs: number; readonly output: Promise<CommandOutput> }>();
  return () => {
    for (const [key, { atMs }] of kept) if (clock.monotonicMs() - atMs >= KEPT_MS) kept.delete(key);
    return {
      get: (key) => kept.get(key)?.output,
      set: (key, output) => kept.set(key, { atMs: clock.monotonicMs(), output }),
    };
  };
}
