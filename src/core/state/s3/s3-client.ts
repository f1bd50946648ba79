import { NEVER_ABORTED } from "../../model/async.ts";
import { createHash } from "node:crypto";
import { AwsV4Signer } from "aws4fetch";
import { DiagnosticsError } from "../../model/diagnostic.ts";
import { WebFailure, type WebResponse } from "../../model/web.ts";
import { isoTime, parsedTimeMs } from "../../model/iso-time.ts";
import { EXPIRED_CODES, type S3Problem, problemOf, refused, unanswered } from "./s3-errors.ts";
import { type S3Place, s3Name } from "./s3-place.ts";
import { retryAfterMs } from "../retry-after.ts";
import type { StorePorts } from "../state-store.ts";
import { isRecord, parseJson } from "../../model/shape.ts";

export interface S3Request {
  readonly method: "GET" | "PUT" | "DELETE";
  readonly key: string;
  /** Names in lower case. */
  readonly headers?: { readonly [name: string]: string };
  readonly body?: Uint8Array;
  /** An interruption lets an attempt under way end, and only prevents another one. */
  readonly completes?: true;
  /** Whether there is no further attempt. */
  readonly isLast?: boolean;
}

/**
 * - `ok`: carried out
 * - `absent`: there is no such object
 * - `condition`: the request's condition does not hold
 * - `unsupported`: the store does not have such conditions
 */
export type S3Outcome =
  | (S3Object & { readonly kind: "ok" })
  | { readonly kind: "absent" | "condition" | "unsupported" };

export interface S3Object {
  /** Empty after a DELETE. */
  readonly etag: string;
  readonly body: Uint8Array;
}

export interface S3Client {
  /**
   * Signs and sends a request, up to 4 times while the store is busy or no answer arrives. An attempt without an answer may
   * have been carried out. Throws `DiagnosticsError` for all that is not an `S3Outcome`.
   */
  send(request: S3Request, signal: AbortSignal): Promise<S3Outcome>;
}

const ATTEMPTS = 4;
const FIRST_WAIT_MS = 500;
const CONFLICT_WAIT_MS = 50;
/** The longest wait, whatever the store asks for. */
const MAX_WAIT_MS = 30_000;
const BUSY: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);
/** Answers to requests that meet others for the same object. */
const CONFLICT_CODES: ReadonlySet<string | null> = new Set(["OperationAborted", "ConditionalRequestConflict"]);
const BUSY_CODES: ReadonlySet<string | null> = new Set(["RequestTimeout", "SlowDown", ...CONFLICT_CODES]);

export function s3Client(place: S3Place, ports: StorePorts): S3Client {
  const { clock } = ports;
  const credentials = credentialsSource(place, ports);
  const attempt = async (request: S3Request, signal: AbortSignal): Promise<WebResponse | WebFailure> => {
    const { method, body = null, completes = false } = request;
    const { url, headers } = await signed(request, {
      place,
      credentials: await credentials.current(),
      nowMs: clock.now(),
    });
    const web = await ports.web();
    return web
      .send({ method, url, headers, body, timeoutMs: ports.timeoutMs }, completes ? NEVER_ABORTED : signal)
      .catch((error: unknown) => {
        if (error instanceof WebFailure) return error;
        throw error;
      });
  };
  return {
    send: async (request, signal) => {
      let hasRenewed = false;
      for (let count = 1; ; count++) {
        signal.throwIfAborted();
        const answer = await attempt(request, signal);
        const problem = "status" in answer ? problemOf(answer) : answer;
        const outcome = "status" in answer ? outcomeOf(request, answer) : null;
        if (outcome) return outcome;
        if ("status" in problem && EXPIRED_CODES.has(problem.code) && !hasRenewed && credentials.renew()) {
          hasRenewed = true;
          continue;
        }
        if ("status" in problem && !isBusy(problem)) throw new DiagnosticsError([refused(place, request, problem)]);
        const isPermanent = "problem" in problem && problem.problem?.isTemporary === false;
        if (isPermanent || request.isLast || count >= ATTEMPTS)
          throw new DiagnosticsError([unanswered(place, request, problem)]);
        const waitMs = "status" in problem && CONFLICT_CODES.has(problem.code) ? CONFLICT_WAIT_MS : FIRST_WAIT_MS;
        const askedMs = "status" in answer ? retryAfterMs(answer) : null;
        await clock.sleep(Math.min(MAX_WAIT_MS, askedMs ?? waitMs * 2 ** (count - 1)), signal);
      }
    },
  };
}

function outcomeOf(
  { method, headers: sent = {} }: S3Request,
  { status, headers, body }: WebResponse,
): S3Outcome | null {
  const hasCondition = "if-match" in sent || "if-none-match" in sent;
  if (status === 412 && hasCondition) return { kind: "condition" };
  if (status === 501 && hasCondition) return { kind: "unsupported" };
  if (status === 404 && problemOf({ status, headers, body }).code === "NoSuchKey") return { kind: "absent" };
  const etag = headers["etag"] ?? "";
  const isWhole = method === "DELETE" ? status === 200 || status === 204 : status === 200 && etag !== "";
  return isWhole ? { kind: "ok", etag, body } : null;
}

