import { createHash } from "node:crypto";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Refusal, type SignatureCheck, type SignedRequest, signatureProblem } from "./s3-signature.ts";

/** What goes wrong with one request. */
export type S3Fault =
  /** It is refused, and not carried out. */
  | (Refusal & { readonly kind: "refuse"; readonly headers?: { readonly [name: string]: string } })
  /** The connection breaks, before or after it was carried out. */
  | { readonly kind: "lost"; readonly when: "before" | "after" }
  /** It is carried out, and its answer ends in the middle. */
  | { readonly kind: "cut" }
  /** It is not answered, and not carried out, until that resolves. */
  | { readonly kind: "held"; readonly until: Promise<void> }
  /** Something else answers, with this text as its body. */
  | { readonly kind: "foreign"; readonly status: number; readonly text: string };

export interface S3Options {
  readonly bucket?: string;
  readonly region?: string;
  readonly keys?: SignatureCheck["keys"];
  /** Null if it takes any time. */
  readonly nowMs?: (() => number) | null;
  /** Whether it looks at If-Match and If-None-Match of a PUT. */
  readonly putConditions?: "honoured" | "ignored" | "refused";
  /** The same of a DELETE. */
  readonly deleteConditions?: "honoured" | "ignored" | "refused";
  /** Asked for each request. */
  readonly fault?: (request: LoggedS3Request) => S3Fault | null;
}

export interface LoggedS3Request {
  readonly method: string;
  readonly key: string;
  readonly headers: SignedRequest["headers"];
  /** Counted from 1. */
  readonly count: number;
}

export interface S3Server {
  readonly url: string;
  readonly port: number;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** What the bucket holds, by key. */
  readonly objects: Map<string, StoredObject>;
  /** As `PUT a/b.json 200`, once each has its answer. */
  readonly log: string[];
  setFault(fault: S3Options["fault"] | null): void;
  close(): Promise<void>;
}

export interface StoredObject {
  readonly body: Buffer;
  readonly etag: string;
  readonly headers: SignedRequest["headers"];
}

const ACCESS_KEY_ID = "AKIAEXAMPLE";
const SECRET_ACCESS_KEY = "s3cr3t/of+the=test";

/** A strict store on this machine: it checks signatures, payloads and conditions as the public documentation of S3 describes them. */
export async function startS3Server(options: S3Options = {}): Promise<S3Server> {
  const {
    bucket = "states",
    region = "eu-test-1",
    keys = { [ACCESS_KEY_ID]: { secret: SECRET_ACCESS_KEY } },
  } = options;
  const objects = new Map<string, StoredObject>();
  const log: string[] = [];
  let { fault = null }: { fault?: S3Options["fault"] | null } = options;
  let count = 0;
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const request = await requestOf(incoming);
      const key = keyOf(request, bucket);
      count++;
      const happens = fault?.({ method: request.method, key: key ?? "", headers: request.headers, count }) ?? null;
      if (happens?.kind === "held") await happens.until;
      const answer = answerOf(request, {
        key,
        happens,
        objects,
        bucket,
        options: { ...options, region, keys },
      });
      log.push(`${request.method} ${key ?? request.target} ${answer === "lost" ? "lost" : String(answer.status)}`);
      send(outgoing, answer, happens?.kind === "cut");
    })().catch((error: unknown) => outgoing.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    port,
    bucket,
    region,
    accessKeyId: ACCESS_KEY_ID,
    secretAccessKey: SECRET_ACCESS_KEY,
    objects,
    log,
    setFault: (next) => (fault = next ?? null),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Answer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: Buffer | string;
}

interface Serving {
  /** Null where the request is not for an object of the bucket. */
  readonly key: string | null;
  readonly happens: S3Fault | null;
  readonly objects: Map<string, StoredObject>;
  readonly bucket: string;
  readonly options: S3Options & Pick<SignatureCheck, "keys" | "region">;
}

function answerOf(request: SignedRequest, { key, happens, objects, bucket, options }: Serving): Answer | "lost" {
  if (happens?.kind === "lost" && happens.when === "before") return "lost";
  if (happens?.kind === "foreign")
    return { status: happens.status, headers: { "content-type": "text/html" }, body: happens.text };
  if (happens?.kind === "refuse")
    return { ...refusalOf(happens), headers: { "content-type": "application/xml", ...happens.headers } };
  const { region, keys, nowMs = () => Date.now() } = options;
  const problem = signatureProblem(request, { region, keys, nowMs: nowMs?.() ?? null });
  if (problem) return refusalOf(problem);
  const answer =
    key === null ? bucketAnswer(request, objects, bucket) : objectAnswer(request, key, { objects, options });
  return happens?.kind === "lost" ? "lost" : answer;
}

