import { type Diagnostic, type Result, errorOf } from "../../model/diagnostic.ts";
import { parseUrl } from "../../model/parse-url.ts";
import {
  type BackendSettings,
  type SettingsOf,
  type SettingsSource,
  type StateSettings,
  defineBackend,
} from "../backend.ts";
import { invalidSetting as invalidAt, type SettingOrigin } from "../store-errors.ts";
import type { S3Place } from "./s3-place.ts";

const SETTINGS = {
  bucket: {
    kind: "text",
    description: "Name of the bucket. It must exist.",
    isRequired: true,
    examples: ["acme-states"],
  },
  key: {
    kind: "text",
    description: "Key of the object that holds the state. The lock is another object, KEY.tflock.",
    isRequired: true,
    examples: ["crm/production.state.json"],
  },
  region: {
    kind: "text",
    description: "Region of the bucket. With an endpoint, the default is us-east-1.",
    environment: ["AWS_REGION", "AWS_DEFAULT_REGION"],
    examples: ["eu-central-1"],
  },
  endpoint: {
    kind: "text",
    description: "URL of a compatible store, without the bucket. Default: AWS in that region.",
    environment: ["AWS_ENDPOINT_URL_S3"],
    examples: ["https://s3.example.com"],
  },
  use_path_style: {
    kind: "flag",
    description:
      "Whether requests go to ENDPOINT/BUCKET/KEY, and not to BUCKET.ENDPOINT/KEY. Default: true with an endpoint.",
  },
  server_side_encryption: {
    kind: "text",
    description: "How the store encrypts the objects: AES256, aws:kms or aws:kms:dsse. Default: as the bucket says.",
    examples: ["aws:kms"],
  },
  kms_key_id: { kind: "text", description: "Id, ARN or alias of the KMS key, for aws:kms and aws:kms:dsse." },
  credentials: {
    kind: "secret",
    description:
      "The JSON of AWS's credential_process. Default: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, with AWS_SESSION_TOKEN for temporary credentials.",
  },
} as const satisfies BackendSettings;

export const s3Backend = defineBackend({
  name: "s3",
  description: "An object in a bucket of S3, or of a compatible store.",
  schemes: ["s3"],
  settings: SETTINGS,
  fromUrl: settingsOfUrl,
  open: (settings, source) => {
    const { value: place, diagnostics } = s3Place(settings, source);
    return { value: place && (async (ports) => (await import("./s3-store.ts")).s3Store(place, ports)), diagnostics };
  },
});

