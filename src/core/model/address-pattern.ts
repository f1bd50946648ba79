import { blockOf } from "./address.ts";

/**
 * The addresses that were typed: an existing one, a block, or a pattern, where `*` stands for any text, or for none. A pattern that
 * matches a block takes all its instances. What matches nothing is returned as it is. `masked` is the form of an address that
 * was printed before.
 */
export function addressesMeant(
  typed: string,
  addresses: readonly string[],
  masked: (address: string) => string,
): readonly string[] {
  if (!typed.includes("*") || addresses.includes(typed)) return [typed];
  const isMatch = wildcard(typed);
  const isMasked = typed.includes("***");
  const found = addresses.filter(
    (address) => isMatch(address) || isMatch(blockOf(address)) || (isMasked && isMatch(masked(address))),
  );
  const all = withOnlyInstance(typed, found, addresses);
  return all.length === 0 ? [typed] : all;
}

/**
 * All instances of a block include the one without a key: after a change of the shape, it would go without those that take its
 * place, or stay beside them.
 */
function withOnlyInstance(typed: string, found: readonly string[], addresses: readonly string[]): readonly string[] {
  const taken = new Set(found);
  const left = new Set(addresses.filter((address) => !taken.has(address) && address !== blockOf(address)).map(blockOf));
  const keyed = new Set(found.map(blockOf));
  const isWhole = (block: string): boolean => typed === `${block}["*"]` || (keyed.has(block) && !left.has(block));
  return addresses.filter((address) => taken.has(address) || (address === blockOf(address) && isWhole(address)));
}

/** Whether a text matches a pattern, where `*` stands for any text, or for none. Takes linear time, whatever the pattern. */
export function wildcard(pattern: string): (text: string) => boolean {
  const parts = pattern.split("*");
  if (parts.length === 1) return (text) => text === pattern;
  const [first = ""] = parts;
  const last = parts.at(-1) ?? "";
  const inner = parts.slice(1, -1);
  return (text) => {
    if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
    const end = text.length - last.length;
    let at = first.length;
    for (const part of inner) {
      const found = text.indexOf(part, at);
      if (found < 0 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
}
