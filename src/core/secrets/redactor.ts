import { leadsTo, parseUrl } from "../model/parse-url.ts";
import { replaceInWords, withoutDisguise } from "./email-like.ts";

/** Named characters of HTML that stand for ASCII, which secrets and addresses consist of. */
const NAMED: ReadonlyMap<string, string> = new Map(
  (
    "amp& lt< gt> quot\" apos' excl! num# dollar$ percnt% lpar( rpar) ast* midast* plus+ comma, period. sol/ colon: semi; equals= quest? " +
    "commat@ lsqb[ lbrack[ bsol\\ rsqb] rbrack] Hat^ lowbar_ UnderBar_ grave` lcub{ lbrace{ verbar| vert| VerticalLine| rcub} rbrace} " +
    "nbsp\u00a0 shy\u00ad zwj\u200d zwnj\u200c ZeroWidthSpace\u200b"
  )
    .split(" ")
    .map((entry) => [entry.slice(0, -1), entry.slice(-1)] as const),
);
const ESCAPED: ReadonlyMap<string, string> = new Map(
  Object.entries({ b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v", "0": "\0" }),
);

/** More layers than these are no accident. */
const MAX_ROUNDS = 32;
const MIN_RUN = 8;

/**
 * A text, and what becomes of it as escapes of JSON and programming languages, references of HTML, percent-encoding
 * and disguises are removed, one layer at a time. Null if that does not end soon.
 */
function decodings(text: string): readonly string[] | null {
  const found = [text];
  for (let round = 0, current = text; round < MAX_ROUNDS; round++) {
    const before = current;
    for (const decode of [withoutReferences, withoutEscapes, withoutPercents, withoutDisguise]) {
      const decoded = decode(current);
      if (decoded !== current) found.push(decoded);
      current = decoded;
    }
    if (current === before) return found;
  }
  return null;
}

/** What the base64 and hexadecimal parts of a text may hold. Where such a part starts is not known. */
function decodedRuns(text: string): readonly string[] {
  const runs = (pattern: RegExp): readonly string[] =>
    (text.match(pattern) ?? []).filter((run) => run.length >= MIN_RUN);
  const decoded = (run: string, encoding: "base64" | "hex", starts: readonly number[]) =>
    starts.map((start) => Buffer.from(run.slice(start), encoding).toString("utf8"));
  return [
    ...runs(/[\w+/-]+/g).flatMap((run) => decoded(run, "base64", [0, 1, 2, 3])),
    ...runs(/[\da-f]+/gi).flatMap((run) => decoded(run, "hex", [0, 1])),
  ];
}

/** What survives every encoding: the ASCII letters and digits of a decoded text, in lower case. */
function skeleton(decoded: string): string {
  return decoded
    .replaceAll(/&[a-z]\w*;/gi, "")
    .replaceAll(/[^\da-z]/gi, "")
    .toLowerCase();
}

function withoutReferences(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+)(?=;));?/gi,
    (all, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return NAMED.get(name) ?? all;
      const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : all;
    },
  );
}

