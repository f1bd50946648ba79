import { expect } from "vitest";
import { REQUESTS } from "../../service/openapi/conformance.ts";
import type { Reply, UnderTest } from "../sandbox-under-test.ts";

/** One sentence of the specification and its test against the sandbox. */
export type Row = readonly [sentence: string, check: (service: UnderTest) => Promise<void>];

export const HOOK = { targetUrl: "https://crm.example.com/hook", type: "emailsReplied" };
/** A webhook on another URL: the service as its users meet it has one webhook per URL. */
export const OTHER_HOOK = { targetUrl: "https://crm.example.com/other", type: "emailsReplied" };
export const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The messages of the section "Authentication", 4. */
export const MESSAGES = {
  none: "No API key provided",
  wrong: "The authentication you supplied is incorrect",
  blocked: "User linked to this API key is blocked",
  withoutUser: "No user found for this API key",
};

/** A request for every route: those of the OpenAPI document, and one that it does not show. */
export const ROUTES: readonly (readonly [method: string, path: string])[] = [
  ...REQUESTS.map(({ method, path }) => [method, path] as const),
  ["GET", "/campaigns/cam_000001/export/axp_000001/status"],
];

/** The members of a 200 that is a JSON array. */
export function items(reply: Reply): Record<string, unknown>[] {
  expect(reply.status).toBe(200);
  expect(Array.isArray(reply.json)).toBe(true);
  return reply.json as Record<string, unknown>[];
}

/** The JSON of a 200. */
export function object(reply: Reply): Record<string, unknown> {
  expect(reply.status).toBe(200);
  return reply.json as Record<string, unknown>;
}

/** Adds a webhook and returns its id. */
export async function added(service: UnderTest, body: object = HOOK, query = ""): Promise<string> {
  return object(await service.addHook(body, query))["_id"] as string;
}

export const names = (reply: Reply): unknown[] => items(reply).map((item) => item["name"]);
export const ids = (reply: Reply): unknown[] => items(reply).map((item) => item["_id"]);
