import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect } from "vitest";
import type { Attribute } from "../../src/core/model/attribute.ts";
import {
  type AnyDataSource,
  type AnyResource,
  type Catalog,
  type LiveObject,
  dataReading,
} from "../../src/core/model/definition.ts";
import type { Attributes, Value } from "../../src/core/model/value.ts";
import { redactor } from "../../src/core/secrets/redactor.ts";
import { COMMANDS } from "../../src/frontends/cli/program/command-list.ts";
import { nodeClock } from "../../src/platform/node-clock.ts";
import { LISTED_FIELD_WORDS, parseListProfile } from "../../src/sandbox/list-profile.ts";
import type { LoggedRequest } from "../../src/sandbox/request-log.ts";
import type { CallerOptions } from "../../src/service/api/caller.ts";
import { readClient, reserveWrites } from "../../src/service/api/client.ts";
import { nodeExchange } from "../../src/service/api/node-exchange.ts";
import { slidingPacer } from "../../src/service/api/pacer.ts";
import { ServiceError } from "../../src/service/api/service-errors.ts";
import { webhook } from "../../src/service/resources/webhook.ts";
import { virtualClock } from "../core/virtual-clock.ts";
import { type UnderTest, startUnderTest } from "../sandbox/sandbox-under-test.ts";

const { signal } = new AbortController();

/**
 * The requests that each part of a catalogue makes, by its type, against a sandbox of its own: a data source is read, a resource created, listed
 * and deleted, an action invoked. The values are the examples of its schema, which the sandbox's seed knows.
 */
export async function catalogRequests(catalog: Catalog): Promise<ReadonlyMap<string, readonly LoggedRequest[]>> {
  const parts: readonly (readonly [string, Use])[] = [
    ...catalog.dataSources.map(
      (source) => [source.type, (options: CallerOptions) => readSource(catalog, source, options)] as const,
    ),
    ...catalog.resources.map(
      (resource) => [resource.type, (options: CallerOptions) => useResource(resource, options)] as const,
    ),
    ...(catalog.actions ?? []).map((action): readonly [string, Use] => [
      action.type,
      async (options) => {
        const { client, release } = await reserveWrites(options, 1, signal);
        for await (const said of action.invoke(exampleOf(action.schema), { client, signal })) expect(said).not.toBe("");
        release();
      },
    ]),
  ];
  const made = new Map<string, readonly LoggedRequest[]>();
  for (const [type, use] of parts) made.set(type, await requestsOf(use));
  return made;
}

type Use = (options: CallerOptions, service: UnderTest) => Promise<unknown>;

/** What a data source is read with: the examples of its required attributes. */
export function exampleConfig({ type, schema }: AnyDataSource): Attributes {
  // A lookup takes one of its optional attributes.
  return exampleOf(schema, type === "outreach_campaign" ? ["id"] : []);
}

/** Reads a data source with the examples of its schema. */
export async function readSource(catalog: Catalog, source: AnyDataSource, options: CallerOptions): Promise<void> {
  // Without a route in the sandbox it fails: the log of requests says so better.
  await source
    .read(exampleConfig(source), dataReading(catalog, { client: readClient(options), signal }))
    .catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
    });
}

async function useResource(resource: AnyResource, options: CallerOptions): Promise<void> {
  const { client, release } = await reserveWrites(options, 2, signal);
  const made = await resource.create(exampleOf(resource.schema), { client, signal });
  if (made.kind === "done" && made.id !== null) await resource.delete?.(made.id, { client, signal });
  release();
  await resource.list?.({ client: readClient(options), signal, expectedIds: new Set() });
}

function exampleOf(schema: AnyResource["schema"], optional: readonly string[] = []): Attributes {
  const values = Object.entries(schema).map(
    ([name, { mode, examples = [], default: fallback }]): readonly [string, Value] => {
      const isWanted = mode === "required" || optional.includes(name);
      if (isWanted && examples[0] === undefined) throw new Error(`${name} has no example`);
      return [name, isWanted ? (examples[0] as Value) : (fallback ?? null)];
    },
  );
  return Object.fromEntries(values);
}

/** A value that an attribute may have: its example, or its name. */
export function exampleValue(name: string, { type, examples = [] }: Attribute): Value {
  return examples[0] ?? (type === "bool" ? true : name);
}

/** A value for every attribute that the service shows, and what the list shows of the webhook that was created with them, where it shows every field. */
export async function createdAndListed(): Promise<{ readonly given: Attributes; readonly listed: Attributes }> {
  const given: Attributes = Object.fromEntries(
    Object.entries<Attribute>(webhook.schema).map(([name, attribute]) => [
      name,
      attribute.mode === "computed" || attribute.observed === "never" ? null : exampleValue(name, attribute),
    ]),
  );
  let listed: readonly LiveObject[] = [];
  await requestsOf(async (options, service) => {
    const forms = LISTED_FIELD_WORDS.join(",");
    service.sandbox.configure({ profile: parseListProfile(forms).profile });
    const { client, release } = await reserveWrites(options, 1, signal);
    await (webhook as AnyResource).create(given, { client, signal });
    release();
    listed = (await webhook.list?.({ client: readClient(options), signal, expectedIds: new Set() }))?.objects ?? [];
  });
  return { given, listed: listed[0]?.attributes ?? {} };
}

async function requestsOf(use: Use): Promise<readonly LoggedRequest[]> {
  const service = await startUnderTest();
  const transport = nodeExchange(nodeClock);
  const clock = virtualClock();
  const { baseUrl, keys } = service.sandbox;
  const pacer = slidingPacer(clock);
  try {
    const options = {
      baseUrl,
      apiKey: keys.good,
      transport,
      pacer,
      clock,
      timeoutMs: 10_000,
      userAgent: "test",
      jitter: () => 0,
      redactor: redactor(),
    };
    await use(options, service);
    return service.sandbox.requests();
  } finally {
    transport.close();
    await service.close();
  }
}

const COMMAND = fileURLToPath(new URL("../../dist/bin/outreach.js", import.meta.url));

/** The operations that the `get` commands send, each run as in its own example. */
export async function operationsOfGet(): Promise<ReadonlySet<string>> {
  const service = await startUnderTest();
  const env = {
    ...process.env,
    OUTREACH_BASE_URL: service.sandbox.baseUrl,
    OUTREACH_API_KEY: service.sandbox.keys.good,
  };
  try {
    for (const row of COMMANDS) {
      if (!("load" in row) || !row.words.startsWith("get ")) continue;
      const [line = ""] = (await row.load()).definition.example.lines;
      await promisify(execFile)(process.execPath, [COMMAND, ...line.split(" ").slice(1)], { env, cwd: tmpdir() });
    }
    return new Set(service.sandbox.requests().flatMap(({ operation }) => operation ?? []));
  } finally {
    await service.close();
  }
}
