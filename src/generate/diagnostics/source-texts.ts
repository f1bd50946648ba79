import ts from "typescript-5.9";
import type { Bound, SourceValues } from "./source-values.ts";

/** More forms of one text are not listed: the further ones differ in details. */
const MAX_FORMS = 6;
const MAX_DEPTH = 8;

/** A text that an expression can be, and whether the sources say any of its words. */
export interface SourceText {
  readonly text: string;
  readonly isKnown: boolean;
}

/** Functions that change nothing but the form of a text. */
const SAME_TEXT =
  /^(?:String|visible|printable|shortText|cutText|sentence|masked|redact|trim|trimEnd|toString|withoutCommands|asCalled|shellWord|word|quoted|firstFew)$/;
const JOINED = /^(?:join|filter|flat|toSorted)$/;

/** The texts that expressions can be, with a word in capitals in place of each value of a run. */
export class SourceTexts {
  readonly #values: SourceValues;
  #depth = 0;

  constructor(values: SourceValues) {
    this.#values = values;
  }

  /** Each form of a text once. */
  textsOf(bound: Bound): readonly SourceText[] {
    if (this.#depth >= MAX_DEPTH) return [placeholder(bound.node)];
    this.#depth++;
    try {
      const found = this.#values.valuesOf(bound).flatMap((value) => this.#ofValue(value, bound));
      const isKnown = found.some((one) => one.isKnown);
      const known = isKnown
        ? found.filter((one) => one.isKnown)
        : found.every(({ text }) => text === "")
          ? found
          : [placeholder(bound.node)];
      return [...new Map(known.map((one) => [one.text, one])).values()].slice(0, MAX_FORMS);
    } finally {
      this.#depth--;
    }
  }

  #ofValue(value: Bound, asked: Bound): readonly SourceText[] {
    const { node, env } = value;
    if (ts.isStringLiteralLike(node)) return [{ text: node.text, isKnown: node.text !== "" }];
    if (ts.isNumericLiteral(node))
      return [
        isLimit(asked.node) ? { text: Number(node.text).toLocaleString("en"), isKnown: true } : placeholder(asked.node),
      ];
    if (ts.isTemplateExpression(node)) return this.#ofTemplate(node, value);
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken)
      return product([this.textsOf({ node: node.left, env }), this.textsOf({ node: node.right, env })], "");
    if (isAbsent(node)) return [];
    if (ts.isCallExpression(node)) return this.#ofCall(node, value, asked);
    return [placeholder(asked.node)];
  }

  #ofTemplate(node: ts.TemplateExpression, { env }: Bound): readonly SourceText[] {
    const parts = node.templateSpans.flatMap(({ expression, literal }) => [
      this.#ofSpan({ node: expression, env }),
      [said(literal.text)],
    ]);
    return product([[said(node.head.text)], ...parts], "");
  }

  /** Of the words for one and for several, a template shows those for several; of words that can be absent, it shows them. */
  #ofSpan(bound: Bound): readonly SourceText[] {
    const node = withoutParentheses(bound.node);
    if (ts.isConditionalExpression(node)) {
      const operator = ts.isBinaryExpression(node.condition) ? node.condition : null;
      const isOne =
        operator?.right.getText() === "1" && operator.operatorToken.kind === ts.SyntaxKind.EqualsEqualsEqualsToken;
      if (isOne || isEmpty(node.whenTrue)) return this.#ofSpan({ node: node.whenFalse, env: bound.env });
      if (isEmpty(node.whenFalse)) return this.#ofSpan({ node: node.whenTrue, env: bound.env });
    }
    const texts = this.textsOf(bound);
    return texts.length === 0 ? [placeholder(node)] : texts;
  }

  #ofCall(node: ts.CallExpression, { env }: Bound, asked: Bound): readonly SourceText[] {
    const { expression, arguments: given } = node;
    const called = ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
    const on = ts.isPropertyAccessExpression(expression) ? expression.expression : null;
    const [first] = given;
    if (called === "stringify" && first)
      return this.textsOf({ node: first, env }).map((one) => ({ ...one, text: `"${one.text}"` }));
    if (/duration|timeText/i.test(called)) return [{ text: `${OPEN}DURATION${CLOSE}`, isKnown: false }];
    if (JOINED.test(called) && on) return this.#ofList(node, env) ?? [placeholder(on)];
    if (SAME_TEXT.test(called)) return this.textsOf({ node: first ?? on ?? expression, env });
    const texts = given.length === 1 && first ? this.textsOf({ node: first, env }) : [];
    return texts.some(({ isKnown }) => isKnown) && /Text|sentence|capital/i.test(called)
      ? texts
      : [placeholder(asked.node)];
  }

  /** The texts of a list, with what is between them; null where the sources do not list them. */
  #ofList(node: ts.CallExpression, env: Bound["env"]): readonly SourceText[] | null {
    let list: ts.Expression = node;
    while (
      ts.isCallExpression(list) &&
      ts.isPropertyAccessExpression(list.expression) &&
      JOINED.test(list.expression.name.text)
    )
      list = list.expression.expression;
    const elements = this.#values.elementsOf({ node: list, env });
    if (elements.length === 0) return null;
    const [separator = said(",")] = node.arguments[0] ? this.textsOf({ node: node.arguments[0], env }) : [];
    const texts = elements.map((one) => this.textsOf(one)).filter((one) => one.length > 0);
    return product(texts, separator.text);
  }
}

