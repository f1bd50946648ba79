import type { IncomingMessage, ServerResponse } from "node:http";
import { jsonAnswer, textAnswer } from "./answer.ts";
import type { Answer } from "./answer.ts";
import { checkSchema } from "./check-schema.ts";
import { exportCsv } from "./sandbox-exports.ts";
import { EVENT_REQUEST_SCHEMA } from "./events/event-request.ts";
import type { EventRequest } from "./events/event-request.ts";
import { USER_AGENT } from "./delivery/post.ts";
import { triggerEvents } from "./events/triggered-events.ts";
import { FAULT_SCHEMA } from "./faults.ts";
import type { Fault } from "./faults.ts";
import { readBody } from "./request-body.ts";
import { COLLECTIONS } from "./sandbox-records.ts";
import type { Collection, Records, SeedRecords } from "./sandbox-records.ts";
import { configure, remove, reset, seedRuntime } from "./runtime.ts";
import type { Runtime } from "./runtime.ts";
import { checkRecordChange, checkSeedRecords, checkSettingsChange, parseSandboxSeed } from "./seed.ts";
import { sendAnswer } from "./send.ts";
import type { SandboxSettingsChange } from "./sandbox-settings.ts";
import { addRecords, changeRecord, findRecord, worldAsSeed } from "./world.ts";

/** The path of the control API, outside the API's own path. */
export const CONTROL_PATH = "/_sandbox";

const MAX_BODY_BYTES = 64_000_000;

/** The routes of the control API, as `GET /_sandbox` lists them. */
export const CONTROL_ROUTES: readonly { readonly route: string; readonly does: string }[] = [
  { route: "GET /_sandbox", does: "this list" },
  { route: "GET /_sandbox/state", does: "all records (including secrets) and settings, as a seed" },
  {
    route: "POST /_sandbox/reset",
    does: "resets records and their ids, settings, faults, the request log and the deliveries",
  },
  {
    route: "POST /_sandbox/seed",
    does: "replaces all records and settings with the seed in the body; cancels deliveries under way",
  },
  {
    route: "GET /_sandbox/requests?after=ID",
    does: "the request log with whole bodies; with `after`, only requests after ID",
  },
  { route: "DELETE /_sandbox/requests", does: "empties the request log" },
  {
    route: "GET /_sandbox/deliveries?after=ID",
    does: "the deliveries of events, with their attempts; with `after`, only deliveries after ID",
  },
  { route: "DELETE /_sandbox/deliveries", does: "removes the finished deliveries from this log" },
  {
    route: "POST /_sandbox/deliveries/ID/redeliver",
    does: "delivers the event of a delivery again, with the same `_id`, to the same webhook; enables the webhook if a 410 has disabled it",
  },
  { route: "GET /_sandbox/settings", does: "choices, list profile, rate limit, latency, delivery of events" },
  { route: "PATCH /_sandbox/settings", does: "changes the settings in the body" },
  { route: "GET /_sandbox/faults", does: "the active faults" },
  { route: "POST /_sandbox/faults", does: "adds the fault in the body" },
  { route: "DELETE /_sandbox/faults", does: "removes all faults" },
  { route: "DELETE /_sandbox/faults/ID", does: "removes one fault" },
  {
    route: "POST /_sandbox/events",
    does: "records the events in the body, and delivers them to the webhooks that match",
  },
  { route: "GET /_sandbox/exports/ID.csv", does: "an export's file" },
  { route: "GET /_sandbox/COLLECTION", does: `the records of one of: ${COLLECTIONS.join(", ")}` },
  {
    route: "POST /_sandbox/COLLECTION",
    does: "adds the record in the body, or all records of an array, bypassing the API",
  },
  { route: "PATCH /_sandbox/COLLECTION/ID", does: "changes a record (for keys, ID is the key itself)" },
  { route: "DELETE /_sandbox/COLLECTION/ID", does: "removes a record" },
];

type ControlCall = {
  readonly runtime: Runtime;
  readonly method: string;
  /** Path segments after `CONTROL_PATH`. */
  readonly segments: readonly string[];
  /** The query parameter of this name: an id in a log. */
  readonly after: number;
  readonly body: unknown;
};

/**
 * Answers one request of the control API, in JSON. The control API is for tests and people on this
 * machine: it refuses events that a webhook leads to it.
 */
export async function answerControl(
  runtime: Runtime,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  sendAnswer(response, await controlAnswer(runtime, request), {}, runtime.options.clock.now());
}

async function controlAnswer(runtime: Runtime, request: IncomingMessage): Promise<Answer> {
  if (request.headers["user-agent"] === USER_AGENT) return problems(403, ["the control API takes no events"]);
  const read = await readBody(request, MAX_BODY_BYTES);
  if (read.kind !== "text") return problems(413, ["the body is too large"]);
  let body: unknown;
  try {
    body = read.text === "" ? undefined : JSON.parse(read.text);
    const [path = "", search = ""] = (request.url ?? "").split("?", 2);
    const segments = path
      .split("/")
      .slice(2)
      .filter((segment) => segment !== "")
      .map(decodeURIComponent);
    return dispatch({
      runtime,
      method: request.method ?? "GET",
      segments,
      after: Number(new URLSearchParams(search).get("after") ?? "0"),
      body,
    });
  } catch (error) {
    if (error instanceof SyntaxError) return problems(400, [`the body is not JSON: ${error.message}`]);
    if (error instanceof URIError) return problems(400, ["the path is not correctly percent-encoded"]);
    throw error;
  }
}

