/** A protective step of the product, and how to take it away. */
export interface Step {
  readonly name: string;
  /** What goes wrong without it. */
  readonly protects: string;
  readonly file: string;
  /** Text that the file contains exactly once. */
  readonly source: string;
  readonly without: string;
  /** The test files that must notice, nearest first: paths in `test`, without `.test.ts`. */
  readonly tests: readonly string[];
}

/** The file's text without the step. Throws if the text to replace is not in it exactly once. */
export function takenAway({ name, file, source, without }: Step, text: string): string {
  const parts = text.split(source);
  if (parts.length !== 2)
    throw new Error(`${name}: ${file} contains the text to replace ${String(parts.length - 1)} times, not once`);
  return parts.join(without);
}

export function testPath(name: string): string {
  return `test/${name}.test.ts`;
}
