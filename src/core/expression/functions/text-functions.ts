import { tooLarge, invalidValue, type ExpressionFailure } from "../expression-failure.ts";
import { type FunctionDefinition, type Parameter, stringAt } from "./function-definition.ts";
import { replacePattern } from "./regex-pattern.ts";
import {
  MAX_TEXT,
  type Term,
  bool,
  charactersOf,
  isSequence,
  sequence,
  text,
  describe,
  isMapping,
} from "../syntax/term.ts";
import { convert } from "../values/convert-value.ts";
import { exponentText, fixedText, generalText } from "../values/decimal.ts";
import { jsonText, quoted } from "../values/json-text.ts";

const STR: Parameter = { name: "str", type: "string" };
const LIST: Parameter = { name: "list", type: "strings" };

export const TEXT_FUNCTIONS: { readonly [name: string]: FunctionDefinition } = {
  join: {
    parameters: [{ name: "separator", type: "string" }, LIST],
    rest: LIST,
    call: (args) => {
      const separator = stringAt(args, 0);
      const items = args.slice(1).flatMap((list) => (isSequence(list) ? list.items : []));
      return joined(
        items.map((item) => {
          if (item.kind !== "string") throw invalidValue("join cannot join null: one of its lists contains one.");
          return item.value;
        }),
        separator,
      );
    },
  },
  split: {
    parameters: [{ name: "separator", type: "string" }, STR],
    call: (args) => {
      const [separator, whole] = [stringAt(args, 0), stringAt(args, 1)];
      return sequence("list", (separator === "" ? Array.from(whole) : whole.split(separator)).map(text));
    },
  },
  replace: {
    parameters: [STR, { name: "substring", type: "string" }, { name: "replacement", type: "string" }],
    call: (args, budget) => {
      const [whole, wanted, replacement] = [stringAt(args, 0), stringAt(args, 1), stringAt(args, 2)];
      if (wanted.length > 1 && wanted.startsWith("/") && wanted.endsWith("/"))
        return text(replacePattern(whole, { pattern: wanted.slice(1, -1), replacement }, budget));
      return joined(wanted === "" ? ["", ...Array.from(whole), ""] : whole.split(wanted), replacement);
    },
  },
  // Letter by letter: in Terraform no letter becomes two.
  upper: {
    parameters: [STR],
    call: (args) => text(eachLetter(stringAt(args, 0), (letter) => single(letter.toUpperCase()) ?? letter)),
  },
  lower: {
    parameters: [STR],
    call: (args) => text(eachLetter(stringAt(args, 0), (letter) => Array.from(letter.toLowerCase())[0] ?? letter)),
  },
  trimspace: { parameters: [STR], call: (args) => text(trimmed(stringAt(args, 0))) },
  startswith: {
    parameters: [STR, { name: "prefix", type: "string" }],
    call: (args) => bool(stringAt(args, 0).startsWith(stringAt(args, 1))),
  },
  endswith: {
    parameters: [STR, { name: "suffix", type: "string" }],
    call: (args) => bool(stringAt(args, 0).endsWith(stringAt(args, 1))),
  },
  format: {
    parameters: [{ name: "format", type: "string" }],
    rest: { name: "value", type: "any", nullable: true },
    call: (args) => text(formatText(stringAt(args, 0), args.slice(1))),
  },
  urlencode: { parameters: [STR], call: (args) => text(urlEncoded(stringAt(args, 0))) },
};

/** Checks the length first: the result may be too long to build. */
function joined(items: readonly string[], separator: string): Term {
  const length = items.reduce((sum, item) => sum + item.length + separator.length, 0);
  if (length - separator.length > MAX_TEXT)
    throw tooLarge(`A string here is longer than ${String(MAX_TEXT)} characters.`);
  return text(items.join(separator));
}

function eachLetter(whole: string, change: (letter: string) => string): string {
  return Array.from(whole, change).join("");
}

function single(letters: string): string | null {
  return Array.from(letters).length === 1 ? letters : null;
}

const SPACE = /\p{White_Space}/u;

/** A pattern for the end would try each run of white space from each of its characters. */
function trimmed(whole: string): string {
  let [begin, end] = [0, whole.length];
  while (begin < end && SPACE.test(whole[begin] ?? "")) begin++;
  while (end > begin && SPACE.test(whole[end - 1] ?? "")) end--;
  return whole.slice(begin, end);
}

