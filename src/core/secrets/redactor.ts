import { decodedRuns, decodings, skeleton } from "./decodings.ts";

/** Removes known secrets from text. */
export interface Redactor {
  add(secret: string): void;
  /** Masks secrets in all encodings in which a message of ours could contain them. */
  redact(text: string): string;
  /**
   * Redacts text of unknown origin, such as the body of an undocumented error. If it contains a secret in an encoding that
   * `redact` does not know, nothing of it is left. If it contains an encoded email address, the result is decoded, so
   * that the mask of addresses finds it.
   */
  redactForeign(text: string): string;
}

const MASK = "(sensitive value)";
const WITHHELD = "(text not shown: it contains a sensitive value)";
/** Shorter secrets would match inside ordinary words. */
const MIN_LENGTH = 4;
/** Longer texts are pages, which nobody reads in a message. */
const MAX_FOREIGN_LENGTH = 16_384;
/** How many characters are searched, in all decodings together. */
const MAX_SEARCHED = 20 * MAX_FOREIGN_LENGTH;
/** A character that bytes of something else than text decode to. */
const NO_TEXT = /[\p{Cc}\u{fffd}]/u;
/** These words cannot reveal a secret, and masking them would break JSON. */
const WORDS: ReadonlySet<string> = new Set(["true", "false", "null"]);
/** Lengths are limited, so that the search takes linear time. */
const EMAIL_LIKE = /[^\s@"'`<>,;:=()[\]{}|\\/&%]{1,64}@[\p{L}\p{N}-]{1,63}\.[\p{L}\p{N}]/gu;

export function redactor(): Redactor {
  const forms = new Set<string>();
  const known = new Set<string>();
  let byLength: readonly string[] | null = null;
  let wanted: Wanted | null = null;
  const redact = (text: string): string => {
    byLength ??= [...forms].toSorted((a, b) => b.length - a.length);
    return byLength.reduce((clean, form) => clean.replaceAll(form, MASK), text);
  };
  return {
    add: (secret) => {
      if (known.has(secret) || WORDS.has(secret)) return;
      known.add(secret);
      byLength = wanted = null;
      for (const form of formsOf(secret)) if (form.length >= MIN_LENGTH) forms.add(form);
    },
    redact,
    redactForeign: (text) => {
      if (text.length > MAX_FOREIGN_LENGTH) return `(text of ${String(text.length)} characters not shown)`;
      const clean = redact(text);
      wanted ??= wantedOf([...known]);
      if (conceals(clean, wanted)) return WITHHELD;
      const decoded = decodings(clean)?.at(-1) ?? clean;
      const shown = new Set(clean.match(EMAIL_LIKE) ?? []);
      return (decoded.match(EMAIL_LIKE) ?? []).every((email) => shown.has(email)) ? clean : decoded;
    },
  };
}

/** What to search decoded texts for. */
interface Wanted {
  readonly texts: readonly string[];
  readonly skeletons: readonly string[];
}

function wantedOf(secrets: readonly string[]): Wanted {
  const decoded = secrets.flatMap((secret) => decodings(secret)?.at(-1) ?? []);
  const isLong = (text: string): boolean => text.length >= MIN_LENGTH;
  return { texts: [...new Set([...secrets, ...decoded])].filter(isLong), skeletons: decoded.map(skeleton).filter(isLong) };
}

/** Whether a text contains a secret in nested encodings, or an address in base64 or hexadecimal. Doubts count. */
function conceals(text: string, { texts, skeletons }: Wanted): boolean {
  const seen = new Set([text]);
  let budget = MAX_SEARCHED;
  // The loop also visits what it adds.
  for (const one of seen) {
    const views = decodings(one);
    if (views === null) return true;
    const bare = skeleton(views.at(-1)?.replaceAll(MASK, " ") ?? "");
    if (views.some((view) => texts.some((secret) => view.includes(secret))) || skeletons.some((secret) => bare.includes(secret))) return true;
    if (one !== text && hasEmail(views.at(-1) ?? one)) return true;
    budget -= views.reduce((sum, view) => sum + view.length, 0);
    if (budget < 0) return true;
    if (one === text || isMostlyText(one)) for (const run of views.flatMap(decodedRuns)) seen.add(run);
  }
  return false;
}

/** Bytes that are no text may look like an address by chance. */
function hasEmail(run: string): boolean {
  return !NO_TEXT.test(run) && run.search(EMAIL_LIKE) >= 0;
}

function isMostlyText(run: string): boolean {
  return run.replaceAll(new RegExp(NO_TEXT, "gu"), "").length > run.length * 0.7;
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
