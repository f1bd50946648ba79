import { expect, it } from "vitest";
import { nodeExchange } from "../../src/service/api/node-exchange.ts";
import type { WebRequest, WebResponse, Web } from "../../src/core/model/web.ts";
import type { SandboxOptions } from "../../src/sandbox/runtime.ts";
import { nodeClock } from "../../src/platform/node-clock.ts";
import { countingRandom, processOf } from "../core/state/state-fixtures.ts";
import { startUnderTest } from "../sandbox/sandbox-under-test.ts";
import { worldClock } from "../core/virtual-clock.ts";
import { RunDecisions } from "./explorer/run-decisions.ts";
import { newMemory } from "./judge/memory.ts";
import type { ProcessPorts } from "./ports.ts";
import { newService } from "./service.ts";
import { STORES } from "./stores.ts";
import { serviceTransport } from "./transport.ts";
import type { World } from "./world.ts";

const KEY = "sandbox-key-good";
const CAMPAIGN = "cam_000001";
const LEAD = "ada@example.com";
const NOW = 1_700_000_000_000;
const NEVER = new AbortController().signal;

type Send = (method: WebRequest["method"], path: string, body?: object) => Promise<WebResponse>;

function sender(transport: Web, baseUrl: string): Send {
  const authorization = `Basic ${Buffer.from(`:${KEY}`).toString("base64")}`;
  return (method, path, body) =>
    transport.send(
      {
        method,
        url: new URL(`${baseUrl}${path}`),
        headers: { authorization, ...(body ? { "content-type": "application/json" } : {}) },
        body: body ? Buffer.from(JSON.stringify(body)) : null,
        timeoutMs: 5000,
      },
      NEVER,
    );
}

/** Numbers ids and times in the order in which they come. */
function shapeOf({ status, headers, body: bytes }: WebResponse): unknown {
  const body = new TextDecoder().decode(bytes);
  const isJson = body.startsWith("[") || body.startsWith("{");
  const text = body.replaceAll(/(hoo|lea|ctc)_[\w@.-]+/g, "$1_…").replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "a time");
  const sorted = (_name: string, value: unknown): unknown =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return {
    status,
    hasDate: !Number.isNaN(Date.parse(headers["date"] ?? "")),
    body: isJson ? (JSON.parse(JSON.stringify(JSON.parse(text), sorted)) as unknown) : text.replaceAll('"', ""),
  };
}

/** The same short story for any service. */
async function tell(send: Send): Promise<readonly unknown[]> {
  const told: unknown[] = [];
  const step = async (...request: Parameters<Send>): Promise<WebResponse> => {
    const response = await send(...request);
    told.push([request[0], shapeOf(response)]);
    return response;
  };
  await step("GET", "/hooks");
  const made = await step("POST", `/hooks?campaignId=${CAMPAIGN}&isFirst=true`, {
    targetUrl: "https://crm.example.com/hooks/a",
    type: "emailsReplied",
    campaignId: CAMPAIGN,
    isFirst: true,
    secret: "s3cret",
  });
  await step("POST", "/hooks", { targetUrl: "https://crm.example.com/hooks/b" });
  await step("GET", "/hooks");
  await step("GET", "/hooks?offset=1");
  await step("GET", "/hooks?offset=2");
  const { _id: id } = JSON.parse(new TextDecoder().decode(made.body)) as { readonly _id: string };
  await step("DELETE", `/hooks/${id}`);
  await step("DELETE", `/hooks/${id}`);
  await step("GET", "/hooks");
  await step("DELETE", `/campaigns/${CAMPAIGN}/leads/${encodeURIComponent(LEAD)}`);
  await step("DELETE", `/campaigns/${CAMPAIGN}/leads/${encodeURIComponent(LEAD)}`);
  await step("GET", "/campaigns/cam_999999/schedules/");
  return told;
}

async function toldBySandbox(profile: SandboxOptions["profile"]): Promise<readonly unknown[]> {
  const { sandbox, close } = await startUnderTest({
    choices: { repeatedUnsubscribe: "not-found" },
    ...(profile ? { profile } : {}),
  });
  const transport = nodeExchange(nodeClock);
  try {
    return await tell(sender(transport, sandbox.baseUrl));
  } finally {
    transport.close();
    await close();
  }
}

function toldBySimulation(isPoor: boolean): Promise<readonly unknown[]> {
  const [kind] = STORES;
  if (!kind) throw new Error("there are no stores");
  const service = newService({ campaigns: [CAMPAIGN], leads: [`${CAMPAIGN}/${LEAD}`], isPoor }, NOW);
  const world: World = {
    nowMs: NOW,
    chance: 0,
    service,
    store: kind.newPart(),
    judge: newMemory(),
  };
  const ports: ProcessPorts = {
    clock: worldClock(world),
    random: countingRandom(),
    decisions: new RunDecisions([]),
    mark: processOf(),
    life: { isOver: false },
  };
  return tell(sender(serviceTransport(world, ports), "https://api.example.com/api"));
}

it.each([
  ["whole lists", undefined, false],
  ["lists without type and campaign", { fields: { type: "omitted", campaignId: "omitted" } } as const, true],
])("answers with %s as the sandbox does", async (_name, profile, isPoor) => {
  const told = await toldBySimulation(isPoor);
  expect(told.length).toBe(12);
  expect(told).toEqual(await toldBySandbox(profile));
});

it("refuses the request after the twentieth within two seconds, as the sandbox does", async () => {
  const { sandbox, close } = await startUnderTest({ rateLimit: {} });
  const transport = nodeExchange(nodeClock);
  const send = sender(transport, sandbox.baseUrl);
  const service = newService({}, NOW);
  try {
    for (let count = 1; count <= 21; count++)
      expect(service.admit("one", NOW)).toBe((await send("GET", "/hooks")).status === 200);
  } finally {
    transport.close();
    await close();
  }
});
