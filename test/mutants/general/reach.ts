import { readFileSync } from "node:fs";
import path from "node:path";
import { ts } from "../../deep/typescript.ts";
import type { Changed, NearTests } from "../near-tests.ts";
import type { Ran } from "../run-tests.ts";
import type { Sampled } from "./sample.ts";

/** What the tests do without a mutant: how long each takes, and which mutants it reaches. */
export interface Reach {
  /** The tests that reach this mutant, by its place in the sample, the quickest first. */
  testsOf(index: number): readonly Ran[];
}

/** So many tests may need more of the machine than it has just now. */
const MOST_LEFT_OUT = 0.05;

/** Runs all tests once, on sources that tell which of these mutants' statements were reached. A test that fails without a mutant would catch every one: it is left out. */
export async function reachOf(copy: string, mutants: readonly Sampled[], tests: NearTests): Promise<Reach> {
  const files = [...new Set(mutants.map(({ file }) => file))];
  const telling = files.map((file): Changed => ({
    file,
    text: tellingText(file, readFileSync(path.join(copy, file), "utf8"), mutants),
  }));
  const told = await tests.run(telling, { cpuSeconds: 1200, goesOn: true });
  const [problem = ""] = told.failure === null ? told.failed : [told.failure];
  if (told.failure !== null || told.failed.length > MOST_LEFT_OUT * told.tests.length)
    throw new Error(`the tests fail without a mutant: ${problem}`);
  for (const failure of told.failed) process.stdout.write(`  left out, as it fails without a mutant: ${failure}\n`);
  const [always, sorted] = [new Set(told.always), told.tests.toSorted((a, b) => a.tookMs - b.tookMs)];
  return {
    testsOf: (index) => sorted.filter(({ reached, isMore }) => always.has(index) || isMore || reached.includes(index)),
  };
}

/** The file's text with a call before the statement of each mutant, or in front of the expression that a function returns. */
function tellingText(file: string, text: string, mutants: readonly Sampled[]): string {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
  const parts: { readonly at: number; readonly isEnd: boolean; readonly width: number; readonly text: string }[] = [];
  for (const [index, mutant] of mutants.entries()) {
    if (mutant.file !== file) continue;
    const node = toldNode(nodeAt(source, mutant));
    const [start, end, width] = [node.getStart(source), node.getEnd(), node.getWidth(source)];
    const call = `globalThis.reachedPlace?.(${String(index)})`;
    const isDeclaration =
      ts.isStatement(node) &&
      (ts.isBlock(node.parent) || ts.isSourceFile(node.parent) || ts.isCaseOrDefaultClause(node.parent));
    const [before, after] = isDeclaration
      ? [`;${call};`, ""]
      : ts.isStatement(node)
        ? [`{${call};`, "}"]
        : [`(${call},`, ")"];
    parts.push({ at: start, isEnd: false, width, text: before }, { at: end, isEnd: true, width, text: after });
  }
  // Ends before beginnings, inner ends before outer ones, outer beginnings before inner ones.
  const ordered = parts.toSorted(
    (a, b) => a.at - b.at || Number(b.isEnd) - Number(a.isEnd) || (a.isEnd ? a.width - b.width : b.width - a.width),
  );
  let [result, from] = ["", 0];
  for (const part of ordered) {
    result += text.slice(from, part.at) + part.text;
    from = part.at;
  }
  return result + text.slice(from);
}

function nodeAt(source: ts.SourceFile, { start, end }: Sampled): ts.Node {
  let found: ts.Node = source;
  const visit = (node: ts.Node): void => {
    if (node.getStart(source) > start || node.getEnd() < end) return;
    found = node;
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The nearest statement or returned expression. */
function toldNode(node: ts.Node): ts.Node {
  for (let one = node; ; one = one.parent) {
    if (ts.isStatement(one) && !ts.isBlock(one) && !ts.isSourceFile(one.parent)) return one;
    if (ts.isArrowFunction(one.parent) && one.parent.body === one && !ts.isBlock(one)) return one;
    if (ts.isSourceFile(one.parent)) return one;
  }
}
