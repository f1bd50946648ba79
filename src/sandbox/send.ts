import { Buffer } from "node:buffer";
import { STATUS_CODES } from "node:http";
import type { ServerResponse } from "node:http";
import { textAnswer } from "./answer.ts";
import type { Answer } from "./answer.ts";
import type { FaultAction } from "./faults.ts";
import { httpTime } from "./sandbox-time.ts";
import type { SandboxClock } from "./sandbox-time.ts";

/** The answer that a fault before processing alters, because no true answer exists. */
export const UNPROCESSED: Answer = textAnswer(503, "Service Unavailable");

/** Headers by name; null omits one. */
export type Headers = Readonly<Record<string, string | null>>;

/** Sends a whole answer, or `bytes` in place of its body. `Date` comes from the sandbox's clock. */
export function sendAnswer(
  response: ServerResponse,
  answer: Answer,
  headers: Headers,
  now: number,
  bytes = Buffer.from(answer.body),
): void {
  if (response.destroyed) return;
  sendHead(response, answer, headers, now, bytes.length);
  response.end(bytes);
}

/**
 * Sends an answer with a fault. Returns the status that the client can see; null: none.
 * `late` sends the answer unchanged: its caller has already waited.
 */
export async function sendWithFault(
  response: ServerResponse,
  answer: Answer,
  headers: Headers,
  action: FaultAction,
  clock: SandboxClock,
  signal: AbortSignal,
): Promise<{ status: number | null; body: string }> {
  const now = clock.now();
  switch (action.kind) {
    case "drop":
      response.destroy();
      return { status: null, body: answer.body };
    case "reset":
    case "truncate":
      return sendPart(response, answer, headers, now, action);
    case "slow":
      await sendSlowly(response, answer, headers, action, clock, signal);
      return answer;
    case "late":
      sendAnswer(response, answer, headers, now);
      return answer;
    case "html": {
      const status = action.status ?? 502;
      const words = `${String(status)} ${STATUS_CODES[status] ?? "Error"}`;
      const body = `<!DOCTYPE html>\n<html><head><title>${words}</title></head><body><h1>${words}</h1></body></html>\n`;
      sendAnswer(response, { status, contentType: "text/html; charset=utf-8", body }, headers, now);
      return { status, body };
    }
    case "answer": {
      const status = action.status ?? answer.status;
      const body = action.body ?? (action.status === undefined ? answer.body : (STATUS_CODES[status] ?? ""));
      const contentType = action.status === undefined || action.body !== undefined ? answer.contentType : "text/plain";
      const bytes = action.bodyBase64 === undefined ? Buffer.from(body) : Buffer.from(action.bodyBase64, "base64");
      sendAnswer(
        response,
        { ...answer, status, contentType, body },
        mergeHeaders(headers, action.headers ?? {}),
        now,
        bytes,
      );
      return { status, body };
    }
  }
}

function sendPart(
  response: ServerResponse,
  answer: Answer,
  headers: Headers,
  now: number,
  { kind, afterBytes }: FaultAction & { readonly kind: "reset" | "truncate" },
): { status: number | null; body: string } {
  const { socket } = response;
  const stop = (): void => {
    if (kind === "reset") socket?.resetAndDestroy();
    else socket?.end(() => socket.destroy());
  };
  if (kind === "reset" && afterBytes === 0) {
    stop();
    return { status: null, body: answer.body };
  }
  if (!response.destroyed) {
    const bytes = Buffer.from(answer.body);
    const part = bytes.subarray(0, afterBytes ?? Math.floor(bytes.length / 2));
    sendHead(response, answer, headers, now, bytes.length);
    response.flushHeaders();
    if (part.length === 0) stop();
    else response.write(part, stop);
  }
  return answer;
}

async function sendSlowly(
  response: ServerResponse,
  answer: Answer,
  headers: Headers,
  action: FaultAction & { readonly kind: "slow" },
  clock: SandboxClock,
  signal: AbortSignal,
): Promise<void> {
  const bytes = Buffer.from(answer.body);
  const size = Math.max(1, action.bytes ?? 1);
  if (response.destroyed) return;
  sendHead(response, answer, headers, clock.now(), bytes.length);
  response.flushHeaders();
  for (let start = 0; start < bytes.length && !response.destroyed; start += size) {
    await clock.sleep(action.pauseMs ?? 1000, signal);
    response.write(bytes.subarray(start, start + size));
  }
  response.end();
}

function sendHead(response: ServerResponse, answer: Answer, headers: Headers, now: number, length: number): void {
  const all = mergeHeaders(
    { Date: httpTime(now), "Content-Type": answer.contentType, "Content-Length": String(length), ...answer.headers },
    headers,
  );
  const present = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null);
  response.sendDate = false;
  response.writeHead(answer.status, Object.fromEntries(present));
}

/** `under` with `over` applied; names compare without case. */
function mergeHeaders(under: Headers, over: Headers): Record<string, string | null> {
  const merged: Record<string, string | null> = { ...under };
  for (const [name, value] of Object.entries(over)) {
    const same = Object.keys(merged).find((one) => one.toLowerCase() === name.toLowerCase());
    merged[same ?? name] = value;
  }
  return merged;
}
