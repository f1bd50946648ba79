import { parseParts } from "./parse-parts.ts";
import {
  IDENTIFIER,
  type Scanner,
  SyntaxFailure,
  accept,
  bracketed,
  expectToken,
  heightAbove,
  nested,
  peek,
  skip,
  startsWith,
  take,
  unexpected,
} from "./scan.ts";
import type { BinaryOperator, Expression } from "./syntax.ts";

/** All characters that Terraform reads as one number before it validates it. */
const NUMBER = /\d(?:\d|\.(?=\d|[eE][+-]?\d)|[eE][+-]?\d)*/y;
const WHOLE_NUMBER = /^\d+(?:\.\d*)?(?:[eE][+-]?\d+)?$/;
const OPERATOR = /&&|\|\||==|!=|<=|>=|<(?!<)|[>+\-*/%]/y;
const FOR = /for(?![\p{ID_Continue}-])/uy;
const PRECEDENCE: { readonly [operator in BinaryOperator]: number } = {
  "||": 1,
  "&&": 2,
  "==": 3,
  "!=": 3,
  "<": 4,
  "<=": 4,
  ">": 4,
  ">=": 4,
  "+": 5,
  "-": 5,
  "*": 6,
  "/": 6,
  "%": 6,
};
const KEYWORDS: ReadonlyMap<string, null | boolean> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** Parses one expression and stops after it. Throws a `SyntaxFailure`. */
export function parseExpression(scanner: Scanner): Expression {
  return nested(scanner, () => {
    const condition = parseBinary(scanner, 1);
    skip(scanner);
    if (!accept(scanner, "?")) return condition;
    const yes = parseExpression(scanner);
    expectToken(scanner, ":");
    const no = parseExpression(scanner);
    return {
      kind: "conditional",
      condition,
      yes,
      no,
      offset: condition.offset,
      height: heightAbove(scanner, [condition, yes, no]),
    };
  });
}

function parseBinary(scanner: Scanner, lowest: number): Expression {
  let left = parseUnary(scanner);
  for (;;) {
    skip(scanner);
    const operator = peek(scanner, OPERATOR) as BinaryOperator | null;
    if (operator === null || PRECEDENCE[operator] < lowest) return left;
    const offset = scanner.at;
    scanner.at += operator.length;
    const right = parseBinary(scanner, PRECEDENCE[operator] + 1);
    left = { kind: "binary", operator, left, right, offset, height: heightAbove(scanner, [left, right]) };
  }
}

function parseUnary(scanner: Scanner): Expression {
  skip(scanner);
  const offset = scanner.at;
  const operator = startsWith(scanner, "!") ? "!" : startsWith(scanner, "-") ? "-" : null;
  if (operator === null) return parseSteps(scanner, parseTerm(scanner));
  scanner.at++;
  const of = nested(scanner, () => parseUnary(scanner));
  return { kind: "unary", operator, of, offset, height: heightAbove(scanner, [of]) };
}

function parseTerm(scanner: Scanner): Expression {
  const offset = scanner.at;
  const number = take(scanner, NUMBER);
  if (number !== null) return { kind: "literal", value: parseNumber(number, offset), offset, height: 1 };
  if (accept(scanner, '"')) return parseQuoted(scanner, offset);
  if (accept(scanner, "(")) {
    const inner = bracketed(scanner, { lines: false }, () => closed(scanner, ")", parseExpression(scanner)));
    // A name in parentheses is not part of a reference: later steps do not extend it.
    return inner.kind === "reference"
      ? { kind: "template", parts: [inner], offset, height: heightAbove(scanner, [inner]) }
      : inner;
  }
  if (accept(scanner, "[")) return bracketed(scanner, { lines: false }, () => parseList(scanner, offset));
  if (accept(scanner, "{")) return bracketed(scanner, { lines: true }, () => parseObject(scanner, offset));
  const name = take(scanner, IDENTIFIER);
  if (name === null)
    throw unexpected(scanner, "Expected an expression here, such as var.NAME or data.TYPE.NAME.ATTRIBUTE.");
  return parseNamed(scanner, name, offset);
}

function parseNumber(text: string, offset: number): number {
  if (!WHOLE_NUMBER.test(text))
    throw new SyntaxFailure("This is not a number: it has more than one decimal point or exponent.", offset);
  const value = Number(text);
  if (Number.isInteger(value) ? !Number.isSafeInteger(value) : !Number.isFinite(value))
    throw new SyntaxFailure(
      `This number is too large: numbers are exact up to ${String(Number.MAX_SAFE_INTEGER)}. Write it in quotation marks.`,
      offset,
    );
  return value;
}

