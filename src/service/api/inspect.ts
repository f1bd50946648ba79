import { type CallerOptions, read } from "./caller.ts";
import { httpDateMs } from "./http-date.ts";
import { webhooksIn } from "./webhooks.ts";

/** Undocumented behaviour of a real service, learnt from reads only. */
export interface Inspection {
  /** `array`, or the name of the field that holds the list. */
  readonly listShape: string;
  readonly webhookCount: number;
  /** How many of the listed webhooks carry each optional field. */
  readonly carried: { readonly type: number; readonly campaignId: number; readonly createdAt: number };
  /** Whether the list honours `offset`; null if the list is empty and cannot show it. */
  readonly offsetHonoured: boolean | null;
  /** The rate-limit headers that the service sends (Limits). */
  readonly rateLimitHeaders: readonly string[];
  /** The service's clock minus the local one, in milliseconds; null if it sends no date. */
  readonly clockSkewMs: number | null;
}

const RATE_LIMIT_HEADERS = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "retry-after"];

/** Two reads of `GET /hooks`, the second with an offset past the end. Throws `ServiceError`. */
export async function inspectService(options: CallerOptions, signal: AbortSignal): Promise<Inspection> {
  const call = { method: "GET", segments: ["hooks"], statuses: {} } as const;
  const beforeMs = options.clock.now();
  const { json, headers, serverDate } = await read(options, call, signal);
  const localMs = (beforeMs + options.clock.now()) / 2;
  const webhooks = webhooksIn(json);
  const second = webhooks.length === 0 ? null : webhooksIn((await read(options, { ...call, query: { offset: String(webhooks.length) } }, signal)).json);
  const known = new Set(webhooks.map(({ _id }) => _id));
  const serverMs = httpDateMs(serverDate);
  const carrying = (field: "type" | "campaignId" | "createdAt"): number =>
    webhooks.filter((webhook) => webhook[field] !== undefined && webhook[field] !== null).length;
  return {
    listShape: Array.isArray(json) ? "array" : (Object.entries(json as object).find(([, value]) => Array.isArray(value))?.[0] ?? "object"),
    webhookCount: webhooks.length,
    carried: { type: carrying("type"), campaignId: carrying("campaignId"), createdAt: carrying("createdAt") },
    offsetHonoured: second && !second.some(({ _id }) => known.has(_id)),
    rateLimitHeaders: RATE_LIMIT_HEADERS.filter((name) => headers[name] !== undefined),
    clockSkewMs: Number.isNaN(serverMs) ? null : Math.round(serverMs - localMs),
  };
}