function refusalOf({ status, code, more = {} }: Refusal): Answer {
  const escaped = (text: string): string =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const elements = Object.entries({ Code: code, Message: `Refused: ${code}`, ...more, RequestId: "4442587FB7D0A2F9" });
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${elements.map(([name, text]) => `<${name}>${escaped(text)}</${name}>`).join("")}</Error>`;
  return { status, headers: { "content-type": "application/xml" }, body };
}

const refuse = (status: number, code: string): Answer => refusalOf({ status, code });

/** The list of the bucket's objects, which other clients ask for. */
function bucketAnswer({ method, target }: SignedRequest, objects: Serving["objects"], bucket: string): Answer {
  const [path = "", query = ""] = target.split("?");
  if (method !== "GET" || !["/", `/${bucket}`, `/${bucket}/`].includes(path)) return refuse(404, "NoSuchBucket");
  const prefix = new URLSearchParams(query).get("prefix") ?? "";
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix));
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult><Name>${bucket}</Name><Prefix>${prefix}</Prefix><KeyCount>${String(keys.length)}</KeyCount><MaxKeys>1000</MaxKeys><IsTruncated>false</IsTruncated>${keys.map((key) => `<Contents><Key>${key}</Key><Size>${String(objects.get(key)?.body.length)}</Size></Contents>`).join("")}</ListBucketResult>`;
  return { status: 200, headers: { "content-type": "application/xml" }, body };
}

function objectAnswer(
  { method, headers, body }: SignedRequest,
  key: string,
  { objects, options }: Pick<Serving, "objects" | "options">,
): Answer {
  const stored = objects.get(key);
  const { putConditions = "honoured", deleteConditions = "honoured" } = options;
  const conditions = { PUT: putConditions, DELETE: deleteConditions }[method] ?? "honoured";
  const hasCondition = headers["if-match"] !== undefined || headers["if-none-match"] !== undefined;
  if (hasCondition && conditions === "refused") return refuse(501, "NotImplemented");
  if (hasCondition && conditions === "honoured") {
    const problem = conditionProblem(headers, stored);
    if (problem) return problem;
  }
  switch (method) {
    case "GET":
    case "HEAD":
      return stored
        ? { status: 200, headers: { ...stored.headers, etag: stored.etag }, body: stored.body }
        : refuse(404, "NoSuchKey");
    case "PUT": {
      const etag = `"${createHash("md5").update(body).digest("hex")}"`;
      const kept = Object.entries(headers).filter(
        ([name]) =>
          name === "content-type" || name.startsWith("x-amz-server-side-") || name.startsWith("x-amz-checksum-"),
      );
      const object = { body, etag, headers: Object.fromEntries(kept) };
      objects.set(key, object);
      return { status: 200, headers: { etag }, body: "" };
    }
    case "DELETE":
      objects.delete(key);
      return { status: 204, headers: {}, body: "" };
    default:
      return refuse(405, "MethodNotAllowed");
  }
}

function conditionProblem(headers: SignedRequest["headers"], stored: StoredObject | undefined): Answer | null {
  const { "if-match": match, "if-none-match": noneMatch } = headers;
  if (noneMatch !== undefined && noneMatch !== "*") return refuse(501, "NotImplemented");
  if (noneMatch !== undefined && stored) return refuse(412, "PreconditionFailed");
  if (match === undefined) return null;
  if (!stored) return refuse(404, "NoSuchKey");
  return match === stored.etag || match === "*" ? null : refuse(412, "PreconditionFailed");
}

/** The key of the object in the bucket, by path or by virtual host. */
function keyOf({ target, headers }: SignedRequest, bucket: string): string | null {
  const [path = ""] = target.split("?");
  const decoded = decodeURIComponent(path);
  const inBucket = (headers["host"] ?? "").startsWith(`${bucket}.`)
    ? decoded.slice(1)
    : decoded.startsWith(`/${bucket}/`)
      ? decoded.slice(bucket.length + 2)
      : "";
  return inBucket === "" ? null : inBucket;
}

async function requestOf(incoming: IncomingMessage): Promise<SignedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
  return { method: incoming.method ?? "", target: incoming.url ?? "", headers, body: Buffer.concat(chunks) };
}

function send(outgoing: ServerResponse, answer: Answer | "lost", isCut: boolean): void {
  if (answer === "lost") return void outgoing.destroy();
  const body = Buffer.from(answer.body);
  outgoing.writeHead(answer.status, {
    ...answer.headers,
    ...(answer.status === 204 ? {} : { "content-length": String(body.length + (isCut ? 10 : 0)) }),
  });
  if (!isCut) return void outgoing.end(body);
  outgoing.write(body, () => outgoing.destroy());
}