function parseQuoted(scanner: Scanner, offset: number): Expression {
  const parts = bracketed(scanner, { lines: false }, () => parseParts(scanner, { quoted: true }, parseExpression));
  const [only = ""] = parts;
  if (parts.length <= 1 && typeof only === "string") return { kind: "literal", value: only, offset, height: 1 };
  const inner = parts.filter((part) => typeof part !== "string");
  return { kind: "template", parts, offset, height: heightAbove(scanner, inner) };
}

function closed<T>(scanner: Scanner, token: string, parsed: T): T {
  expectToken(scanner, token);
  return parsed;
}

function parseNamed(scanner: Scanner, name: string, offset: number): Expression {
  const keyword = KEYWORDS.get(name);
  if (keyword !== undefined) return { kind: "literal", value: keyword, offset, height: 1 };
  const end = scanner.at;
  skip(scanner);
  if (!accept(scanner, "(")) {
    scanner.at = end;
    return { kind: "reference", steps: [name], text: name, offset, height: 1 };
  }
  return bracketed(scanner, { lines: false }, () => {
    const args: Expression[] = [];
    let expand = false;
    for (skip(scanner); !startsWith(scanner, ")"); skip(scanner)) {
      args.push(parseExpression(scanner));
      skip(scanner);
      expand = accept(scanner, "...");
      if (expand || !accept(scanner, ",")) break;
    }
    expectToken(scanner, ")");
    return { kind: "call", name, args, expand, offset, height: heightAbove(scanner, args) };
  });
}

function parseList(scanner: Scanner, offset: number): Expression {
  skip(scanner);
  if (take(scanner, FOR) !== null) return parseFor(scanner, offset, "]");
  const items: Expression[] = [];
  for (; !startsWith(scanner, "]"); skip(scanner)) {
    items.push(parseExpression(scanner));
    skip(scanner);
    if (!accept(scanner, ",")) break;
  }
  if (items.length > 0 && !startsWith(scanner, "]")) throw unexpected(scanner, "Expected a comma or ] here.");
  expectToken(scanner, "]");
  return { kind: "tuple", items, offset, height: heightAbove(scanner, items) };
}

function parseObject(scanner: Scanner, offset: number): Expression {
  const skipLines = (): void => {
    do skip(scanner);
    while (accept(scanner, "\n"));
  };
  skipLines();
  if (take(scanner, FOR) !== null) return bracketed(scanner, { lines: false }, () => parseFor(scanner, offset, "}"));
  const entries: (readonly [Expression, Expression])[] = [];
  for (; !startsWith(scanner, "}"); skipLines()) {
    const key = parseKey(scanner);
    skip(scanner);
    if (startsWith(scanner, "==") || !(accept(scanner, "=") || accept(scanner, ":")))
      throw unexpected(scanner, "Expected = here, between a key and its value.");
    entries.push([key, parseExpression(scanner)]);
    skip(scanner);
    if (!accept(scanner, ",") && !startsWith(scanner, "\n") && !startsWith(scanner, "}"))
      throw unexpected(scanner, "Expected a comma, a new line or } here, after the value of a key.");
  }
  expectToken(scanner, "}");
  return { kind: "object", entries, offset, height: heightAbove(scanner, entries.flat()) };
}

/** A bare name is a literal key. */
function parseKey(scanner: Scanner): Expression {
  const offset = scanner.at;
  const name = take(scanner, IDENTIFIER);
  if (name !== null) {
    skip(scanner);
    if ((startsWith(scanner, "=") && !startsWith(scanner, "==")) || startsWith(scanner, ":"))
      return { kind: "literal", value: name, offset, height: 1 };
  }
  scanner.at = offset;
  return parseExpression(scanner);
}

