import { parseUrl } from "../../core/model/parse-url.ts";

/** The marker in the target URLs of temporary webhooks. The token behind it names the listener. */
const MARKER = "outreach-listen";

/** The target URL of a temporary webhook: the listener's public URL with the marker and a token at the end of its path. */
export function temporaryTarget(publicUrl: URL, token: string): string {
  const url = new URL(publicUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/${MARKER}/${token}`;
  return url.href;
}

/** The token in a target URL; null for a webhook that is not temporary. */
export function temporaryTokenOf(targetUrl: string): string | null {
  const [marker, token] = (parseUrl(targetUrl)?.pathname ?? "").split("/").slice(-2);
  return marker === MARKER && token !== undefined && /^[0-9a-f]{32}-[0-9a-f-]+$/.test(token) ? token : null;
}
