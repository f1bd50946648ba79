/** The size of a mark: nothing else that the product asks for is as long. */
export const MARK_BYTES = 8;
/** How the marks of a simulation begin, so that `key.ts` finds them. */
export const MARK_BEGINS = "3a4b5c6d";
const COUNT_BYTES = 4;

/** A mark that no other create has. */
export function markBytes(count: number): Uint8Array {
  const bytes = Buffer.alloc(MARK_BYTES, MARK_BEGINS, "hex");
  bytes.writeUInt32BE(count, MARK_BYTES - COUNT_BYTES);
  return bytes;
}

/** A target URL as it is declared, and its mark: read without the product's code. */
export function unmarked(url: string): { readonly url: string; readonly mark: string | null } {
  const [whole = "", mark = null] = /[?&]outreach=([0-9a-f]{16})$/.exec(url) ?? [];
  return { url: url.slice(0, url.length - whole.length), mark };
}