function parseFor(scanner: Scanner, offset: number, end: "]" | "}"): Expression {
  const names = [parseName(scanner)];
  skip(scanner);
  if (accept(scanner, ",")) names.push(parseName(scanner));
  skip(scanner);
  if (take(scanner, IDENTIFIER) !== "in")
    throw new SyntaxFailure(
      "A for expression starts with one name, or two separated by a comma, and the word in.",
      scanner.at,
    );
  const collection = parseExpression(scanner);
  expectToken(scanner, ":");
  const first = parseExpression(scanner);
  skip(scanner);
  let [key, value]: [Expression | null, Expression] = [null, first];
  if (end === "}") {
    expectToken(scanner, "=>");
    [key, value] = [first, parseExpression(scanner)];
    skip(scanner);
  }
  const group = end === "}" && accept(scanner, "...");
  skip(scanner);
  const condition = take(scanner, /if(?![\p{ID_Continue}-])/uy) === null ? null : parseExpression(scanner);
  expectToken(scanner, end);
  const [keyName, valueName] = names.length === 2 ? names : [null, names[0]];
  const children = [collection, value, ...(key ? [key] : []), ...(condition ? [condition] : [])];
  return {
    kind: "for",
    keyName: keyName ?? null,
    valueName: valueName ?? "",
    collection,
    key,
    value,
    condition,
    group,
    offset,
    height: heightAbove(scanner, children),
  };
}

function parseName(scanner: Scanner): string {
  skip(scanner);
  const name = take(scanner, IDENTIFIER);
  if (name === null) throw unexpected(scanner, "Expected the name of a variable here.");
  return name;
}

/** The steps after a term: `.name`, `.0`, `[key]`, `.*`, `[*]`. `attributesOnly`: the steps of a `.*`. */
function parseSteps(scanner: Scanner, term: Expression, attributesOnly = false): Expression {
  let of = term;
  /** Shared by the growing reference: a copy for each step would take quadratic time. */
  const steps = term.kind === "reference" ? [...term.steps] : [];
  for (;;) {
    const end = scanner.at;
    skip(scanner);
    const offset = scanner.at;
    if (!startsWith(scanner, "...") && accept(scanner, ".")) {
      skip(scanner);
      const name = take(scanner, IDENTIFIER);
      const index = name === null ? parseLegacyIndex(scanner) : null;
      if (name !== null)
        of = withStep(scanner, of, { kind: "literal", value: name, offset, height: 1 }, { dot: true, offset, steps });
      else if (index !== null)
        of = withStep(scanner, of, { kind: "literal", value: index, offset, height: 1 }, { dot: true, offset, steps });
      else if (!attributesOnly && accept(scanner, "*")) of = splat(scanner, of, { offset, attributesOnly: true });
      else throw unexpected(scanner, "Expected the name of an attribute after the dot.");
    } else if (!attributesOnly && accept(scanner, "[")) {
      skip(scanner);
      if (accept(scanner, "*")) {
        expectToken(scanner, "]");
        of = splat(scanner, of, { offset, attributesOnly: false });
      } else {
        const start = scanner.at;
        const key = bracketed(scanner, { lines: false }, () => closed(scanner, "]", parseExpression(scanner)));
        of = withStep(scanner, of, key, { dot: false, offset: start, steps });
      }
    } else {
      scanner.at = end;
      return of;
    }
  }
}

/** The number after a dot; null if there is none. Refuses what looks like a fraction, as Terraform does. */
function parseLegacyIndex(scanner: Scanner): number | null {
  const offset = scanner.at;
  const index = take(scanner, NUMBER);
  if (index?.includes("."))
    throw new SyntaxFailure(
      `Two indexes cannot follow each other after dots. Write [${index.split(".").join("][")}].`,
      offset,
    );
  return index === null ? null : parseNumber(index, offset);
}

function splat(
  scanner: Scanner,
  of: Expression,
  { offset, attributesOnly }: { readonly offset: number; readonly attributesOnly: boolean },
): Expression {
  const each = nested(scanner, () => parseSteps(scanner, { kind: "item", offset, height: 1 }, attributesOnly));
  return { kind: "splat", of, each, offset, height: heightAbove(scanner, [of, each]) };
}

interface Step {
  readonly dot: boolean;
  readonly offset: number;
  /** The offset of the reference that it may belong to. */
  readonly steps: (string | number)[];
}

function withStep(scanner: Scanner, of: Expression, key: Expression, { dot, offset, steps }: Step): Expression {
  const step =
    key.kind === "literal" &&
    (typeof key.value === "string" || (typeof key.value === "number" && Number.isSafeInteger(key.value)))
      ? key.value
      : null;
  if (of.kind === "reference" && step !== null) {
    steps.push(step);
    return { ...of, steps, text: scanner.text.slice(of.offset, scanner.at) };
  }
  if (dot && typeof step === "string")
    return { kind: "attribute", of, name: step, offset, height: heightAbove(scanner, [of]) };
  return { kind: "index", of, key, offset, height: heightAbove(scanner, [of, key]) };
}
