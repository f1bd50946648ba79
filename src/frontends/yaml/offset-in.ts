import type { Written } from "../../core/model/diagnostic.ts";

/** Further into a text, a position is not looked up. */
const MAX_OFFSET = 20_000;
const NAME = /[\p{L}\p{N}_.-]+|\S/uy;

/**
 * The offset in the source of a YAML value that corresponds to a position in the value: the same occurrence of the same name.
 * Null where quoting changed the text, and far into a long text.
 */
export function offsetIn(source: string, { text, offset }: Written): number | null {
  if (offset > MAX_OFFSET) return null;
  NAME.lastIndex = offset;
  const [name] = NAME.exec(text) ?? [];
  if (name === undefined) return null;
  let found = -1;
  const before = text.slice(0, offset + name.length);
  for (let at = before.indexOf(name); at >= 0 && at <= offset; at = before.indexOf(name, at + 1)) {
    found = source.indexOf(name, found + 1);
    if (found < 0) return null;
  }
  return found < 0 ? null : found;
}
