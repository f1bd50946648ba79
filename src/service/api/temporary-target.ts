import { parseUrl } from "../../core/model/parse-url.ts";

/** The marker in the target URLs of temporary webhooks. A random token follows it. */
const MARKER = "outreach-listen";

/** The target URL of a temporary webhook: the listener's public URL with the marker and a token at the end of its path. */
export function temporaryTarget(publicUrl: URL, token: string): string {
  const url = new URL(publicUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/${MARKER}/${token}`;
  return url.href;
}

/** Whether a target URL is that of a temporary webhook. */
export function isTemporaryTarget(targetUrl: string): boolean {
  const [marker, token = ""] = (parseUrl(targetUrl)?.pathname ?? "").split("/").slice(-2);
  return marker === MARKER && /^[0-9a-f]{32}$/.test(token);
}
