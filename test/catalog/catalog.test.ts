import { beforeAll, describe, expect, test } from "vitest";
import type { Catalog } from "../../src/core/model/definition.ts";
import type { LoggedRequest } from "../../src/sandbox/request-log.ts";
import { catalog } from "../../src/service/resources/catalog.ts";
import { webhooks } from "../../src/service/resources/webhooks-data-source.ts";
import { SECTIONS } from "../sandbox/conformance/sections.ts";
import { SECTIONS as YAML_SECTIONS } from "../../src/frontends/yaml/sections.ts";
import { startUnderTest } from "../sandbox/sandbox-under-test.ts";
import { operationOf } from "../service/openapi/conformance.ts";
import { catalogRequests, createdAndListed, operationsOfGet } from "./catalog-requests.ts";
import { KINDS } from "./kinds.ts";

/** What a definition needs elsewhere, and what there is. */
interface Found {
  readonly requests: readonly LoggedRequest[];
  /** The operations that some row of the sandbox's conformance table sends. */
  readonly conforming: ReadonlySet<string>;
  /** The operations that some `get` command sends. */
  readonly printed: ReadonlySet<string>;
}

/** A sentence for each part that a definition of the catalogue still lacks. */
function missingParts(
  type: string,
  { requests, conforming, printed }: Found,
  kind: "action" | "data source" | "resource",
): readonly string[] {
  const missing = new Set<string>();
  if (kind !== "action" && !YAML_SECTIONS.some((section) => section.type === type))
    missing.add(`${type} cannot be written in YAML: add a row to src/frontends/yaml/sections.ts.`);
  if (requests.length === 0)
    missing.add(
      `${type} sends no request: give its attributes examples that the sandbox's seed knows (src/sandbox/default-seed.ts).`,
    );
  for (const { method, path, operation } of requests) {
    if (operationOf({ method, target: path }) === null)
      missing.add(
        `${type} sends ${method} ${path}, which the OpenAPI document lacks: describe it in schemas/service.openapi.json.`,
      );
    if (kind === "data source" && !printed.has(operation ?? ""))
      missing.add(
        `${type} sends ${method} ${path}, and no get command does: add one to src/frontends/cli/commands/get/.`,
      );
    if (operation === null)
      missing.add(
        `${type} sends ${method} ${path}, and the sandbox has no such route: add it to src/sandbox/routes.ts.`,
      );
    else if (!conforming.has(operation))
      missing.add(
        `${type} sends ${method} ${path}, and no conformance test does: add a row for ${operation} to test/sandbox/conformance/.`,
      );
  }
  return [...missing];
}

describe("every definition of the catalogue", () => {
  const conforming = new Set<string>();
  let printed: ReadonlySet<string> = new Set();
  let made: ReadonlyMap<string, readonly LoggedRequest[]> = new Map();
  beforeAll(async () => {
    for (const [, check] of Object.values(SECTIONS).flat()) {
      const service = await startUnderTest();
      // A row that fails is reported by its own test.
      await Promise.allSettled([check(service)]);
      for (const { operation } of service.sandbox.requests()) if (operation !== null) conforming.add(operation);
      await service.close();
    }
    made = await catalogRequests(catalog);
    printed = await operationsOfGet();
  });

  const types = (
    of: Pick<Catalog, "dataSources" | "resources" | "actions">,
  ): readonly (readonly [string, Parameters<typeof missingParts>[2]])[] => [
    ...of.dataSources.map(({ type }) => [type, "data source"] as const),
    ...of.resources.map(({ type }) => [type, "resource"] as const),
    ...(of.actions ?? []).map(({ type }) => [type, "action"] as const),
  ];

  test.for(types(catalog))("has all its parts: %s", ([type, kind]) => {
    expect(missingParts(type, { requests: made.get(type) ?? [], conforming, printed }, kind)).toEqual([]);
  });

  test("has its attributes sent to the service, and read of its list: outreach_webhook", async () => {
    const { given, listed } = await createdAndListed();
    const inSource = Object.keys(webhooks.schema.webhooks.type.list.object);
    const missing = Object.entries(given).flatMap(([name, value]) =>
      value === null
        ? []
        : [
            ...(value === listed[name]
              ? []
              : [
                  `${name} is not sent, or not kept by the sandbox: see src/service/api/webhook-calls.ts, src/sandbox/hooks.ts.`,
                ]),
            ...(inSource.includes(name)
              ? []
              : [`${name} is not shown: add it to src/service/resources/webhooks-data-source.ts.`]),
          ],
    );
    expect(missing).toEqual([]);
  });

  test("that lacks a part is named with what is missing", () => {
    const [request] = made.get("outreach_schedules") ?? [];
    if (!request) throw new Error("the schedules were not read");
    const unknown = { ...request, path: "/things", operation: null };
    expect(missingParts("outreach_things", { requests: [unknown], conforming, printed }, "data source")).toEqual([
      "outreach_things cannot be written in YAML: add a row to src/frontends/yaml/sections.ts.",
      "outreach_things sends GET /things, which the OpenAPI document lacks: describe it in schemas/service.openapi.json.",
      "outreach_things sends GET /things, and no get command does: add one to src/frontends/cli/commands/get/.",
      "outreach_things sends GET /things, and the sandbox has no such route: add it to src/sandbox/routes.ts.",
    ]);
    expect(
      missingParts("outreach_schedules", { requests: [request], conforming: new Set(), printed }, "data source"),
    ).toEqual([
      "outreach_schedules sends GET /campaigns/cam_000001/schedules/, and no conformance test does: add a row for listSchedules to test/sandbox/conformance/.",
    ]);
    expect(missingParts("outreach_campaign", { requests: [], conforming, printed }, "data source")).toEqual([
      "outreach_campaign sends no request: give its attributes examples that the sandbox's seed knows (src/sandbox/default-seed.ts).",
    ]);
  });
});

describe.each(Object.entries(KINDS))("every %s", (_, { declared, lacks, planted: [name, ...sentences] }) => {
  test.each(declared)("has all its parts: %s", (one) => {
    expect(lacks(one)).toEqual([]);
  });

  test("that lacks a part is named with the file to edit", () => {
    expect(declared.length).toBeGreaterThan(3);
    expect(lacks(name)).toEqual(sentences);
  });
});
