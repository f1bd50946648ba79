/**
 * The length in bits of the code of each byte, and last of the end of a text, as digits in base 36 (RFC 7541, Appendix B).
 * The lengths give the codes: in order of length, then of the byte, each code is the one before plus one.
 */
const LENGTHS =
  "dnsssssssoussussssssssusssssssss6aacd68baa8b8666555666666678f6ca" +
  "d67777777777777777777777878djde6f56565666577666567655677777fbeds" +
  "kmkkmmmnmnnnnnonoomnonnnnlmnmnnomlkmmnnlnmmolmnnllmlnmnnkmmmnmmn" +
  "qqkjmnmpqqqrrqopjlqrrqrollqqsrrrkoklmllnmmppooqnqrqqrrrrrsrrrrrq" +
  "u";
const END_OF_TEXT = 256;

/** The text that Huffman codes stand for. Throws for codes that no text has. */
export function decodeHuffman(bytes: Uint8Array): string {
  const codes = (tree ??= buildTree());
  let text = "";
  let node = 0;
  /** The bits since the last byte, if all of them are ones. */
  let padding = 0;
  for (const byte of bytes) {
    for (let at = 7; at >= 0; at--) {
      const bit = (byte >> at) & 1;
      const next = codes[2 * node + bit] ?? 0;
      padding = bit === 0 ? Number.POSITIVE_INFINITY : padding + 1;
      node = Math.max(next, 0);
      if (next >= 0) continue;
      if (~next === END_OF_TEXT) throw new Error("a header holds the end of a text");
      text += String.fromCharCode(~next);
      padding = 0;
    }
  }
  if (padding > 7) throw new Error("a header ends inside of a code");
  return text;
}

/** Two entries for each node: what follows on 0 and on 1. Negative: the byte that ends here, as its complement. */
let tree: Int16Array | null = null;

function buildTree(): Int16Array {
  const built = new Int16Array(2 * LENGTHS.length);
  const symbols = Array.from(LENGTHS, (digit, symbol) => ({ symbol, length: Number.parseInt(digit, 36) }));
  let nodes = 1;
  let code = 0;
  let before = 0;
  for (const { symbol, length } of symbols.toSorted((a, b) => a.length - b.length || a.symbol - b.symbol)) {
    code <<= length - before;
    before = length;
    let node = 0;
    for (let at = length - 1; at > 0; at--) {
      const branch = 2 * node + ((code >> at) & 1);
      built[branch] ||= nodes++;
      node = built[branch] ?? 0;
    }
    built[2 * node + (code & 1)] = ~symbol;
    code++;
  }
  return built;
}
