import type { Clock } from "../../core/model/ports.ts";
import type { Trigger } from "../fleet-store.ts";
import type { TeamResult } from "../team-work.ts";
import type { FleetLog } from "./fleet-log.ts";

export interface TraceOptions {
  /** The process's own: OpenTelemetry reads the rest of its settings there itself. */
  readonly environment: { readonly [name: string]: string | undefined };
  readonly version: string;
  readonly clock: Clock;
  readonly log: FleetLog;
}

/** A run that has ended. */
export interface TracedRun extends Pick<TeamResult, "outcome" | "counts" | "drifted" | "requests" | "messages"> {
  readonly id: string;
  readonly team: string;
  readonly trigger: Trigger;
  readonly beganMs: number;
  readonly endedMs: number;
  readonly commit: string | null;
}

/** Traces by OpenTelemetry. Nothing waits for them, and nothing fails with them. */
export interface FleetTraces {
  runEnded(run: TracedRun): void;
  /** Sends what is not sent yet, for at most two seconds. */
  close(): Promise<void>;
}
