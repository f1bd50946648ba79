import type { Argument } from "../../core/config/block.ts";
import { type Value, hasUnknown, isSecretDigest } from "../../core/model/value.ts";
import { escapedText, expressionIn, segmentsOf, soleExpression } from "./segments.ts";
import { escapedCommands, replaceHidden } from "../../core/model/visible.ts";
import { parseTemplate } from "../../core/expression/syntax/template.ts";

/** Expressions up to this width stay on one line. */
const MAX_WIDTH = 120;
const PLAIN_KEY = /^[\p{ID_Start}_][\p{ID_Continue}-]*$/u;
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ['"', '\\"'],
  ["\\", "\\\\"],
]);

/** An argument as an expression in Terraform's syntax, on several lines if necessary; `indent` is that of the first line. */
export function expressionText(argument: Argument, indent = ""): string {
  const short = onOneLine(argument);
  if (indent.length + short.length <= MAX_WIDTH || (argument.kind !== "list" && argument.kind !== "object"))
    return short.replaceAll("\n", `\n${indent}`);
  const inner = `${indent}  `;
  if (argument.kind === "list")
    return `[\n${argument.items.map((item) => `${inner}${expressionText(item, inner)},\n`).join("")}${indent}]`;
  const lines = argument.entries.map(([key, value]) => [keyText(key), expressionText(value, inner)] as const);
  return `{\n${aligned(lines, inner)}${indent}}`;
}

/** One `name = value` per line. Adjacent single-line values have aligned `=` signs, as in `terraform fmt`. */
export function aligned(lines: readonly (readonly [name: string, value: string])[], indent: string): string {
  const widths: number[] = [];
  let group: number[] = [];
  const close = (): void => {
    const widest = group.reduce((most, index) => Math.max(most, width(lines[index]?.[0] ?? "")), 0);
    for (const index of group) widths[index] = widest;
    group = [];
  };
  for (const [index, [name, value]] of lines.entries()) {
    if (value.includes("\n")) {
      close();
      widths[index] = width(name);
    } else group.push(index);
  }
  close();
  return lines
    .map(([name, value], index) => `${indent}${name}${" ".repeat((widths[index] ?? 0) - width(name))} = ${value}\n`)
    .join("");
}

function width(name: string): number {
  return [...name].length;
}

/** An argument on one line, unless its own expressions span lines. */
export function onOneLine(argument: Argument): string {
  switch (argument.kind) {
    case "literal":
      return literalText(argument.value);
    case "template":
      return onLines(soleExpression(argument.text)) ?? templateText(argument.text);
    case "list":
      return `[${argument.items.map(onOneLine).join(", ")}]`;
    case "object":
      if (argument.entries.length === 0) return "{}";
      return `{ ${argument.entries.map(([key, value]) => `${keyText(key)} = ${onOneLine(value)}`).join(", ")} }`;
    case "secret":
      throw new Error("a secret has no text form");
  }
}

/** An expression with tidy spaces; in brackets, since an expression outside of any ends with its line. */
function onLines(written: string | null): string | null {
  const expression = written === null ? null : tidyExpression(written);
  if (!expression?.includes("\n")) return expression;
  const tree = expressionIn(`\${${expression}}`);
  const isBracketed =
    tree !== null && ["call", "tuple", "object", "for"].includes(tree.kind) && expression === expression.trim();
  return isBracketed ? expression : `(${expression})`;
}

function keyText(key: Argument): string {
  if (key.kind === "literal")
    return typeof key.value === "string" && PLAIN_KEY.test(key.value) ? key.value : literalText(key.value);
  const only = key.kind === "template" ? soleExpression(key.text) : null;
  return only === null ? onOneLine(key) : `(${only})`;
}

