import type { Budget } from "./budget.ts";
import { convert, typeOf, unify } from "./values/convert-value.ts";
import { ExpressionFailure, at, isLimit, invalidValue } from "./expression-failure.ts";
import { callFunction } from "./functions/functions.ts";
import { elements, keyText, forObject } from "./values/for-elements.ts";
import { applyBinary, applyUnary, operand, shortCircuits } from "./operators.ts";
import { joinParts } from "./join-parts.ts";
import { elementAt, selectStep } from "./select-step.ts";
import type { Expression, Reference } from "./syntax/syntax.ts";
import {
  type Marks,
  NO_MARKS,
  NULL,
  type Term,
  UNKNOWN_TERM,
  bool,
  deepMarks,
  describe,
  isMapping,
  isSequence,
  itemsOf,
  joinMarks,
  mapping,
  marked,
  number,
  sequence,
  text,
} from "./syntax/term.ts";
import { typeOfFailed } from "./type-of-failed.ts";

/** Resolves a reference, including its steps, to a value. Throws an `ExpressionFailure`. */
export type ResolveReference = (reference: Reference) => Term;

export interface Environment {
  readonly resolve: ResolveReference;
  readonly budget: Budget;
  /** The variables of the enclosing `for` expressions. */
  readonly bound: ReadonlyMap<string, Term>;
  /** The element of the innermost splat. */
  readonly item: Term | null;
}

/** The value of one expression. Throws an `ExpressionFailure`. */
export function evaluate(expression: Expression, environment: Environment): Term {
  environment.budget.step();
  return at(expression.offset, () => evaluateNode(expression, environment));
}

function evaluateNode(expression: Expression, environment: Environment): Term {
  switch (expression.kind) {
    case "literal":
      return literal(expression.value);
    case "template":
      return joinParts(
        expression.parts,
        expression.parts.map((part) => (typeof part === "string" ? part : evaluate(part, environment))),
      );
    case "reference":
      return resolveReference(expression, environment);
    case "attribute":
      return selectStep(evaluate(expression.of, environment), expression.name, "This value");
    case "index":
      return elementAt(evaluate(expression.of, environment), evaluate(expression.key, environment));
    case "splat":
      return evaluateSplat(expression, environment);
    case "item":
      return environment.item ?? UNKNOWN_TERM;
    case "tuple":
      return sequence(
        "tuple",
        expression.items.map((item) => evaluate(item, environment)),
      );
    case "object":
      return evaluateObject(expression, environment);
    case "call":
      return evaluateCall(expression, environment);
    case "for":
      return evaluateFor(expression, environment);
    case "conditional":
      return evaluateConditional(expression, environment);
    case "unary":
      return applyUnary(expression.operator, evaluate(expression.of, environment));
    case "binary":
      return evaluateBinary(expression, environment);
  }
}

function literal(value: null | boolean | number | string): Term {
  if (typeof value === "string") return text(value);
  if (typeof value === "number") return number(value);
  return value === null ? NULL : bool(value);
}

function resolveReference(reference: Reference, { bound, resolve, budget }: Environment): Term {
  const [root, ...steps] = reference.steps;
  const local = bound.get(String(root));
  const found = local
    ? steps.reduce((term, step) => selectStep(term, step, reference.text), local)
    : resolve(reference);
  // The collection of a `for` was counted when it was created; values from outside are counted here.
  budget.refer(local ? 1 : found.size);
  return found;
}

function evaluateBinary({ operator, left, right }: Node<"binary">, environment: Environment): Term {
  const first = evaluate(left, environment);
  if (shortCircuits(operator, first)) return convert(first, "bool") ?? first;
  const second = evaluate(right, environment);
  environment.budget.spend(first.size + second.size);
  return applyBinary(operator, first, second);
}

type Node<Kind extends Expression["kind"]> = Extract<Expression, { readonly kind: Kind }>;

/** Evaluates both branches to find their common type. A failure in the branch not taken does not matter. */
function evaluateConditional({ condition, yes, no }: Node<"conditional">, environment: Environment): Term {
  const tested = evaluate(condition, environment);
  const truth = at(condition.offset, () => operand(tested, "bool", "A condition"));
  if (truth === null) return marked(UNKNOWN_TERM, tested.marks);
  const taken = evaluate(truth.value ? yes : no, environment);
  const other = valueOrNull(truth.value ? no : yes, environment);
  environment.budget.spend(taken.size + (other?.size ?? 0));
  const type = unify([
    typeOf(taken),
    other ? typeOf(other) : typeOfFailed(truth.value ? no : yes, (one) => valueOrNull(one, environment)),
  ]);
  const converted = type && convert(taken, type);
  if (!converted) {
    const another = other ? describe(other) : "of an incompatible type";
    throw invalidValue(
      `Both results of a conditional must have the same type, but one is ${describe(taken)} and the other is ${another}.`,
    );
  }
  return marked(converted, tested.marks);
}

/** Null for an expression that fails. */
function valueOrNull(expression: Expression, environment: Environment): Term | null {
  try {
    return evaluate(expression, environment);
  } catch (error) {
    if (!(error instanceof ExpressionFailure) || isLimit(error)) throw error;
    environment.budget.failed();
    return null;
  }
}

