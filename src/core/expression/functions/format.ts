import type { Budget } from "../budget.ts";
import { convert } from "../values/convert-value.ts";
import { exponentText, fixedText, generalText } from "../values/decimal.ts";
import { type ExpressionFailure, tooLarge, invalidValue } from "../expression-failure.ts";
import { jsonText, quoted } from "../values/json-text.ts";
import { MAX_TEXT, type Term, UNKNOWN_TERM, charactersOf, describe, hasUnknownIn, isMapping, isSequence, sequence, text as textTerm } from "../syntax/term.ts";

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
export function formatText(pattern: string, args: readonly Term[]): string {
  let next = 0;
  let used = 0;
  const text = pattern.replaceAll(
    VERB,
    (whole: string, flags = "", width = "0", precision: string | undefined, index: string | undefined, verb: string | undefined) => {
      if (whole === "%%") return "%";
      if (verb === undefined) throw invalidValue(`The format has a % without a verb. For a literal % write %%.`);
      next = index === undefined ? next + 1 : Number(index);
      used = Math.max(used, next);
      const arg = args[next - 1];
      if (!arg) throw invalidValue(`The format needs ${String(next)} values, but has ${String(args.length)}.`);
      if (Number(width) > MAX_WIDTH || Number(precision ?? 0) > MAX_WIDTH)
        throw tooLarge(`The format has a width or a precision of more than ${String(MAX_WIDTH)}.`);
      return formatOne({ flags, width: Number(width), precision: precision === undefined ? null : Number(precision), verb }, arg);
    },
  );
  if (used < args.length) throw invalidValue(`The format uses ${String(used)} values, but has ${String(args.length)}.`);
  return text;
}

/** A formatted text takes as long as so many elements. */
const UNITS_PER_TEXT = 8;

/** One string per element of the lists among the arguments. The other arguments apply to all. */
export function formatList(pattern: string, args: readonly Term[], budget: Budget): Term {
  const lists = args.filter(isSequence);
  const [first] = lists;
  if (lists.some(({ items }) => items.length !== first?.items.length)) throw invalidValue("The lists of formatlist must have the same length.");
  const count = first?.items.length ?? 1;
  budget.spend(count * UNITS_PER_TEXT);
  let length = 0;
  const formatted = Array.from({ length: count }, (_, index) => {
    const values = args.map((arg) => (isSequence(arg) ? (arg.items[index] ?? UNKNOWN_TERM) : arg));
    if (values.some(hasUnknownIn)) return UNKNOWN_TERM;
    const one = textTerm(formatText(pattern, values));
    length += one.size;
    if (length > MAX_TEXT) throw tooLarge("formatlist makes too much text here.");
    return one;
  });
  return sequence("list", formatted);
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
    return formatFraction({ ...verb, flags: verb.flags.replaceAll(/[+ ]/g, ""), verb: "g", precision: null }, arg.value);
  if (isSequence(arg) || isMapping(arg) || arg.kind === "null" || verb.flags.includes("#")) return padText(verb, jsonText(arg));
  return padText(verb, stringOf(verb, arg));
}

function stringOf(verb: Verb, arg: Term): string {
  const text = convert(arg, "string");
  if (text?.kind !== "string") throw wrongArgument(verb, "text", arg);
  return text.value;
}

function numberOf(verb: Verb, arg: Term): number {
  const found = convert(arg, "number");
  if (found?.kind !== "number") throw wrongArgument(verb, "a number", arg);
  return found.value;
}

function wrongArgument({ verb }: Verb, wanted: string, arg: Term): ExpressionFailure {
  return invalidValue(`The verb %${verb} of format takes ${wanted}, but its value is ${describe(arg)}.`);
}

function cut({ precision }: Verb, text: string): string {
  return precision === null ? text : charactersOf(text).slice(0, precision).join("");
}

function padText({ flags, width }: Verb, text: string): string {
  const missing = Math.max(0, width - charactersOf(text).length);
  if (flags.includes("-")) return text + " ".repeat(missing);
  return (flags.includes("0") ? "0" : " ").repeat(missing) + text;
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
  const digits = lower === "f" ? fixedText(size, places) : lower === "e" ? exponentText(size, places) : generalText(size, verb.precision);
  return padNumber(verb, value < 0, verb.verb === lower ? digits : digits.toUpperCase());
}

function padNumber({ flags, width }: Verb, negative: boolean, digits: string): string {
  const sign = negative ? "-" : flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";
  const missing = Math.max(0, width - sign.length - digits.length);
  if (flags.includes("-")) return sign + digits + " ".repeat(missing);
  return flags.includes("0") ? sign + "0".repeat(missing) + digits : " ".repeat(missing) + sign + digits;
}