function literalText(value: Value): string {
  if (typeof value === "string") return `"${escapedInQuotes(escapedText(value))}"`;
  if (typeof value !== "object" || value === null) return String(value);
  if (hasUnknown(value) || isSecretDigest(value)) throw new Error("a value without a text form");
  const inner = Array.isArray(value)
    ? ({ kind: "list", items: (value as readonly Value[]).map((item) => ({ kind: "literal", value: item })) } as const)
    : ({
        kind: "object",
        entries: Object.entries(value).map(([key, item]) => [
          { kind: "literal", value: key },
          { kind: "literal", value: item },
        ]),
      } as const);
  return onOneLine(inner as Argument);
}

/** A template in quotation marks. Only its literal text has escapes. */
function templateText(template: string): string {
  const parts = segmentsOf(template).map((segment) =>
    segment.kind === "text" ? escapedInQuotes(segment.text) : `\${${segment.text}}`,
  );
  return `"${parts.join("")}"`;
}

function escapedInQuotes(text: string): string {
  const inQuotes = text.replaceAll(/["\\]/g, (sign) => ESCAPES.get(sign) ?? sign);
  const shown = replaceHidden(inQuotes, (sign) => {
    const code = (sign.codePointAt(0) ?? 0).toString(16);
    return ESCAPES.get(sign) ?? (code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`);
  });
  return escapedCommands(shown);
}

const TOKEN = /\s+|"|[\p{L}\p{N}_][\p{L}\p{N}_-]*|=>|==|!=|<=|>=|&&|\|\||\.\.\.|./gsu;
const KEYWORDS: ReadonlySet<string> = new Set(["for", "in", "if"]);
const BEFORE_OPERAND: ReadonlySet<string> = new Set([
  "",
  ..."( [ { , ? : = => == != < > <= >= && || + - * / % !".split(" "),
]);

/** An expression on one line, with the spaces of `terraform fmt`. Unchanged if it has comments or several lines. */
function tidyExpression(expression: string): string {
  const tokens = tokensOf(expression);
  if (!tokens) return expression;
  let tidy = "";
  let [before, isUnary] = ["", false];
  for (const token of tokens) {
    tidy += isSpaced(before, token, isUnary) ? ` ${token}` : token;
    isUnary = (token === "-" || token === "!") && (BEFORE_OPERAND.has(before) || KEYWORDS.has(before));
    before = token;
  }
  return structure(tidy) === structure(expression) ? tidy : expression;
}

/** Without white space; a string is one token. Null for an expression that stays as it is. */
function tokensOf(expression: string): readonly string[] | null {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(expression); match; match = TOKEN.exec(expression)) {
    const [token] = match;
    if (token.includes("\n") || token === "#" || (token === "/" && /^[/*]/.test(expression.slice(TOKEN.lastIndex))))
      return null;
    if (token.trim() === "") continue;
    if (token === '"') {
      const end = endOfString(expression, match.index);
      if (end < 0) return null;
      tokens.push(expression.slice(match.index, end));
      TOKEN.lastIndex = end;
    } else tokens.push(token);
  }
  return tokens;
}

/** The position after the closing quotation mark; -1 for a string with interpolations, which can contain strings. */
function endOfString(expression: string, begin: number): number {
  for (let at = begin + 1; at < expression.length; at++) {
    if (expression[at] === "\\") at++;
    else if (expression[at] === '"') return at + 1;
    else if (expression.startsWith("${", at) || expression.startsWith("%{", at)) {
      if (expression[at - 1] !== expression[at]) return -1;
    }
  }
  return -1;
}

function isSpaced(before: string, token: string, isUnary: boolean): boolean {
  if (before === "" || isUnary || before === "." || before === "(" || before === "[") return false;
  if ([")", "]", ",", ".", "..."].includes(token)) return false;
  if (before === "{") return token !== "}";
  if (token === "(" || token === "[") return KEYWORDS.has(before) || BEFORE_OPERAND.has(before);
  return !(before === "*" && token === "*");
}

/** The syntax tree without positions. */
function structure(expression: string): string {
  return JSON.stringify(parseTemplate(`\${${expression}}`), (key, value: unknown) =>
    key === "offset" || key === "text" ? undefined : value,
  );
}
