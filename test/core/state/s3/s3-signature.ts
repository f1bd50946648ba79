import { createHash, createHmac } from "node:crypto";

/** A request as it came over the wire. */
export interface SignedRequest {
  readonly method: string;
  /** Path and query, as they were sent. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string };
  readonly body: Buffer;
}

export interface SignatureCheck {
  readonly region: string;
  /** Null if any time is right. */
  readonly nowMs: number | null;
  /** The secret of an access key id, and the session token that it needs. */
  readonly keys: { readonly [accessKeyId: string]: { readonly secret: string; readonly token?: string } };
}

/** Why a store refuses a request. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly more?: { readonly [element: string]: string };
}

const MAX_SKEW_MS = 15 * 60_000;
const hash = (data: string | Buffer): string => createHash("sha256").update(data).digest("hex");
const hmac = (key: string | Buffer, data: string): Buffer => createHmac("sha256", key).update(data).digest();
const no = (status: number, code: string, more: Refusal["more"] = {}): Refusal => ({ status, code, more });

/** Signature Version 4 with signed payloads, as its public specification has it; null where it holds. */
export function signatureProblem(
  { method, target, headers, body }: SignedRequest,
  { region, nowMs, keys }: SignatureCheck,
): Refusal | null {
  const scheme =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]*)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/;
  const [, accessKeyId = "", day = "", scopeRegion = "", signedHeaders = "", signature = ""] =
    scheme.exec(headers["authorization"] ?? "") ?? [];
  if (headers["authorization"] === undefined) return no(403, "AccessDenied");
  if (signature === "") return no(400, "AuthorizationHeaderMalformed");
  if (scopeRegion !== region) return no(400, "AuthorizationHeaderMalformed", { Region: region });
  const key = Object.hasOwn(keys, accessKeyId) ? keys[accessKeyId] : undefined;
  if (!key) return no(403, "InvalidAccessKeyId", { AWSAccessKeyId: accessKeyId });
  if (headers["x-amz-security-token"] !== key.token) return no(400, "InvalidToken");
  const date = headers["x-amz-date"] ?? "";
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? [];
  const [year = 0, month = 0, dayOfMonth = 0, hour = 0, minute = 0, second = 0] = parts.map(Number);
  if (parts.length === 0 || !date.startsWith(day)) return no(403, "AccessDenied");
  if (nowMs !== null && Math.abs(Date.UTC(year, month - 1, dayOfMonth, hour, minute, second) - nowMs) > MAX_SKEW_MS)
    return no(403, "RequestTimeTooSkewed", { ServerTime: new Date(nowMs).toISOString() });
  const names = signedHeaders.split(";");
  const mustBeSigned = ["host", ...Object.keys(headers).filter((name) => name.startsWith("x-amz-"))];
  if (!mustBeSigned.every((name) => names.includes(name)) || names.join() !== names.toSorted().join())
    return no(403, "AccessDenied", { Message: "There were headers present in the request which were not signed" });
  const payload = headers["x-amz-content-sha256"] ?? "";
  if (!/^[0-9a-f]{64}$/.test(payload)) return no(400, "InvalidArgument", { Message: "the payload is not signed" });
  const canonical = [
    method,
    canonicalPath(target),
    canonicalQuery(target),
    ...names.map((name) => `${name}:${(headers[name] ?? "").trim().replaceAll(/ +/g, " ")}`),
    "",
    signedHeaders,
    payload,
  ].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const signing = ["aws4_request", "s3", region, day].reduceRight<Buffer>(
    (secret, part) => hmac(secret, part),
    Buffer.from(`AWS4${key.secret}`),
  );
  const expected = hmac(signing, ["AWS4-HMAC-SHA256", date, scope, hash(canonical)].join("\n")).toString("hex");
  if (expected !== signature)
    return no(403, "SignatureDoesNotMatch", { AWSAccessKeyId: accessKeyId, StringToSign: canonical });
  return hash(body) === payload ? null : no(400, "XAmzContentSHA256Mismatch");
}

/** Only unreserved characters stay as they are. */
function encoded(text: string): string {
  const bytes = [...Buffer.from(text)];
  return bytes
    .map((byte) =>
      /[A-Za-z0-9._~-]/.test(String.fromCharCode(byte))
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`,
    )
    .join("");
}

function canonicalPath(target: string): string {
  const [path = ""] = target.split("?");
  return path
    .split("/")
    .map((segment) => encoded(decodeURIComponent(segment)))
    .join("/");
}

function canonicalQuery(target: string): string {
  const [, query = ""] = target.split("?");
  if (query === "") return "";
  const pairs = query.split("&").map((pair) => {
    const [name = "", value = ""] = pair
      .split("=")
      .map((part) => encoded(decodeURIComponent(part.replaceAll("+", " "))));
    return `${name}=${value}`;
  });
  return pairs.toSorted().join("&");
}
