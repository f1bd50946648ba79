import { printable } from "../../model/words.ts";
import { type Diagnostic, errorOf } from "../../model/diagnostic.ts";
import type { WebFailure, WebResponse } from "../../model/web.ts";
import { type S3Place, s3Name } from "./s3-place.ts";
import { storeAnswer, storeUnreachable } from "../store-errors.ts";

/** A store's refusal, of its status, headers and XML. */
export interface S3Problem {
  readonly status: number;
  /** The code, such as `NoSuchBucket`; null if the answer has none: then it may not come from a store of this kind. */
  readonly code: string | null;
  readonly message: string | null;
  /** The region of the bucket, where the answer names one. */
  readonly region: string | null;
  readonly serverTime: string | null;
}

/** The part of a refusal that is read. */
const MAX_XML = 16 * 1024;

export function problemOf({ status, headers, body }: WebResponse): S3Problem {
  const xml = status < 300 ? "" : new TextDecoder().decode(body.subarray(0, MAX_XML));
  const code = element(xml, "Code");
  return {
    status,
    code: code !== null && /^[\w.]{1,80}$/.test(code) ? code : null,
    message: element(xml, "Message"),
    region: headers["x-amz-bucket-region"] ?? element(xml, "Region"),
    serverTime: element(xml, "ServerTime"),
  };
}

const ENTITIES: { readonly [entity: string]: string } = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&apos;": "'",
  "&amp;": "&",
};

/** The text of the first such element, on one line and not long; null if there is none. Elements below it are not read. */
function element(xml: string, name: string): string | null {
  const [, text] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? [];
  if (text === undefined) return null;
  const plain = text.replaceAll(/&(?:lt|gt|quot|apos|amp);/g, (entity) => ENTITIES[entity] ?? entity);
  return printable(plain) || null;
}

interface Asked {
  readonly method: string;
  readonly key: string;
}

/** No attempt had an answer, or the store was busy every time. */
export function unanswered(
  { bucket, base }: S3Place,
  { method, key }: Asked,
  problem: S3Problem | WebFailure,
): Diagnostic {
  const { host } = new URL(base);
  const why =
    "status" in problem
      ? `${host} is busy (${answerText(problem)})`
      : problem.problem && problem.problem.kind !== "proxy"
        ? `${host} ${problem.message}`
        : problem.message;
  return storeUnreachable({
    request: `${method} ${s3Name(bucket, key)}`,
    why,
    hint: "problem" in problem ? (problem.problem?.hint ?? null) : null,
  });
}

/** The store has refused a request, and would again. */
export function refused(place: S3Place, { method, key }: Asked, problem: S3Problem): Diagnostic {
  const { what, hint } = explained(place, problem);
  const isDenied = problem.status === 401 || problem.status === 403 || EXPIRED_CODES.has(problem.code);
  return storeAnswer(isDenied, { detail: `${method} ${s3Name(place.bucket, key)} failed: ${what}`, hint });
}

/** The error of a store without conditions: two runs could hold the lock at once. */
export function unsuitable({ bucket, key }: S3Place, why: string): Diagnostic {
  return errorOf("state_unsuitable", "The store cannot keep a state", {
    detail: `${s3Name(bucket, key)} cannot be locked: ${why}. Two runs could change the state at the same time. Nothing was sent, and the state was not changed.`,
    hint: "Use a store with conditional writes (If-None-Match and If-Match), such as AWS S3 or a recent version of a compatible store, or another backend.",
  });
}

/** Answers to credentials that were valid before. */
export const EXPIRED_CODES: ReadonlySet<string | null> = new Set([
  "ExpiredToken",
  "ExpiredTokenException",
  "TokenRefreshRequired",
]);

interface Explained {
  readonly what: string;
  readonly hint: string;
}

const WRONG_REGION: ReadonlySet<string | null> = new Set([
  "PermanentRedirect",
  "TemporaryRedirect",
  "AuthorizationHeaderMalformed",
  "IllegalLocationConstraintException",
]);

function explained(place: S3Place, problem: S3Problem): Explained {
  const { code, status, region } = problem;
  if (WRONG_REGION.has(code) || (status >= 300 && status < 400)) return wrongRegion(place, region);
  if (code === "RequestTimeTooSkewed") return wrongClock(problem);
  if (EXPIRED_CODES.has(code)) return expired(String(code));
  const known = code !== null && Object.hasOwn(EXPLAINED, code) ? EXPLAINED[code] : undefined;
  if (known) return known(place);
  if (code === null) {
    return {
      what: `the answer with status ${String(status)} does not come from a store of this kind.`,
      hint: `Check state.endpoint, and whether a proxy answers in its place. A store that needs another form of URLs: state.use_path_style.`,
    };
  }
  return { what: `the store answers ${answerText(problem)}.`, hint: "Check the settings below state." };
}

const EXPLAINED: { readonly [code: string]: (place: S3Place) => Explained } = {
  AccessDenied: ({ bucket, key }) => ({
    what: "these credentials do not allow it (AccessDenied).",
    hint: `Allow s3:GetObject, s3:PutObject and s3:DeleteObject on ${bucket}/${key} and ${bucket}/${key}.tflock, and s3:ListBucket on ${bucket}: without it, an object that does not exist yet counts as denied. A KMS key also needs kms:GenerateDataKey and kms:Decrypt.`,
  }),
  NoSuchBucket: ({ bucket }) => ({
    what: `the bucket ${bucket} does not exist there (NoSuchBucket).`,
    hint: "Create the bucket, or correct state.bucket and state.endpoint.",
  }),
  InvalidAccessKeyId: () => ({
    what: "the store does not know the access key id (InvalidAccessKeyId).",
    hint: CHECK_CREDENTIALS,
  }),
  SignatureDoesNotMatch: () => ({
    what: "the secret access key does not belong to the access key id (SignatureDoesNotMatch).",
    hint: `${CHECK_CREDENTIALS} A proxy that changes requests has the same effect.`,
  }),
  InvalidToken: () => ({ what: "the session token is not valid (InvalidToken).", hint: CHECK_CREDENTIALS }),
};

const CHECK_CREDENTIALS =
  "Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, or state.credentials, and that they are of this store.";

function expired(code: string): Explained {
  return {
    what: `the credentials have expired (${code}).`,
    hint: "Get new credentials. For runs that take longer than they are valid, configure the command that prints them: state.credentials: { command: [PROGRAM] }.",
  };
}

function wrongRegion({ bucket, region }: S3Place, actual: string | null): Explained {
  return actual === null || actual === region
    ? {
        what: `the bucket ${bucket} is not in the region ${region}, or not at this endpoint.`,
        hint: "Correct state.region or state.endpoint.",
      }
    : {
        what: `the bucket ${bucket} is in the region ${actual}, not in ${region}.`,
        hint: `Set state.region, or AWS_REGION, to ${actual}.`,
      };
}

function wrongClock({ serverTime }: S3Problem): Explained {
  return {
    what: `the clock of this machine is too far from the store's${serverTime === null ? "" : `, which has ${serverTime}`} (RequestTimeTooSkewed).`,
    hint: "Correct the clock of this machine.",
  };
}

function answerText({ status, code, message }: S3Problem): string {
  return [String(status), code, message === null ? null : `(${message})`].filter((part) => part !== null).join(" ");
}