/** The settings of the URL `s3://BUCKET/KEY`. */
function settingsOfUrl(url: string): Result<StateSettings | null> {
  if (/[?#]/.test(url)) {
    const hint = "Set AWS_REGION and AWS_ENDPOINT_URL_S3, or configure the state in place of its URL.";
    return {
      value: null,
      diagnostics: [invalidSetting("key", "In a URL, it must have no question mark and no number sign.", hint)],
    };
  }
  const [, bucket = "", key = ""] = /^s3:\/*([^/]*)\/?(.*)$/is.exec(url) ?? [];
  if (key === "")
    return { value: null, diagnostics: [invalidSetting("key", "The URL names none.", "Write s3://BUCKET/KEY.")] };
  return { value: { bucket, key }, diagnostics: [] };
}

type Values = SettingsOf<typeof SETTINGS>;

const invalidSetting = (name: string, why: string, hint?: string): Diagnostic =>
  invalidAt({ path: [name], from: name }, why, hint);

const DEFAULT_REGION = "us-east-1";
const MAX_KEY_BYTES = 1000;
const ENCRYPTIONS: readonly string[] = ["AES256", "aws:kms", "aws:kms:dsse"];

/** Errors `state_setting_invalid` and `state_setting_missing`. */
export function s3Place(values: Values, { origin }: SettingsSource): Result<S3Place | null> {
  const { bucket, key, endpoint, credentials } = values;
  const region = values.region ?? (endpoint === null ? "" : DEFAULT_REGION);
  const server = endpoint === null ? serverOfRegion(region) : serverOf(endpoint, origin("endpoint"));
  const encryption = encryptionOf(values);
  const problems = [
    bucketProblem(bucket),
    keyProblem(key),
    regionProblem(region, origin("region")),
    server,
    encryption,
  ].filter(isProblem);
  if (problems.length > 0 || isProblem(server) || isProblem(encryption)) return { value: null, diagnostics: problems };
  const base = baseOf(server, { bucket, isPathStyle: values.use_path_style ?? endpoint !== null });
  return { value: { bucket, key, region, base, encryption, credentials }, diagnostics: [] };
}

function isProblem(one: Diagnostic | object | null): one is Diagnostic {
  return one !== null && "severity" in one;
}

function regionProblem(region: string, origin: SettingOrigin): Diagnostic | null {
  if (region === "") return missingRegion();
  return /^[a-z0-9-]+$/i.test(region) ? null : invalidAt(origin, "A region has only letters, digits and hyphens.");
}

function serverOfRegion(region: string): URL {
  return new URL(
    `https://s3.${/^[a-z0-9-]+$/i.test(region) ? region : DEFAULT_REGION}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}/`,
  );
}

function serverOf(endpoint: string, origin: SettingOrigin): URL | Diagnostic {
  const hint = "Write it as https://HOST, without the bucket.";
  const url = parseUrl(endpoint);
  if (url === null || !/^https?:$/.test(url.protocol))
    return invalidAt(origin, "It must be the URL of a server.", hint);
  if (`${url.username}${url.password}${url.search}${url.hash}` !== "") {
    return invalidAt(
      origin,
      "It must have no user name, password, query or fragment.",
      "Set the credentials with state.credentials or AWS_ACCESS_KEY_ID.",
    );
  }
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url;
}

/** A certificate for *.HOST is not valid for a bucket with dots. */
function baseOf(
  server: URL,
  { bucket, isPathStyle }: { readonly bucket: string; readonly isPathStyle: boolean },
): string {
  if (isPathStyle || (bucket.includes(".") && server.protocol === "https:")) return `${server.href}${bucket}/`;
  return `${server.protocol}//${bucket}.${server.host}${server.pathname}`;
}

function bucketProblem(bucket: string): Diagnostic | null {
  if (/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) && !bucket.includes("..")) return null;
  return invalidSetting(
    "bucket",
    "The name of a bucket has 3 to 63 characters: lower-case letters, digits, dots and hyphens.",
    "Write s3://BUCKET/KEY.",
  );
}

function keyProblem(key: string): Diagnostic | null {
  const invalid = (why: string): Diagnostic => invalidSetting("key", why, "Choose another key.");
  // The signer takes it for a space.
  if (key.includes("+")) return invalid("A key with a plus sign cannot be signed.");
  if (/[\p{Cc}\p{Cs}]/u.test(key)) return invalid("It must have no control characters.");
  // URLs lose such segments.
  if (key.split("/").some((segment) => ["", ".", ".."].includes(segment)))
    return invalid("No part of it between slashes may be empty, a dot or two dots.");
  return Buffer.byteLength(key) > MAX_KEY_BYTES
    ? invalid(`It must have at most ${String(MAX_KEY_BYTES)} bytes.`)
    : null;
}

function encryptionOf({
  kms_key_id: keyId,
  server_side_encryption: given,
}: Values): { readonly [header: string]: string } | Diagnostic {
  const encryption = given ?? (keyId === null ? null : "aws:kms");
  if (encryption === null) return {};
  if (!ENCRYPTIONS.includes(encryption))
    return invalidSetting("server_side_encryption", `It must be one of: ${ENCRYPTIONS.join(", ")}.`);
  if (keyId === null) return { "x-amz-server-side-encryption": encryption };
  if (encryption === "AES256")
    return invalidSetting("kms_key_id", "AES256 has no KMS key.", "Set state.server_side_encryption to aws:kms.");
  if (!/^[\x21-\x7e]+$/.test(keyId))
    return invalidSetting("kms_key_id", "It must have only printable ASCII characters.");
  return { "x-amz-server-side-encryption": encryption, "x-amz-server-side-encryption-aws-kms-key-id": keyId };
}

function missingRegion(): Diagnostic {
  return errorOf("state_setting_missing", "Missing state setting", {
    detail: "The state backend s3 needs the region of the bucket.",
    hint: "Set state.region, or AWS_REGION. For a compatible store, set state.endpoint, or AWS_ENDPOINT_URL_S3.",
    path: ["backend"],
  });
}