/** `\u00e9`, `\u{e9}`, `%u00e9`, `\xe9`, `\351`, `\n`, `\/`, `\"`. A backslash before anything else stays. */
function withoutEscapes(text: string): string {
  const escape = /[\\%]u([\da-f]{4})|\\u\{([\da-f]{1,6})\}|\\x([\da-f]{2})|\\([0-3][0-7]{2})|\\(["'/\\bfnrtv0])/gi;
  return text.replaceAll(escape, (all, unit?: string, point?: string, byte?: string, octal?: string, one?: string) => {
    if (one !== undefined) return ESCAPED.get(one) ?? one;
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
    const code = Number.parseInt(unit ?? point ?? byte ?? "", 16);
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : all;
  });
}

function withoutPercents(text: string): string {
  return text.replaceAll(/(?:%[\da-f]{2})+/gi, (run) => {
    const bytes = Buffer.from(run.replaceAll("%", ""), "hex");
    const decoded = bytes.toString("utf8");
    return decoded.includes("\u{fffd}") ? bytes.toString("latin1") : decoded;
  });
}

/** Removes known secrets from text. */
export interface Redactor {
  /** `isInHosts`: it is masked in a host of `show`, too. */
  add(secret: string, options?: { readonly isInHosts?: boolean }): void;
  /** Shows another text in the place of this one. */
  replace(text: string, shown: string): void;
  /** Of a URL that was made from something sensitive, only the host is shown. */
  hideUrl(url: string): void;
  /** Shows this host of a URL wherever it stands, even if a secret equals a part of it: users must see where events go. */
  show(host: string): void;
  /** Masks secrets in all encodings in which a message of ours could contain them. */
  redact(text: string): string;
  /**
   * Redacts text of unknown origin, such as the body of an undocumented error. If it contains a secret in an encoding that
   * `redact` does not know, nothing of it is left. If it contains an encoded email address, the result is decoded, so
   * that the mask of addresses finds it.
   */
  redactForeign(text: string): string;
}

/** What stands for a secret. */
export const MASK = "(sensitive value)";
const WITHHELD = "(text not shown: it contains a sensitive value)";
/** What is shown of a sensitive value: of a URL, the host. */
export function withoutPath(text: string): string {
  const to = leadsTo(text);
  return to === null ? MASK : `https://${to.host}/${MASK}`;
}

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
  /** What is shown in the place of a text. */
  const replaced = new Map<string, string>();
  const known = new Set<string>();
  const hosts = new Set<string>();
  const inHosts = new Set<string>();
  let byLength: readonly string[] | null = null;
  let wanted: Wanted | null = null;
  const redact = (text: string): string => {
    byLength ??= [...replaced.keys(), ...forms].toSorted((a, b) => b.length - a.length);
    return byLength.reduce((clean, form) => {
      const shown = inHosts.has(form) ? undefined : replaced.get(form);
      if (shown !== undefined) return clean.replaceAll(form, shown);
      if (hosts.size === 0 || inHosts.has(form)) return clean.replaceAll(form, MASK);
      return clean.replaceAll(form, (found, at: number) => (isInHost(clean, at, found.length) ? found : MASK));
    }, text);
  };
  const replace = (text: string, shown: string): void => {
    byLength = null;
    replaced.set(text, shown);
  };
  const isInHost = (text: string, at: number, length: number): boolean =>
    [...hosts].some((host) => {
      if (host.length < length) return false;
      const start = text.indexOf(host, Math.max(0, at + length - host.length));
      return start >= 0 && start <= at;
    });
  return {
    add: (secret, { isInHosts = false } = {}) => {
      if (WORDS.has(secret) || (known.has(secret) && !isInHosts)) return;
      known.add(secret);
      byLength = wanted = null;
      for (const form of formsOf(secret)) {
        if (form.length < MIN_LENGTH) continue;
        forms.add(form);
        if (isInHosts) inHosts.add(form);
      }
    },
    replace,
    hideUrl: (url) => {
      const href = parseUrl(url)?.href ?? url;
      if (replaced.has(url) || href === withoutPath(url).replace(MASK, "")) return;
      for (const form of [url, href].flatMap((one) => [one, encodeURIComponent(one)])) replace(form, withoutPath(url));
    },
    show: (host) => void hosts.add(host),
    redact,
    redactForeign: (text) => {
      if (text.length > MAX_FOREIGN_LENGTH) return `(text of ${String(text.length)} characters not shown)`;
      const clean = redact(text);
      wanted ??= wantedOf([...known]);
      if (conceals(clean, wanted)) return WITHHELD;
      const decoded = decodings(clean)?.at(-1) ?? clean;
      const shown = new Set(emailLikes(clean));
      return emailLikes(decoded).every((email) => shown.has(email)) ? clean : decoded;
    },
  };
}

function emailLikes(text: string): readonly string[] {
  return [text, replaceInWords(text, (email) => email)].flatMap((one) => one.match(EMAIL_LIKE) ?? []);
}

/** What to search decoded texts for. */
interface Wanted {
  readonly texts: readonly string[];
  readonly skeletons: readonly string[];
}

function wantedOf(secrets: readonly string[]): Wanted {
  const decoded = secrets.flatMap((secret) => decodings(secret)?.at(-1) ?? []);
  const isLong = (text: string): boolean => text.length >= MIN_LENGTH;
  return {
    texts: [...new Set([...secrets, ...decoded])].filter(isLong),
    skeletons: decoded.map(skeleton).filter(isLong),
  };
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
    if (
      views.some((view) => texts.some((secret) => view.includes(secret))) ||
      skeletons.some((secret) => bare.includes(secret))
    )
      return true;
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
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(wellFormed),
    inForm,
    hex,
    hex.toUpperCase(),
    ...base64,
  ];
}
