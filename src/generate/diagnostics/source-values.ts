import ts from "typescript-5.9";
import { type SourceProgram, nodesOf } from "./source-program.ts";

/** An expression, with what the parameters around it stand for. */
export interface Bound {
  readonly node: ts.Expression;
  readonly env: Env;
}

/** The arguments of parameters, by their declarations. */
export type Env = ReadonlyMap<ts.Node, Bound | null>;

/** The properties of an object. */
export type Form = ReadonlyMap<string, Bound>;

export const NOTHING_BOUND: Env = new Map();

const MAX_DEPTH = 12;
const MAX_CALLS = 3;
const MAX_VALUES = 30;

/** Follows names, conditions, tables and calls of our own functions to the expressions that say what a value is. */
export class SourceValues {
  readonly #program: SourceProgram;
  #depth = 0;
  readonly #calls = new Set<ts.Node>();
  /** The parameters that were met without a call that gives them a value. */
  readonly #unbound = new Set<ts.Node>();

  constructor(program: SourceProgram) {
    this.#program = program;
  }

  /** The literals, templates, objects, lists and functions that an expression can be; itself, where the sources do not say. */
  valuesOf(bound: Bound): readonly Bound[] {
    if (this.#depth >= MAX_DEPTH) return [bound];
    this.#depth++;
    try {
      const found = this.#follow(bound);
      return found?.slice(0, MAX_VALUES) ?? [bound];
    } finally {
      this.#depth--;
    }
  }

  /** Whether a parameter was met without a value since this was asked last. */
  metUnbound(): boolean {
    const met = this.#unbound.size > 0;
    this.#unbound.clear();
    return met;
  }

  /** The value of a property of an object, in each form that the object can have; null where it has none. */
  propertyOf(object: Bound, name: string): readonly (Bound | null)[] {
    return this.valuesOf(object).flatMap((value) =>
      ts.isObjectLiteralExpression(value.node) ? this.#inObject(value.node, value.env, name) : [null],
    );
  }

  /** The properties of an object, in each form that it can have. */
  formsOf(object: Bound): readonly Form[] {
    return this.valuesOf(object).flatMap(({ node, env }) =>
      ts.isObjectLiteralExpression(node) ? this.#formsIn(node, env) : [],
    );
  }

  #formsIn(object: ts.ObjectLiteralExpression, env: Env): readonly Form[] {
    let forms: readonly Form[] = [new Map()];
    for (const property of object.properties) {
      if (ts.isSpreadAssignment(property)) {
        const spread = this.formsOf({ node: property.expression, env });
        if (spread.length > 0)
          forms = forms.flatMap((form) => spread.map((more) => new Map([...form, ...more]))).slice(0, MAX_VALUES);
      } else {
        const value = valueIn(property, env);
        if (value) forms = forms.map((form) => new Map([...form, [keyOf(property.name), value]]));
      }
    }
    return forms;
  }

  /** The elements of the lists that an expression can be. */
  elementsOf(list: Bound): readonly Bound[] {
    return this.valuesOf(list).flatMap(({ node, env }) => {
      if (!ts.isArrayLiteralExpression(node)) return [];
      return node.elements.flatMap((one) =>
        ts.isSpreadElement(one) ? this.elementsOf({ node: one.expression, env }) : [{ node: one, env }],
      );
    });
  }

