import { parseUrl } from "../../../../core/model/parse-url.ts";

/** Hosts that a user has named: one host or all hosts below a domain, on one port or on any. */
export interface HostPattern {
  readonly hostname: string;
  /** Whether it stands for the hosts below `hostname`, and not for `hostname` itself. */
  readonly isBelow: boolean;
  /** Null: any port. */
  readonly port: string | null;
}

const MAX_PORT = 65_535;
const PATTERN =
  /^(\*\.)?((?!\.)(?:(?!\.\.)[^\s\p{Default_Ignorable_Code_Point}/?#@\\%*:,[\]])+(?<!\.)|\[[\d:.a-f]+\])(?::(\d{1,5}))?$/iu;
/** A domain with a dot whose last label is no number: an IP address has no hosts below it, and a top-level domain is everybody's. */
const DOMAIN = /\.(?=[^.]*[a-z])[^.]+$/;

/** Reads `crm.example.com`, `crm.example.com:8443`, `[::1]:3000` or `*.example.com`; null for anything else. */
export function parseHostPattern(text: string): HostPattern | null {
  const [, star, host = "", port = null] = PATTERN.exec(text) ?? [];
  const url = parseUrl(`http://${host}/`);
  if (host === "" || url === null || url.host !== url.hostname || Number(port) > MAX_PORT) return null;
  const isBelow = star !== undefined;
  return isBelow && !DOMAIN.test(url.hostname)
    ? null
    : { hostname: url.hostname, isBelow, port: port === null ? null : String(Number(port)) };
}

/** Whether one of the patterns names the host of a URL. */
export function matchesHost({ hostname, port, protocol }: URL, patterns: readonly HostPattern[]): boolean {
  const usedPort = port === "" ? (protocol === "https:" ? "443" : "80") : port;
  return patterns.some(
    (pattern) =>
      (pattern.isBelow ? hostname.endsWith(`.${pattern.hostname}`) : hostname === pattern.hostname) &&
      (pattern.port === null || pattern.port === usedPort),
  );
}
