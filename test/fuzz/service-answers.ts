import * as fc from "fast-check";
import { redactor } from "../../src/core/secrets/redactor.ts";
import { failureOf } from "../../src/operations/known-failure.ts";
import { diagnosticText } from "../../src/output/content/diagnostic-text.ts";
import { plain } from "../../src/output/content/paint.ts";
import type { CallerOptions } from "../../src/service/api/caller.ts";
import { readSchedules } from "../../src/service/resources/schedules-data-source.ts";
import { readClient, reserveWrites } from "../../src/service/api/client.ts";
import { exportFile } from "../../src/frontends/cli/commands/export/download-export.ts";
import { readExportStatus } from "../../src/frontends/cli/commands/export/export-status.ts";
import { inspectService } from "../../src/service/api/inspect.ts";
import { slidingPacer } from "../../src/service/api/pacer.ts";
import { type WebRequest, type WebResponse, WebFailure } from "../../src/core/model/web.ts";
import { virtualClock } from "../core/virtual-clock.ts";
import { type Json, TEXT, VALUE, jsonText, mutatedJson } from "./arbitraries.ts";
import { expectKnown, expectPrintable } from "./product.ts";
import { target } from "./target.ts";
import { expectDocumentedRoute } from "./wire.ts";

const WEBHOOK = {
  _id: "hoo_000001",
  targetUrl: "https://a.example",
  createdAt: "2026-01-01T00:00:00.000Z",
  type: "emailsSent",
  campaignId: "cam_000001",
};
const LEAD = {
  _id: "lea_000001",
  email: "ada@example.com",
  isPaused: false,
  campaignId: "cam_000001",
  contactId: "ctc_000001",
};
const CAMPAIGN = {
  _id: "cam_000001",
  name: "Q3",
  status: ["running"],
  creator: { name: "Ada" },
  senders: [{ id: "usr_1" }],
  labels: ["x"],
};
const SCHEDULE = {
  _id: "skd_000001",
  name: "Week",
  timezone: "UTC",
  start: "09:00",
  end: "17:00",
  weekdays: [1, 2],
  public: true,
};
const EXPORT = { _id: "axp_000001", id: "axp_000001", status: "pending", progress: 0, total: 0 };
const SETTINGS = { active: true, dailyLimit: 3, deliverability: { score: 4 }, warmEmailMax: 3 };
const ANSWERS: readonly Json[] = [
  WEBHOOK,
  [WEBHOOK, { ...WEBHOOK, _id: "hoo_000002" }],
  { hooks: [WEBHOOK] },
  [CAMPAIGN, { ...CAMPAIGN, _id: "cam_000002" }],
  [SCHEDULE],
  SETTINGS,
  EXPORT,
  { ok: true, status: { ...EXPORT, status: "done", fileSize: 120, url: "https://files.example/q3.csv" } },
  { ok: false, message: "Export not found" },
  LEAD,
  [],
];
const MESSAGES = [
  "Bad team",
  "Webhook not found",
  "Campaign not found",
  "Lead not found",
  "No API key provided",
  "The authentication you supplied is incorrect",
];

const HEADER_VALUE = fc.oneof(
  TEXT,
  fc.constantFrom(
    "0",
    "-1",
    "1e9",
    "99999999999999999999",
    "Infinity",
    "0x10",
    "Thu, 01 Jan 1970 00:00:00 GMT",
    "Fri, 31 Dec 9999 23:59:59 GMT",
    "2026-01-01",
    "NaN",
  ),
  fc.integer().map(String),
);
const HEADERS = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        "retry-after",
        "x-ratelimit-limit",
        "x-ratelimit-remaining",
        "x-ratelimit-reset",
        "date",
        "content-length",
        "location",
      ),
      HEADER_VALUE,
    ),
    { maxLength: 5 },
  )
  .map((entries) => Object.fromEntries(entries));

const BODY = fc.oneof(
  { weight: 6, arbitrary: jsonText(mutatedJson(ANSWERS)) },
  { weight: 2, arbitrary: jsonText(VALUE) },
  { weight: 1, arbitrary: TEXT },
  { weight: 1, arbitrary: TEXT.map((text) => JSON.stringify(text)) },
  { weight: 2, arbitrary: fc.constantFrom(...MESSAGES, "<html>404</html>", "x".repeat(3_000_000)) },
);

type Given =
  | (Omit<WebResponse, "body"> & { readonly body: string })
  | { readonly lost: string; readonly sent: boolean };
const ANSWER: fc.Arbitrary<Given> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ status: fc.constant(200), headers: HEADERS, body: BODY }) },
  {
    weight: 4,
    arbitrary: fc.record({
      status: fc.constantFrom(0, 100, 201, 204, 301, 307, 400, 401, 403, 404, 409, 429, 429, 500, 502, 503, 999),
      headers: HEADERS,
      body: BODY,
    }),
  },
  { weight: 1, arbitrary: fc.record({ lost: TEXT, sent: fc.boolean() }) },
);

