import { DiagnosticsError } from "../../../core/model/diagnostic.ts";
import { parseUrl } from "../../../core/model/parse-url.ts";
import { isLoopback, isSecureUrl } from "../../../service/api/service-path.ts";
import type { Environment } from "../../../operations/context.ts";
import { BASE_URL_VARIABLE } from "../../../operations/configuration/environment-names.ts";

const CONTROL_PATH = "/_sandbox";
const DEFAULT_URL = `http://127.0.0.1:4010${CONTROL_PATH}`;

/**
 * The control API of a sandbox. `given` may be its URL or the base URL of its API; without it, the sandbox that OUTREACH_BASE_URL names, if that is
 * on this machine, else the one on port 4010. Throws `sandbox_url_invalid`.
 */
export function controlUrl({ environment }: Environment, given: string | undefined): URL {
  if (given !== undefined) return readUrl(given);
  const base = environment[BASE_URL_VARIABLE] ?? "";
  const url = parseUrl(base);
  return url !== null && /^https?:$/.test(url.protocol) && isLoopback(url) ? controlUrlOf(url) : new URL(DEFAULT_URL);
}

function readUrl(given: string): URL {
  const text = /^[\w.-]+:\d/.test(given) ? `http://${given}` : given;
  const url = parseUrl(text);
  if (url !== null && isSecureUrl(url)) return controlUrlOf(url);
  const detail =
    url === null || !/^https?:$/.test(url.protocol)
      ? `${JSON.stringify(given)} is not an http URL.`
      : "The control API has no keys, so plain http only reaches this machine.";
  throw DiagnosticsError.of("sandbox_url_invalid", "Invalid URL of a sandbox", {
    detail,
    hint: `Use the control API that the sandbox prints, as in --url ${DEFAULT_URL}`,
  });
}

/** Without user info, query and fragment. */
function controlUrlOf(url: URL): URL {
  const path = url.pathname.replace(/\/+$/, "");
  return new URL(path.endsWith(CONTROL_PATH) ? path : CONTROL_PATH, url.origin);
}
