import { DEFAULT_SEED } from "./default-seed.ts";
import { Deliveries } from "./delivery/deliveries.ts";
import type { LoggedDelivery } from "./delivery/delivery-log.ts";
import { Faults } from "./faults.ts";
import { sandboxKeys } from "./authenticate.ts";
import type { SandboxKeys } from "./authenticate.ts";
import { RateLimiter } from "./rate-limit.ts";
import type { Collection, Records } from "./sandbox-records.ts";
import { RequestLog } from "./request-log.ts";
import type { LoggedRequest } from "./request-log.ts";
import type { SandboxSeed } from "./seed.ts";
import { DEFAULT_SETTINGS, SETTINGS_SCHEMA } from "./sandbox-settings.ts";
import type { SandboxSettings, SandboxSettingsChange } from "./sandbox-settings.ts";
import { changed } from "./schema.ts";
import type { SandboxClock } from "./sandbox-time.ts";
import { emptyWorld, loadSeed, removeRecord } from "./world.ts";
import type { World, WorldSource } from "./world.ts";

/** The options of a sandbox. The defaults are `DEFAULT_SETTINGS` and `DEFAULT_SEED`. The settings override those of the seed. */
export type SandboxOptions = SandboxSettingsChange & {
  readonly clock: SandboxClock;
  /** Numbers from 0 to less than 1, for latency, the probability of faults, and random ids. */
  readonly random: () => number;
  /** 0, the default, picks any free port. The sandbox listens on 127.0.0.1 only. */
  readonly port?: number;
  /** The end of the base address; `/api` by default. */
  readonly basePath?: string;
  readonly seed?: SandboxSeed;
  /** The number of requests that the log keeps; 50,000 by default. */
  readonly logLimit?: number;
  /** The number of finished deliveries that the log of deliveries keeps; 50,000 by default. */
  readonly deliveryLogLimit?: number;
  /** Called once for each API request, when it is answered or never will be. */
  readonly onRequest?: (request: LoggedRequest) => void;
  /**
   * Called after each attempt to deliver an event. Also called once for each webhook whose host is not allowed, and once when a full queue
   * begins to drop deliveries.
   */
  readonly onDelivery?: (delivery: LoggedDelivery) => void;
};

/** A sandbox's internals, shared by the API, the control API and the in-process `Sandbox`. */
export type Runtime = {
  readonly options: SandboxOptions;
  readonly basePath: string;
  readonly source: WorldSource;
  readonly log: RequestLog;
  readonly faults: Faults;
  readonly deliveries: Deliveries;
  /** Aborted when the sandbox closes. */
  readonly closing: AbortController;
  world: World;
  /** A key of each kind in the seed. Blocking a user later does not change them. */
  keys: SandboxKeys;
  /** The address without a path; empty until the server listens. */
  url: string;
  settings: SandboxSettings;
  limiter: RateLimiter | null;
};

/** Creates the internals and loads the seed. Throws an error that names the problems of the seed. */
export function createRuntime(options: SandboxOptions): Runtime {
  const runtime: Runtime = {
    options,
    basePath: `/${(options.basePath ?? "/api").replace(/^\/+|\/+$/g, "")}`,
    source: { now: options.clock.now, random: options.random, ids: () => runtime.settings.choices.ids },
    log: new RequestLog(options.logLimit ?? 50_000),
    faults: new Faults(options.random),
    deliveries: new Deliveries({
      clock: options.clock,
      world: () => runtime.world,
      settings: () => runtime.settings.delivery,
      logLimit: options.deliveryLogLimit ?? 50_000,
      ...(options.onDelivery ? { onDelivery: options.onDelivery } : {}),
    }),
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

/** Resets records, their ids, settings, faults, the request log and the deliveries to the start. */
export function reset(runtime: Runtime): readonly string[] {
  runtime.faults.clear();
  runtime.log.clear();
  const errors = seedRuntime(runtime, runtime.options.seed ?? DEFAULT_SEED, emptyWorld());
  runtime.deliveries.clearLog();
  return errors;
}

/**
 * Replaces all records and settings with the seed's, and cancels the deliveries under way; the options override the settings. Ids of the
 * world `before` are not used again. Replaces nothing on an error.
 */
export function seedRuntime(runtime: Runtime, seed: SandboxSeed, before = runtime.world): readonly string[] {
  const own: SandboxSettingsChange = Object.fromEntries(
    Object.entries(runtime.options).filter(([name]) => Object.hasOwn(DEFAULT_SETTINGS, name)),
  );
  const { world, errors } = loadSeed(seed, runtime.source, before);
  if (errors.length > 0) return errors;
  runtime.deliveries.reset();
  runtime.world = world;
  runtime.keys = sandboxKeys(world);
  replaceSettings(
    runtime,
    changed(changed(DEFAULT_SETTINGS, seed.settings ?? {}, SETTINGS_SCHEMA), own, SETTINGS_SCHEMA),
  );
  return [];
}

/** Changes some settings. The rate limit restarts its count only if the change contains it. */
export function configure(runtime: Runtime, change: SandboxSettingsChange): void {
  const settings = changed(runtime.settings, change, SETTINGS_SCHEMA);
  if (change.rateLimit === undefined) runtime.settings = settings;
  else replaceSettings(runtime, settings);
}

/** Removes a record, and cancels the deliveries of a webhook; null if it does not exist. */
export function remove<Name extends Collection>(runtime: Runtime, collection: Name, id: string): Records[Name] | null {
  const record = removeRecord(runtime.world, collection, id, runtime.source.now());
  if (record && collection === "webhooks") runtime.deliveries.cancel(id);
  return record;
}

function replaceSettings(runtime: Runtime, settings: SandboxSettings): void {
  runtime.settings = settings;
  runtime.limiter = settings.rateLimit && new RateLimiter(settings.rateLimit);
}
