import type { SpanExporter } from "@opentelemetry/sdk-trace-base";
import { errorText } from "../../core/model/diagnostic.ts";
import type { Clock } from "../../core/model/ports.ts";
import type { Trigger } from "../fleet-store.ts";
import type { TeamResult } from "../team-work.ts";
import type { FleetLog } from "./log.ts";

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
  /** Sends what is not sent yet, for at most three seconds. */
  close(): Promise<void>;
}

export interface TraceOptions {
  /** The process's own: OpenTelemetry reads the rest of its settings there itself. */
  readonly environment: { readonly [name: string]: string | undefined };
  readonly version: string;
  readonly clock: Clock;
  readonly log: FleetLog;
}

const CLOSE_TIMEOUT_MS = 3000;
const NO_TRACES: FleetTraces = { runEnded: () => undefined, close: () => Promise.resolve() };

/** Sends a span for each run to the endpoint that the environment names. Without one, OpenTelemetry is not even loaded. */
export async function openTraces({ environment, version, clock, log }: TraceOptions): Promise<FleetTraces> {
  if (!isWanted(environment)) return NO_TRACES;
  const protocol = environment["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"] ?? environment["OTEL_EXPORTER_OTLP_PROTOCOL"] ?? "";
  if (protocol === "grpc")
    log("warn", "traces", "Traces are sent as JSON over HTTP, not over gRPC: give the endpoint of your collector for HTTP, usually port 4318.");
  const [{ SpanStatusCode }, { BasicTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }, { detectResources, envDetector, resourceFromAttributes }] =
    await Promise.all([
      import("@opentelemetry/api"),
      import("@opentelemetry/sdk-trace-base"),
      import("@opentelemetry/exporter-trace-otlp-http"),
      import("@opentelemetry/resources"),
    ]);
  const exporter = patient(new OTLPTraceExporter(), log);
  const own = resourceFromAttributes({ "service.name": "outreach-controller", "service.version": version });
  const provider = new BasicTracerProvider({
    resource: own.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  const tracer = provider.getTracer("outreach", version);
  return {
    runEnded: (run) => {
      const span = tracer.startSpan("reconcile", { startTime: run.beganMs, attributes: attributesOf(run) });
      if (run.outcome === "failed" || run.outcome === "undecided") {
        const message = run.messages.find(({ severity }) => severity === "error")?.summary ?? run.outcome;
        span.setStatus({ code: SpanStatusCode.ERROR, message });
      }
      span.end(run.endedMs);
    },
    close: async () => {
      // Its retries would keep the process alive.
      if (exporter.isAway()) return;
      const ended = new AbortController();
      const sent = provider.shutdown().catch(() => undefined);
      await Promise.race([sent, clock.sleep(CLOSE_TIMEOUT_MS, ended.signal).catch(() => undefined)]);
      ended.abort();
    },
  };
}

function isWanted(environment: TraceOptions["environment"]): boolean {
  const isSet = (name: string): boolean => (environment[name] ?? "") !== "";
  if (environment["OTEL_SDK_DISABLED"]?.toLowerCase() === "true" || environment["OTEL_TRACES_EXPORTER"] === "none") return false;
  return isSet("OTEL_EXPORTER_OTLP_ENDPOINT") || isSet("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
}

function attributesOf({ id, team, trigger, outcome, counts, drifted, requests, commit }: TracedRun): { readonly [name: string]: string | number } {
  return {
    "outreach.team": team,
    "outreach.run": id,
    "outreach.trigger": trigger,
    "outreach.outcome": outcome,
    ...Object.fromEntries(Object.entries(counts).map(([kind, count]) => [`outreach.count.${kind}`, count])),
    "outreach.drifted_objects": drifted,
    "outreach.requests": requests,
    ...(commit === null ? {} : { "outreach.commit": commit }),
  };
}

interface PatientExporter extends SpanExporter {
  /** Whether the last traces could not be sent. */
  isAway(): boolean;
}

/** An exporter that warns once when the endpoint goes away, and says when it is back. */
function patient(exporter: SpanExporter, log: FleetLog): PatientExporter {
  let isAway = false;
  return {
    isAway: () => isAway,
    export: (spans, done) =>
      exporter.export(spans, ({ error }) => {
        const failed = error !== undefined;
        if (failed && !isAway) log("warn", "traces", `Traces cannot be sent, and are dropped until they can: ${errorText(error)}`);
        if (!failed && isAway) log("info", "traces", "Traces can be sent again.");
        isAway = failed;
        done({ code: 0 });
      }),
    shutdown: () => exporter.shutdown(),
  };
}
