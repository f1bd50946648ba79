import type { ConnectionProblem } from "../../core/model/web.ts";
import type { Proxy } from "./proxy.ts";
import { TunnelRefused } from "./tunnel-agent.ts";

const UNKNOWN_AUTHORITY: ReadonlySet<string> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);
const TRUST = "If you trust it, set NODE_EXTRA_CA_CERTS to a PEM file with the certificate of its authority.";

/** The problem behind an error of Node before anything was sent; null if it is none of the known ones. */
export function connectionProblem({ code = "", message }: NodeJS.ErrnoException): ConnectionProblem | null {
  const certificate = (text: string, hint: string): ConnectionProblem => ({
    kind: "certificate",
    text,
    hint,
    isTemporary: false,
  });
  if (UNKNOWN_AUTHORITY.has(code)) return certificate("has a certificate that no known authority signed", TRUST);
  if (/wrong version number|packet length too long|WRONG_VERSION|PACKET_LENGTH/i.test(`${code} ${message}`))
    return { kind: "no-tls", text: "does not speak TLS", hint: "Is it http://?", isTemporary: false };
  switch (code) {
    case "ECONNREFUSED":
      return { kind: "refused", text: "refused the connection", hint: null, isTemporary: true };
    case "ENOTFOUND":
      return {
        kind: "unknown-host",
        text: "has an unknown host name",
        hint: "Correct the host name, or check the network.",
        isTemporary: false,
      };
    case "EAI_AGAIN":
      return {
        kind: "unreachable",
        text: "has a host name that could not be looked up",
        hint: "Check the network.",
        isTemporary: true,
      };
    case "EHOSTUNREACH":
    case "ENETUNREACH":
    case "ETIMEDOUT":
      return { kind: "unreachable", text: "cannot be reached", hint: UNREACHABLE, isTemporary: true };
    case "CERT_HAS_EXPIRED":
      return certificate("has a certificate that has expired", "Renew it, or correct the clock of this machine.");
    case "CERT_NOT_YET_VALID":
      return certificate("has a certificate that is not valid yet", "Correct the clock of this machine.");
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return certificate("has a certificate for another host name", "Correct the host name.");
    default:
      return null;
  }
}

const UNREACHABLE = "Check the network. If it requires a proxy, set HTTPS_PROXY.";

/** No connection before the deadline. */
export function noConnectionWithin(durationMs: number): ConnectionProblem {
  return {
    kind: "unreachable",
    text: `accepted no connection within ${String(durationMs / 1000)} s`,
    hint: UNREACHABLE,
    isTemporary: true,
  };
}

/** A problem of the way to a proxy, or the refusal with which it answered. */
export function proxyProblem(
  { shown, from }: Pick<Proxy, "shown" | "from">,
  cause: Error | ConnectionProblem,
): ConnectionProblem {
  const status = cause instanceof TunnelRefused ? cause.status : null;
  const found = cause instanceof Error ? connectionProblem(cause) : cause;
  const text =
    status === null ? (found?.text ?? "closed the connection") : `refused to connect, with status ${String(status)}`;
  const hint =
    status === 407
      ? `Write a valid user name and password into ${from}: http://USER:PASSWORD@HOST:PORT.`
      : `Check ${from}, or exclude the host of the service with NO_PROXY.`;
  const isTemporary = found?.isTemporary ?? (status === null || status >= 500);
  return {
    kind: "proxy",
    text: `the proxy ${shown} (${from}) ${text}`,
    hint: found?.kind === "certificate" ? found.hint : hint,
    isTemporary,
  };
}
