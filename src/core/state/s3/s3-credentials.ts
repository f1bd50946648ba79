import { isRecord, parseJson } from "../../model/shape.ts";
import { DiagnosticsError } from "../../model/diagnostic.ts";
import { parsedTimeMs } from "../../model/iso-time.ts";
import { type S3Place, s3Name } from "./s3-place.ts";
import type { StorePorts } from "../state-store.ts";

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The token of temporary credentials. */
  readonly sessionToken: string | null;
}

export interface CredentialsSource {
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
export function credentialsSource(place: S3Place, ports: StorePorts): CredentialsSource {
  const { credentials: source } = place;
  let reading: Promise<Expiring> | null = null;
  let wasRead = false;
  const read = async (): Promise<Expiring> => {
    const again = wasRead;
    wasRead = true;
    const found = source === null ? fromEnvironment(place, ports) : fromJson(await ports.reveal(source, { again }), place);
    for (const secret of [found.secretAccessKey, found.sessionToken]) if (secret !== null) ports.hide(secret);
    const texts = [found.accessKeyId, found.secretAccessKey, found.sessionToken ?? "x"];
    if (!texts.every((text) => /^[\x21-\x7e]+$/.test(text))) throw noCredentials(place, "One of them is empty, or has spaces or control characters.");
    return found;
  };
  return {
    current: async () => {
      const known = await (reading ??= read());
      if (source === null || known.expiresAtMs === null || known.expiresAtMs - ports.clock.now() > RENEW_BEFORE_MS) return known;
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
  const missing = [accessKeyId === "" ? VARIABLES[0] : null, secretAccessKey === "" ? VARIABLES[1] : null].filter((name) => name !== null);
  if (missing.length > 0) throw noCredentials(place, `${missing.join(" and ")} ${missing.length > 1 ? "are" : "is"} not set.`);
  return { accessKeyId, secretAccessKey, sessionToken: sessionToken === "" ? null : sessionToken, expiresAtMs: null };
}

/** No part of the text gets into a message. */
function fromJson(text: string, place: S3Place): Expiring {
  const wrong = (why: string): DiagnosticsError => noCredentials(place, `state.credentials is not the JSON of AWS's credential_process: ${why}.`);
  const read = parseJson(text);
  if (!isRecord(read)) throw wrong("it is not a JSON object");
  if (read["Version"] !== 1) throw wrong("its Version is not 1");
  const { AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, SessionToken: sessionToken = null, Expiration: expiration = null } = read;
  if (typeof accessKeyId !== "string" || typeof secretAccessKey !== "string") throw wrong("AccessKeyId or SecretAccessKey is missing");
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