function isBusy({ status, code }: S3Problem): boolean {
  return BUSY.has(status) || BUSY_CODES.has(code);
}

interface Signing {
  readonly place: S3Place;
  readonly credentials: S3Credentials;
  readonly nowMs: number;
}

async function signed({ method, key, headers = {}, body }: S3Request, { place, credentials, nowMs }: Signing) {
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  const hash = createHash("sha256")
    .update(body ?? "")
    .digest("hex");
  const { url, headers: all } = await new AwsV4Signer({
    method,
    url: `${place.base}${key.split("/").map(encodeURIComponent).join("/")}`,
    headers: { ...headers, "x-amz-content-sha256": hash },
    accessKeyId,
    secretAccessKey,
    ...(sessionToken === null ? {} : { sessionToken }),
    service: "s3",
    region: place.region,
    datetime: isoTime(nowMs).replaceAll(/[:-]|\.\d{3}/g, ""),
  }).sign();
  return { url, headers: Object.fromEntries(all) };
}

interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The token of temporary credentials. */
  readonly sessionToken: string | null;
}

interface CredentialsSource {
  /** Credentials that are still valid for a while. Throws `state_credentials`, or the problem of their source. */
  current(): Promise<S3Credentials>;
  /** After the store has refused them as expired: whether the next call of `current` reads them again. */
  renew(): boolean;
}

interface Expiring extends S3Credentials {
  /** Milliseconds since the epoch; null if nobody knows. */
  readonly expiresAtMs: number | null;
}

/** They are read again this long before they expire. */
const RENEW_BEFORE_MS = 5 * 60_000;
const VARIABLES = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"] as const;

/** The credentials of the configuration, or else of the environment. All of them are kept out of output. */
function credentialsSource(place: S3Place, ports: StorePorts): CredentialsSource {
  const { credentials: source } = place;
  let reading: Promise<Expiring> | null = null;
  let wasRead = false;
  const read = async (): Promise<Expiring> => {
    const again = wasRead;
    wasRead = true;
    const found =
      source === null ? fromEnvironment(place, ports) : fromJson(await ports.reveal(source, { again }), place);
    for (const secret of [found.secretAccessKey, found.sessionToken]) if (secret !== null) ports.hide(secret);
    const texts = [found.accessKeyId, found.secretAccessKey, found.sessionToken ?? "x"];
    if (!texts.every((text) => /^[\x21-\x7e]+$/.test(text)))
      throw noCredentials(place, "One of them is empty, or has spaces or control characters.");
    return found;
  };
  return {
    current: async () => {
      const known = await (reading ??= read());
      if (source === null || known.expiresAtMs === null || known.expiresAtMs - ports.clock.now() > RENEW_BEFORE_MS)
        return known;
      return (reading = read());
    },
    renew: () => {
      reading = null;
      return source !== null;
    },
  };
}

function fromEnvironment(place: S3Place, { environment }: StorePorts): Expiring {
  const [accessKeyId = "", secretAccessKey = "", sessionToken = ""] = VARIABLES.map((name) => environment[name] ?? "");
  const missing = [accessKeyId === "" ? VARIABLES[0] : null, secretAccessKey === "" ? VARIABLES[1] : null].filter(
    (name) => name !== null,
  );
  if (missing.length > 0)
    throw noCredentials(place, `${missing.join(" and ")} ${missing.length > 1 ? "are" : "is"} not set.`);
  return { accessKeyId, secretAccessKey, sessionToken: sessionToken === "" ? null : sessionToken, expiresAtMs: null };
}

/** No part of the text gets into a message. */
function fromJson(text: string, place: S3Place): Expiring {
  const wrong = (why: string): DiagnosticsError =>
    noCredentials(place, `state.credentials is not the JSON of AWS's credential_process: ${why}.`);
  const read = parseJson(text);
  if (!isRecord(read)) throw wrong("it is not a JSON object");
  if (read["Version"] !== 1) throw wrong("its Version is not 1");
  const {
    AccessKeyId: accessKeyId,
    SecretAccessKey: secretAccessKey,
    SessionToken: sessionToken = null,
    Expiration: expiration = null,
  } = read;
  if (typeof accessKeyId !== "string" || typeof secretAccessKey !== "string")
    throw wrong("AccessKeyId or SecretAccessKey is missing");
  if (sessionToken !== null && typeof sessionToken !== "string") throw wrong("SessionToken is not a string");
  const expiresAtMs = typeof expiration === "string" ? parsedTimeMs(expiration) : null;
  if (expiration !== null && expiresAtMs === null) throw wrong("Expiration is not a time");
  return { accessKeyId, secretAccessKey, sessionToken, expiresAtMs };
}

function noCredentials({ bucket, key }: S3Place, why: string): DiagnosticsError {
  return DiagnosticsError.of("state_credentials", "No credentials for the state", {
    detail: `${s3Name(bucket, key)} needs credentials. ${why}`,
    hint: "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_SESSION_TOKEN for temporary credentials. Or configure a command that prints them: state.credentials: { command: [aws, configure, export-credentials] }.",
  });
}
