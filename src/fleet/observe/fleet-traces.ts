import { DiagnosticsError } from "../../core/model/diagnostic.ts";
import { parseUrl } from "../../core/model/parse-url.ts";
import type { FleetTraces, TraceOptions } from "./traced-run.ts";

const NO_TRACES: FleetTraces = { runEnded: () => undefined, close: () => Promise.resolve() };

/** Sends a span for each run to the endpoint that the environment names. Without one, OpenTelemetry is not even loaded. */
export async function openTraces(options: TraceOptions): Promise<FleetTraces> {
  const { environment, log } = options;
  if (!isWanted(environment)) return NO_TRACES;
  for (const name of ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"])
    assertUrl(name, environment[name] ?? "");
  const protocol =
    environment["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"] ?? environment["OTEL_EXPORTER_OTLP_PROTOCOL"] ?? "";
  if (protocol === "grpc")
    log(
      "warn",
      "traces",
      "Traces are sent as JSON over HTTP, not over gRPC: give the endpoint of your collector for HTTP, usually port 4318.",
    );
  const { openOtlpTraces } = await import("./otlp-traces.ts");
  return openOtlpTraces(options);
}

/** OpenTelemetry would send nothing, and log it to nobody. */
function assertUrl(name: string, text: string): void {
  if (text === "" || /^https?:$/.test(parseUrl(text)?.protocol ?? "")) return;
  throw new DiagnosticsError([
    {
      code: "setting_invalid",
      severity: "error",
      summary: "Invalid setting",
      detail: `${name} is not an http or https URL.`,
      hint: `Set it to the address of your collector for OTLP over HTTP, as in ${name}=http://127.0.0.1:4318`,
    },
  ]);
}

function isWanted(environment: TraceOptions["environment"]): boolean {
  const isSet = (name: string): boolean => (environment[name] ?? "") !== "";
  if (environment["OTEL_SDK_DISABLED"]?.toLowerCase() === "true" || environment["OTEL_TRACES_EXPORTER"] === "none")
    return false;
  return isSet("OTEL_EXPORTER_OTLP_ENDPOINT") || isSet("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
}
