import type { KeyedDigest } from "../model/ports.ts";
import { emailsIn, replaceInWords, withoutDisguise } from "./email-like.ts";
import { visible } from "../model/visible.ts";

/** Masks people's known email addresses in text. */
export interface PersonalMask {
  /** Uses this salt for the hashes in masked addresses from now on. */
  useSalt(salt: string): void;
  /** Adds texts to mask: addresses, and invalid texts in the place of an address. */
  add(texts: Iterable<string>): void;
  /** Masks every known text, in any notation: in JSON, in a URL, quoted for a shell. */
  mask(text: string): string;
  /** Masks also everything that looks like an address, now and in later calls: for lines of unreadable files. */
  maskLine(line: string): string;
}

const TAIL_LENGTH = 8;

/**
 * `a***@example.com#1f3a9c02`, regardless of upper and lower case. The salted hash at the end keeps addresses
 * distinguishable. The result needs no escaping in JSON, shells or HTML.
 */
export function maskEmail(salt: string, email: string, digest: KeyedDigest): string {
  const lower = email.toLowerCase();
  const tail = digest(salt, lower).slice(0, TAIL_LENGTH);
  const at = lower.lastIndexOf("@");
  const [first = ""] = lower;
  const domain = at < 0 ? "" : lower.slice(at).replaceAll(/[^\p{L}\p{N}@.-]/gu, "*");
  return `${/[\p{L}\p{N}]/u.test(first) ? first : ""}***${domain}#${tail}`;
}

/** `firstSalt` supplies the salt if something is masked before `useSalt`. */
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
    const ofKnown = (email: string): string | null => {
      const hidden = index.replace(email, masked);
      return hidden === email ? null : hidden;
    };
    return index.replace(replaceInWords(text, ofKnown), masked);
  };
  return {
    useSalt: (next) => {
      if (next !== currentSalt) masks = new Map();
      currentSalt = next;
    },
    add: (texts) => void added.push(texts),
    mask,
    maskLine: (line) => {
      const found = emailsIn(mask(line));
      added.push(found.filter((email) => !MASKED.test(email)));
      return mask(line);
    },
  };
}

const MASKED = /^.?\*\*\*@[^#]*#[0-9a-f]{8}/u;

/**
 * Finds the address for `text`, which may be the masked form of one of `addresses`; otherwise returns `text`. Compares
 * only addresses of the same block, so that it stays fast among many addresses.
 */
export function expandAddress(text: string, addresses: Iterable<string>, { mask }: PersonalMask): string {
  if (!text.includes("***")) return text;
  const block = text.slice(0, text.indexOf("[") + 1);
  for (const address of addresses) if (address.startsWith(block) && mask(address) === text) return address;
  return text;
}

/** The number of leading characters that index a known text. */
const ANCHOR = 3;
/** Shorter texts without an @ are not masked: they would match inside ordinary text. */
const MIN_WORD = 4;

interface TextIndex {
  add(text: string): void;
  replace(text: string, by: (known: string) => string): string;
}

/** Finds many texts at the same time, through an index of their first characters; the longest match wins. */
function textIndex(): TextIndex {
  /** Maps each form, in lower case, to its original text. */
  const forms = new Map<string, string>();
  const lengths = new Map<string, number[]>();
  /** A bitmap of the first two characters of all forms, which rules out most positions of a text quickly. Most masks have none. */
  let seen = new Uint8Array();
  /** The texts by their last two characters, so that many forms with the same beginning are not compared at each position of a long text. */
  let ends = new Uint8Array();
  const longest = (lower: string, at: number): string | null => {
    for (const length of lengths.get(lower.slice(at, at + ANCHOR)) ?? []) {
      if (ends[hashAt(lower, at + length - 2)] === 0) continue;
      const form = lower.slice(at, at + length);
      if (forms.has(form) && (form.includes("@") || form.includes("%40") || isWord(lower, at, at + length)))
        return form;
    }
    return null;
  };
  return {
    add: (text) => {
      if (text.length < (text.includes("@") ? ANCHOR : MIN_WORD)) return;
      for (const form of formsOf(text).map(lowerCase)) {
        if (forms.has(form)) continue;
        if (forms.size === 0) [seen, ends] = [new Uint8Array(65_536), new Uint8Array(65_536)];
        forms.set(form, text);
        seen[hashAt(form, 0)] = 1;
        ends[hashAt(form, form.length - 2)] = 1;
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

/** Whether the match is a word of its own, not part of a longer word or of another address. */
function isWord(text: string, from: number, to: number): boolean {
  return (
    !/[\p{L}\p{N}_@.-]/u.test(text.slice(Math.max(0, from - 1), from)) &&
    !/^[\p{L}\p{N}_@-]|^\.[\p{L}\p{N}]/u.test(text.slice(to, to + 2))
  );
}

/** Lower case without changing any position: a few characters have longer counterparts. */
function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return Array.from(text, (character) =>
    character.toLowerCase().length === character.length ? character.toLowerCase() : character,
  ).join("");
}

/** Texts that never need escaping. */
const PLAIN = /^[\w.@-]+$/;

/** All notations of a text in the output. */
function formsOf(text: string): readonly string[] {
  if (PLAIN.test(text)) return text.includes("@") ? [text, text.replace("@", "%40")] : [text];
  const shown = visible(text);
  const inJson = [text, shown].map(quoted);
  const inShell = [text, ...inJson].map((one) => one.replaceAll("'", "'\\''"));
  const all = new Set([
    text,
    withoutDisguise(text),
    shown,
    ...inJson,
    ...inShell,
    ...[...inJson, ...inShell].map(quoted),
    encodeURIComponent(Buffer.from(text).toString()),
  ]);
  return [...all];
}

function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
