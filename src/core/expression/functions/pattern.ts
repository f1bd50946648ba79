import { type ExpressionFailure, tooLarge, invalidValue } from "../failure.ts";
import { MAX_TEXT } from "../syntax/term.ts";

/** Replaces every match of a regular expression in Terraform's syntax. In `replacement`, `$1` and `${name}` refer to groups. */
export function replacePattern(whole: string, pattern: string, replacement: string): string {
  const regex = compile(pattern);
  let length = 0;
  let lastEnd = -1;
  return whole.replace(regex, (...match: readonly unknown[]) => {
    const last = match.at(-1);
    const named = typeof last === "object" && last !== null ? (last as { readonly [name: string]: string | undefined }) : null;
    const [found, begin] = [String(match[0]), Number(match.at(named ? -3 : -2))];
    // Directly after a match, Terraform finds no empty match.
    if (found === "" && begin === lastEnd) return "";
    lastEnd = begin + found.length;
    const put = expand(replacement, match, named ?? {});
    length += put.length;
    if (length > MAX_TEXT) throw tooLarge(`A string here is longer than ${String(MAX_TEXT)} characters.`);
    return put;
  });
}

/** One match: the whole text, and its groups in order. A group without a match is null. */
export interface PatternMatch {
  readonly text: string;
  readonly groups: readonly (string | null)[];
  readonly named: readonly (readonly [name: string, text: string | null])[];
}

/** The matches of a regular expression in Terraform's syntax; at most `limit`. */
export function findPattern(whole: string, pattern: string, limit = Infinity): readonly PatternMatch[] {
  const found: PatternMatch[] = [];
  let lastEnd = -1;
  for (const match of whole.matchAll(compile(pattern))) {
    if (found.length >= limit) break;
    // Directly after a match, Terraform finds no empty match.
    if (match[0] === "" && match.index === lastEnd) continue;
    lastEnd = match.index + match[0].length;
    const [text, ...groups] = match;
    found.push({
      text,
      groups: groups.map((one: string | undefined) => one ?? null),
      named: Object.entries(match.groups ?? {}).map(([name, one]: readonly [string, string | undefined]) => [name, one ?? null]),
    });
  }
  return found;
}

function compile(pattern: string): RegExp {
  const flags = /^\(\?([ims]+)\)/.exec(pattern);
  const source = translate(pattern.slice(flags?.[0].length ?? 0), { lines: flags?.[1]?.includes("m") ?? false, dotAll: flags?.[1]?.includes("s") ?? false });
  try {
    return new RegExp(source, flags?.[1]?.includes("i") ? "giu" : "gu");
  } catch (error) {
    // The first part of the message contains the pattern, which may be sensitive.
    throw invalidValue(`The regular expression is invalid: ${(error as Error).message.split(": ").at(-1) ?? ""}.`);
  }
}

interface Mode {
  readonly lines: boolean;
  readonly dotAll: boolean;
}