function evaluateCall({ name, args, expand }: Node<"call">, environment: Environment): Term {
  if (name === "try") return evaluateTry(args, environment);
  const values = args.map((arg) => evaluate(arg, environment));
  const last = expand ? values.pop() : undefined;
  if (last?.kind === "unknown") return marked(UNKNOWN_TERM, joinMarks([...values.map(deepMarks), last.marks]));
  if (last && !isSequence(last))
    throw invalidValue(`The value before ... must be a list, but it is ${describe(last)}.`);
  const all = [...values, ...(last ? itemsOf(last) : [])];
  environment.budget.spend(all.reduce((sum, arg) => sum + workOf(arg), 0));
  const offsets = args.map(({ offset }) => offset);
  return marked(callFunction(name, { args: all, offsets, budget: environment.budget }), last?.marks ?? NO_MARKS);
}

const ASCII = /^[\0-\x7f]*$/;
const ASCII_PER_UNIT = 4;
const UNITS_PER_OTHER = 4;

/** Functions look at each character of a text. Those beyond ASCII take much longer: several can be one visible character. */
function workOf(arg: Term): number {
  if (arg.kind !== "string") return arg.size;
  return ASCII.test(arg.value) ? 1 + arg.value.length / ASCII_PER_UNIT : arg.value.length * UNITS_PER_OTHER;
}

/** The first argument that does not fail, even if it is unknown. */
function evaluateTry(args: readonly Expression[], environment: Environment): Term {
  const failures: ExpressionFailure[] = [];
  for (const arg of args) {
    try {
      return evaluate(arg, environment);
    } catch (error) {
      if (!(error instanceof ExpressionFailure) || isLimit(error)) throw error;
      environment.budget.failed();
      failures.push(error);
    }
  }
  throw failures.at(-1) ?? invalidValue("try takes at least one argument.");
}

function evaluateSplat({ of, each }: Node<"splat">, environment: Environment): Term {
  const source = evaluate(of, environment);
  if (source.kind === "unknown") return source;
  if (source.kind === "null") return marked(sequence("tuple", []), source.marks);
  environment.budget.step();
  if (!isSequence(source)) return sequence("tuple", [evaluate(each, { ...environment, item: source })]);
  const items = itemsOf(source).map((item) => evaluate(each, { ...environment, item }));
  return marked(sequence(source.kind === "tuple" ? "tuple" : "list", items), source.marks);
}

function evaluateObject({ entries }: Node<"object">, environment: Environment): Term {
  const marks: Marks[] = [];
  let unknown = false;
  const evaluated = entries.map(([keyExpression, valueExpression]) => {
    if (keyExpression.kind === "reference") throw ambiguousKey(keyExpression);
    const key = evaluate(keyExpression, environment);
    marks.push(deepMarks(key));
    unknown ||= key.kind === "unknown";
    const name = key.kind === "unknown" ? "" : at(keyExpression.offset, () => keyText(key));
    return [name, evaluate(valueExpression, environment)] as const;
  });
  return marked(
    unknown ? UNKNOWN_TERM : mapping("object", evaluated),
    joinMarks([...marks, ...(unknown ? evaluated.map(([, value]) => deepMarks(value)) : [])]),
  );
}

function ambiguousKey({ text: name, offset }: Reference): ExpressionFailure {
  return new ExpressionFailure({
    code: "expression_failed",
    summary: "Expression cannot be evaluated",
    detail: `The key ${name} is ambiguous: it can be a reference, or a string without quotation marks.`,
    hint: `Write (${name}) or "${name}".`,
    offset,
  });
}

function evaluateFor(expression: Node<"for">, environment: Environment): Term {
  const { keyName, valueName, collection, key, value, condition, group } = expression;
  const source = evaluate(collection, environment);
  if (source.kind === "unknown") return source;
  if (!isSequence(source) && !isMapping(source))
    return at(collection.offset, () => {
      throw invalidValue(`A for expression needs a list, a set or a map, but this is ${describe(source)}.`);
    });
  checkCondition(expression, environment);
  const results: { readonly key: Term | null; readonly value: Term }[] = [];
  const marks: Marks[] = [source.marks];
  const bound = new Map(environment.bound);
  const inner = { ...environment, bound };
  for (const [itemKey, item] of elements(source)) {
    bound.set(valueName, item);
    if (keyName !== null) bound.set(keyName, itemKey);
    const tested = condition === null ? null : evaluate(condition, inner);
    if (condition && tested) {
      marks.push(tested.marks);
      const truth = at(condition.offset, () => operand(tested, "bool", "The condition of a for"));
      if (truth === null)
        return marked(UNKNOWN_TERM, joinMarks([...marks, ...results.map((one) => deepMarks(one.value))]));
      if (!truth.value) continue;
    }
    results.push({ key: key && evaluate(key, inner), value: evaluate(value, inner) });
  }
  if (key === null)
    return marked(
      sequence(
        "tuple",
        results.map((one) => one.value),
      ),
      joinMarks(marks),
    );
  // A name takes longer than a position.
  environment.budget.spend(results.length);
  for (const one of results) marks.push(deepMarks(one.key ?? UNKNOWN_TERM));
  if (results.some((one) => one.key?.kind === "unknown"))
    return marked(UNKNOWN_TERM, joinMarks([...marks, ...results.map((one) => deepMarks(one.value))]));
  return marked(
    at(key.offset, () => forObject(results, group)),
    joinMarks(marks),
  );
}

/** A condition that fails for any element is an error even for an empty collection, as in Terraform. */
function checkCondition({ keyName, valueName, condition }: Node<"for">, environment: Environment): void {
  if (condition === null) return;
  const bound = new Map(environment.bound).set(valueName, UNKNOWN_TERM);
  if (keyName !== null) bound.set(keyName, UNKNOWN_TERM);
  const tested = evaluate(condition, { ...environment, bound });
  at(condition.offset, () => operand(tested, "bool", "The condition of a for"));
}
