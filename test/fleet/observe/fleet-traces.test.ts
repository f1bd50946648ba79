import { type IncomingHttpHeaders, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { openTraces } from "../../../src/fleet/observe/fleet-traces.ts";
import type { TracedRun } from "../../../src/fleet/observe/traced-run.ts";
import { nodeClock } from "../../../src/platform/node-clock.ts";
import { NOW_MS, NO_COUNTS } from "../page/fleet-double.ts";

interface Received {
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: { readonly resourceSpans: readonly ResourceSpans[] };
}

interface ResourceSpans {
  readonly resource: { readonly attributes: readonly Attribute[] };
  readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
}

interface Span {
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code: number; readonly message?: string };
}

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number };
}

const RUN: TracedRun = {
  id: "run-7",
  team: "acme",
  trigger: "approval",
  outcome: "applied",
  counts: { ...NO_COUNTS, add: 2 },
  drifted: 1,
  requests: 9,
  messages: [],
  beganMs: NOW_MS - 4000,
  endedMs: NOW_MS,
  commit: "0a1b2c",
};

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(closing.splice(0).map((close) => close()));
});

/** A collector that answers with a status. */
async function collector(
  status = 200,
  headers: { readonly [name: string]: string } = {},
): Promise<{ readonly url: string; readonly received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push({
        path: request.url,
        headers: request.headers,
        body: JSON.parse(Buffer.concat(chunks).toString()) as Received["body"],
      });
      response.writeHead(status, { "content-type": "application/json", ...headers }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  );
  return { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, received };
}

async function open(environment: {
  readonly [name: string]: string;
}): Promise<{ readonly traces: Awaited<ReturnType<typeof openTraces>>; readonly logged: string[] }> {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const logged: string[] = [];
  const traces = await openTraces({
    environment,
    version: "0.1.0",
    clock: nodeClock,
    log: (level, event, message) => logged.push(`${level} ${event}: ${message}`),
  });
  return { traces, logged };
}

const valuesOf = (attributes: readonly Attribute[]): { readonly [key: string]: unknown } =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

test.each(["localhost:4318", "127.0.0.1", "grpc://collector:4317", "http//collector"])(
  "the endpoint %s is an error at the start",
  async (endpoint) => {
    for (const name of ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"])
      await expect(open({ [name]: endpoint })).rejects.toMatchObject({
        diagnostics: [{ code: "setting_invalid", detail: `${name} is not an http or https URL.` }],
      });
  },
);

test("sends a span for each run, with the names and headers of the environment", async () => {
  const { url, received } = await collector();
  const { traces, logged } = await open({
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=crm",
    OTEL_SERVICE_NAME: "our-fleet",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=staging",
  });
  traces.runEnded(RUN);
  traces.runEnded({
    ...RUN,
    outcome: "failed",
    commit: null,
    messages: [{ severity: "error", code: "x", summary: "Key rejected", detail: "…" }],
  });
  await traces.close();
  expect(received.map(({ path, headers }) => [path, headers["x-tenant"]])).toEqual([["/v1/traces", "crm"]]);
  const [{ resource, scopeSpans } = { resource: { attributes: [] }, scopeSpans: [] }] =
    received[0]?.body.resourceSpans ?? [];
  expect(valuesOf(resource.attributes)).toMatchObject({
    "service.name": "our-fleet",
    "service.version": "0.1.0",
    "deployment.environment": "staging",
  });
  const [applied, failed] = scopeSpans.flatMap(({ spans }) => spans);
  expect([applied?.name, applied?.startTimeUnixNano, applied?.endTimeUnixNano]).toEqual([
    "reconcile",
    `${String(NOW_MS - 4000)}000000`,
    `${String(NOW_MS)}000000`,
  ]);
  expect(valuesOf(applied?.attributes ?? [])).toEqual({
    "outreach.team": "acme",
    "outreach.run": "run-7",
    "outreach.trigger": "approval",
    "outreach.outcome": "applied",
    "outreach.count.import": 0,
    "outreach.count.add": 2,
    "outreach.count.change": 0,
    "outreach.count.destroy": 0,
    "outreach.count.forget": 0,
    "outreach.drifted_objects": 1,
    "outreach.requests": 9,
    "outreach.commit": "0a1b2c",
  });
  expect([applied?.status, failed?.status]).toEqual([{ code: 0 }, { code: 2, message: "Key rejected" }]);
  expect(logged).toEqual([]);
});

test("without a name of its own, the service is outreach-controller; the endpoint may be that of traces alone", async () => {
  const { url, received } = await collector();
  const { traces } = await open({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url}/otel/traces` });
  traces.runEnded(RUN);
  await traces.close();
  expect(received.map(({ path }) => path)).toEqual(["/otel/traces"]);
  expect(valuesOf(received[0]?.body.resourceSpans[0]?.resource.attributes ?? [])["service.name"]).toBe(
    "outreach-controller",
  );
});

test.each([{}, { OTEL_EXPORTER_OTLP_ENDPOINT: "" }, { OTEL_SDK_DISABLED: "true" }, { OTEL_TRACES_EXPORTER: "none" }])(
  "sends nothing where the environment says %j",
  async (less) => {
    const { url, received } = await collector();
    const { traces } = await open({
      ...("OTEL_EXPORTER_OTLP_ENDPOINT" in less || Object.keys(less).length === 0
        ? {}
        : { OTEL_EXPORTER_OTLP_ENDPOINT: url }),
      ...less,
    });
    traces.runEnded(RUN);
    await traces.close();
    expect(received).toEqual([]);
  },
);

test("a collector that refuses traces is reported once, and fails nothing", async () => {
  const { url, received } = await collector(400);
  const { traces, logged } = await open({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_BSP_SCHEDULE_DELAY: "1" });
  for (const count of [1, 2]) {
    traces.runEnded(RUN);
    await vi.waitFor(() => expect(received).toHaveLength(count));
  }
  await vi.waitFor(() =>
    expect(logged).toEqual([
      expect.stringMatching(/^warn traces: Traces cannot be sent, and are dropped until they can: /),
    ]),
  );
  await traces.close();
});

test("a collector that is away holds up neither a run nor the end for long", async () => {
  const { traces } = await open({
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1",
    OTEL_EXPORTER_OTLP_TIMEOUT: "10",
  });
  traces.runEnded(RUN);
  await expect(traces.close()).resolves.toBeUndefined();
});

test("a collector that asks for a long wait is not waited for: that would hold up the end of the process", async () => {
  const { url, received } = await collector(503, { "retry-after": "3" });
  const { traces, logged } = await open({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_BSP_SCHEDULE_DELAY: "1" });
  traces.runEnded(RUN);
  await vi.waitFor(() => expect(logged).toHaveLength(1), { timeout: 15_000 });
  expect(received).toHaveLength(1);
  await traces.close();
});

test("an endpoint for gRPC is reported", async () => {
  const { traces, logged } = await open({
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4317",
    OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
  });
  expect(logged).toEqual([expect.stringContaining("not over gRPC")]);
  await traces.close();
});
