/** A parser's position in its text. */
export interface Scanner {
  readonly text: string;
  at: number;
  /** The nesting depth at this position. */
  depth: number;
  /** Whether line breaks are significant, as between the entries of an object. */
  lines: boolean;
}

/** Ends a parse. Caught by the caller of the parser. Not an `Error`: nobody reads its stack, and capturing one takes long. */
export class SyntaxFailure {
  readonly detail: string;
  readonly offset: number;

  constructor(detail: string, offset: number) {
    this.detail = detail;
    this.offset = offset;
  }
}

const MAX_DEPTH = 64;
const MAX_HEIGHT = 256;
const BLANK = /[ \t\r]+/y;
const BLANK_LINES = /[ \t\r\n]+/y;
const LINE_COMMENT = /(?:#|\/\/)[^\n]*/y;
export const IDENTIFIER = /[\p{ID_Start}_][\p{ID_Continue}-]*/uy;

/** The match of the sticky `pattern` at this position, without consuming it. */
export function peek({ text, at }: Scanner, pattern: RegExp): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

export function take(scanner: Scanner, pattern: RegExp): string | null {
  const found = peek(scanner, pattern);
  scanner.at += found?.length ?? 0;
  return found;
}

export function startsWith({ text, at }: Scanner, token: string): boolean {
  return text.startsWith(token, at);
}

export function accept(scanner: Scanner, token: string): boolean {
  if (!startsWith(scanner, token)) return false;
  scanner.at += token.length;
  return true;
}

/** Skips white space and comments. */
export function skip(scanner: Scanner): void {
  for (;;) {
    if (take(scanner, scanner.lines ? BLANK : BLANK_LINES) !== null) continue;
    if (take(scanner, LINE_COMMENT) !== null) continue;
    if (!startsWith(scanner, "/*")) return;
    const end = scanner.text.indexOf("*/", scanner.at + 2);
    if (end < 0) throw new SyntaxFailure("This comment has no closing */.", scanner.at);
    scanner.at = end + 2;
  }
}

export function expectToken(scanner: Scanner, token: string): void {
  skip(scanner);
  if (!accept(scanner, token)) throw unexpected(scanner, `Expected ${token} here.`);
}

/** A syntax error at this position, with advice for common mistakes. */
export function unexpected(scanner: Scanner, wanted: string): SyntaxFailure {
  return new SyntaxFailure(
    scanner.at >= scanner.text.length ? `The text ends here. ${wanted}` : `${wanted}${mistake(scanner)}`,
    scanner.at,
  );
}

function mistake(scanner: Scanner): string {
  if (startsWith(scanner, "'")) return " Strings need double quotation marks, not single ones.";
  if (startsWith(scanner, "<<")) return " Heredocs are not supported.";
  if (startsWith(scanner, "::")) return " Provider functions are only supported in Terraform.";
  if (startsWith(scanner, "=")) return " To compare, write ==.";
  if (startsWith(scanner, "&")) return " For a logical and, write &&.";
  if (startsWith(scanner, "|")) return " For a logical or, write ||.";
  return "";
}

/** Parses a nested expression, and limits the depth. */
export function nested<T>(scanner: Scanner, parse: () => T): T {
  if (scanner.depth >= MAX_DEPTH)
    throw new SyntaxFailure(`The expression is nested more than ${String(MAX_DEPTH)} levels deep.`, scanner.at);
  scanner.depth++;
  const parsed = parse();
  scanner.depth--;
  return parsed;
}

/** Parses an expression in brackets, with or without significant line breaks. */
export function bracketed<T>(scanner: Scanner, { lines }: { readonly lines: boolean }, parse: () => T): T {
  const outer = scanner.lines;
  scanner.lines = lines;
  const parsed = parse();
  scanner.lines = outer;
  return parsed;
}

/** The height of a node with these children. Long chains such as `a + b + c` are high without any nesting. */
export function heightAbove(scanner: Scanner, children: readonly { readonly height: number }[]): number {
  const height = 1 + children.reduce((highest, child) => Math.max(highest, child.height), 0);
  if (height > MAX_HEIGHT)
    throw new SyntaxFailure(`The expression has more than ${String(MAX_HEIGHT)} chained steps.`, scanner.at);
  return height;
}
