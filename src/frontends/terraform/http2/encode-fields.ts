/** A header block: every field is written out, so that it is the same on each connection (RFC 7541, section 6.2.2). */
export function encodeFields(fields: { readonly [name: string]: string }): Buffer {
  return Buffer.concat(Object.entries(fields).flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]));
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, "latin1");
  return Buffer.concat([integer(bytes.length), bytes]);
}

/** With a prefix of seven bits (RFC 7541, section 5.1). */
function integer(value: number): Buffer {
  if (value < 0x7f) return Buffer.from([value]);
  const bytes = [0x7f];
  let rest = value - 0x7f;
  for (; rest >= 0x80; rest >>= 7) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.from([...bytes, rest]);
}
