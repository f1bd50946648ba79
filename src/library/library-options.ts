import type { GuardName } from "../operations/guards.ts";
import type { Clock, FileSystem } from "../core/model/ports.ts";
import type { Progress } from "../core/apply/run/progress.ts";
import type { PlannedResult } from "./results.ts";
import type { RunEvent } from "../operations/run-event.ts";

/** The path of a configuration as `outreach -c` takes it, or the content of a YAML configuration as an object. */
export type ConfigurationInput = string | { readonly [section: string]: unknown };

/** What an operation says while it works: waits, log lines at the level of `OUTREACH_LOG`, and the start and end of each step of an apply. */
export type ProgressEvent = RunEvent | { readonly kind: "step"; readonly step: Progress };

/** Options of every operation. */
export interface Options {
  /** The folder that relative paths start from, with the state that has no configured place; by default the working folder of the process. */
  readonly folder?: string;
  /** The environment variables, with `OUTREACH_API_KEY` and `OUTREACH_BASE_URL`; by default those of the process. Nothing is written to them. */
  readonly environment?: { readonly [name: string]: string | undefined };
  /** Values of the configuration's variables, by name. They take precedence over the environment. */
  readonly variables?: { readonly [name: string]: string | number | boolean };
  /** The team of a configuration with several: an operation is about one. */
  readonly team?: string;
  /** The path or URL of the state, in place of the configured one. */
  readonly state?: string;
  /** Whether to lock the state; true by default. False is safe only if nothing else can run. */
  readonly lock?: boolean;
  /** How long to wait for the lock of another run, in milliseconds from 0, the default: then a held lock is an error. */
  readonly lockTimeoutMs?: number;
  /** The file system; by default that of the machine. */
  readonly files?: FileSystem;
  /** The time, and waiting; by default those of the machine. */
  readonly clock?: Clock;
  /** Called while the operation works. What it throws or rejects with ends the operation as an abort does, and is thrown. */
  readonly onProgress?: (event: ProgressEvent) => unknown;
  /** Aborted: requests in flight are finished, everything is stored, and the result is `interrupted`. */
  readonly signal?: AbortSignal;
}

/** What a plan is about. By default everything. */
export interface PlanOptions extends Options {
  /** At least one. Only these addresses, as in `outreach_webhook.crm-replies`, or all instances of these blocks. */
  readonly targets?: readonly string[];
  /** At least one. Everything but these addresses or blocks. */
  readonly excludes?: readonly string[];
  /** Replace these addresses even if nothing has changed. */
  readonly replace?: readonly string[];
  /** Only update the state from the service. */
  readonly refreshOnly?: boolean;
  /** Destroy everything that is managed. */
  readonly destroy?: boolean;
  /** Import identical unmanaged webhooks where the match is certain. */
  readonly adopt?: boolean;
  /** The guards that do not stop this plan, as the options `--allow-…` of the command. None by default. */
  readonly allow?: readonly GuardName[];
}

/** Options of `plan`. */
export interface PlanCallOptions extends PlanOptions {
  /** False: no secret is resolved and no command runs, for an untrusted configuration; true by default. */
  readonly secrets?: boolean;
}

/** Options of `apply`. */
export interface ApplyOptions extends PlanOptions {
  /** Sees the plan before anything is sent. Only true applies it, and only false declines it. */
  readonly decide?: (planned: PlannedResult) => boolean | Promise<boolean>;
}

/** Options of `applySaved`. */
export interface ApplySavedOptions extends Options {
  /** Whether the command runs that `state.encryption` takes the key of an encrypted plan from; false by default. */
  readonly runKeyCommand?: boolean;
}

/** Options of `drift`. */
export interface DriftOptions extends Options {
  /** Whether unmanaged webhooks are drift, too; false by default. */
  readonly failOnUnmanaged?: boolean;
}

/** Options of `startSandbox`. */
export interface SandboxOptions {
  /** A port from 1 to 65535; by default any free one. */
  readonly port?: number;
  /** The records at the start, as `outreach sandbox --seed` reads them; by default a small team with campaigns. */
  readonly seed?: object;
  /** The kind of service, as `outreach sandbox --profile` takes it. */
  readonly profile?: string;
  /** The hosts that receive events: this machine, the default, any host, or none. */
  readonly deliver?: "any" | "loopback" | "none";
}
