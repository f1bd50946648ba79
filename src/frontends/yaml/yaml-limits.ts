import { type CST, Lexer, Parser } from "yaml";
import { DEPTH_HINT, MAX_DEPTH, MAX_NODES, type Refusal } from "./plain-values.ts";

/** The parser takes very long for many tags and anchors. A configuration needs none. */
const MAX_PROPERTIES = 100;
/** Signs such as `:` and `,`: a node needs two at most. */
const MAX_SIGNS = 2 * MAX_NODES;
const MAX_BAD_ESCAPES = 50;
/** Signs at which no YAML can go on: the parser makes an error of each, and takes long for many. */
const MAX_STRAYS = 50;
const MAX_LINES = 300_000;
/** The lexer's marks without text: the start of a document, the end of brackets in an error, and of a scalar that follows. */
const [DOCUMENT, FLOW_END, SCALAR] = ["\u0002", "\u0018", "\u001f"];

interface Counts {
  nodes: number;
  properties: number;
  signs: number;
  badEscapes: number;
  /** Brackets that close nothing, and texts that begin with a sign which YAML reserves. */
  strays: number;
  /** The brackets around this place. */
  brackets: number;
  /** The signs before the first scalar of this line, each a level. */
  levels: number;
}

/** Thrown for a text that is too large to parse: the parser would take minutes for it. */
export class TooMuchYaml extends Error {
  readonly refused: Refusal;

  constructor(refused: Refusal) {
    super(refused.detail);
    this.refused = refused;
  }
}

/** Parses a text into tokens for the composer. Throws `TooMuchYaml` at the first exceeded limit. */
export function* limitedTokens(text: string): Generator<CST.Token, void> {
  const beyond = lineStart(text, MAX_LINES);
  if (beyond !== null)
    throw new TooMuchYaml({
      offset: beyond,
      summary: "Too many lines",
      detail: `The file has more than ${String(MAX_LINES)} lines.`,
      hint: "Split it into several configurations.",
    });
  const parser = new Parser();
  const counts: Counts = { nodes: 0, properties: 0, signs: 0, badEscapes: 0, strays: 0, brackets: 0, levels: 0 };
  let offset = 0;
  let isScalar = false;
  for (const lexeme of new Lexer().lex(text)) {
    if (lexeme !== DOCUMENT && lexeme !== FLOW_END) {
      if (isScalar || lexeme === SCALAR) {
        if (lexeme === SCALAR && !isScalar) counts.nodes++;
        if (isScalar && RESERVED_START.test(lexeme)) counts.strays++;
        counts.levels = 0;
        isScalar = lexeme === SCALAR && !isScalar;
      } else countToken(lexeme, counts);
      if (!isScalar) {
        const refused = refusal(counts);
        if (refused) throw new TooMuchYaml({ offset, ...refused });
        offset += lexeme.length;
      }
    }
    yield* parser.next(lexeme);
  }
  yield* parser.end();
}

const RESERVED_START = /^[@`]/;

/** Where the line with this number begins, counted from 0; null if there are fewer. */
function lineStart(text: string, line: number): number | null {
  let start = 0;
  for (let count = 0; count < line; count++) {
    start = text.indexOf("\n", start) + 1;
    if (start === 0) return null;
  }
  return start < text.length ? start : null;
}

function countToken(token: string, counts: Counts): void {
  switch (token[0]) {
    case "[":
    case "{":
      counts.brackets++;
      counts.nodes++;
      break;
    case "]":
    case "}":
      if (counts.brackets > 0) counts.brackets--;
      else counts.strays++;
      counts.signs++;
      break;
    case "&":
    case "*":
    case "!":
    case "?":
      counts.properties++;
      break;
    case '"':
      counts.badEscapes += badEscapes(token);
      counts.nodes++;
      counts.levels = 0;
      break;
    case "'":
      counts.nodes++;
      counts.levels = 0;
      break;
    case "-":
    case ":":
      counts.levels++;
      counts.signs++;
      break;
    case ",":
    case "%":
      counts.signs++;
      break;
    case "\r":
    case "\n":
      counts.levels = 0;
      break;
    default:
  }
}

const ESCAPE = /\\(?:[0abtnvfreN_LP "/\\\t\r\n]|x[\da-f]{2}|u[\da-f]{4}|U[\da-f]{8})?/gi;

function badEscapes(token: string): number {
  let count = 0;
  if (token.includes("\\"))
    for (const [escape] of token.matchAll(ESCAPE)) if (escape === "\\" && ++count > MAX_BAD_ESCAPES) break;
  return count;
}

function refusal({
  nodes,
  properties,
  signs,
  badEscapes: bad,
  strays,
  brackets,
  levels,
}: Counts): Omit<Refusal, "offset"> | null {
  const split = "Split it into several configurations.";
  if (nodes > MAX_NODES || signs > MAX_SIGNS)
    return { summary: "Too many nodes", detail: `The file has more than ${String(MAX_NODES)} nodes.`, hint: split };
  if (brackets > MAX_DEPTH || levels > MAX_DEPTH)
    return {
      summary: "Nested too deeply",
      detail: `The file is nested deeper than ${String(MAX_DEPTH)} levels.`,
      hint: DEPTH_HINT,
    };
  if (bad > MAX_BAD_ESCAPES)
    return {
      summary: "Invalid YAML",
      detail: `The file has more than ${String(MAX_BAD_ESCAPES)} backslashes that are no escapes.`,
      hint: "Use single quotes, or write \\\\ for a backslash.",
    };
  if (strays > MAX_STRAYS)
    return {
      summary: "Invalid YAML",
      detail: `The file has more than ${String(MAX_STRAYS)} signs that cannot stand where they are.`,
      hint: "Check that every bracket that is closed was opened, and put texts that begin with @ or ` in quotes.",
    };
  if (properties > MAX_PROPERTIES)
    return {
      summary: "Too many tags and anchors",
      detail: `The file has more than ${String(MAX_PROPERTIES)} tags, anchors, aliases and keys with a question mark.`,
      hint: "Remove them: they have no meaning here. Write repeated parts out.",
    };
  return null;
}
