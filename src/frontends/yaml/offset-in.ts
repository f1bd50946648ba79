import type { Written } from "../../core/model/diagnostic.ts";

const NAME = /[\p{L}\p{N}_.-]+|\S/uy;

/**
 * The offset in the source of a YAML value that corresponds to a position in the value: the same occurrence of the same name.
 * Null where quoting changed the text.
 */
export function offsetIn(source: string, { text, offset }: Written): number | null {
  NAME.lastIndex = offset;
  const [name] = NAME.exec(text) ?? [];
  if (name === undefined) return null;
  let found = -1;
  for (let at = text.indexOf(name); at >= 0 && at <= offset; at = text.indexOf(name, at + 1)) {
    found = source.indexOf(name, found + 1);
    if (found < 0) return null;
  }
  return found < 0 ? null : found;
}
