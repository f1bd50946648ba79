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
