import { Agent, request as httpRequest } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import { nodeClock } from "../../src/platform/node-clock.ts";
import { startSandbox } from "../../src/sandbox/server.ts";
import type { Sandbox } from "../../src/sandbox/server.ts";
import type { SandboxOptions } from "../../src/sandbox/runtime.ts";
import type { SandboxClock } from "../../src/sandbox/sandbox-time.ts";

/** A clock that moves only when somebody waits or advances it. */
export type ManualClock = SandboxClock & { advance: (ms: number) => void };

export function manualClock(start = Date.parse("2026-07-01T12:00:00.000Z")): ManualClock {
  let now = start;
  return {
    now: () => now,
    advance: (ms) => void (now += ms),
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        now += ms;
        setImmediate(() => (signal?.aborted ? reject(new Error("closed")) : resolve()));
      }),
  };
}

const { signal: never } = new AbortController();

/** This machine's clock, for tests that deliver events: the manual clock's waits end at once, and so would every attempt. */
export const realClock: SandboxClock = {
  now: () => nodeClock.now(),
  sleep: (ms, signal = never) => nodeClock.sleep(ms, signal),
};

export type Reply = { status: number; headers: IncomingHttpHeaders; text: string; json: unknown };

export type Send = {
  method?: string;
  /** Relative to the base address unless `absolute`. Sent unchanged. */
  path: string;
  absolute?: boolean;
  /** undefined: the good key; null: no `Authorization` header. */
  key?: string | null;
  headers?: Record<string, string>;
  /** An object is sent as JSON. */
  body?: unknown;
};

export type UnderTest = {
  sandbox: Sandbox;
  clock: ManualClock;
  /** Sends one request; rejects if the connection fails or the body is cut. */
  send: (send: Send) => Promise<Reply>;
  get: (path: string, key?: string | null) => Promise<Reply>;
  addHook: (body: unknown, query?: string, key?: string | null) => Promise<Reply>;
  control: (method: string, path: string, body?: unknown) => Promise<Reply>;
  close: () => Promise<void>;
};

/** The `Authorization` header of a key. */
export function basic(key: string): string {
  return `Basic ${Buffer.from(`:${key}`).toString("base64")}`;
}

/** Starts a sandbox without a rate limit unless the options have one. */
export async function startUnderTest(options: Partial<SandboxOptions> = {}): Promise<UnderTest> {
  const clock = manualClock();
  const sandbox = await startSandbox({ clock, random: () => 0.5, rateLimit: null, ...options });
  const agent = new Agent({ keepAlive: true });
  const send = (one: Send): Promise<Reply> => sendTo(sandbox, agent, one);
  return {
    sandbox,
    clock,
    send,
    get: (path, key) => send({ path, ...(key === undefined ? {} : { key }) }),
    addHook: (body, query = "", key) =>
      send({ method: "POST", path: `/hooks${query}`, body, ...(key === undefined ? {} : { key }) }),
    control: (method, path, body) =>
      send({ method, path: `/_sandbox${path}`, absolute: true, key: null, ...(body === undefined ? {} : { body }) }),
    close: async () => {
      agent.destroy();
      await sandbox.close();
    },
  };
}

function sendTo(sandbox: Sandbox, agent: Agent, one: Send): Promise<Reply> {
  const base = new URL(sandbox.baseUrl);
  const payload =
    one.body === undefined ? undefined : typeof one.body === "string" ? one.body : JSON.stringify(one.body);
  const key = one.key === undefined ? sandbox.keys.good : one.key;
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        agent,
        host: base.hostname,
        port: base.port,
        method: one.method ?? "GET",
        path: (one.absolute ? "" : base.pathname) + one.path,
        headers: {
          ...(key === null ? {} : { Authorization: basic(key) }),
          ...(payload === undefined ? {} : { "Content-Type": "application/json" }),
          ...one.headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parse(text) });
        });
      },
    );
    request.on("error", reject);
    request.end(payload);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
