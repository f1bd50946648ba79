import { createHash } from "node:crypto";
import { WebFailure, type WebRequest, type WebResponse } from "../../../src/core/model/web.ts";
import { chooseStore } from "../../../src/core/state/backends.ts";
import { decodeState } from "../../../src/core/state/document.ts";
import type { StateSettings } from "../../../src/core/state/backend.ts";
import type { StateStore, StorePorts } from "../../../src/core/state/state-store.ts";
import { memoryFiles } from "../state/memory-files.ts";
import { HOLDER, NEVER, processOf } from "../state/state-fixtures.ts";
import { type Life, never } from "./life.ts";
import type { Home, HomePorts } from "./random-home.ts";

/** What becomes of one request to the server of a state. */
const FATES = [
  "crash-before",
  "crash-after",
  "lost-before",
  "lost-after",
  "busy",
  "stolen",
  "stolen",
  "stale",
] as const;
type Fate = (typeof FATES)[number];

/** How many requests of a run may meet a fate: locking, reading, and the windows. */
const REQUESTS = 12;

/** A server of one state, without the network. */
interface ServerOfState {
  /** `isStale`: a read shows what was there before the last write. */
  answer(request: WebRequest, isStale: boolean): Answer;
  /** The state as it is stored. */
  bytes(): Uint8Array | null;
  /** Somebody removes the lock by force. */
  unlock(): void;
}

type Answer = { readonly status: number; readonly headers?: WebResponse["headers"]; readonly body?: Uint8Array };

interface Backend {
  readonly backend: string;
  readonly settings: StateSettings;
  readonly environment: StorePorts["environment"];
  readonly serve: () => ServerOfState;
}

/** A state on a server that takes its time, reached by the store that users have. */
async function webHome(
  { clock, random, chance }: HomePorts,
  { backend, settings, environment, serve }: Backend,
): Promise<Home> {
  const server = serve();
  const { value: open, diagnostics } = chooseStore({ backend, settings }, environment);
  if (open === null) throw new Error(JSON.stringify(diagnostics));
  let fault: { readonly at: number; readonly fate: Fate; readonly lasts: number } | null = null;
  let requests = 0;
  let onStolen: (() => void) | null = null;

  async function send(request: WebRequest, life: Life): Promise<WebResponse> {
    await clock.sleep(1 + chance.below(20), NEVER);
    if (life.isOver) return never();
    const number = requests++;
    const fate = fault && number >= fault.at && number < fault.at + fault.lasts ? fault.fate : "well";
    if (fate === "crash-before") life.end();
    if (life.isOver) return never();
    if (fate === "lost-before") throw lost();
    if (fate === "busy") return { status: 503, headers: {}, body: new Uint8Array() };
    if (fate === "stolen") {
      server.unlock();
      onStolen?.();
    }
    const {
      status,
      headers = {},
      body = new Uint8Array(),
    } = server.answer(request, fate === "stale" && request.method === "GET");
    if (fate === "crash-after") life.end();
    await clock.sleep(1 + chance.below(10), NEVER);
    if (life.isOver) return never();
    if (fate === "lost-after") throw lost();
    return { status, headers, body };
  }

  function portsOf(life: Life): StorePorts {
    return {
      files: memoryFiles(),
      clock,
      random,
      process: processOf(),
      environment,
      web: () => Promise.resolve({ send: (request) => send(request, life), close: () => undefined }),
      reveal: (source) => Promise.resolve(source.kind === "env" ? (environment[source.name] ?? "") : ""),
      hide: () => undefined,
      timeoutMs: 30_000,
    };
  }
  // Loaded once: what a story waits for is the clock alone.
  await open(portsOf({ isOver: false, over: new Promise(() => undefined), end: () => undefined }));
  return {
    storeOf: (life) => lazily(() => open(portsOf(life))),
    lock: async (store) => (await store.lock(HOLDER, 0, NEVER)).lost,
    read: () => {
      const bytes = server.bytes();
      return Promise.resolve(bytes && decodeState(bytes, backend));
    },
    texts: () => new TextDecoder().decode(server.bytes() ?? undefined),
    suffer: (stolen) => {
      requests = 0;
      onStolen = stolen;
      fault = { at: chance.below(REQUESTS), fate: chance.oneOf(FATES), lasts: chance.oneOf([1, 1, 1, 2, 30]) };
      // A server that always shows the state before last, or whose lock is always stolen, serves nobody.
      if (fault.fate === "stale" || fault.fate === "stolen") fault = { ...fault, lasts: 1 };
    },
    recover: () => {
      fault = null;
      onStolen = null;
      server.unlock();
    },
  };
}

function lost(): Error {
  return new WebFailure("the connection was reset without an answer", { sent: true });
}

