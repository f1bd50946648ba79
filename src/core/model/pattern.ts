import type * as Library from "re2js";

/** A regular expression in RE2's syntax, as in Terraform. It matches in linear time. */
export interface Pattern {
  /** The names of the groups, from the first one; null for a group without a name. */
  readonly groups: readonly (string | null)[];
  /** Whether the text contains a match. `spend` counts the work, and throws to stop it. */
  test(text: string, spend: Spend): boolean;
  /** The matches that do not overlap, as Go finds them. */
  matches(text: string, spend: Spend): readonly Match[];
}

export interface Match {
  /** Offsets in the text, the end exclusive. */
  readonly begin: number;
  readonly end: number;
  /** The texts of the groups, from the first one; null for a group that did not take part. */
  readonly groups: readonly (string | null)[];
}

/** Counts work: a unit is about the work of one step of an expression. */
export type Spend = (units: number) => void;

/** Thrown for a pattern that cannot be used. The message does not quote the pattern, which may be sensitive. */
export class PatternError extends Error {
  override readonly name = "PatternError";
}

const MAX_LENGTH = 1000;
const MAX_PROGRAM = 10_000;
/** What a search costs before it reads anything. */
const UNITS_PER_SEARCH = 50;
const UNITS_PER_READ = 2;
/** Instructions of a pattern that cost a unit for each character. */
const INSTRUCTIONS_PER_UNIT = 10;
/** Characters that a search prepares for at the cost of a unit. */
const PREPARED_PER_UNIT = 100;

let engine: typeof Library | null = null;

/** Loads the engine, which is large: only for configurations with patterns, and before `compilePattern`. */
export async function loadPatterns(): Promise<void> {
  engine ??= await import("re2js");
}

/** Throws a `PatternError`. */
export function compilePattern(source: string): Pattern {
  if (!engine) throw new Error("a pattern was compiled before the engine was loaded");
  if (source.length > MAX_LENGTH) throw new PatternError(`it is longer than ${String(MAX_LENGTH)} characters`);
  const compiled = compile(engine, source);
  const size = compiled.programSize();
  if (size > MAX_PROGRAM) throw new PatternError("its repetitions make it too large");
  const names = new Map(Object.entries(compiled.namedGroups()).map(([name, index]) => [index, name]));
  const unitsPerRead = UNITS_PER_READ + Math.floor(size / INSTRUCTIONS_PER_UNIT);
  const counted = (text: string, spend: Spend): string =>
    new CountedText(text, () => spend(unitsPerRead)) as unknown as string;
  return {
    groups: Array.from({ length: compiled.groupCount() }, (_, index) => names.get(index + 1) ?? null),
    test: (text, spend) => {
      spend(UNITS_PER_SEARCH);
      return compiled.test(counted(text, spend));
    },
    matches: (text, spend) => {
      const search = UNITS_PER_SEARCH + Math.floor(text.length / PREPARED_PER_UNIT);
      return allMatches(compiled.matcher(counted(text, spend)), text, () => spend(search));
    },
  };
}

/** The engine's descriptions that name Perl's syntax. */
const IN_WORDS: ReadonlyMap<string, string> = new Map([
  ["invalid or unsupported Perl syntax", "it has a lookahead, a lookbehind or another group that RE2 does not support"],
  ["invalid escape sequence", "it has a backreference or an unknown escape"],
]);

function compile(
  { RE2JS: Engine, RE2JSSyntaxException: SyntaxException, RE2JSException: Exception }: typeof Library,
  source: string,
): Library.RE2JS {
  try {
    return Engine.compile(source);
  } catch (error) {
    if (error instanceof SyntaxException)
      throw new PatternError(IN_WORDS.get(error.getDescription()) ?? error.getDescription());
    if (error instanceof Exception) throw new PatternError("it is too large");
    throw error;
  }
}

/** Linear matching still takes too long for a large pattern, a long text and many matches together: every read of a character counts. */
class CountedText extends String {
  readonly #count: () => void;

  constructor(text: string, count: () => void) {
    super(text);
    this.#count = count;
  }

  override charCodeAt(index: number): number {
    this.#count();
    return super.charCodeAt(index);
  }
}

/** An empty match directly behind another match does not count. */
function allMatches(matcher: Library.Matcher, text: string, search: () => void): readonly Match[] {
  const matches: Match[] = [];
  let lastEnd = -1;
  for (let at = 0; at <= text.length;) {
    search();
    if (!matcher.find(at)) break;
    const [begin, end] = [matcher.start(), matcher.end()];
    if (begin < end || begin !== lastEnd) matches.push({ begin, end, groups: groupsOf(matcher) });
    lastEnd = end;
    at = end > at ? end : at + ((text.codePointAt(at) ?? 0) > 0xff_ff ? 2 : 1);
  }
  return matches;
}

function groupsOf(matcher: Library.Matcher): readonly (string | null)[] {
  return Array.from({ length: matcher.groupCount() }, (_, index) => matcher.group(index + 1));
}
