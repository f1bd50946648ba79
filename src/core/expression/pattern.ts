import { tooLarge, unsuitable } from "./failure.ts";
import { MAX_TEXT } from "./term.ts";

/** What JavaScript takes behind a backslash; Terraform takes every sign there. */
const KEPT_ESCAPE = /[\w^$\\.*+?()[\]{}|/]/;
const UNSUPPORTED: readonly (readonly [RegExp, string])[] = [
  [/\(\?<?[=!]/, "it looks ahead or behind"],
  [/\\[1-9]/, "it refers back to a group"],
  [/\[\[:/, "it names a class of characters in [: :]"],
];

/** Replaces every match of a regular expression, written as Terraform has them. In `replacement`, `$1` and `${name}` stand for groups. */
export function replacePattern(whole: string, pattern: string, replacement: string): string {
  const regex = compile(pattern);
  let length = 0;
  return whole.replace(regex, (...match: readonly unknown[]) => {
    const last = match.at(-1);
    const named = typeof last === "object" && last !== null ? (last as { readonly [name: string]: string | undefined }) : {};
    const put = expand(replacement, match, named);
    length += put.length;
    if (length > MAX_TEXT) throw tooLarge(`A text here becomes longer than ${String(MAX_TEXT)} characters.`);
    return put;
  });
}

function compile(pattern: string): RegExp {
  const unsupported = UNSUPPORTED.find(([regex]) => regex.test(pattern));
  if (unsupported) throw unsuitable(`The regular expression of replace is not supported: ${unsupported[1]}.`);
  const flags = /^\(\?([ims]+)\)/.exec(pattern);
  const source = pattern
    .slice(flags?.[0].length ?? 0)
    .replaceAll("(?P<", "(?<")
    .replaceAll(/\\(.)/gsu, (escape: string, letter: string) => (KEPT_ESCAPE.test(letter) ? escape : letter === "-" ? "\\x2d" : letter));
  try {
    return new RegExp(source, `gu${[...new Set(flags?.[1])].join("")}`);
  } catch (error) {
    // What stands before shows the pattern, which may be sensitive.
    throw unsuitable(`The regular expression of replace cannot be used: ${(error as Error).message.split(": ").at(-1) ?? ""}.`);
  }
}

function expand(replacement: string, match: readonly unknown[], named: { readonly [name: string]: string | undefined }): string {
  return replacement.replaceAll(/\$(?:\$|(\w+)|\{(\w+)\})/g, (whole: string, bare: string | undefined, braced: string | undefined) => {
    const name = bare ?? braced;
    if (name === undefined) return whole === "$$" ? "$" : whole;
    const group = /^\d+$/.test(name) ? match[Number(name)] : named[name];
    return typeof group === "string" ? group : "";
  });
}
