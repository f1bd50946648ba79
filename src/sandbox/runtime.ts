import type { SandboxChoicesChange } from "./choices.ts";
import { DEFAULT_SEED } from "./default-seed.ts";
import { Faults } from "./faults.ts";
import { sandboxKeys } from "./keys.ts";
import type { SandboxKeys } from "./keys.ts";
import type { ListProfile } from "./list-profile.ts";
import { RateLimiter } from "./rate-limit.ts";
import type { RateLimit } from "./rate-limit.ts";
import { RequestLog } from "./request-log.ts";
import type { LoggedRequest } from "./request-log.ts";
import type { SandboxSeed } from "./seed.ts";
import { changeSettings, DEFAULT_SETTINGS } from "./sandbox-settings.ts";
import type { Latency, SandboxSettings, SandboxSettingsChange } from "./sandbox-settings.ts";
import type { SandboxClock } from "./time.ts";
import { emptyWorld, loadSeed } from "./world.ts";
import type { World, WorldSource } from "./world.ts";

/** How a sandbox is started. What is not given is as `DEFAULT_SETTINGS` and `DEFAULT_SEED` have it. */
export type SandboxOptions = {
  readonly clock: SandboxClock;
  /** Numbers from 0 to less than 1: for latency, for the probability of faults, and for random ids. */
  readonly random: () => number;
  /** 0, the default, takes any free port. The sandbox listens on 127.0.0.1 only. */
  readonly port?: number;
  /** What the base address ends in; `/api` by default. */
  readonly basePath?: string;
  readonly seed?: SandboxSeed;
  /** These win over the seed's settings. */
  readonly choices?: SandboxChoicesChange;
  readonly profile?: Partial<ListProfile>;
  readonly rateLimit?: Partial<RateLimit> | null;
  readonly latency?: Latency;
  /** How many requests the log keeps; 50,000 by default. */
  readonly logLimit?: number;
  /** Called once for each request of the API when it has been answered, or will not be. */
  readonly onRequest?: (request: LoggedRequest) => void;
};

/** A sandbox's insides: what the frontends and the caller in the same process work on. */
export type Runtime = {
  readonly options: SandboxOptions;
  readonly basePath: string;
  readonly source: WorldSource;
  readonly log: RequestLog;
  readonly faults: Faults;
  /** Aborted when the sandbox closes. */
  readonly closing: AbortController;
  world: World;
  /** A key of each kind, as the seed has them: a user who is blocked later does not change them. */
  keys: SandboxKeys;
  /** The address without a path; empty until it listens. */
  url: string;
  settings: SandboxSettings;
  limiter: RateLimiter | null;
};

/** The insides of a sandbox with its seed loaded. Throws an error that names what is wrong with the seed. */
export function createRuntime(options: SandboxOptions): Runtime {
  const runtime: Runtime = {
    options,
    basePath: `/${(options.basePath ?? "/api").replace(/^\/+|\/+$/g, "")}`,
    source: { now: options.clock.now, random: options.random, ids: () => runtime.settings.choices.ids },
    log: new RequestLog(options.logLimit ?? 50_000),
    faults: new Faults(options.random),
    closing: new AbortController(),
    world: emptyWorld(),
    keys: sandboxKeys(emptyWorld()),
    url: "",
    settings: DEFAULT_SETTINGS,
    limiter: null,
  };
  const errors = reset(runtime);
  if (errors.length > 0) throw new Error(`The seed cannot be loaded: ${errors.join("; ")}`);
  return runtime;
}

/** Puts everything back to the start: records, settings, faults and the request log. */
export function reset(runtime: Runtime): readonly string[] {
  runtime.faults.clear();
  runtime.log.clear();
  return seedRuntime(runtime, runtime.options.seed ?? DEFAULT_SEED);
}

/** Replaces all records by a seed's, and the settings by the seed's and the options'; with any error nothing. */
export function seedRuntime(runtime: Runtime, seed: SandboxSeed): readonly string[] {
  const { choices, profile, rateLimit, latency } = runtime.options;
  const own: SandboxSettingsChange = {
    ...(choices === undefined ? {} : { choices }),
    ...(profile === undefined ? {} : { profile }),
    ...(rateLimit === undefined ? {} : { rateLimit }),
    ...(latency === undefined ? {} : { latency }),
  };
  const { world, errors } = loadSeed(seed, runtime.source, runtime.world);
  if (errors.length > 0) return errors;
  runtime.world = world;
  runtime.keys = sandboxKeys(world);
  replaceSettings(runtime, changeSettings(changeSettings(DEFAULT_SETTINGS, seed.settings ?? {}), own));
  return [];
}

/** Changes some settings. The rate limit's count starts anew only if the limit is among them. */
export function configure(runtime: Runtime, change: SandboxSettingsChange): void {
  const settings = changeSettings(runtime.settings, change);
  if (change.rateLimit === undefined) runtime.settings = settings;
  else replaceSettings(runtime, settings);
}

function replaceSettings(runtime: Runtime, settings: SandboxSettings): void {
  runtime.settings = settings;
  runtime.limiter = settings.rateLimit && new RateLimiter(settings.rateLimit);
}
