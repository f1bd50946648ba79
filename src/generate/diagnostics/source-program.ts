import path from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript-5.9";

const SOURCES = fileURLToPath(new URL("../../", import.meta.url));

/** Folders of `src` whose texts are no diagnostics. */
const LEFT_OUT = /(?:^|\/)(?:generate|generated|release|constructs)\//;

/** Our sources with their names resolved. Libraries are left out: nothing here needs their types. */
export interface SourceProgram {
  readonly files: readonly ts.SourceFile[];
  /** The declaration that an identifier means, through imports. */
  declarationOf(name: ts.Identifier): ts.Declaration | null;
  /** The calls of a function by its name. */
  callsOf(called: ts.Declaration): readonly ts.CallExpression[];
}

export function openSources(): SourceProgram {
  const names = ts.sys
    .readDirectory(SOURCES, [".ts"])
    .filter((name) => !name.endsWith(".d.ts") && !LEFT_OUT.test(path.posix.relative(SOURCES, name)));
  const options: ts.CompilerOptions = {
    noLib: true,
    types: [],
    allowImportingTsExtensions: true,
    target: ts.ScriptTarget.ESNext,
    noEmit: true,
  };
  const host = ts.createCompilerHost(options);
  host.resolveModuleNameLiterals = (modules, from) =>
    modules.map(({ text }) => {
      if (!text.startsWith(".")) return { resolvedModule: undefined };
      return {
        resolvedModule: {
          resolvedFileName: path.posix.join(path.posix.dirname(from), text),
          extension: ts.Extension.Ts,
        },
      };
    });
  const program = ts.createProgram(names, options, host);
  const checker = program.getTypeChecker();
  const files = names.flatMap((name) => program.getSourceFile(name) ?? []);
  const declarationOf = (name: ts.Identifier): ts.Declaration | null => {
    const isShort = ts.isShorthandPropertyAssignment(name.parent);
    const symbol = isShort ? checker.getShorthandAssignmentValueSymbol(name.parent) : checker.getSymbolAtLocation(name);
    const meant = symbol && (symbol.flags & ts.SymbolFlags.Alias) !== 0 ? checker.getAliasedSymbol(symbol) : symbol;
    return meant?.valueDeclaration ?? null;
  };
  const calls = new Map<ts.Declaration, ts.CallExpression[]>();
  for (const file of files)
    for (const node of nodesOf(file)) {
      if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) continue;
      const called = declarationOf(node.expression);
      if (called) calls.set(called, [...(calls.get(called) ?? []), node]);
    }
  return { files, declarationOf, callsOf: (called) => calls.get(called) ?? [] };
}

/** A node and all nodes in it. */
export function nodesOf(node: ts.Node): readonly ts.Node[] {
  const found: ts.Node[] = [node];
  const visit = (one: ts.Node): void => {
    found.push(one);
    ts.forEachChild(one, visit);
  };
  ts.forEachChild(node, visit);
  return found;
}
