/** The query parameter of a target URL that carries the mark. */
export const MARK_PARAMETER = "outreach";

/** A mark: 64 bits as lower-case hexadecimal, anywhere in the query. Another value of the parameter is part of the URL. */
const MARKED = /^([^?#]*)\?((?:[^#&]*&)*?)outreach=([0-9a-f]{16})(?:&([^#]*))?(#.*)?$/s;

/** The URL with the mark as its last parameter. The rest of the text stays as it is. */
export function withMark(url: string, mark: string): string {
  const [, before = "", fragment = ""] = /^([^#]*)(#.*)?$/s.exec(url) ?? [];
  return `${before}${before.includes("?") ? "&" : "?"}${MARK_PARAMETER}=${mark}${fragment}`;
}

/** A URL as it was before `withMark`, and its mark; null for a URL without one. */
export function splitMark(url: string): { readonly url: string; readonly mark: string | null } {
  const found = MARKED.exec(url);
  if (!found) return { url, mark: null };
  const [, base = "", before = "", mark = "", after, fragment = ""] = found;
  const query = after === undefined ? (before === "" ? "" : `?${before.slice(0, -1)}`) : `?${before}${after}`;
  return { url: `${base}${query}${fragment}`, mark };
}
