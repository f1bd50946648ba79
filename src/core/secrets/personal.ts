import type { KeyedDigest } from "../model/ports.ts";

/** Keeps what is known of people's email addresses out of text. */
export interface PersonalMask {
  /** The tails of masked addresses are made under this salt from now on. */
  useSalt(salt: string): void;
  /** Texts to mask: addresses, and what stands where an address belongs. */
  add(texts: Iterable<string>): void;
  /** The text with everything known masked, however it is written: in JSON, in a URL, quoted for a shell. */
  mask(text: string): string;
  /** Masks what looks like an address as well, here and from now on: for lines of files that could not be understood. */
  maskLine(line: string): string;
}

const TAIL_LENGTH = 8;

/**
 * `a***@example.com#1f3a9c02`: the same for all ways to write an address in upper and lower case. The tail is a salted hash,
 * so that addresses stay distinct. Nothing in it has a meaning in JSON, in a shell or in HTML.
 */
export function maskEmail(salt: string, email: string, digest: KeyedDigest): string {
  const lower = email.toLowerCase();
  const tail = digest(salt, lower).slice(0, TAIL_LENGTH);
  const at = lower.lastIndexOf("@");
  const [first = ""] = lower;
  const domain = at < 0 ? "" : lower.slice(at).replaceAll(/[^\p{L}\p{N}@.-]/gu, "*");
  return `${/[\p{L}\p{N}]/u.test(first) ? first : ""}***${domain}#${tail}`;
}

/** What stands before and behind an address in a line: anything that no sensible address holds. */
const EMAIL_LIKE = /[^\s@"'`<>,;:=()[\]{}|\\/]+@[^\s@"'`<>,;:=()[\]{}|\\/]+/gu;

/** `firstSalt` is asked for when something is to be masked before `useSalt`. */
export function personalMask(firstSalt: () => string, digest: KeyedDigest): PersonalMask {
  let currentSalt: string | null = null;
  let masks = new Map<string, string>();
  let added: Iterable<string>[] = [];
  const index = textIndex();
  const masked = (text: string): string => {
    const known = masks.get(text);
    if (known !== undefined) return known;
    currentSalt ??= firstSalt();
    const made = maskEmail(currentSalt, text, digest);
    masks.set(text, made);
    return made;
  };
  const mask = (text: string): string => {
    for (const texts of added) for (const one of texts) index.add(one);
    added = [];
    return index.replace(text, masked);
  };
  return {
    useSalt: (next) => {
      if (next !== currentSalt) masks = new Map();
      currentSalt = next;
    },
    add: (texts) => void added.push(texts),
    mask,
    maskLine: (line) => {
      const found = mask(line).match(EMAIL_LIKE) ?? [];
      added.push(found.filter((email) => !MASKED.test(email)));
      return mask(line);
    },
  };
}

const MASKED = /^.?\*\*\*@[^#]*#[0-9a-f]{8}/u;

/**
 * The address that is meant by `text`, which may be the masked form of one of `addresses`; `text` itself when it is none.
 * Only addresses of the same block are compared, so that this stays fast beside many others.
 */
export function expandAddress(text: string, addresses: Iterable<string>, { mask }: Pick<PersonalMask, "mask">): string {
  if (!text.includes("***")) return text;
  const block = text.slice(0, text.indexOf("[") + 1);
  for (const address of addresses) if (address.startsWith(block) && mask(address) === text) return address;
  return text;
}

/** The leading characters by which a known text is found. */
const ANCHOR = 3;
/** A word this short is left alone where it has no @: it would tear ordinary text apart. */
const MIN_WORD = 4;

interface TextIndex {
  add(text: string): void;
  replace(text: string, by: (known: string) => string): string;
}

/** Many texts at once: looked up by their first characters, whatever they hold, the longest first. */
function textIndex(): TextIndex {
  /** From each form, in lower case, to the text that it is a form of. */
  const forms = new Map<string, string>();
  const lengths = new Map<string, number[]>();
  /** Which first two characters occur at all, by a few of their bits: most places of a text are passed over by it. */
  const seen = new Uint8Array(65_536);
  const longest = (lower: string, at: number): string | null => {
    for (const length of lengths.get(lower.slice(at, at + ANCHOR)) ?? []) {
      const form = lower.slice(at, at + length);
      if (forms.has(form) && (form.includes("@") || form.includes("%40") || isWord(lower, at, at + length))) return form;
    }
    return null;
  };
  return {
    add: (text) => {
      if (text.length < (text.includes("@") ? ANCHOR : MIN_WORD)) return;
      for (const form of formsOf(text).map(lowerCase)) {
        if (forms.has(form)) continue;
        forms.set(form, text);
        seen[hashAt(form, 0)] = 1;
        const anchor = form.slice(0, ANCHOR);
        const known = lengths.get(anchor);
        if (!known) lengths.set(anchor, [form.length]);
        else if (!known.includes(form.length))
          lengths.set(
            anchor,
            [...known, form.length].toSorted((a, b) => b - a),
          );
      }
    },
    replace: (text, by) => {
      if (forms.size === 0) return text;
      const lower = lowerCase(text);
      const parts: string[] = [];
      let from = 0;
      for (let at = 0; at + ANCHOR <= lower.length; at++) {
        if (seen[hashAt(lower, at)] === 0) continue;
        const form = longest(lower, at);
        if (form === null) continue;
        parts.push(text.slice(from, at), by(forms.get(form) ?? form));
        from = at + form.length;
        at = from - 1;
      }
      return parts.length === 0 ? text : parts.join("") + text.slice(from);
    },
  };
}

function hashAt(text: string, at: number): number {
  return ((text.charCodeAt(at) << 8) ^ text.charCodeAt(at + 1)) & 0xff_ff;
}

/** Whether it stands for itself, and not in a longer word or in somebody else's address. */
function isWord(text: string, from: number, to: number): boolean {
  return !/[\p{L}\p{N}_@.-]/u.test(text.slice(Math.max(0, from - 1), from)) && !/^[\p{L}\p{N}_@-]|^\.[\p{L}\p{N}]/u.test(text.slice(to, to + 2));
}

/** In lower case, every character at its place: a few have longer counterparts. */
function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return Array.from(text, (character) => (character.toLowerCase().length === character.length ? character.toLowerCase() : character)).join("");
}

/** What nothing that prints has to escape. */
const PLAIN = /^[\w.@-]+$/;

/** The ways in which a text can be written in what is printed. */
function formsOf(text: string): readonly string[] {
  if (PLAIN.test(text)) return text.includes("@") ? [text, text.replace("@", "%40")] : [text];
  const shown = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\u{fffd}");
  const inJson = [text, shown].map(quoted);
  const inShell = [text, ...inJson].map((one) => one.replaceAll("'", "'\\''"));
  const all = new Set([text, shown, ...inJson, ...inShell, ...[...inJson, ...inShell].map(quoted), encodeURIComponent(Buffer.from(text).toString())]);
  return [...all];
}

function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
