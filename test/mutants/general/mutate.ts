import { ts } from "../../deep/typescript.ts";

/** A small change of a source file that should make a test fail. */
export interface Mutant {
  readonly kind: string;
  readonly line: number;
  /** The part of the source that is replaced, and by what. */
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
}

type Change = readonly [kind: string, node: ts.Node, after: string];

const OPERATORS: { readonly [operator in ts.SyntaxKind]?: string } = {
  [ts.SyntaxKind.AmpersandAmpersandToken]: "||",
  [ts.SyntaxKind.BarBarToken]: "&&",
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: "!==",
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: "===",
  [ts.SyntaxKind.LessThanToken]: "<=",
  [ts.SyntaxKind.LessThanEqualsToken]: "<",
  [ts.SyntaxKind.GreaterThanToken]: ">=",
  [ts.SyntaxKind.GreaterThanEqualsToken]: ">",
  [ts.SyntaxKind.PlusToken]: "-",
  [ts.SyntaxKind.MinusToken]: "+",
  [ts.SyntaxKind.AsteriskToken]: "/",
  [ts.SyntaxKind.SlashToken]: "*",
};
const METHODS: { readonly [name: string]: string } = {
  some: "every",
  every: "some",
  min: "max",
  max: "min",
  find: "findLast",
  findLast: "find",
};

/** All mutants of a file: conditions negated and fixed, statements and awaits dropped, operators, numbers and truths changed, catch and finally removed. */
export function mutantsOf(file: string, text: string): readonly Mutant[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
  const changes: Change[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isTypeNode(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node) ||
      ts.isImportDeclaration(node)
    )
      return;
    changes.push(...changesOf(node));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return changes.map(([kind, node, after]) => {
    const [start, end] = [node.getStart(source), node.getEnd()];
    return {
      kind,
      line: source.getLineAndCharacterOfPosition(start).line + 1,
      start,
      end,
      before: text.slice(start, end),
      after,
    };
  });
}

export function mutated(text: string, { start, end, after }: Mutant): string {
  return text.slice(0, start) + after + text.slice(end);
}

function changesOf(node: ts.Node): readonly Change[] {
  if (ts.isIfStatement(node) || ts.isWhileStatement(node)) return conditions(node.expression);
  if (ts.isConditionalExpression(node)) return conditions(node.condition);
  if (ts.isForStatement(node) && node.condition) return conditions(node.condition);
  if (ts.isArrowFunction(node) && isCondition(node.body)) return fixed(node.body);
  if (ts.isReturnStatement(node) && node.expression && isCondition(node.expression)) return fixed(node.expression);
  if (ts.isExpressionStatement(node) && node.parent.kind !== ts.SyntaxKind.SourceFile)
    return [["statement dropped", node, ";"]];
  if (ts.isThrowStatement(node)) return [["throw dropped", node, ";"]];
  if (ts.isAwaitExpression(node)) return [["await dropped", node, `(${node.expression.getText()})`]];
  if (ts.isTryStatement(node)) return tries(node);
  if (ts.isNumericLiteral(node)) return [["number changed", node, String(Number(node.text.replaceAll("_", "")) + 1)]];
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [["truth changed", node, "false"]];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [["truth changed", node, "true"]];
  if (ts.isBinaryExpression(node)) return operators(node);
  if (ts.isPropertyAccessExpression(node) && ts.isCallExpression(node.parent) && node.parent.expression === node) {
    const other = METHODS[node.name.text];
    return other === undefined ? [] : [["method changed", node.name, other]];
  }
  return [];
}

function conditions(condition: ts.Expression): readonly Change[] {
  return [["condition negated", condition, `!(${condition.getText()})`], ...fixed(condition)];
}

function fixed(condition: ts.Node): readonly Change[] {
  // Keeps what the condition declares and narrows, so that only its outcome changes.
  return [
    ["condition fixed", condition, `((${condition.getText()}), true)`],
    ["condition fixed", condition, `((${condition.getText()}), false)`],
  ];
}

function isCondition(node: ts.Node): boolean {
  if (ts.isPrefixUnaryExpression(node)) return node.operator === ts.SyntaxKind.ExclamationToken;
  return (
    ts.isBinaryExpression(node) &&
    [
      ts.SyntaxKind.AmpersandAmpersandToken,
      ts.SyntaxKind.EqualsEqualsEqualsToken,
      ts.SyntaxKind.ExclamationEqualsEqualsToken,
      ts.SyntaxKind.LessThanToken,
      ts.SyntaxKind.GreaterThanToken,
      ts.SyntaxKind.GreaterThanEqualsToken,
      ts.SyntaxKind.LessThanEqualsToken,
    ].includes(node.operatorToken.kind)
  );
}

function operators(node: ts.BinaryExpression): readonly Change[] {
  const { operatorToken, left, right } = node;
  const { kind } = operatorToken;
  if (kind === ts.SyntaxKind.QuestionQuestionToken) return [["default dropped", node, `(${left.getText()})`]];
  const isText =
    [left, right].some((side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side)) &&
    kind === ts.SyntaxKind.PlusToken;
  const other = OPERATORS[kind];
  return other === undefined || isText ? [] : [["operator changed", operatorToken, other]];
}

function tries({ tryBlock, catchClause, finallyBlock }: ts.TryStatement): readonly Change[] {
  const changes: Change[] = [];
  if (catchClause) {
    const { parent } = catchClause;
    const last = finallyBlock ? ` finally ${finallyBlock.getText()}` : "";
    changes.push(["catch removed", parent, last === "" ? tryBlock.getText() : `try ${tryBlock.getText()}${last}`]);
  }
  if (finallyBlock) changes.push(["finally removed", finallyBlock, "{}"]);
  return changes;
}
