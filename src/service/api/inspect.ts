import { type CallerOptions, read } from "./caller.ts";
import { httpDateMs } from "./http-date.ts";
import { ServiceError } from "./service-errors.ts";
import { CAP_STEP, type WebhookListing, observedOnly, webhooksIn } from "./webhooks.ts";

const CARRIED_FIELDS = ["type", "campaignId", "isFirst", "automationId", "createdAt"] as const;
type CarriedField = (typeof CARRIED_FIELDS)[number];

/** Undocumented behaviour of a real service, learnt from reads only. */
export interface Inspection {
  /** `array`, or the name of the field that holds the list. */
  readonly listShape: string;
  readonly webhookCount: number;
  /** How many of the listed webhooks carry each optional field. */
  readonly carried: { readonly [F in CarriedField]: number };
  /** Whether the list honours `offset`; null if the list is empty and cannot show it. */
  readonly offsetHonoured: boolean | null;
  /** Whether the plain request gets all webhooks, or more where the list is paged; `unknown` where no other request has an effect. */
  readonly extent: "whole" | "truncated" | "unknown";
  /** Whether that was found out by requests that ordinary runs do not send. */
  readonly wasTried: boolean;
  /** The rate-limit headers that the service sends (Limits). */
  readonly rateLimitHeaders: readonly string[];
  /** The service's clock minus the local one, in milliseconds; null if it sends no date. */
  readonly clockSkewMs: number | null;
}

const RATE_LIMIT_HEADERS = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "retry-after"];

/**
 * Two reads of `GET /hooks`, the second with an offset past the end; a few more where it ignores that and may truncate the
 * list. `listing` is the answer to the plain request. Throws `ServiceError`.
 */
export async function inspectService(
  options: CallerOptions,
  signal: AbortSignal,
): Promise<{ readonly inspection: Inspection; readonly listing: WebhookListing }> {
  const beforeMs = options.clock.now();
  const { json, headers, serverDate } = await read(options, CALL, signal);
  const localMs = (beforeMs + options.clock.now()) / 2;
  const webhooks = webhooksIn(json);
  const list = listReader(options, signal);
  const second = webhooks.length === 0 ? null : await list({ offset: String(webhooks.length) });
  const known = new Set(webhooks.map(({ _id }) => _id));
  const offsetHonoured = second && !second.some((id) => known.has(id));
  const wasTried = offsetHonoured === false && webhooks.length % CAP_STEP === 0;
  const serverMs = httpDateMs(serverDate);
  const carrying = (field: CarriedField): number => webhooks.filter((webhook) => (webhook[field] ?? null) !== null).length;
  const inspection = {
    listShape: Array.isArray(json) ? "array" : (Object.entries(json as object).find(([, value]) => Array.isArray(value))?.[0] ?? "object"),
    webhookCount: webhooks.length,
    carried: Object.fromEntries(CARRIED_FIELDS.map((field) => [field, carrying(field)])) as Inspection["carried"],
    offsetHonoured,
    extent: wasTried ? await triedExtent(known, list) : "whole",
    wasTried,
    rateLimitHeaders: RATE_LIMIT_HEADERS.filter((name) => headers[name] !== undefined),
    clockSkewMs: Number.isNaN(serverMs) ? null : Math.round(serverMs - localMs),
  } as const;
  const firstAnswer = webhooks.map(({ _id }) => _id);
  return { inspection, listing: { webhooks: observedOnly(webhooks), complete: inspection.extent === "whole", firstAnswer, serverDate } };
}

const CALL = { method: "GET", segments: ["hooks"], statuses: {} } as const;

type ReadIds = (query: { readonly [name: string]: string }) => Promise<readonly string[]>;

function listReader(options: CallerOptions, signal: AbortSignal): ReadIds {
  return async (query) => webhooksIn((await read(options, { ...CALL, query }, signal)).json).map(({ _id }) => _id);
}

/** As many as the documented limit of the campaign list, and more than the plain request has shown. */
const LARGE_LIMIT = 100;

/**
 * Tries the parameters of the campaign list, which the specification does not show for this one. A webhook that only such a
 * request shows proves that the plain one is truncated. An empty second page proves that it is whole, as an empty answer to
 * `offset` does, whether pages count from 0 or from 1.
 */
async function triedExtent(known: ReadonlySet<string>, list: ReadIds): Promise<Inspection["extent"]> {
  const tried = async (query: { readonly [name: string]: string }): Promise<readonly string[] | null> => {
    try {
      return await list(query);
    } catch (error) {
      // A parameter that the service refuses tells nothing.
      if (error instanceof ServiceError) return null;
      throw error;
    }
  };
  const [first, second] = [await tried({ page: "1" }), await tried({ page: "2" })];
  const others = [
    await tried({ limit: String(Math.max(LARGE_LIMIT, 2 * known.size)) }),
    await tried({ sortBy: "createdAt", sortOrder: "desc" }),
    await tried({ sortBy: "createdAt", sortOrder: "asc" }),
  ];
  // What was created meanwhile is in the plain list by now.
  const now = new Set([...known, ...((await tried({})) ?? [])]);
  if ([first, second, ...others].some((ids) => ids?.some((id) => !now.has(id)))) return "truncated";
  const isFirstAlone = first !== null && (first.length === 0 || [...known].every((id) => first.includes(id)));
  return isFirstAlone && second?.length === 0 ? "whole" : "unknown";
}