function said(text: string): SourceText {
  return { text, isKnown: /\w/.test(text) };
}

/** Only a constant is the same in every run. */
function isLimit(node: ts.Expression): boolean {
  return ts.isNumericLiteral(node) || (ts.isIdentifier(node) && /^[A-Z_]+$/.test(node.text));
}

function isEmpty(node: ts.Expression): boolean {
  return ts.isStringLiteral(node) && node.text === "";
}

function isAbsent(node: ts.Node): boolean {
  return node.kind === ts.SyntaxKind.NullKeyword || (ts.isIdentifier(node) && node.text === "undefined");
}

function withoutParentheses(node: ts.Expression): ts.Expression {
  return ts.isParenthesizedExpression(node) ? withoutParentheses(node.expression) : node;
}

/** Every combination of the parts' forms, up to a limit. */
function product(parts: readonly (readonly SourceText[])[], separator: string): readonly SourceText[] {
  let all: readonly SourceText[] | null = null;
  for (const forms of parts) {
    const next: readonly SourceText[] =
      all === null ? forms : all.flatMap((one) => forms.map((form) => join(one, form, separator)));
    all = next.slice(0, MAX_FORMS);
  }
  return all ?? [];
}

function join(one: SourceText, other: SourceText, separator: string): SourceText {
  const between = one.text === "" || other.text === "" ? "" : separator;
  return { text: `${one.text}${between}${other.text}`, isKnown: one.isKnown || other.isKnown };
}

/** Around each word that stands for a value. */
const [OPEN, CLOSE] = ["\u{e000}", "\u{e001}"];
const STAND_IN = new RegExp(`${OPEN}([^${CLOSE}]*)${CLOSE}`, "gu");

/** The text with each word that stands for a value replaced. */
export function withStandIns(text: string, wordFor: (name: string) => string = (name) => name): string {
  return text.replaceAll(STAND_IN, (_, name: string) => wordFor(name));
}

/** Words that say nothing about a value. */
const NO_NAME = /^(?:text|value|at|get|toString|map|of|slice|join|filter|call|length|size)$/;

/** A word in capitals for a value of a run, from its name in the sources. */
function placeholder(node: ts.Expression): SourceText {
  const names = namesIn(node);
  const name = names.findLast((one) => !NO_NAME.test(one)) ?? "VALUE";
  const word = name
    .replace(/^#/, "")
    .replaceAll(/([a-z])([A-Z])/g, "$1_$2")
    .replace(/(?:_?Text|_?Of|_MS)$/i, "")
    .toUpperCase();
  return { text: `${OPEN}${word === "" ? "VALUE" : word}${CLOSE}`, isKnown: false };
}

/** The names that lead to a value: of a call, those of what it is given. */
function namesIn(node: ts.Expression): readonly string[] {
  if (ts.isIdentifier(node)) return [node.text];
  if (ts.isPropertyAccessExpression(node)) return [...namesIn(node.expression), node.name.text];
  if (ts.isElementAccessExpression(node) || ts.isNonNullExpression(node) || ts.isParenthesizedExpression(node))
    return namesIn(node.expression);
  if (ts.isBinaryExpression(node) || ts.isConditionalExpression(node))
    return namesIn(ts.isBinaryExpression(node) ? node.left : node.whenTrue);
  if (!ts.isCallExpression(node)) return [];
  const on = ts.isPropertyAccessExpression(node.expression) ? namesIn(node.expression.expression) : [];
  const own = on.length > 0 ? on : namesIn(node.expression);
  if (on.length > 0 && !/^JSON$/.test(on.join("."))) return on;
  const given = node.arguments.flatMap((one) => namesIn(one));
  return given.length === 0 ? own : given;
}