const TOKEN = /\\[pP](?:\{\^?\w+\}|\w)|\\x\{[0-9A-Fa-f]+\}|\\.|\[\^?\]?|\(\?(?:<?[=!]|P?<[^>]*>)|\{\d+(?:,\d*)?\}|./gsu;
const TOKEN_IN_CLASS = /\\[pP](?:\{\^?\w+\}|\w)|\\x\{[0-9A-Fa-f]+\}|\\.|\[:\^?\w+:\]|./gsu;
const ANY = "[^]";
const SPACES = String.raw`\t\n\f\r `;
const NO_SPACES = String.raw`\0-\x08\x0b\x0e-\x1f!-\u{10ffff}`;

/** Translates to JavaScript's syntax, which differs in dots, lines, white space and escaping. */
function translate(pattern: string, mode: Mode): string {
  let source = "";
  for (let at = 0; at < pattern.length;) {
    TOKEN.lastIndex = at;
    const [token = ""] = TOKEN.exec(pattern) ?? [];
    at += token.length;
    source += translateToken(token, mode);
    if (!token.startsWith("[")) continue;
    const inner = translateClass(pattern, at);
    source += inner.source;
    at = inner.end;
  }
  return source;
}

function translateToken(token: string, { lines, dotAll }: Mode): string {
  if (token.startsWith("\\")) return translateEscape(token, false);
  if (token.startsWith("(?")) return translateGroup(token);
  if (token.startsWith("[")) return token.endsWith("]") ? `${token.slice(0, -1)}\\]` : token;
  switch (token) {
    case ".":
      return dotAll ? ANY : "[^\\n]";
    case "^":
      return lines ? "(?<![^\\n])" : token;
    case "$":
      return lines ? "(?![^\\n])" : token;
    case "{":
    case "}":
    case "]":
      return `\\${token}`;
    default:
      return token;
  }
}

function translateGroup(token: string): string {
  if (/[=!]$/.test(token)) throw unsupported("it has a lookahead or lookbehind");
  const name = token.slice(token.indexOf("<") + 1, -1);
  if (!/^[A-Za-z_]\w*$/.test(name)) throw unsupported("the name of a group must consist of letters and digits and start with a letter");
  return `(?<${name}>`;
}

/** Translates a bracket expression, from `start` to after its closing bracket. */
function translateClass(pattern: string, start: number): { readonly source: string; readonly end: number } {
  let source = "";
  let afterClass = false;
  for (let at = start; at < pattern.length;) {
    TOKEN_IN_CLASS.lastIndex = at;
    const [token = ""] = TOKEN_IN_CLASS.exec(pattern) ?? [];
    at += token.length;
    if (token === "]") return { source: `${source}]`, end: at };
    if (token.startsWith("[:")) throw unsupported("it has a character class in [: :]");
    source += token === "[" || (token === "-" && afterClass) ? `\\${token}` : token.startsWith("\\") ? translateEscape(token, true) : token;
    afterClass = /^\\[pPdDsSwW]/.test(token);
  }
  return { source, end: pattern.length };
}

function translateEscape(token: string, inClass: boolean): string {
  const [, letter = "", ...rest] = Array.from(token);
  if (/[pP]/.test(letter)) return translateProperty(letter, rest.join(""));
  if (letter === "s") return inClass ? SPACES : `[${SPACES}]`;
  if (letter === "S") return inClass ? NO_SPACES : `[${NO_SPACES}]`;
  if (letter === "A" && !inClass) return `(?<!${ANY})`;
  if (letter === "z" && !inClass) return `(?!${ANY})`;
  if (letter === "a") return "\\x07";
  if (letter === "x" && rest.length > 0) return `\\u${rest.join("")}`;
  if (/[1-9]/.test(letter)) throw unsupported("it has a backreference or an octal character");
  if (/[0dDwWfnrtvx]/.test(letter) || (/[bB]/.test(letter) && !inClass)) return token;
  if (/^[^0-9A-Za-z]$/.test(letter) && letter < "\x80") return `\\x${letter.charCodeAt(0).toString(16).padStart(2, "0")}`;
  throw unsupported(letter === "" ? "it ends with a backslash" : "it has an unknown escape");
}

/** One or two letters are a general category; anything longer is a script. */
function translateProperty(letter: string, written: string): string {
  const name = written.replaceAll(/[{}^]/g, "");
  const negated = (letter === "P") !== written.includes("^");
  return `\\${negated ? "P" : "p"}{${name.length > 2 ? "Script=" : ""}${name}}`;
}

function unsupported(why: string): ExpressionFailure {
  return invalidValue(`The regular expression is not supported: ${why}.`);
}

function expand(replacement: string, match: readonly unknown[], named: { readonly [name: string]: string | undefined }): string {
  return replacement.replaceAll(/\$(?:\$|([\p{L}\p{Nd}_]+)|\{([\p{L}\p{Nd}_]+)\})/gu, (whole: string, bare: string | undefined, braced: string | undefined) => {
    const name = bare ?? braced;
    if (name === undefined) return whole === "$$" ? "$" : whole;
    const group = /^\d+$/.test(name) ? match[Number(name)] : named[name];
    return typeof group === "string" ? group : "";
  });
}
