import { type CallerOptions, read } from "./caller.ts";
import { parsedTimeMs } from "../../core/model/iso-time.ts";
import { type PageQuery, type Paging, type ReadPage, furtherPages } from "./list-pages.ts";
import { ServiceError } from "./service-errors.ts";
import {
  OPTIONAL_FIELDS,
  type WebhookListing,
  type WireWebhook,
  mayBeCap,
  observedOnly,
  webhooksIn,
} from "./webhook-calls.ts";

const CARRIED_FIELDS = [...OPTIONAL_FIELDS, "createdAt"] as const;
type CarriedField = (typeof CARRIED_FIELDS)[number];

/** Undocumented behaviour of a real service, learnt from reads only. */
export interface Inspection {
  /** `array`, or the name of the field that holds the list. */
  readonly listShape: string;
  readonly webhookCount: number;
  /** How many of the listed webhooks carry each optional field. */
  readonly carried: { readonly [F in CarriedField]: number };
  /** The parameter that has an effect on the list; null where none has, or the list is empty and cannot show it. */
  readonly paging: Paging | null;
  /**
   * Whether the plain request gets all webhooks (`whole`), a page of them (`paged`), or fewer than other requests show
   * (`truncated`); `unknown` where no other request has an effect, and the length is one at which services cut lists.
   */
  readonly extent: "whole" | "paged" | "truncated" | "unknown";
  /** The rate-limit headers that the service sends (Limits). */
  readonly rateLimitHeaders: readonly string[];
  /** The service's clock minus the local one, in milliseconds; null if it sends no date. */
  readonly clockSkewMs: number | null;
}

const RATE_LIMIT_HEADERS = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "retry-after"];

/**
 * Reads `GET /hooks` with the parameters of an ordinary run, and where they have no effect and it may be truncated, with a few
 * more. `listing` is the answer to the plain request. Throws `ServiceError`.
 */
export async function inspectService(
  options: CallerOptions,
  signal: AbortSignal,
): Promise<{ readonly inspection: Inspection; readonly listing: WebhookListing }> {
  const beforeMs = options.clock.now();
  const { json, headers, serverDate } = await read(options, CALL, signal);
  const readAtMs = options.clock.now();
  const webhooks = webhooksIn(json);
  const list = async (query: PageQuery) => webhooksIn((await read(options, { ...CALL, query }, signal)).json);
  const { records, isWhole, paging } =
    webhooks.length === 0
      ? { records: [], isWhole: true, paging: null }
      : await furtherPages(webhooks, list, { known: null, isThorough: true });
  const isOpen = !isWhole && records.length === 0 && mayBeCap(webhooks.length);
  const serverMs = parsedTimeMs(serverDate);
  const carrying = (field: CarriedField): number =>
    webhooks.filter((webhook) => (webhook[field] ?? null) !== null).length;
  const inspection = {
    listShape: Array.isArray(json)
      ? "array"
      : (Object.entries(json as object).find(([, value]) => Array.isArray(value))?.[0] ?? "object"),
    webhookCount: webhooks.length,
    carried: Object.fromEntries(CARRIED_FIELDS.map((field) => [field, carrying(field)])) as Inspection["carried"],
    paging,
    extent:
      records.length > 0 ? "paged" : !isOpen ? "whole" : (await showsMore(webhooks, list)) ? "truncated" : "unknown",
    rateLimitHeaders: RATE_LIMIT_HEADERS.filter((name) => headers[name] !== undefined),
    clockSkewMs: serverMs === null ? null : Math.round(serverMs - (beforeMs + readAtMs) / 2),
  } as const;
  const firstAnswer = webhooks.map(({ _id }) => _id);
  const found = {
    complete: isWhole && records.length === 0,
    isAsked: true,
    paging: records.length > 0 ? paging : null,
    firstAnswer,
    serverDate,
    readAtMs,
  };
  return { inspection, listing: { webhooks: observedOnly(webhooks), ...found } };
}

const CALL = { method: "GET", segments: ["hooks"], statuses: {} } as const;

/** A page as large as the documented limit of the campaign list, and more than the plain request has shown. */
const LARGE_LIMIT = 100;

/**
 * Whether the other parameters of the campaign list, which the specification does not show for this one, show a webhook that
 * the plain request does not: then that is truncated.
 */
async function showsMore(webhooks: readonly WireWebhook[], list: ReadPage<WireWebhook>): Promise<boolean> {
  const tried = async (query: PageQuery): Promise<readonly WireWebhook[]> => {
    try {
      return await list(query);
    } catch (error) {
      // A rejected parameter proves nothing.
      if (error instanceof ServiceError) return [];
      throw error;
    }
  };
  const others = [
    await tried({ limit: String(Math.max(LARGE_LIMIT, 2 * webhooks.length)) }),
    await tried({ sortBy: "createdAt", sortOrder: "desc" }),
    await tried({ sortBy: "createdAt", sortOrder: "asc" }),
  ];
  // What was created meanwhile is in the plain list by now.
  const known = new Set([...webhooks, ...(await tried({}))].map(({ _id }) => _id));
  return others.flat().some(({ _id }) => !known.has(_id));
}
