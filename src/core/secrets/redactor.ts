/** Takes known secrets out of text, in the encodings in which they could slip into a message. */
export interface Redactor {
  add(secret: string): void;
  redact(text: string): string;
}

const MASK = "(sensitive value)";
/** Anything shorter would tear ordinary words apart. */
const MIN_LENGTH = 4;

export function redactor(): Redactor {
  const forms = new Set<string>();
  return {
    add: (secret) => {
      const bytes = Buffer.from(secret);
      const all = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), bytes.toString("base64"), bytes.toString("base64url"), bytes.toString("hex"), Buffer.from(`:${secret}`).toString("base64")];
      for (const form of all) if (form.length >= MIN_LENGTH) forms.add(form);
    },
    redact: (text) => [...forms].toSorted((a, b) => b.length - a.length).reduce((clean, form) => clean.replaceAll(form, MASK), text),
  };
}