/** A store that is opened by its first call. */
function lazily(open: () => Promise<StateStore>): StateStore {
  let opening: Promise<StateStore> | null = null;
  const store = (): Promise<StateStore> => (opening ??= open());
  return {
    name: "remote",
    isOnThisMachine: false,
    isAtomic: false,
    backup: null,
    journal: null,
    assertReady: async (signal) => (await store()).assertReady(signal),
    read: async (signal) => (await store()).read(signal),
    write: async (bytes, expected, signal) => (await store()).write(bytes, expected, signal),
    lock: async (...request) => (await store()).lock(...request),
    forceUnlock: async (id, signal) => (await store()).forceUnlock(id, signal),
    heldLock: async (signal) => (await store()).heldLock(signal),
    close: async () => (await store()).close(),
  };
}

const text = (bytes: Uint8Array | null): string => new TextDecoder().decode(bytes ?? undefined);
const hash = (bytes: Uint8Array): string => createHash("md5").update(bytes).digest("hex");

/** As GitLab: a write names the lock, and a serial never repeats. */
function httpServer(): ServerOfState {
  let [state, before, lock]: [Uint8Array | null, Uint8Array | null, string | null] = [null, null, null];
  const serials = new Set<number>();
  const idOf = ({ body }: WebRequest): string => (JSON.parse(text(body)) as { readonly ID: string }).ID;
  return {
    answer: (request, isStale) => {
      const { method, url, body } = request;
      if (method === "GET") {
        const shown = isStale ? before : state;
        return shown ? { status: 200, body: shown } : { status: 204 };
      }
      if (url.pathname.endsWith("/lock")) {
        const holds = lock === null ? null : (JSON.parse(lock) as { readonly ID: string }).ID;
        if (method === "POST" && holds === null) lock = text(body);
        else if (method === "DELETE" && holds === idOf(request)) lock = null;
        else return { status: 409, body: new TextEncoder().encode(lock ?? "{}") };
        return { status: 200 };
      }
      const id = url.searchParams.get("ID");
      if ((lock === null ? null : (JSON.parse(lock) as { readonly ID: string }).ID) !== id) return { status: 409 };
      const { serial } = JSON.parse(text(body)) as { readonly serial: number };
      if (serials.has(serial)) return { status: 422 };
      serials.add(serial);
      [before, state] = [state, body];
      return { status: 200 };
    },
    bytes: () => state,
    unlock: () => void (lock = null),
  };
}

/** A bucket that honours conditions. */
function bucket(): ServerOfState {
  const objects = new Map<string, Uint8Array>();
  const before = new Map<string, Uint8Array>();
  const refused: Answer = {
    status: 412,
    body: new TextEncoder().encode("<Error><Code>PreconditionFailed</Code></Error>"),
  };
  const absent: Answer = { status: 404, body: new TextEncoder().encode("<Error><Code>NoSuchKey</Code></Error>") };
  const put = (path: string, body: Uint8Array | null): void => {
    const old = objects.get(path);
    if (old) before.set(path, old);
    if (body) objects.set(path, body);
    else objects.delete(path);
  };
  return {
    answer: ({ method, url: { pathname: path }, headers, body }, isStale) => {
      const current = objects.get(path);
      const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
      if (method === "GET") {
        // The lock object is read without delay, or it would be no lock.
        const shown = isStale && !path.endsWith(".tflock") ? before.get(path) : current;
        return shown ? { status: 200, headers: { etag: `"${hash(shown)}"` }, body: shown } : absent;
      }
      if (given["if-none-match"] === "*" && current) return refused;
      if (given["if-match"] !== undefined && !current) return method === "PUT" ? absent : refused;
      if (given["if-match"] !== undefined && current && given["if-match"] !== `"${hash(current)}"`) return refused;
      put(path, method === "PUT" ? body : null);
      return method === "PUT" && body ? { status: 200, headers: { etag: `"${hash(body)}"` } } : { status: 204 };
    },
    bytes: () => objects.get("/states/toys.json") ?? null,
    unlock: () => void objects.delete("/states/toys.json.tflock"),
  };
}

export const httpHome = (ports: HomePorts): Promise<Home> =>
  webHome(ports, {
    backend: "http",
    settings: {
      address: "https://git.example.com/api/v4/projects/7/terraform/state/toys",
      lock_address: "https://git.example.com/api/v4/projects/7/terraform/state/toys/lock",
      lock_method: "POST",
      unlock_method: "DELETE",
      retry_wait_min: 0,
      retry_wait_max: 0,
    },
    environment: {},
    serve: httpServer,
  });

export const s3Home = (ports: HomePorts): Promise<Home> =>
  webHome(ports, {
    backend: "s3",
    settings: {
      bucket: "states",
      key: "toys.json",
      region: "eu-west-1",
      endpoint: "https://s3.example.com",
      use_path_style: true,
    },
    environment: { AWS_ACCESS_KEY_ID: "key-id", AWS_SECRET_ACCESS_KEY: "access-key" },
    serve: bucket,
  });
