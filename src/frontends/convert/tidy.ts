import { parseTemplate } from "../../core/expression/syntax/template.ts";

const TOKEN = /\s+|"|[\p{L}\p{N}_][\p{L}\p{N}_-]*|=>|==|!=|<=|>=|&&|\|\||\.\.\.|./gsu;
const KEYWORDS: ReadonlySet<string> = new Set(["for", "in", "if"]);
const BEFORE_OPERAND: ReadonlySet<string> = new Set(["", ..."( [ { , ? : = => == != < > <= >= && || + - * / % !".split(" ")]);

/** An expression on one line, with the spaces of `terraform fmt`. Unchanged if it has comments or several lines. */
export function tidyExpression(expression: string): string {
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
    if (token.includes("\n") || token === "#" || (token === "/" && /^[/*]/.test(expression.slice(TOKEN.lastIndex)))) return null;
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
  return JSON.stringify(parseTemplate(`\${${expression}}`), (key, value: unknown) => (key === "offset" || key === "text" ? undefined : value));
}
