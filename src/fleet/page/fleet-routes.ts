import { createHash, timingSafeEqual } from "node:crypto";
import { type Context, Hono } from "hono";
import { errorText } from "../../core/model/diagnostic.ts";
import type { Clock } from "../../core/model/ports.ts";
import { type JsonObject, jsonText } from "../../output/json/escaped-json.ts";
import type { FleetStore } from "../database/pg-fleet-store.ts";
import { FleetUnavailable } from "../fleet-store.ts";
import type { FleetLog } from "../observe/fleet-log.ts";
import type { FleetMetrics } from "../observe/fleet-metrics.ts";
import { actOnAll, bulkRequestIn } from "./bulk-actions.ts";
import { fleetPage, viewOf } from "./fleet-page.ts";
import { countText } from "./fleet-words.ts";
import { type FleetSnapshot, takeFleetSnapshot, takeTeamSnapshot } from "./fleet-snapshot.ts";
import { statusJson, teamStatusJson } from "./fleet-status.ts";
import { PAGE_POLICY, messagePage } from "./page-parts.ts";
import { holdAt } from "../freeze.ts";
import { inTime, sharedRead } from "./shared-read.ts";
import { teamPage } from "./team-page.ts";

export interface RouteOptions {
  readonly store: FleetStore;
  readonly metrics: FleetMetrics;
  /** What this process knows of itself. */
  readonly process: () => { readonly isInForce: boolean; readonly isStopping: boolean };
  /** What a request that changes something has to show; null: no such request is accepted. */
  readonly token: string | null;
  /** The names, without ports, under which a browser may open the server. */
  readonly allowedHosts: readonly string[];
  /** Whether only this machine can reach the server. Elsewhere probes and scrapers ask by its IP address. */
  readonly isLocal: boolean;
  readonly version: string;
  readonly clock: Clock;
  readonly log: FleetLog;
}

/** How old the fleet of a scrape may be. */
const METRICS_AGE_MS = 5000;
const DATABASE_TIMEOUT_MS = 5000;
/** Each team is a transaction of its own. */
const BULK_TIMEOUT_MS = 60_000;
const MAX_BODY_BYTES = 64 * 1024;
const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;
const IP_ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])$/i;

