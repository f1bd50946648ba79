/** The query parameter of a target URL that carries the mark. */
export const MARK_PARAMETER = "outreach";

/** A mark: 64 bits as lower-case hexadecimal. Another value of the parameter is part of the URL. */
const MARK = /([?&])outreach=([0-9a-f]{16})(&|(?=#|$))/;

/** The URL with the mark as its last parameter. The rest of the text stays as it is. */
export function withMark(url: string, mark: string): string {
  const [, before = "", fragment = ""] = /^([^#]*)(#.*)?$/s.exec(url) ?? [];
  return `${before}${before.includes("?") ? "&" : "?"}${MARK_PARAMETER}=${mark}${fragment}`;
}

/** A URL as it was before `withMark`, and its mark; null for a URL without one. */
export function splitMark(url: string): { readonly url: string; readonly mark: string | null } {
  const found = MARK.exec(url);
  if (!found) return { url, mark: null };
  const [text, before = "", mark = "", after = ""] = found;
  return { url: `${url.slice(0, found.index)}${after === "" ? "" : before}${url.slice(found.index + text.length)}`, mark };
}
