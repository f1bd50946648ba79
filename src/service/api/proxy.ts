import { BlockList, isIP } from "node:net";
import { parseUrl } from "../../core/model/parse-url.ts";
import { isLoopback } from "./service-path.ts";

/** The proxy for a base URL. */
export interface Proxy {
  readonly url: URL;
  /** The URL without user name and password. */
  readonly shown: string;
  /** The environment variable that names it. */
  readonly from: string;
}

type Environment = { readonly [name: string]: string | undefined };

/**
 * The proxy that the environment names for a base URL, or the problem with it as a sentence. The rules are those of Go, and
 * so of Terraform: `HTTPS_PROXY` before `https_proxy`, and never for this machine. Plain http only reaches this machine, so
 * `HTTP_PROXY` has no effect.
 */
export function proxyFor(baseUrl: string, environment: Environment): Proxy | null | { readonly problem: string } {
  const url = new URL(baseUrl);
  const named = ["HTTPS_PROXY", "https_proxy"]
    .map((name) => [name, environment[name] ?? ""] as const)
    .find(([, value]) => value !== "");
  if (named === undefined || url.protocol !== "https:" || isLoopback(url)) return null;
  if (isExcluded(url, environment["NO_PROXY"] || environment["no_proxy"] || "")) return null;
  const [from, written] = named;
  const text = written.includes("://") ? written : `http://${written}`;
  const proxy = parseUrl(text);
  if (proxy === null) return { problem: `${from} is not the URL of a proxy.` };
  if (!["http:", "https:"].includes(proxy.protocol) || proxy.hostname === "")
    return {
      problem: `${from} names a proxy of the kind ${proxy.protocol.slice(0, -1)}; only http and https are supported.`,
    };
  if (/%(?![\da-f]{2})/i.test(proxy.username + proxy.password))
    return { problem: `The user name or the password in ${from} contains a %: write it as %25.` };
  return { url: proxy, shown: `${proxy.protocol}//${proxy.host}`, from };
}

/** `noProxy` lists hosts, domains, addresses and networks, each with a port or without. A domain includes its subdomains. */
function isExcluded({ hostname, port }: URL, noProxy: string): boolean {
  const host = hostname.replaceAll(/^\[|\]$|\.$/g, "");
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === "*") return true;
      const [, name = entry, ofPort] = /^(\[.+\]|[^:]+)(?::(\d+))?$/.exec(entry) ?? [];
      if (ofPort !== undefined && ofPort !== (port || "443")) return false;
      return isInNetwork(host, name) || isInDomain(host, name.replaceAll(/^\[|\]$|^\*(?=\.)/g, ""));
    });
}

function isInDomain(host: string, domain: string): boolean {
  return (
    domain !== "" &&
    (host === domain || (isIP(host) === 0 && host.endsWith(domain.startsWith(".") ? domain : `.${domain}`)))
  );
}

function isInNetwork(host: string, network: string): boolean {
  const [, address = "", bits = ""] = /^\[?([\da-f.:]+)\]?\/(\d{1,3})$/.exec(network) ?? [];
  const version = isIP(address);
  if (version === 0 || isIP(host) !== version || Number(bits) > (version === 4 ? 32 : 128)) return false;
  const family = version === 4 ? "ipv4" : "ipv6";
  const list = new BlockList();
  list.addSubnet(address, Number(bits), family);
  return list.check(host, family);
}