  #follow({ node, env }: Bound): readonly Bound[] | null {
    const of = (...nodes: readonly ts.Expression[]): readonly Bound[] =>
      nodes.flatMap((one) => this.valuesOf({ node: one, env }));
    if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node))
      return of(node.expression);
    if (ts.isNonNullExpression(node) || ts.isAwaitExpression(node)) return of(node.expression);
    if (ts.isConditionalExpression(node)) return of(node.whenTrue, node.whenFalse);
    if (ts.isBinaryExpression(node)) return this.#ofBinary(node, of);
    if (ts.isIdentifier(node)) return this.#ofName(node, env);
    if (ts.isPropertyAccessExpression(node))
      return this.#found(this.propertyOf({ node: node.expression, env }, node.name.text));
    if (ts.isElementAccessExpression(node)) return this.#ofElement(node, env);
    return ts.isCallExpression(node) ? this.#ofCall(node, env) : null;
  }

  #ofBinary(
    { left, right, operatorToken }: ts.BinaryExpression,
    of: (...nodes: readonly ts.Expression[]) => readonly Bound[],
  ): readonly Bound[] | null {
    const { kind } = operatorToken;
    if (kind === ts.SyntaxKind.AmpersandAmpersandToken) return of(right);
    if (kind === ts.SyntaxKind.BarBarToken || kind === ts.SyntaxKind.QuestionQuestionToken) return of(left, right);
    return null;
  }

  #found(values: readonly (Bound | null)[]): readonly Bound[] | null {
    const known = values.filter((value) => value !== null);
    return known.length === 0 ? null : known.flatMap((value) => this.valuesOf(value));
  }

  #ofElement({ expression, argumentExpression }: ts.ElementAccessExpression, env: Env): readonly Bound[] | null {
    if (ts.isStringLiteralLike(argumentExpression))
      return this.#found(this.propertyOf({ node: expression, env }, argumentExpression.text));
    const values = this.valuesOf({ node: expression, env }).flatMap(({ node, env: around }): readonly Bound[] => {
      if (ts.isArrayLiteralExpression(node)) return this.elementsOf({ node, env: around });
      if (!ts.isObjectLiteralExpression(node)) return [];
      return node.properties.flatMap((one) => valueIn(one, around) ?? []);
    });
    return this.#found(values);
  }

  #ofCall({ expression, arguments: given }: ts.CallExpression, env: Env): readonly Bound[] | null {
    if (this.#calls.size >= MAX_CALLS || this.#calls.has(expression)) return null;
    const results = this.valuesOf({ node: expression, env }).flatMap(({ node, env: around }): readonly Bound[] => {
      if (!isFunction(node) || nodesAround(expression).includes(node)) return [];
      const inner = this.bind(node, given, { env, around });
      return returnsOf(node).map((one) => ({ node: one, env: inner }));
    });
    this.#calls.add(expression);
    try {
      return results.length === 0 ? null : results.flatMap((one) => this.valuesOf(one));
    } finally {
      this.#calls.delete(expression);
    }
  }

  /** What the parameters of a function stand for in a call. */
  bind(
    called: ts.SignatureDeclaration,
    given: readonly ts.Expression[],
    { env, around }: { readonly env: Env; readonly around: Env },
  ): Env {
    const bound = new Map(around);
    for (const [index, { name, initializer }] of called.parameters.entries()) {
      const node = given[index] ?? initializer;
      this.#bindName(name, node === undefined || ts.isSpreadElement(node) ? null : { node, env }, bound);
    }
    return bound;
  }

  #bindName(name: ts.BindingName, value: Bound | null, into: Map<ts.Node, Bound | null>): void {
    if (ts.isIdentifier(name)) return void into.set(name.parent, value);
    for (const element of name.elements) {
      if (!ts.isBindingElement(element)) continue;
      this.#bindName(element.name, value && this.#partOf(element, value), into);
    }
  }

  /** What an element of `{ … } = value` or `[ … ] = value` gets. */
  #partOf(element: ts.BindingElement, value: Bound): Bound | null {
    const { parent, propertyName, name, initializer } = element;
    const isRead = this.valuesOf(value).every(
      ({ node }) => ts.isObjectLiteralExpression(node) || ts.isArrayLiteralExpression(node),
    );
    const otherwise = isRead && initializer ? { node: initializer, env: value.env } : null;
    if (ts.isArrayBindingPattern(parent)) return this.elementsOf(value)[parent.elements.indexOf(element)] ?? otherwise;
    if (element.dotDotDotToken) return value;
    const key = propertyName ?? name;
    if (!ts.isIdentifier(key)) return null;
    return this.propertyOf(value, key.text).find((one) => one !== null) ?? otherwise;
  }

  #ofName(name: ts.Identifier, env: Env): readonly Bound[] | null {
    const declaration = this.#program.declarationOf(name);
    if (!declaration) return null;
    if (!env.has(declaration) && isOfParameter(declaration)) this.#unbound.add(declaration);
    if (env.has(declaration)) {
      const value = env.get(declaration) ?? null;
      return value && this.valuesOf(value);
    }
    if (ts.isFunctionDeclaration(declaration))
      return declaration.body ? [{ node: declaration as unknown as ts.Expression, env: NOTHING_BOUND }] : null;
    if (ts.isVariableDeclaration(declaration))
      return declaration.initializer && isConstant(declaration)
        ? this.valuesOf({ node: declaration.initializer, env })
        : null;
    if (!ts.isBindingElement(declaration)) return null;
    const value = patternValue(declaration, env);
    return value && this.#partsOf(declaration, value);
  }

  /** What a name within a pattern can be: each form of the value gives one. */
  #partsOf(element: ts.BindingElement, value: Bound): readonly Bound[] | null {
    const forms = this.valuesOf(value);
    return this.#found(forms.map((form) => this.#partOf(element, form)));
  }

  #inObject(object: ts.ObjectLiteralExpression, env: Env, name: string): readonly (Bound | null)[] {
    let found: readonly (Bound | null)[] = [null];
    for (const property of object.properties) {
      if (ts.isSpreadAssignment(property)) {
        const spread = this.propertyOf({ node: property.expression, env }, name);
        const given = spread.filter((one) => one !== null);
        if (given.length > 0) found = given.length === spread.length ? given : [...found, ...given];
      } else if (property.name && keyOf(property.name) === name) {
        const value = valueIn(property, env);
        if (value) found = [value];
      }
    }
    return found;
  }
}

