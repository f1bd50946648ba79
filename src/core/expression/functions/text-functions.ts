import { tooLarge, invalidValue } from "../expression-failure.ts";
import { formatList, formatText } from "./format.ts";
import { type FunctionDefinition, type Parameter, numberAt, stringAt } from "./function-definition.ts";
import { replacePattern } from "./regex-pattern.ts";
import { MAX_TEXT, type Term, bool, charactersOf, isSequence, sequence, text } from "../syntax/term.ts";

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
    call: (args, { budget }) => {
      const [whole, wanted, replacement] = [stringAt(args, 0), stringAt(args, 1), stringAt(args, 2)];
      if (wanted.length > 1 && wanted.startsWith("/") && wanted.endsWith("/"))
        return text(replacePattern(whole, { pattern: wanted.slice(1, -1), replacement }, budget));
      return joined(wanted === "" ? ["", ...Array.from(whole), ""] : whole.split(wanted), replacement);
    },
  },
  // Letter by letter: in Terraform no letter becomes two.
  upper: { parameters: [STR], call: (args) => text(eachLetter(stringAt(args, 0), (letter) => single(letter.toUpperCase()) ?? letter)) },
  lower: { parameters: [STR], call: (args) => text(eachLetter(stringAt(args, 0), (letter) => Array.from(letter.toLowerCase())[0] ?? letter)) },
  trimspace: { parameters: [STR], call: (args) => text(trimmed(stringAt(args, 0))) },
  startswith: { parameters: [STR, { name: "prefix", type: "string" }], call: (args) => bool(stringAt(args, 0).startsWith(stringAt(args, 1))) },
  endswith: { parameters: [STR, { name: "suffix", type: "string" }], call: (args) => bool(stringAt(args, 0).endsWith(stringAt(args, 1))) },
  format: {
    parameters: [{ name: "format", type: "string" }],
    rest: { name: "value", type: "any", nullable: true },
    call: (args) => text(formatText(stringAt(args, 0), args.slice(1))),
  },
  formatlist: {
    parameters: [{ name: "format", type: "string" }],
    rest: { name: "value", type: "any", nullable: true },
    call: (args, { budget }) => formatList(stringAt(args, 0), args.slice(1), budget),
  },
  substr: {
    parameters: [STR, { name: "offset", type: "number" }, { name: "length", type: "number" }],
    call: (args) => text(partOf(stringAt(args, 0), numberAt(args, 1), numberAt(args, 2))),
  },
};

/** Checks the length first: the result may be too long to build. */
function joined(items: readonly string[], separator: string): Term {
  const length = items.reduce((sum, item) => sum + item.length + separator.length, 0);
  if (length - separator.length > MAX_TEXT) throw tooLarge(`A string here is longer than ${String(MAX_TEXT)} characters.`);
  return text(items.join(separator));
}

function eachLetter(whole: string, change: (letter: string) => string): string {
  return Array.from(whole, change).join("");
}

function single(letters: string): string | null {
  return Array.from(letters).length === 1 ? letters : null;
}

/** Counts characters. A negative offset counts from the end, and a negative length means the rest. */
function partOf(whole: string, offset: number, length: number): string {
  if (!Number.isInteger(offset) || !Number.isInteger(length)) throw invalidValue("The offset and the length of substr must be whole numbers.");
  if (offset >= 0 && length === 0) return "";
  const characters = charactersOf(whole);
  const start = Math.max(0, offset < 0 ? offset + characters.length : offset);
  // As in Terraform, length 0 after a negative offset means the rest too.
  return characters.slice(start, length > 0 ? start + length : characters.length).join("");
}

const SPACE = /\p{White_Space}/u;

/** A pattern for the end would try each run of white space from each of its characters. */
function trimmed(whole: string): string {
  let [begin, end] = [0, whole.length];
  while (begin < end && SPACE.test(whole[begin] ?? "")) begin++;
  while (end > begin && SPACE.test(whole[end - 1] ?? "")) end--;
  return whole.slice(begin, end);
}
