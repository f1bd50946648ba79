const MOST_REMEMBERED = 10_000;
const BITS = { byte: 8, letter: 6 };

/** A secret as it may hide in a text: as it is, in JSON, in a URL, as hexadecimal digits, and in base64 at any offset. */
export function hidingPlaces(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const inBase64 = [0, 1, 2].flatMap((shift) => {
    const whole = Buffer.concat([Buffer.alloc(shift), bytes]);
    const [begin, end] = [Math.ceil((BITS.byte * shift) / BITS.letter), Math.floor((BITS.byte * whole.length) / BITS.letter)];
    return (["base64", "base64url"] as const).map((encoding) => whole.toString(encoding).slice(begin, end));
  });
  const hex = bytes.toString("hex");
  return [...new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), hex, hex.toUpperCase(), ...inBase64])];
}

/** Tells whether a text contains one of the secrets, in any of these ways. */
export function secretSearch(secrets: readonly string[]): (text: string) => string | null {
  const places = secrets.flatMap((secret) => hidingPlaces(secret).map((place) => ({ secret, place })));
  const clean = new Set<string>();
  return (text) => {
    if (clean.has(text)) return null;
    const found = places.find(({ place }) => text.includes(place))?.secret ?? null;
    if (clean.size > MOST_REMEMBERED) clean.clear();
    if (found === null) clean.add(text);
    return found;
  };
}
