import { jsonAnswer } from "./answer.ts";
import type { Answer } from "./answer.ts";
import { refuse } from "./call.ts";
import type { Call } from "./call.ts";
import { listCampaigns, listSchedules, unsubscribeLead } from "./sandbox-campaigns.ts";
import type { Operation } from "./choices.ts";
import { exportStatus, startExport } from "./sandbox-exports.ts";
import { addWebhook, deleteWebhook, listWebhooks } from "./hooks.ts";

type Route = {
  readonly method: string;
  /** Relative to the base address; `{name}` is a parameter. */
  readonly path: string;
  readonly operation: Operation;
  readonly handle: (call: Call) => Answer;
};

/** Every route of the API: the section "Endpoints", plus the status of an export, whose path the specification does not show. */
export const ROUTES: readonly Route[] = [
  { method: "POST", path: "/hooks", operation: "addWebhook", handle: addWebhook },
  { method: "GET", path: "/hooks", operation: "listWebhooks", handle: listWebhooks },
  { method: "DELETE", path: "/hooks/{hookId}", operation: "deleteWebhook", handle: deleteWebhook },
  { method: "GET", path: "/campaigns", operation: "listCampaigns", handle: listCampaigns },
  { method: "GET", path: "/campaigns/{campaignId}/export/start", operation: "startExport", handle: startExport },
  {
    method: "GET",
    path: "/campaigns/{campaignId}/export/{exportId}/status",
    operation: "exportStatus",
    handle: exportStatus,
  },
  { method: "GET", path: "/campaigns/{campaignId}/schedules/", operation: "listSchedules", handle: listSchedules },
  { method: "GET", path: "/warmup/{userMailboxId}/settings", operation: "readWarmup", handle: readWarmup },
  {
    method: "DELETE",
    path: "/campaigns/{campaignId}/leads/{email}",
    operation: "unsubscribeLead",
    handle: unsubscribeLead,
  },
];

/** The result of a route lookup. `allow` lists the methods that the path has. */
export type Match =
  | { readonly kind: "route"; readonly route: Route; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: "method"; readonly allow: readonly string[] }
  | { readonly kind: "none" };

const COMPILED = ROUTES.map((route) => ({ route, segments: route.path.split("/") }));

/** Finds the route of a path relative to the base address. The path is used as sent: dot segments are not folded. */
export function findRoute(method: string, path: string, strictSlash: boolean): Match {
  const segments = path.split("/");
  if (!strictSlash && segments.length === 4 && segments[3] === "schedules") segments.push("");
  const allow: string[] = [];
  for (const { route, segments: pattern } of COMPILED) {
    const params = matchSegments(pattern, segments);
    if (!params) continue;
    if (route.method === method) return { kind: "route", route, params };
    allow.push(route.method);
  }
  return allow.length > 0 ? { kind: "method", allow } : { kind: "none" };
}

function matchSegments(pattern: readonly string[], segments: readonly string[]): Record<string, string> | null {
  if (pattern.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (let index = 0; index < pattern.length; index++) {
    const expected = pattern[index] ?? "";
    const segment = segments[index] ?? "";
    if (!expected.startsWith("{")) {
      if (expected !== segment) return null;
      continue;
    }
    const value = decode(segment);
    if (value === null || value === "") return null;
    params[expected.slice(1, -1)] = value;
  }
  return params;
}

function decode(segment: string): string | null {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/**
 * `GET /warmup/{userMailboxId}/settings` (section "Endpoints"), with the declared field set or the
 * sample's (section "Warm-up settings"). The operation has no not-found message, so an unknown mailbox
 * gets `Bad team`, like another team's.
 */
function readWarmup(call: Call): Answer {
  const mailbox = call.world.mailboxes.get(call.params["userMailboxId"] ?? "");
  const owner = mailbox && call.world.users.get(mailbox.userId);
  if (!mailbox || owner?.teamId !== call.teamId) return refuse(call, "badTeam");
  const { active, dailyLimit, warmupTemplate, warmEmailRampup, warmEmailMax, activeAt, deliverability } = mailbox;
  switch (mailbox.shape ?? call.settings.choices.warmupShape) {
    case "declared":
      return jsonAnswer({ active, dailyLimit, warmupTemplate, deliverability });
    case "sample":
      return jsonAnswer({ warmEmailRampup, warmEmailMax, activeAt, deliverability });
  }
}
