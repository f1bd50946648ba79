import type { Path } from "./path.ts";
import type { WayOut } from "./way-out.ts";

/** A text as its author wrote it, and a position in it, counting from 0. */
export interface Written {
  readonly text: string;
  readonly offset: number;
}

/** Where in a user's files something stands. Lines and columns count from 1; `text` is that line, or what may be shown of it; without a line, of an expression. */
export interface Place {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  readonly text?: string;
  /** The column within `text`, where something before it is masked or cut off. */
  readonly caret?: number;
  /** The construct path in a CDK application, in place of a line. */
  readonly construct?: string;
}

/**
 * Something to tell the user. `code` never changes its meaning; `summary` is one fixed phrase; `detail` says in whole
 * sentences what is wrong and why; `hint` is advice that has no syntax of a frontend, and `ways` is advice that has: each
 * frontend renders it behind the hint. Deep code gives `address` and `path`; the frontend that knows the file adds `place`.
 */
export interface Diagnostic {
  readonly code: string;
  readonly severity: "error" | "warning" | "note";
  readonly summary: string;
  readonly detail: string;
  readonly hint?: string;
  readonly ways?: readonly WayOut[];
  /** Which part of the input this mistake leaves unknown: one `value`, which may be given elsewhere or was given and refused, or `everything`. */
  readonly unknown?: "value" | "refused value" | "everything";
  /** Equal for mistakes with the same cause, such as one missing variable that is used in many places: these are reported as one. */
  readonly cause?: string;
  readonly address?: string;
  readonly path?: Path;
  /** Where in its text the mistake stands. */
  readonly written?: Written;
  readonly place?: Place;
  /** How many mistakes it stands for, if it only counts them. */
  readonly count?: number;
}

/** The message of anything that was thrown. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A user's mistake is a value, not an exception: `value` is what could still be made of the input. */
export interface Result<T> {
  readonly value: T;
  readonly diagnostics: readonly Diagnostic[];
}

/** The most mistakes of one file that are reported; further ones are only counted. */
export const MAX_MISTAKES = 50;

/** After this many mistakes, a check ends. */
export const MAX_FOUND = 500;

/** Reports that a check ended before it has seen everything. */
export function checkEnded(): Diagnostic {
  return errorOf("further_mistakes", "Too many mistakes", {
    unknown: "everything",
    detail: `The check ended after ${String(MAX_FOUND)} mistakes, so not everything is checked.`,
    hint: "Fix the first ones, then run again.",
    count: 0,
  });
}

/** Counts the mistakes of a file that are not shown. */
export function furtherMistakes(
  file: string,
  { severity, count }: Pick<Diagnostic, "severity"> & { readonly count: number },
): Diagnostic {
  const [summary, what] = severity === "error" ? ["More mistakes", "mistakes"] : ["More messages", `${severity}s`];
  return {
    code: "further_mistakes",
    severity,
    summary,
    detail: `${file} has ${String(count)} more ${what} like these.`,
    ...(severity === "error" ? { hint: "Fix the first ones, then run again." } : {}),
    place: { file },
    count,
  };
}

/** How many diagnostics of a severity there are, with those that are only counted. */
export function countOf(diagnostics: readonly Diagnostic[], severity: Diagnostic["severity"]): number {
  return diagnostics.reduce((sum, one) => (one.severity === severity ? sum + (one.count ?? 1) : sum), 0);
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === "error");
}

/** What a diagnostic says behind its code and its summary. A member that is undefined is left out. */
type Said = {
  readonly [name in keyof Omit<Diagnostic, "code" | "severity" | "summary">]: Diagnostic[name] | undefined;
} & Pick<Diagnostic, "detail">;

function diagnosticOf(severity: Diagnostic["severity"]) {
  return (code: string, summary: string, said: Said): Diagnostic => {
    const known = Object.entries(said).filter(([, value]) => value !== undefined);
    return {
      code,
      severity,
      summary,
      ...(Object.fromEntries(known) as Omit<Diagnostic, "code" | "severity" | "summary">),
    };
  };
}

export const errorOf = diagnosticOf("error");
export const warningOf = diagnosticOf("warning");
export const noteOf = diagnosticOf("note");

/** Carries diagnostics out of deep asynchronous code that cannot continue. `undecided`: an outcome must be resolved first (exit 3). */
export class DiagnosticsError extends Error {
  override readonly name = "DiagnosticsError";
  readonly diagnostics: readonly Diagnostic[];
  readonly undecided: boolean;

  constructor(
    diagnostics: readonly Diagnostic[],
    { undecided = false, ...options }: ErrorOptions & { readonly undecided?: boolean } = {},
  ) {
    super(diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`).join("\n"), options);
    this.diagnostics = diagnostics;
    this.undecided = undecided;
  }

  /** With one error. */
  static of(code: string, summary: string, said: Said): DiagnosticsError {
    return new DiagnosticsError([errorOf(code, summary, said)]);
  }
}

/** Nobody types a longer name. */
const MAX_TYPED = 300;
/** The most names that are compared. */
const MAX_CANDIDATES = 1_000;

const MAX_TYPOS = 3;

/** The nearest of `candidates` to what was typed, if it is near enough to be a typo of it: of an address, the part behind the dots in common. */
export function nearest(typed: string, candidates: readonly string[]): string | null {
  if (typed.length > MAX_TYPED) return null;
  const written = typed.normalize("NFC").toLowerCase();
  let best: { readonly name: string; readonly distance: number } | null = null;
  for (const name of candidates.slice(0, MAX_CANDIDATES)) {
    const candidate = name.normalize("NFC").toLowerCase();
    if (Math.abs(candidate.length - written.length) > MAX_TYPOS) continue;
    const length = written.length - commonDots(written, candidate);
    const distance = editDistance(written, candidate);
    const limit = Math.min(MAX_TYPOS, Math.max(1, Math.floor(length / 3)), length - 1);
    if (distance <= Math.max(0, limit) && (best === null || distance < best.distance)) best = { name, distance };
  }
  return best?.name ?? null;
}

/** The length of the common beginning that ends with a dot. */
function commonDots(one: string, other: string): number {
  let length = 0;
  for (let index = 0; index < one.length && one[index] === other[index]; index++)
    if (one[index] === ".") length = index + 1;
  return length;
}

/**
 * Two letters in the wrong order count as one change. Addresses have long common parts: only the part where they differ is
 * compared. Infinity if there are certainly too many typos.
 */
function editDistance(one: string, other: string): number {
  let begin = 0;
  while (begin < one.length && one[begin] === other[begin]) begin++;
  let [end, otherEnd] = [one.length, other.length];
  while (end > begin && otherEnd > begin && one[end - 1] === other[otherEnd - 1])
    [end, otherEnd] = [end - 1, otherEnd - 1];
  const [a, b] = [one.slice(begin, end), other.slice(begin, otherEnd)];
  let before: readonly number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  let leastBefore = 0;
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      if (Math.abs(i - j) > MAX_TYPOS) {
        next.push(Infinity);
        continue;
      }
      const substituted = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? 0) + 1 : Infinity;
      const changes = Math.min(substituted, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
      next.push(changes);
      if (changes < least) least = changes;
    }
    if (least > MAX_TYPOS && leastBefore > MAX_TYPOS) return Infinity;
    leastBefore = least;
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