const OPERATIONS = [
  "hooks",
  "confirm",
  "campaigns",
  "schedules",
  "warmup",
  "inspect",
  "add",
  "delete",
  "unsubscribe",
  "export",
  "export-status",
] as const;

/** Texts that are ids now and then: most must be refused before anything is sent. */
const ID = (prefix: string) =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constant(`${prefix}000001`) },
    { weight: 1, arbitrary: TEXT },
    { weight: 1, arbitrary: TEXT.map((text) => `${prefix}${text}`) },
  );
const EMAIL = fc.oneof(
  { weight: 2, arbitrary: fc.constant("ada@example.com") },
  { weight: 2, arbitrary: fc.tuple(TEXT, fc.constantFrom("@", "", "%40", "@@"), TEXT).map((parts) => parts.join("")) },
  { weight: 1, arbitrary: TEXT },
);

const CALL = fc.record({
  operation: fc.constantFrom(...OPERATIONS),
  hookId: ID("hoo_"),
  campaignId: ID("cam_"),
  userMailboxId: ID("mbx_"),
  exportId: ID("axp_"),
  email: EMAIL,
  url: TEXT,
  filter: fc.record({ status: TEXT, createdBy: TEXT }, { requiredKeys: [] }),
  path: fc.constantFrom("", "/", "/api", "/api/v1/", "//x", "/a%20b"),
});
type Call = typeof CALL extends fc.Arbitrary<infer T> ? T : never;

const NEVER = new AbortController().signal;

/** Sends what the real client sends, and gives the answers in turn; the last one again and again. */
async function send(call: Call, answers: readonly Given[]): Promise<boolean> {
  const clock = virtualClock();
  const sent: WebRequest[] = [];
  const shown: string[] = [];
  const options: CallerOptions = {
    baseUrl: `https://service.example${call.path}`,
    apiKey: "the-key-of-the-team",
    pacer: slidingPacer(clock),
    clock,
    timeoutMs: 30_000,
    userAgent: "fuzz",
    jitter: () => 0,
    redactor: redactor(),
    transport: {
      close: () => undefined,
      send: (request) => {
        const answer = answers[Math.min(sent.length, answers.length - 1)];
        sent.push(request);
        if (!answer || "lost" in answer)
          return Promise.reject(new WebFailure(answer?.lost ?? "", { sent: answer?.sent ?? true }));
        return Promise.resolve({ ...answer, body: new TextEncoder().encode(answer.body) });
      },
    },
  };
  try {
    shown.push(JSON.stringify(await perform(options, call)));
  } catch (error) {
    if (isRefusedValue(error) && sent.length === 0) return false;
    for (const one of failureOf(expectKnown(error))?.diagnostics ?? []) expectPrintable(diagnosticText(one, plain));
  }
  for (const { method, url } of sent) expectDocumentedRoute(method, url, { base: call.path, ...call });
  return shown.length > 0;
}

/** What the client throws for a value that is unsafe in a path; the configuration refuses it before. */
function isRefusedValue(error: unknown): boolean {
  return (
    error instanceof Error &&
    error.constructor === Error &&
    /is not a (campaign|webhook|mailbox) id$|is not safe in a path$/.test(error.message)
  );
}

async function perform(
  options: CallerOptions,
  { operation, hookId, campaignId, userMailboxId, exportId, email, url, filter }: Call,
): Promise<unknown> {
  const reads = readClient(options);
  if (operation === "hooks") return reads.listWebhooks(new Set([hookId]), NEVER);
  if (operation === "confirm") return reads.listWebhooks(new Set(), NEVER, { confirm: true });
  if (operation === "campaigns") return reads.campaigns(filter, NEVER);
  if (operation === "schedules") return readSchedules(reads, campaignId, NEVER);
  if (operation === "warmup") return reads.object("/warmup/{mailboxId}/settings", { mailboxId: userMailboxId }, NEVER);
  if (operation === "export-status") return exportStatus(options, { campaignId, exportId });
  if (operation === "inspect") return inspectService(options, NEVER);
  const { client, release } = await reserveWrites(options, 1, NEVER);
  try {
    if (operation === "delete") return await client.deleteWebhook(hookId, NEVER);
    if (operation === "unsubscribe") return await client.unsubscribeLead({ campaignId, email }, NEVER);
    if (operation === "export") return await client.startExport(campaignId, NEVER);
    return await client.addWebhook(
      { targetUrl: url, campaignId, isFirst: true, automationId: url, secret: email },
      NEVER,
    );
  } finally {
    release();
  }
}

async function exportStatus(options: CallerOptions, ids: Pick<Call, "campaignId" | "exportId">): Promise<unknown> {
  const answer = await readExportStatus(options, ids, NEVER);
  if (answer.kind !== "export") expectPrintable(answer.cause);
  return answer.kind === "export" ? exportFile(answer.fields) : answer;
}

export const SERVICE_ANSWERS = target({
  name: "service-answers",
  share: 20,
  cases: fc.record({ call: CALL, answers: fc.array(ANSWER, { minLength: 1, maxLength: 4 }) }),
  run: ({ call, answers }) => send(call, answers),
});
