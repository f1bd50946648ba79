import type { FleetTraces, TraceOptions } from "./traced-run.ts";

const NO_TRACES: FleetTraces = { runEnded: () => undefined, close: () => Promise.resolve() };

/** Sends a span for each run to the endpoint that the environment names. Without one, OpenTelemetry is not even loaded. */
export async function openTraces(options: TraceOptions): Promise<FleetTraces> {
  const { environment, log } = options;
  if (!isWanted(environment)) return NO_TRACES;
  const protocol = environment["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"] ?? environment["OTEL_EXPORTER_OTLP_PROTOCOL"] ?? "";
  if (protocol === "grpc")
    log("warn", "traces", "Traces are sent as JSON over HTTP, not over gRPC: give the endpoint of your collector for HTTP, usually port 4318.");
  const { openOtlpTraces } = await import("./otlp-traces.ts");
  return openOtlpTraces(options);
}

function isWanted(environment: TraceOptions["environment"]): boolean {
  const isSet = (name: string): boolean => (environment[name] ?? "") !== "";
  if (environment["OTEL_SDK_DISABLED"]?.toLowerCase() === "true" || environment["OTEL_TRACES_EXPORTER"] === "none") return false;
  return isSet("OTEL_EXPORTER_OTLP_ENDPOINT") || isSet("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
}
