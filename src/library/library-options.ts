import type { Clock, FileSystem } from "../core/model/ports.ts";
import type { Progress } from "../core/apply/run/progress.ts";
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
  /** Called while the operation works. What it throws ends the operation. */
  readonly onProgress?: (event: ProgressEvent) => void;
  /** Aborted: requests in flight are finished, everything is stored, and the result is `interrupted`. */
  readonly signal?: AbortSignal;
}

/** What a plan is about. By default everything. */
export interface PlanOptions extends Options {
  /** Only these addresses, as in `outreach_webhook.crm-replies`, all instances of these blocks, or what these patterns match: `*` stands for any text. */
  readonly targets?: readonly string[];
  /** Everything but these addresses, blocks or patterns. */
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
  readonly allow?: readonly Guard[];
}

/** A guard against likely mistakes: see "How a plan decides". */
export type Guard =
  | "deletes"
  | "replaces"
  | "recreate"
  | "unsubscribes"
  | "campaign-change"
  | "shrink"
  | "service-change"
  | "local-state";
