import { createHash } from "node:crypto";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/**
 * `plain`: the protocol as Terraform's docs have it. `gitlab`: as the public source of GitLab's managed state (`lib/api/terraform/state.rb`,
 * `app/services/terraform/remote_state_handler.rb`): POST and DELETE to lock and unlock; an answer to a refused lock that repeats the
 * request's own fields; serials that never repeat, and reads of the highest; 404 for a state without a record, which a lock, an unlock or
 * a write makes, then 204 until there is a version; 500 for a write that does not name the lock.
 */
export type Dialect = "plain" | "gitlab";

export type Target = "read" | "write" | "lock" | "unlock";

/** What happens to a request in place of, or after, its processing. */
export interface Fault {
  readonly target: Target;
  readonly when: "before" | "after";
  /** `drop` closes the connection; `cut` sends half of the answer's body; `hang` never answers. */
  readonly action:
    | "drop"
    | "cut"
    | "hang"
    | { readonly status: number; readonly headers?: { readonly [name: string]: string }; readonly body?: string };
  /** Default: once. */
  readonly times?: number;
  /** How many requests to this target pass first. */
  readonly after?: number;
}

export interface LockFields {
  readonly [name: string]: string;
}

export interface StateRequest {
  readonly target: Target;
  readonly method: string;
  readonly path: string;
  /** With its question mark. */
  readonly query: string;
  /** The `ID` of a write, a lock or an unlock. */
  readonly id: string;
  readonly status: number | null;
}

export interface HttpStateServer {
  /** The settings that reach a state of this name; the password is `SERVER_PASSWORD`'s. */
  settings(name?: string): { readonly [setting: string]: string };
  /** The same as Terraform's variables, with the password. */
  environment(name?: string): { readonly [variable: string]: string };
  readonly requests: readonly StateRequest[];
  /** What a client did that the protocol does not allow. */
  readonly violations: readonly string[];
  /** Called with each request before it is processed. */
  onRequest: (request: Pick<StateRequest, "target" | "id">) => void | Promise<void>;
  addFault(fault: Fault): void;
  state(name?: string): Buffer | null;
  lock(name?: string): LockFields | null;
  /** Takes the lock away, as somebody who unlocks by force. */
  stealLock(next?: LockFields | null, name?: string): void;
  setState(bytes: Buffer | null, name?: string): void;
  /** How long each answer takes. */
  latencyMs: number;
  close(): Promise<void>;
}

export const SERVER_USER = "ada";
export const SERVER_PASSWORD = "state-password-1";
const FIELDS = ["ID", "Operation", "Info", "Who", "Version", "Created", "Path"];
const FILLED = ["ID", "Operation", "Who", "Created"];
const PROJECT = "7";
const OTHER_PROJECT = new RegExp(`^/api/v4/projects/(?!${PROJECT}/)[^/]+/terraform/state/`);

interface Place {
  state: Buffer | null;
  lock: LockFields | null;
  /** Of GitLab: whether the state has a record. */
  hasRecord: boolean;
  readonly serials: Set<number>;
}

interface Answer {
  readonly status: number;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: string | Buffer;
}

