/** One way to write a text. */
interface Spelling {
  readonly encoding: string;
  readonly text: string;
}

/** A text that must appear nowhere, in every way that it could be written; not in parts of it. */
export function spellings(secret: string): readonly Spelling[] {
  const bytes = Buffer.from(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  const url = encodeURIComponent(secret);
  const hex = bytes.toString("hex");
  const all: Spelling[] = [
    { encoding: "raw", text: secret },
    { encoding: "JSON", text: json },
    { encoding: "JSON with slashes escaped", text: json.replaceAll("/", String.raw`\/`) },
    {
      encoding: "JSON as Go writes it",
      text: json.replaceAll(/[<>&]/g, (sign) => String.raw`\u00${sign.charCodeAt(0).toString(16)}`),
    },
    { encoding: "URL", text: url },
    { encoding: "URL in lower case", text: url.replaceAll(/%../g, (escape) => escape.toLowerCase()) },
    { encoding: "a form", text: new URLSearchParams({ s: secret }).toString().slice(2) },
    { encoding: "hex", text: hex },
    { encoding: "hex in upper case", text: hex.toUpperCase() },
    ...["base64", "base64url"].flatMap((encoding) =>
      [0, 1, 2].map((before) => ({
        encoding: `${encoding}, ${String(before)} bytes in`,
        text: aligned(bytes, encoding as "base64", before),
      })),
    ),
  ];
  return [...new Map(all.map((one) => [one.text, one])).values()];
}

/** What of the bytes is the same in base64 whatever stands around them, where they begin so many bytes into a group of three. */
function aligned(bytes: Buffer, encoding: "base64" | "base64url", before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes])
    .toString(encoding)
    .replace(/=+$/, "");
  const whole = Math.floor((before + bytes.length) / 3) * 4;
  return text.slice(Math.ceil((before * 4) / 3), whole);
}

export interface Canary {
  readonly name: string;
  readonly value: string;
}

/** Which canaries are in which of these texts, and how they are written there. */
export function leaks(canaries: readonly Canary[], places: { readonly [place: string]: string }): readonly string[] {
  const wanted = canaries.flatMap(({ name, value }) => spellings(value).map((spelling) => ({ name, ...spelling })));
  return Object.entries(places).flatMap(([place, content]) =>
    wanted.flatMap(({ name, encoding, text }) =>
      content.includes(text) ? [`${place} has ${name} in ${encoding}`] : [],
    ),
  );
}
