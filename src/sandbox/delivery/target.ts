import type { LookupFunction } from "node:net";
import type { WebhookRecord } from "../sandbox-records.ts";
import type { DeliverySettings } from "./delivery-settings.ts";

/** Where a webhook's events go. */
export type Target = {
  readonly isSecure: boolean;
  readonly hostname: string;
  /** Empty: the scheme's default. */
  readonly port: string;
  /** Path and query. */
  readonly path: string;
  /** `user:password`, for HTTP Basic; null: none. */
  readonly auth: string | null;
  /** The URL without its user info, and without the webhook's secret, for logs. */
  readonly shown: string;
  readonly isLoopback: boolean;
  /** Whether the host is a name that stands for this machine. It is never looked up. */
  readonly isLocalName: boolean;
};

/** Shorter secrets are not masked: they would match by chance. */
const MIN_MASKED_LENGTH = 4;

/** Reads the target of a webhook; null if its URL is not http or https. */
export function readTarget({ targetUrl, secret }: Pick<WebhookRecord, "targetUrl" | "secret">): Target | null {
  const url = parseUrl(targetUrl);
  if (url === null) return null;
  if (url.protocol !== "http:" && url.protocol !== "https:") return null;
  const auth = url.username === "" && url.password === "" ? null : `${decode(url.username)}:${decode(url.password)}`;
  const hostname = url.hostname.replace(/^\[|\]$/g, "");
  const isLocalName = /(?:^|\.)localhost\.?$/.test(hostname);
  url.username = "";
  url.password = "";
  url.hash = "";
  const shown = secret !== null && secret.length >= MIN_MASKED_LENGTH ? url.href.replaceAll(secret, "****") : url.href;
  return {
    isSecure: url.protocol === "https:",
    hostname,
    port: url.port,
    path: url.pathname + url.search,
    auth,
    shown,
    isLoopback: isLocalName || hostname === "::1" || /^127\.\d+\.\d+\.\d+$/.test(hostname),
    isLocalName,
  };
}

/** Why the settings do not allow this target, with the way out; null: they do. */
export function refuseTarget(target: Target | null, hosts: DeliverySettings["hosts"]): string | null {
  if (target === null) return "The target is not an http or https URL.";
  if (hosts === "none")
    return "The sandbox delivers no events. To deliver to this machine, start it with --deliver loopback.";
  if (hosts === "any" || target.isLoopback) return null;
  return "The target is not on this machine. To deliver to any host, start the sandbox with --deliver any.";
}

/** Resolves every name to this machine, for names that stand for it. */
export const lookupLocal: LookupFunction = (_hostname, options, callback) => {
  const addresses = [
    { address: "127.0.0.1", family: 4 },
    { address: "::1", family: 6 },
  ];
  if (options.all) callback(null, addresses);
  else callback(null, "127.0.0.1", 4);
};

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Null for a text that is not an absolute URL. `URL.canParse` would be simpler, but Node.js 20 answers wrong for texts with ü or é once it has been called
 * about 2,000 times.
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
