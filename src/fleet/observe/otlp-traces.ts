import { SpanStatusCode } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from "@opentelemetry/sdk-trace-base";
import { withinTime } from "../../core/model/async.ts";
import { errorText } from "../../core/model/diagnostic.ts";
import type { FleetLog } from "./fleet-log.ts";
import type { FleetTraces, TraceOptions, TracedRun } from "./traced-run.ts";

const CLOSE_TIMEOUT_MS = 2000;
/** With its retries. By default it may take 10 seconds, which a process that ends would wait for. */
const EXPORT_TIMEOUT_MS = 2000;

/** Traces over OTLP, set up by the environment of the process. */
export function openOtlpTraces({ environment, version, clock, log }: TraceOptions): FleetTraces {
  const exporter = reporting(
    new OTLPTraceExporter(hasTimeout(environment) ? {} : { timeoutMillis: EXPORT_TIMEOUT_MS }),
    log,
  );
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
      const sent = provider.shutdown().catch(() => undefined);
      await withinTime(sent, CLOSE_TIMEOUT_MS, clock, () => undefined);
    },
  };
}

function hasTimeout(environment: TraceOptions["environment"]): boolean {
  return ["OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "OTEL_EXPORTER_OTLP_TIMEOUT"].some(
    (name) => (environment[name] ?? "") !== "",
  );
}

function attributesOf({ id, team, trigger, outcome, counts, drifted, requests, commit }: TracedRun): {
  readonly [name: string]: string | number;
} {
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

interface ReportingExporter extends SpanExporter {
  /** Whether the last traces could not be sent. */
  isAway(): boolean;
}

/** An exporter that warns once when the endpoint goes away, and says when it is back. */
function reporting(exporter: SpanExporter, log: FleetLog): ReportingExporter {
  let isAway = false;
  return {
    isAway: () => isAway,
    export: (spans, done) =>
      exporter.export(spans, ({ error }) => {
        const failed = error !== undefined;
        if (failed && !isAway)
          log("warn", "traces", `Traces cannot be sent, and are dropped until they can: ${errorText(error)}`);
        if (!failed && isAway) log("info", "traces", "Traces can be sent again.");
        isAway = failed;
        done({ code: 0 });
      }),
    shutdown: () => exporter.shutdown(),
  };
}
