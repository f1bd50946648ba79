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

/** Which host a text with a URL leads to. */
export interface LeadsTo {
  /** The host that requests go to, in ASCII. */
  readonly host: string;
  /** How many characters show it, if the URL is written with exactly this host; null if it is written in another way. */
  readonly end: number | null;
}

/** Null for a text that is no URL of HTTP. */
export function leadsTo(text: string): LeadsTo | null {
  const url = /^\s*https?:/i.test(text) ? parseUrl(text) : null;
  if (url === null) return null;
  const { protocol, hostname, host } = url;
  const end = `${protocol}//${hostname}`.length;
  const isPlain =
    text.slice(0, end).toLowerCase() === `${protocol}//${hostname}` && /^(?::\d+)?(?:[/?#]|$)/.test(text.slice(end));
  return { host, end: isPlain ? end + (/^:\d+/.exec(text.slice(end))?.[0].length ?? 0) : null };
}
