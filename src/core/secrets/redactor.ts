/** Removes known secrets from text, in all encodings in which they could appear in a message. */
export interface Redactor {
  add(secret: string): void;
  redact(text: string): string;
}

const MASK = "(sensitive value)";
/** Shorter secrets would match inside ordinary words. */
const MIN_LENGTH = 4;
/** These words cannot reveal a secret, and masking them would break JSON. */
const WORDS: ReadonlySet<string> = new Set(["true", "false", "null"]);

export function redactor(): Redactor {
  const forms = new Set<string>();
  const known = new Set<string>();
  return {
    add: (secret) => {
      if (known.has(secret) || WORDS.has(secret)) return;
      known.add(secret);
      for (const form of formsOf(secret)) if (form.length >= MIN_LENGTH) forms.add(form);
    },
    redact: (text) => [...forms].toSorted((a, b) => b.length - a.length).reduce((clean, form) => clean.replaceAll(form, MASK), text),
  };
}

function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const wellFormed = bytes.toString();
  const hex = bytes.toString("hex");
  const base64 = [bytes, Buffer.from(`:${secret}`)].flatMap((one) => [
    one.toString("base64"),
    one.toString("base64").replace(/=+$/, ""),
    one.toString("base64url"),
  ]);
  const inForm = new URLSearchParams({ "": wellFormed }).toString().slice(1);
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(wellFormed), inForm, hex, hex.toUpperCase(), ...base64];
}