function isConstant({ parent }: ts.VariableDeclaration): boolean {
  return (parent.flags & ts.NodeFlags.Const) !== 0;
}

function isOfParameter(declaration: ts.Declaration): boolean {
  let one: ts.Node = declaration;
  while (ts.isBindingElement(one)) one = one.parent.parent;
  return ts.isParameter(one);
}

/** The value that a pattern of one level takes apart. */
function patternValue(element: ts.BindingElement, env: Env): Bound | null {
  const owner = element.parent.parent;
  return ts.isVariableDeclaration(owner) && owner.initializer ? { node: owner.initializer, env } : null;
}

function valueIn(property: ts.ObjectLiteralElementLike, env: Env): Bound | null {
  if (ts.isPropertyAssignment(property)) return { node: property.initializer, env };
  if (ts.isShorthandPropertyAssignment(property)) return { node: property.name, env };
  return ts.isMethodDeclaration(property) ? { node: property as unknown as ts.Expression, env } : null;
}

export function keyOf(name: ts.PropertyName): string {
  return ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : name.getText();
}

export function isFunction(node: ts.Node): node is ts.FunctionLikeDeclaration {
  return (
    ts.isArrowFunction(node) ||
    ts.isFunctionExpression(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node)
  );
}

function nodesAround(node: ts.Node): readonly ts.Node[] {
  return ts.isSourceFile(node) ? [] : [node.parent, ...nodesAround(node.parent)];
}

/** The function in which a node stands. */
export function functionAround(node: ts.Node): ts.FunctionLikeDeclaration | null {
  for (let one = node.parent; !ts.isSourceFile(one); one = one.parent) if (isFunction(one)) return one;
  return null;
}

const returns = new WeakMap<ts.Node, readonly ts.Expression[]>();

/** What a function can return. */
function returnsOf(called: ts.FunctionLikeDeclaration): readonly ts.Expression[] {
  const known = returns.get(called) ?? searchReturns(called);
  returns.set(called, known);
  return known;
}

function searchReturns(called: ts.FunctionLikeDeclaration): readonly ts.Expression[] {
  const { body } = called;
  if (!body) return [];
  if (!ts.isBlock(body)) return [body];
  return nodesOf(body).flatMap((one) =>
    ts.isReturnStatement(one) && one.expression && functionAround(one) === called ? [one.expression] : [],
  );
}