function dispatch(call: ControlCall): Answer {
  const [first = "", second, third] = call.segments;
  if (call.method === "POST" && first === "deliveries" && third === "redeliver" && call.segments.length === 3)
    return redeliver(call, second ?? "");
  if (call.segments.length > 2) return unknownRoute();
  if (second === undefined) {
    const own = FIXED[`${call.method} /${first}`];
    if (own) return own(call);
  } else if (first === "faults")
    return call.method === "DELETE" && call.runtime.faults.remove(second) ? outcome([]) : unknownRoute();
  else if (first === "exports" && second.endsWith(".csv") && call.method === "GET")
    return csv(call, second.slice(0, -4));
  const collection = COLLECTIONS.find((name) => name === first);
  if (!collection) return unknownRoute();
  return second === undefined ? onCollection(call, collection) : onRecord(call, collection, second);
}

const FIXED: Readonly<Record<string, (call: ControlCall) => Answer>> = {
  "GET /": () => jsonAnswer(CONTROL_ROUTES),
  "GET /state": ({ runtime }) => jsonAnswer({ ...worldAsSeed(runtime.world), settings: runtime.settings }),
  "POST /reset": ({ runtime }) => outcome(reset(runtime)),
  "POST /seed": ({ runtime, body }) => {
    const { seed, errors } = parseSandboxSeed(body);
    return outcome(seed ? seedRuntime(runtime, seed) : errors);
  },
  "GET /requests": ({ runtime, after }) => jsonAnswer(runtime.log.all().filter(({ id }) => id > after)),
  "DELETE /requests": ({ runtime }) => doneBy(() => runtime.log.clear()),
  "GET /deliveries": ({ runtime, after }) => jsonAnswer(runtime.deliveries.list(after)),
  "DELETE /deliveries": ({ runtime }) => doneBy(() => runtime.deliveries.clearLog()),
  "GET /settings": ({ runtime }) => jsonAnswer(runtime.settings),
  "PATCH /settings": ({ runtime, body }) => {
    const errors = checkSettingsChange(body);
    if (errors.length > 0) return problems(400, errors);
    configure(runtime, body as SandboxSettingsChange);
    return jsonAnswer(runtime.settings);
  },
  "GET /faults": ({ runtime }) => jsonAnswer(runtime.faults.list()),
  "POST /faults": ({ runtime, body }) => {
    const errors = checkSchema(body, FAULT_SCHEMA);
    return errors.length > 0 ? problems(400, errors) : jsonAnswer({ id: runtime.faults.add(body as Fault) });
  },
  "DELETE /faults": ({ runtime }) => doneBy(() => runtime.faults.clear()),
  "POST /events": ({ runtime, body }) => {
    const invalid = checkSchema(body, EVENT_REQUEST_SCHEMA);
    if (invalid.length > 0) return problems(400, invalid);
    const { triggered, errors } = triggerEvents(runtime, body as EventRequest);
    return errors.length > 0 ? problems(400, errors) : jsonAnswer(triggered);
  },
};

function onCollection({ runtime, method, body }: ControlCall, collection: Collection): Answer {
  if (method === "GET") return jsonAnswer([...runtime.world[collection].values()]);
  if (method !== "POST") return unknownRoute();
  const errors = checkSeedRecords(collection, body);
  if (errors.length > 0) return problems(400, errors);
  const added = addRecords(
    runtime.world,
    collection,
    [body].flat() as SeedRecords[typeof collection][],
    runtime.source,
  );
  if (added.errors.length > 0) return problems(400, added.errors);
  return jsonAnswer(Array.isArray(body) ? added.records : added.records[0]);
}

function onRecord({ runtime, method, body }: ControlCall, collection: Collection, id: string): Answer {
  const { world } = runtime;
  const found = findRecord(world, collection, id);
  if (!found) return problems(404, [`${id}: no such record in ${collection}`]);
  if (method === "GET") return jsonAnswer(found);
  if (method === "DELETE") return jsonAnswer(remove(runtime, collection, id));
  if (method !== "PATCH") return unknownRoute();
  const errors = checkRecordChange(collection, body);
  if (errors.length > 0) return problems(400, errors);
  const changed = changeRecord(world, collection, id, body as Partial<Records[typeof collection]>);
  return changed.errors.length > 0 ? problems(400, changed.errors) : jsonAnswer(changed.record);
}

/** 404 for a delivery that the log does not have, 409 for one that cannot be repeated. */
function redeliver({ runtime }: ControlCall, id: string): Answer {
  const { delivery, errors } = runtime.deliveries.redeliver(Number(id));
  return delivery ? jsonAnswer(delivery) : problems(runtime.deliveries.has(Number(id)) ? 409 : 404, errors);
}

function csv({ runtime }: ControlCall, id: string): Answer {
  const record = runtime.world.exports.get(id);
  if (!record) return problems(404, [`${id}: no such record in exports`]);
  return { ...textAnswer(200, exportCsv(runtime.world, record)), contentType: "text/csv; charset=utf-8" };
}

function doneBy(work: () => void): Answer {
  work();
  return outcome([]);
}

function outcome(errors: readonly string[]): Answer {
  return errors.length > 0 ? problems(400, errors) : jsonAnswer({ ok: true });
}

function problems(status: number, errors: readonly string[]): Answer {
  return jsonAnswer({ errors }, status);
}

function unknownRoute(): Answer {
  return problems(404, [`unknown route; the control API has: ${CONTROL_ROUTES.map(({ route }) => route).join(", ")}`]);
}