/** The encoding of a query string: a blank becomes +. */
function urlEncoded(whole: string): string {
  return encodeURIComponent(whole)
    .replaceAll("%20", "+")
    .replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

const VERB = /%(?:%|([-+ 0#]*)(\d+)?(?:\.(\d*))?(?:\[(\d+)\])?([A-Za-z])?)/g;
const MAX_WIDTH = 1000;
const DEFAULT_PLACES = 6;

interface Verb {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | null;
  readonly verb: string;
}

/** Terraform's `format`: the verbs `%s %q %v %d %b %o %x %X %e %E %f %g %G %t`, flags, width (not of `%t`), precision (not of `%v`) and `%[1]s`. */
function formatText(pattern: string, args: readonly Term[]): string {
  let next = 0;
  let used = 0;
  const formatted = pattern.replaceAll(
    VERB,
    (
      whole: string,
      flags = "",
      width = "0",
      precision: string | undefined,
      index: string | undefined,
      verb: string | undefined,
    ) => {
      if (whole === "%%") return "%";
      if (verb === undefined) throw invalidValue(`The format has a % without a verb. For a literal % write %%.`);
      next = index === undefined ? next + 1 : Number(index);
      used = Math.max(used, next);
      const arg = args[next - 1];
      if (!arg) throw invalidValue(`The format needs ${String(next)} values, but has ${String(args.length)}.`);
      if (Number(width) > MAX_WIDTH || Number(precision ?? 0) > MAX_WIDTH)
        throw tooLarge(`The format has a width or a precision of more than ${String(MAX_WIDTH)}.`);
      return formatOne(
        { flags, width: Number(width), precision: precision === undefined ? null : Number(precision), verb },
        arg,
      );
    },
  );
  if (used < args.length) throw invalidValue(`The format uses ${String(used)} values, but has ${String(args.length)}.`);
  return formatted;
}

function formatOne(verb: Verb, arg: Term): string {
  switch (verb.verb) {
    case "v":
      return formatDefault(verb, arg);
    case "s":
      return padText(verb, cut(verb, stringOf(verb, arg)));
    case "q":
      return padText(verb, quoted(cut(verb, stringOf(verb, arg))));
    case "t": {
      const truth = convert(arg, "bool");
      if (truth?.kind !== "bool") throw wrongArgument(verb, "true or false", arg);
      return String(truth.value);
    }
    case "d":
    case "b":
    case "o":
    case "x":
    case "X":
      return formatInteger(verb, numberOf(verb, arg));
    case "e":
    case "E":
    case "f":
    case "g":
    case "G":
      return formatFraction(verb, numberOf(verb, arg));
    default:
      throw invalidValue(`The format has the unknown verb %${verb.verb}.`);
  }
}

function formatDefault(verb: Verb, arg: Term): string {
  if (arg.kind === "number" && !verb.flags.includes("#"))
    return formatFraction(
      { ...verb, flags: verb.flags.replaceAll(/[+ ]/g, ""), verb: "g", precision: null },
      arg.value,
    );
  if (isSequence(arg) || isMapping(arg) || arg.kind === "null" || verb.flags.includes("#"))
    return padText(verb, jsonText(arg));
  return padText(verb, stringOf(verb, arg));
}

function stringOf(verb: Verb, arg: Term): string {
  const found = convert(arg, "string");
  if (found?.kind !== "string") throw wrongArgument(verb, "text", arg);
  return found.value;
}

function numberOf(verb: Verb, arg: Term): number {
  const found = convert(arg, "number");
  if (found?.kind !== "number") throw wrongArgument(verb, "a number", arg);
  return found.value;
}

function wrongArgument({ verb }: Verb, wanted: string, arg: Term): ExpressionFailure {
  return invalidValue(`The verb %${verb} of format takes ${wanted}, but its value is ${describe(arg)}.`);
}

function cut({ precision }: Verb, whole: string): string {
  return precision === null ? whole : charactersOf(whole).slice(0, precision).join("");
}

function padText({ flags, width }: Verb, whole: string): string {
  const missing = Math.max(0, width - charactersOf(whole).length);
  if (flags.includes("-")) return whole + " ".repeat(missing);
  return (flags.includes("0") ? "0" : " ").repeat(missing) + whole;
}

const BASES: { readonly [verb: string]: { readonly base: number; readonly prefix: string } } = {
  d: { base: 10, prefix: "" },
  b: { base: 2, prefix: "0b" },
  o: { base: 8, prefix: "0" },
  x: { base: 16, prefix: "0x" },
  X: { base: 16, prefix: "0x" },
};

function formatInteger(verb: Verb, value: number): string {
  if (!Number.isInteger(value)) throw invalidValue(`The verb %${verb.verb} of format takes a whole number.`);
  const { base = 10, prefix = "" } = BASES[verb.verb] ?? {};
  const { precision, flags } = verb;
  const shortest = precision === 0 && value === 0 ? "" : Math.abs(value).toString(base);
  const digits = `${flags.includes("#") ? prefix : ""}${shortest.padStart(precision ?? 0, "0")}`;
  // With a precision, blanks fill the width instead of zeros.
  const filled = precision === null ? verb : { ...verb, flags: flags.replaceAll("0", "") };
  return padNumber(filled, value < 0, verb.verb === "X" ? digits.toUpperCase() : digits);
}

function formatFraction(verb: Verb, value: number): string {
  const size = Math.abs(value);
  const lower = verb.verb.toLowerCase();
  const places = verb.precision ?? DEFAULT_PLACES;
  const digits =
    lower === "f"
      ? fixedText(size, places)
      : lower === "e"
        ? exponentText(size, places)
        : generalText(size, verb.precision);
  return padNumber(verb, value < 0, verb.verb === lower ? digits : digits.toUpperCase());
}

function padNumber({ flags, width }: Verb, negative: boolean, digits: string): string {
  const sign = negative ? "-" : flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";
  const missing = Math.max(0, width - sign.length - digits.length);
  if (flags.includes("-")) return sign + digits + " ".repeat(missing);
  return flags.includes("0") ? sign + "0".repeat(missing) + digits : " ".repeat(missing) + sign + digits;
}