/** A strict server of states: it refuses what the protocol does not provide for, and notes it. */
export async function startHttpStateServer(
  dialect: Dialect,
  { ignoresWriteId = false }: { readonly ignoresWriteId?: boolean } = {},
): Promise<HttpStateServer> {
  const places = new Map<string, Place>();
  const faults: { fault: Fault; left: number; passes: number }[] = [];
  const requests: StateRequest[] = [];
  const violations: string[] = [];
  const placeOf = (name: string): Place => {
    const place = places.get(name) ?? { state: null, lock: null, hasRecord: false, serials: new Set<number>() };
    places.set(name, place);
    return place;
  };
  const refuse = (status: number, violation: string): Answer => {
    violations.push(violation);
    return json(status, { message: violation });
  };

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      violations.push(String(error));
      response.destroy();
    });
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    const url = new URL(request.url ?? "", "http://localhost");
    const route = routeOf(dialect, request.method ?? "", url.pathname);
    const log = { method: request.method ?? "", path: url.pathname, query: url.search, status: null };
    if (dialect === "gitlab" && OTHER_PROJECT.test(url.pathname))
      return send(response, json(404, { message: "404 Project Not Found" }));
    if (!route) return send(response, refuse(404, `${log.method} ${log.path} does not exist`));
    const { target, name } = route;
    const fields = target === "lock" || target === "unlock" ? lockFields(body) : null;
    const id = fields?.["ID"] ?? url.searchParams.get("ID") ?? "";
    const entry = { ...log, target, id };
    const at = requests.push(entry) - 1;
    await tests.onRequest(entry);
    if (tests.latencyMs > 0) await delay(tests.latencyMs);
    const fault = faultFor(target);
    if (fault?.when === "before") return faulty(response, fault, null);
    const unsound = unsoundness(request, body, refuse);
    const answer = unsound ?? process(target, placeOf(name), { body, fields, id });
    requests[at] = { ...entry, status: answer.status };
    if (fault) return faulty(response, fault, answer);
    send(response, answer);
  }

  function faultFor(target: Target): Fault | null {
    const found = faults.find(({ fault, left }) => left > 0 && fault.target === target);
    if (!found) return null;
    if (found.passes-- > 0) return null;
    found.left--;
    return found.fault;
  }

  function process(
    target: Target,
    place: Place,
    given: { readonly body: Buffer; readonly fields: LockFields | null; readonly id: string },
  ): Answer {
    place.hasRecord ||= target !== "read";
    switch (target) {
      case "read":
        return readAnswer(dialect, place);
      case "write":
        return write(place, given.body, given.id);
      case "lock":
        return lock(place, given.fields);
      case "unlock":
        return unlock(place, given.fields);
    }
  }

  function write(place: Place, body: Buffer, id: string): Answer {
    const serial = dialect === "gitlab" ? serialOf(body) : 0;
    if (serial === null) return json(422, { message: "422 Unprocessable Entity - No serial in payload" });
    if (!ignoresWriteId && (place.lock?.["ID"] ?? "") !== id)
      return dialect === "gitlab" ? json(500, { message: "500 Internal Server Error" }) : json(423, place.lock ?? {});
    if (dialect === "gitlab") {
      if (place.serials.has(serial)) return json(422, { message: "PG::UniqueViolation" });
      const isHighest = [...place.serials].every((one) => one < serial);
      place.serials.add(serial);
      if (!isHighest) return { status: 200 };
    }
    place.state = body;
    return { status: dialect === "gitlab" ? 200 : 204 };
  }

  function lock(place: Place, fields: LockFields | null): Answer {
    const missing = FIELDS.filter((field) => typeof fields?.[field] !== "string").concat(
      FILLED.filter((field) => fields?.[field] === ""),
    );
    if (!fields || missing.length > 0) return refuse(400, `a lock without ${missing.join(", ")}`);
    if (place.lock) {
      if (dialect === "plain") return json(423, place.lock);
      return json(409, {
        ...fields,
        ID: place.lock["ID"] ?? "",
        Who: SERVER_USER,
        Created: place.lock["Created"] ?? "",
      });
    }
    place.lock = fields;
    return dialect === "gitlab" ? json(200, { ...fields, Who: SERVER_USER }) : { status: 200 };
  }

  function unlock(place: Place, fields: LockFields | null): Answer {
    if ((fields?.["ID"] ?? "") === "") return refuse(400, "an unlock without an ID, which would release any lock");
    if (place.lock?.["ID"] !== fields?.["ID"])
      return dialect === "gitlab" ? { status: 409 } : json(423, place.lock ?? {});
    place.lock = null;
    return { status: 200 };
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const tests: HttpStateServer = {
    settings: (name = "one") => settingsOf(dialect, origin, name),
    environment: (name = "one") => {
      const named = Object.entries(settingsOf(dialect, origin, name)).map(([key, value]) => [
        `TF_HTTP_${key.toUpperCase()}`,
        value,
      ]);
      return { ...(Object.fromEntries(named) as { [variable: string]: string }), TF_HTTP_PASSWORD: SERVER_PASSWORD };
    },
    requests,
    violations,
    onRequest: () => undefined,
    addFault: (fault) => void faults.push({ fault, left: fault.times ?? 1, passes: fault.after ?? 0 }),
    state: (name = "one") => placeOf(name).state,
    lock: (name = "one") => placeOf(name).lock,
    stealLock: (next = null, name = "one") => void (placeOf(name).lock = next),
    setState: (bytes, name = "one") => void (placeOf(name).state = bytes),
    latencyMs: 0,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return tests;
}

function settingsOf(dialect: Dialect, origin: string, name: string): { readonly [setting: string]: string } {
  const own = { username: SERVER_USER };
  if (dialect === "plain")
    return {
      ...own,
      address: `${origin}/states/${name}`,
      lock_address: `${origin}/states/${name}`,
      unlock_address: `${origin}/states/${name}`,
    };
  const address = `${origin}/api/v4/projects/${PROJECT}/terraform/state/${name}`;
  return {
    ...own,
    address,
    lock_address: `${address}/lock`,
    unlock_address: `${address}/lock`,
    lock_method: "POST",
    unlock_method: "DELETE",
  };
}

function routeOf(
  dialect: Dialect,
  method: string,
  path: string,
): { readonly target: Target; readonly name: string } | null {
  const pattern =
    dialect === "plain"
      ? /^\/states\/([\w-]+)()$/
      : new RegExp(`^/api/v4/projects/${PROJECT}/terraform/state/([\\w-]+)(/lock)?$`);
  const [, name, lock = ""] = pattern.exec(path) ?? [];
  const target = ROUTES[dialect][`${method}${lock}`];
  return name === undefined || target === undefined ? null : { target, name };
}

const ROUTES: { readonly [dialect in Dialect]: { readonly [route: string]: Target } } = {
  plain: { GET: "read", POST: "write", PUT: "write", LOCK: "lock", UNLOCK: "unlock" },
  gitlab: { GET: "read", POST: "write", "POST/lock": "lock", "DELETE/lock": "unlock" },
};

/** Credentials, and of a body its type and its checksum. */
function unsoundness(
  { headers, method = "" }: IncomingMessage,
  body: Buffer,
  refuse: (status: number, violation: string) => Answer,
): Answer | null {
  const expected = `Basic ${Buffer.from(`${SERVER_USER}:${SERVER_PASSWORD}`).toString("base64")}`;
  if (headers.authorization !== expected) return json(401, { message: "HTTP Basic: Access denied" });
  if (method === "GET") return null;
  if (headers["content-type"] !== "application/json") return refuse(400, `${method} without the type application/json`);
  return headers["content-md5"] === md5(body) ? null : refuse(400, `${method} without its Content-MD5`);
}

function readAnswer(dialect: Dialect, { state, hasRecord }: Place): Answer {
  if (dialect === "gitlab" && !state) return hasRecord ? { status: 204 } : json(404, { message: "404 Not found" });
  if (dialect === "gitlab" && state) return { status: 200, body: state };
  return state ? { status: 200, body: state, headers: { "content-md5": md5(state) } } : { status: 404 };
}

function faulty(response: ServerResponse, { action }: Fault, answer: Answer | null): void {
  if (action === "hang") return;
  if (action === "drop") return void response.destroy();
  if (action !== "cut") return send(response, action);
  const body = Buffer.from(answer?.body ?? "half");
  response.writeHead(answer?.status ?? 200, { ...answer?.headers, "content-length": body.length });
  response.write(body.subarray(0, body.length / 2), () => response.destroy());
}

function send(response: ServerResponse, { status, headers = {}, body = "" }: Answer): void {
  response.writeHead(status, headers).end(body);
}

function json(status: number, value: object): Answer {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(value) };
}

function lockFields(body: Buffer): LockFields | null {
  try {
    return JSON.parse(body.toString()) as LockFields;
  } catch {
    return null;
  }
}

function serialOf(body: Buffer): number | null {
  try {
    const { serial } = JSON.parse(body.toString()) as { readonly serial?: unknown };
    return Number.isInteger(serial) ? (serial as number) : null;
  } catch {
    return null;
  }
}

function md5(bytes: Uint8Array): string {
  return createHash("md5").update(bytes).digest("base64");
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
