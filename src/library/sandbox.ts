import { randomFraction } from "../core/model/random-fraction.ts";
import { nodeClock } from "../platform/node-clock.ts";
import { nodeRandom } from "../platform/node-random.ts";
import { parseProfile } from "../sandbox/profiles.ts";
import { parseSandboxSeed } from "../sandbox/seed.ts";
import { startSandbox as startServer } from "../sandbox/server.ts";
import { SANDBOX_ACCEPTS, checkOptions } from "./check-input.ts";
import type { Problem } from "./json-value.ts";
import type { SandboxOptions } from "./library-options.ts";

/** A running local copy of the service. */
export interface Sandbox {
  /** The base URL, for `OUTREACH_BASE_URL`. */
  readonly baseUrl: string;
  /** A key that is valid for this sandbox alone, for `OUTREACH_API_KEY`. */
  readonly apiKey: string;
  /** The live webhooks of all teams, including what the service never returns. */
  webhooks(): readonly SandboxWebhook[];
  /** The requests so far, oldest first. `status` is null where none was sent. */
  requests(): readonly { readonly method: string; readonly path: string; readonly status: number | null }[];
  /** The records and settings of the start again. */
  reset(): void;
  /** Ends all connections, and frees the port. */
  close(): Promise<void>;
}

export interface SandboxWebhook {
  readonly id: string;
  readonly targetUrl: string;
  readonly type: string | null;
  readonly campaignId: string | null;
  readonly secret: string | null;
}

/** Starts a local copy of the service on 127.0.0.1, in this process. Throws for invalid options, and for a port in use. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const problems: Problem[] = [];
  const { port = 0, seed, profile, deliver } = checkOptions(options, SANDBOX_ACCEPTS, problems);
  if (problems.length > 0) throw new TypeError(problems.map(({ path, text }) => `${path} ${text}.`).join("\n"));
  const chosen = profile === undefined ? null : parseProfile(profile);
  const records = seed === undefined ? null : parseSandboxSeed(seed);
  const errors = [...(chosen?.errors ?? []), ...(records?.errors ?? [])];
  if (errors.length > 0) throw new TypeError(errors.join("\n"));
  const closed = new AbortController();
  const sandbox = await startServer({
    port,
    clock: { now: () => nodeClock.now(), sleep: (ms, signal) => nodeClock.sleep(ms, signal ?? closed.signal) },
    random: () => randomFraction(nodeRandom),
    ...chosen?.profile,
    ...(deliver === undefined ? {} : { delivery: { hosts: deliver } }),
    ...(records?.seed ? { seed: records.seed } : {}),
  });
  return {
    baseUrl: sandbox.baseUrl,
    apiKey: sandbox.keys.good,
    webhooks: () =>
      sandbox
        .webhooks()
        .map(({ _id: id, targetUrl, type, campaignId, secret }) => ({ id, targetUrl, type, campaignId, secret })),
    requests: () => sandbox.requests().map(({ method, path, status }) => ({ method, path, status })),
    reset: () => sandbox.reset(),
    close: async () => {
      closed.abort();
      await sandbox.close();
    },
  };
}