const HEADERS: { readonly [name: string]: string } = {
  "cache-control": "no-store",
  "content-security-policy": PAGE_POLICY,
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

const NO_TOKEN =
  "This controller has no token, so it accepts no changes over HTTP. Set OUTREACH_CONTROLLER_TOKEN where the controller runs, restart it, and send the same value as `Authorization: Bearer TOKEN`.";
const WRONG_HOST =
  "This controller is not known by the name in the request's Host header. Open it as http://127.0.0.1 or http://localhost, or start it with --allow-host NAME.";
const AWAY = "The database of the fleet is not available. The controller continues as soon as it is.";
/** Who asks over HTTP. */
const API = "the API";
const UNSURE = "It may have done what you asked for: look at the status before you repeat it.";

export function fleetRoutes(options: RouteOptions): Hono {
  const { store, version, clock, log } = options;
  const fleet = sharedRead(() => takeFleetSnapshot(store), DATABASE_TIMEOUT_MS, clock);
  const app = new Hono();
  app.use(async (context, next) => {
    for (const [name, value] of Object.entries(HEADERS)) context.header(name, value);
    const host = (context.req.header("host") ?? "").replace(/:\d{1,5}$/, "");
    if (!isAllowed(host, options)) return failed(context, 403, WRONG_HOST);
    // No name has a zero byte: PostgreSQL refuses it in any text.
    return context.req.url.includes("%00") ? failed(context, 404, "There is nothing at this address.") : next();
  });
  app.get("/", async (context) => context.html(fleetPage(await fleet(0), viewOf(context.req.query()), version)));
  app.get("/teams/:name", async (context) => {
    const name = context.req.param("name");
    const team = await inTime(takeTeamSnapshot(store, name), DATABASE_TIMEOUT_MS, clock);
    return team === null ? failed(context, 404, noTeam(name)) : context.html(teamPage(team, version));
  });
  app.get("/api/status", async (context) => {
    const name = context.req.query("team");
    if (name === undefined) return json(context, 200, statusJson(await fleet(0), version));
    const team = await inTime(takeTeamSnapshot(store, name), DATABASE_TIMEOUT_MS, clock);
    return team === null ? failed(context, 404, noTeam(name)) : json(context, 200, teamStatusJson(team, version));
  });
  addProbes(app, options, fleet);
  addActions(app, options);
  app.notFound((context) => failed(context, 404, `There is nothing at ${context.req.path}.`));
  app.onError((error, context) => {
    if (error instanceof FleetUnavailable)
      return failed(context, 503, context.req.method === "POST" ? `${AWAY} ${UNSURE}` : AWAY);
    log("error", "page-failed", `${context.req.method} ${context.req.path}: ${errorText(error)}`);
    return failed(context, 500, "The controller could not answer. Its log says why.");
  });
  return app;

  /** To a program in JSON, to a person as a page. */
  function failed(context: Context, status: 403 | 404 | 500 | 503, text: string): Response {
    if (context.req.path.startsWith("/api/")) return json(context, status, errorJson(text));
    return context.html(messagePage(TITLES[status], text, version), status);
  }
}

/**
 * Whether a request for this host is answered. With any other name, a web page could have its own name lead here, through a forwarded port or a network that
 * only its reader is in, and read the fleet. No page can do that with an address.
 */
function isAllowed(host: string, { allowedHosts, isLocal }: RouteOptions): boolean {
  return LOOPBACK_HOST.test(host) || allowedHosts.includes(host.toLowerCase()) || (!isLocal && IP_ADDRESS.test(host));
}

const TITLES = { 403: "Forbidden", 404: "Not found", 500: "Error", 503: "The database is not available" } as const;

function addProbes(
  app: Hono,
  { store, metrics, process, clock }: RouteOptions,
  fleet: (maxAgeMs: number) => Promise<FleetSnapshot>,
): void {
  const times = sharedRead(() => store.times(), DATABASE_TIMEOUT_MS, clock);
  app.get("/healthz", (context) => context.text("ok\n"));
  app.get("/readyz", async (context) => {
    const { isInForce, isStopping } = process();
    const isAway = await times(0).then(
      () => false,
      () => true,
    );
    const reasons = [
      ...(isStopping ? ["The controller is shutting down."] : []),
      ...(isAway ? ["The database is not available."] : []),
      ...(isInForce ? [] : ["The configuration of this process is not in force."]),
    ];
    return reasons.length === 0
      ? context.text("ok\n")
      : context.text(reasons.map((reason) => `${reason}\n`).join(""), 503);
  });
  app.get("/metrics", async (context) => {
    const known = await fleet(METRICS_AGE_MS).catch(() => null);
    return context.body(await metrics.text(known, process().isInForce), 200, { "content-type": metrics.contentType });
  });
}

function addActions(app: Hono, { store, token, log, clock }: RouteOptions): void {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  const wanted = token === null ? null : digest(`Bearer ${token}`);
  app.use("/api/teams/*", async (context, next) => {
    if (wanted === null) return json(context, 403, errorJson(NO_TOKEN));
    // Digests have the same length, and comparing them takes the same time, however much of the token is right.
    if (!timingSafeEqual(digest(context.req.header("authorization") ?? ""), wanted)) {
      context.header("www-authenticate", "Bearer");
      return json(
        context,
        401,
        errorJson("The request needs `Authorization: Bearer TOKEN` with the token of the controller."),
      );
    }
    return next();
  });
  const actions: { readonly [action: string]: (team: string) => Promise<Asked> } = {
    run: async (team) => {
      if (!(await store.requestRun(team, API))) return "unknown";
      return (await store.team(team))?.state === "parked" ? "parked" : {};
    },
    pause: async (team) => ((await store.pause(team, API)) ? {} : "unknown"),
    resume: async (team) => {
      const done = await store.resume(team, API);
      return done === "unknown" ? done : { resumed: done === "resumed" };
    },
  };
  for (const [action, act] of Object.entries(actions)) {
    app.post(`/api/teams/:name/${action}`, async (context) => {
      const team = context.req.param("name");
      const asked = await inTime(act(team), DATABASE_TIMEOUT_MS, clock);
      if (asked === "unknown") return json(context, 404, errorJson(noTeam(team)));
      if (asked === "parked")
        return json(
          context,
          409,
          errorJson(`${team} is parked: no controller reconciles it until somebody resumes it.`),
        );
      if (asked["resumed"] !== false) log("info", action, `Asked for over HTTP: ${action}.`, { team });
      return json(context, 200, `${jsonText({ team, action, ...asked })}\n`);
    });
  }
  app.post("/api/teams/:name/approve", async (context) => {
    const team = context.req.param("name");
    const body = await shortBody(context.req.raw);
    if (body === null) return json(context, 413, errorJson("The body is larger than 64 KiB."));
    const { plan, isAnyway } = approvalIn(body);
    if (plan === null)
      return json(context, 400, errorJson('The body must be JSON with the id of the plan, as in {"plan": "ID"}.'));
    const [settings, { atMs }] = await inTime(
      Promise.all([store.settings(), store.times()]),
      DATABASE_TIMEOUT_MS,
      clock,
    );
    const hold = holdAt(settings, atMs);
    if (hold !== null && !isAnyway)
      return json(context, 409, errorJson(`${hold} To apply the plan now, add "ignore_freeze": true.`));
    const approved = await inTime(store.approve(team, plan, API, isAnyway), DATABASE_TIMEOUT_MS, clock);
    if (!approved.ok) {
      if (approved.other === null && (await inTime(store.team(team), DATABASE_TIMEOUT_MS, clock)) === null)
        return json(context, 404, errorJson(noTeam(team)));
      const now =
        approved.other === null ? "no plan of it waits for approval" : `its plan that waits is ${approved.other}`;
      return json(
        context,
        409,
        `${jsonText({ error: `The plan ${plan} of ${team} does not wait for approval: ${now}.`, plan: approved.other })}\n`,
      );
    }
    log("info", "approve", `Plan ${plan} was approved over HTTP.`, { team, plan, approvedBy: approved.by });
    return json(context, 200, `${jsonText({ team, action: "approve", plan, approved_by: approved.by })}\n`);
  });
  addBulkAction(app, { store, log, clock });
  app.all(`/api/teams/:name/:action{${[...Object.keys(actions), "approve"].join("|")}}`, (context) => notPost(context));
}

function addBulkAction(app: Hono, { store, log, clock }: Pick<RouteOptions, "clock" | "log" | "store">): void {
  app.post("/api/teams", async (context) => {
    const body = await shortBody(context.req.raw);
    if (body === null) return json(context, 413, errorJson("The body is larger than 64 KiB."));
    const asked = bulkRequestIn(body);
    if ("error" in asked) return json(context, 400, errorJson(asked.error));
    const acted = await inTime(actOnAll(store, asked, API), BULK_TIMEOUT_MS, clock);
    if ("error" in acted) return json(context, 409, errorJson(acted.error));
    const { action } = asked;
    const { done, late, left } = acted;
    if (done.length > 0) log("info", action, `Asked for over HTTP: ${action} of ${countText(done.length, "team")}.`);
    const isWhole = late.length + left.length === 0;
    return json(
      context,
      isWhole ? 200 : 409,
      `${jsonText({ ...(isWhole ? {} : { error: SOME_LEFT }), action, done: [...done], late: [...late], left: [...left] })}\n`,
    );
  });
  app.all("/api/teams", (context) => notPost(context));
}

function notPost(context: Context): Response {
  context.header("allow", "POST");
  return json(context, 405, errorJson(`Send this as POST, not as ${context.req.method}.`));
}

const SOME_LEFT =
  "Some teams were left alone. late: another plan waits by now, or there is nothing to do any more. left: their plans delete webhooks that nothing manages, so a person approves each by its id.";

/** Why nothing was done, or what the answer says besides the team and the action. */
type Asked = "unknown" | "parked" | JsonObject;

/** The body of a request; null if it is too long. hono's own limit fails for a body without its length. */
async function shortBody({ body }: Request): Promise<string | null> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.length;
    if (size > MAX_BODY_BYTES) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function approvalIn(body: string): { readonly plan: string | null; readonly isAnyway: boolean } {
  try {
    const { plan, ignore_freeze: anyway } = JSON.parse(body) as {
      readonly plan?: unknown;
      readonly ignore_freeze?: unknown;
    };
    return { plan: typeof plan === "string" && plan !== "" ? plan : null, isAnyway: anyway === true };
  } catch {
    return { plan: null, isAnyway: false };
  }
}

function noTeam(team: string): string {
  return `The configuration in force has no team ${team}.`;
}

function errorJson(error: string): string {
  return `${jsonText({ error } satisfies JsonObject)}\n`;
}

function json(
  context: Context,
  status: 200 | 400 | 401 | 403 | 404 | 405 | 409 | 413 | 500 | 503,
  text: string,
): Response {
  return context.body(text, status, { "content-type": "application/json; charset=utf-8" });
}
