import type { SecretSource } from "../../model/declaration.ts";
import type { Diagnostic, Result } from "../../model/diagnostic.ts";
import { type ReadSettings, type SettingOrigin, invalidSetting as invalidAt } from "../settings.ts";
import { parseUrl } from "../../model/url.ts";

/** One state in a bucket, and how its store is reached. */
export interface S3Place {
  readonly bucket: string;
  /** The key of the state's object. */
  readonly key: string;
  readonly region: string;
  /** Where the keys of the bucket begin, with a slash at the end. */
  readonly base: string;
  /** Of every object that is written. */
  readonly encryption: { readonly [header: string]: string };
  /** Null where the environment has the credentials. */
  readonly credentials: SecretSource | null;
}

const invalidSetting = (name: string, why: string, hint?: string): Diagnostic => invalidAt({ path: [name], from: name }, why, hint);

const DEFAULT_REGION = "us-east-1";
const MAX_KEY_BYTES = 1000;
const ENCRYPTIONS: readonly string[] = ["AES256", "aws:kms", "aws:kms:dsse"];

/** As `s3://BUCKET/KEY`, with the key as it is: nothing in it is escaped. */
export function s3Name(bucket: string, key: string): string {
  return `s3://${bucket}/${key}`;
}

/** Errors `state_setting_invalid` and `state_setting_missing`. */
export function s3Place(settings: ReadSettings): Result<S3Place | null> {
  const [bucket, key, endpoint] = [settings.text("bucket") ?? "", settings.text("key") ?? "", settings.text("endpoint")];
  const region = settings.text("region") ?? (endpoint === null ? "" : DEFAULT_REGION);
  const server = endpoint === null ? serverOfRegion(region) : serverOf(endpoint, settings.origin("endpoint"));
  const encryption = encryptionOf(settings);
  const problems = [bucketProblem(bucket), keyProblem(key), regionProblem(region, settings.origin("region")), server, encryption].filter(isProblem);
  if (problems.length > 0 || isProblem(server) || isProblem(encryption)) return { value: null, diagnostics: problems };
  const base = baseOf(server, { bucket, isPathStyle: settings.flag("use_path_style") ?? endpoint !== null });
  return { value: { bucket, key, region, base, encryption, credentials: settings.secret("credentials") }, diagnostics: [] };
}

function isProblem(one: Diagnostic | object | null): one is Diagnostic {
  return one !== null && "severity" in one;
}

function regionProblem(region: string, origin: SettingOrigin): Diagnostic | null {
  if (region === "") return missingRegion();
  return /^[a-z0-9-]+$/i.test(region) ? null : invalidAt(origin, "A region has only letters, digits and hyphens.");
}

function serverOfRegion(region: string): URL {
  return new URL(`https://s3.${/^[a-z0-9-]+$/i.test(region) ? region : DEFAULT_REGION}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}/`);
}

function serverOf(endpoint: string, origin: SettingOrigin): URL | Diagnostic {
  const hint = "Write it as https://HOST, without the bucket.";
  const url = parseUrl(endpoint);
  if (url === null || !/^https?:$/.test(url.protocol)) return invalidAt(origin, "It must be the URL of a server.", hint);
  if (`${url.username}${url.password}${url.search}${url.hash}` !== "") {
    return invalidAt(origin, "It must have no user name, password, query or fragment.", "Set the credentials with state.credentials or AWS_ACCESS_KEY_ID.");
  }
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url;
}

/** A certificate for *.HOST is not valid for a bucket with dots. */
function baseOf(server: URL, { bucket, isPathStyle }: { readonly bucket: string; readonly isPathStyle: boolean }): string {
  if (isPathStyle || (bucket.includes(".") && server.protocol === "https:")) return `${server.href}${bucket}/`;
  return `${server.protocol}//${bucket}.${server.host}${server.pathname}`;
}

function bucketProblem(bucket: string): Diagnostic | null {
  if (/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) && !bucket.includes("..")) return null;
  return invalidSetting("bucket", "The name of a bucket has 3 to 63 characters: lower-case letters, digits, dots and hyphens.", "Write s3://BUCKET/KEY.");
}

function keyProblem(key: string): Diagnostic | null {
  const invalid = (why: string): Diagnostic => invalidSetting("key", why, "Choose another key.");
  if (key === "") return invalid("It must be a non-empty string.");
  // The signer takes it for a space.
  if (key.includes("+")) return invalid("A key with a plus sign cannot be signed.");
  if (/[\p{Cc}\p{Cs}]/u.test(key)) return invalid("It must have no control characters.");
  // URLs lose such segments.
  if (key.split("/").some((segment) => ["", ".", ".."].includes(segment))) return invalid("No part of it between slashes may be empty, a dot or two dots.");
  return Buffer.byteLength(key) > MAX_KEY_BYTES ? invalid(`It must have at most ${String(MAX_KEY_BYTES)} bytes.`) : null;
}

function encryptionOf(settings: ReadSettings): { readonly [header: string]: string } | Diagnostic {
  const keyId = settings.text("kms_key_id");
  const encryption = settings.text("server_side_encryption") ?? (keyId === null ? null : "aws:kms");
  if (encryption === null) return {};
  if (!ENCRYPTIONS.includes(encryption)) return invalidSetting("server_side_encryption", `It must be one of: ${ENCRYPTIONS.join(", ")}.`);
  if (keyId === null) return { "x-amz-server-side-encryption": encryption };
  if (encryption === "AES256") return invalidSetting("kms_key_id", "AES256 has no KMS key.", "Set state.server_side_encryption to aws:kms.");
  if (!/^[\x21-\x7e]+$/.test(keyId)) return invalidSetting("kms_key_id", "It must have only printable ASCII characters.");
  return { "x-amz-server-side-encryption": encryption, "x-amz-server-side-encryption-aws-kms-key-id": keyId };
}

function missingRegion(): Diagnostic {
  return {
    code: "state_setting_missing",
    severity: "error",
    summary: "Missing state setting",
    detail: "The state backend s3 needs the region of the bucket.",
    hint: "Set state.region, or AWS_REGION. For a compatible store, set state.endpoint, or AWS_ENDPOINT_URL_S3.",
    path: ["backend"],
  };
}
