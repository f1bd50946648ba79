import { evaluateTemplate } from "../../expression/evaluate-template.ts";
import { ExpressionFailure, invalidValue, tooLarge } from "../../expression/expression-failure.ts";
import { keyText } from "../../expression/values/for-elements.ts";
import type { ExpressionProblem, Template } from "../../expression/syntax/syntax.ts";
import { referencesOf } from "../../expression/syntax/template.ts";
import {
  type Marks,
  type Term,
  UNKNOWN_TERM,
  deepMarks,
  fromValue,
  mapping,
  marked,
  masked,
  sequence,
  toValue,
} from "../../expression/syntax/term.ts";
import { MAX_MISTAKES } from "../../model/diagnostic.ts";
import type { Path } from "../../model/path.ts";
import { UNKNOWN, type Value } from "../../model/value.ts";
import type { Argument } from "../block.ts";
import { unknownAttributes, templateOf } from "./references.ts";
import { type Scope, resolveReference, rootOf, wholeDataSource } from "./resolve-reference.ts";

export type { Scope };

export interface Evaluated {
  readonly value: Value;
  /** The value with Terraform's types, which `value` lacks; absent for literals. */
  readonly term?: Term;
  /** Whether the value depends on anything sensitive. */
  readonly sensitive: boolean;
  /** Whether the argument mentions anything sensitive, even if the value does not show it or nonsensitive() hides it. */
  readonly fromSensitive: boolean;
  /** The addresses of the data sources and resources that the value depends on, sorted. */
  readonly references: readonly string[];
  readonly problems: readonly ArgumentProblem[];
}

/** `text` is the template with the problem, `path` its position in the argument. */
export type ArgumentProblem = ExpressionProblem & { readonly path?: Path; readonly text?: string };

/**
 * The value of an argument. A template with a single expression has that expression's type. With problems, the value is
 * unknown; their `offset` counts from 0 in the template's text.
 */
export function evaluateArgument(argument: Argument, scope: Scope): Evaluated {
  switch (argument.kind) {
    case "literal":
      return { value: argument.value, sensitive: false, fromSensitive: false, references: [], problems: [] };
    case "template": {
      const { problems, ...evaluated } = evaluateText(argument, scope);
      return { ...evaluated, problems: problems.map((one) => ({ ...one, text: argument.text })) };
    }
    case "list":
      return evaluateList(argument.items, scope);
    case "object":
      return evaluateObject(argument.entries, scope);
    case "secret":
      throw new Error("the frontend accepted a secret instead of a value");
  }
}

const MAX_REFERENCES = 10_000;
/** The parts of a list or a map that is written out: one that contains another twice grows fast. */
const MAX_PARTS = 200_000;

function evaluateText(argument: Extract<Argument, { readonly kind: "template" }>, scope: Scope): Evaluated {
  const template = templateOf(argument);
  if ("detail" in template) {
    const { detail, offset } = template;
    return failed([{ code: "expression_invalid", summary: "Invalid expression", detail, offset }]);
  }
  if (referencesOf(template).length > MAX_REFERENCES)
    return failed([tooLarge(`This text has more than ${String(MAX_REFERENCES)} references.`).problem], true);
  // As in Terraform, an undeclared reference is an error even in a branch that is not taken.
  const undeclared = [...undeclaredIn(template, scope), ...wholeDataSource(template, scope)];
  const evaluated =
    undeclared.length > 0 ? failed(undeclared, mentionsSensitive(template, scope)) : evaluateDeclared(template, scope);
  const missing = scope.dataSources ? unknownAttributes(argument, scope.dataSources, scope.known) : [];
  return missing.length === 0 ? evaluated : { ...evaluated, problems: [...evaluated.problems, ...missing] };
}

/** The first problems are enough: a text can have very many references. */
function undeclaredIn(template: Template, scope: Scope): readonly ExpressionProblem[] {
  const problems: ExpressionProblem[] = [];
  for (const reference of referencesOf(template)) {
    if (problems.length >= MAX_MISTAKES) break;
    problems.push(...problemsOf(() => rootOf(reference, scope)));
  }
  return problems;
}

function evaluateDeclared(template: Template, scope: Scope): Evaluated {
  const fromSensitive = mentionsSensitive(template, scope);
  const { term, problems } = evaluateTemplate(template, (reference) => resolveReference(reference, scope), scope.steps);
  // Whether it fails would say something about a sensitive value.
  if (!term && scope.hide && fromSensitive) return fromTerm(masked(fromValue("(sensitive value)")), true);
  if (!term) return failed(problems, fromSensitive);
  return fromTerm(scope.hide && fromSensitive ? masked(term) : term, fromSensitive);
}

/** Whether the host of this URL may come from something sensitive: no text without it, at the beginning of the argument, shows the whole host. */
export function hasSensitiveHost(argument: Argument, url: string, scope: Scope): boolean {
  const template = argument.kind === "template" ? templateOf(argument) : null;
  if (template === null || "detail" in template) return true;
  const first = template.parts.findIndex(
    (part) => typeof part !== "string" && mentionsSensitive({ parts: [part] }, scope),
  );
  const { term } = evaluateTemplate(
    { parts: template.parts.slice(0, Math.max(first, 0)) },
    (reference) => resolveReference(reference, scope),
    scope.steps,
  );
  const shown = /^https?:\/\/[^/?#\\]+[/?#\\]/i.exec(term?.kind === "string" ? term.value : "")?.[0];
  return shown === undefined || !url.startsWith(shown);
}

function fromTerm(term: Term, fromSensitive: boolean): Evaluated {
  let value: Value = UNKNOWN;
  const invalid = problemsOf(() => (value = toValue(term)));
  if (invalid.length > 0) return failed(invalid, fromSensitive);
  const { sensitive, references } = deepMarks(term);
  return {
    value,
    term,
    sensitive,
    fromSensitive: fromSensitive || sensitive,
    references: [...references].toSorted(),
    problems: [],
  };
}

/** The value with Terraform's types and its marks. */
export function termOf({
  value,
  term,
  sensitive,
  references = [],
}: Pick<Evaluated, "value" | "term" | "sensitive"> & { readonly references?: readonly string[] }): Term {
  return term ?? marked(fromValue(value), { sensitive, references: new Set(references) });
}

function evaluateList(items: readonly Argument[], scope: Scope): Evaluated {
  const evaluated = items.map((item) => evaluateArgument(item, scope));
  return combine(
    evaluated.map((one, index) => ({ ...one, step: index })),
    () => sequence("tuple", evaluated.map(termOf)),
  );
}

function evaluateObject(entries: readonly (readonly [Argument, Argument])[], scope: Scope): Evaluated {
  const evaluated = entries.map(([key, value], index) => {
    const shown =
      key.kind === "literal" && typeof key.value === "string" ? key.value : key.kind === "template" ? key.text : index;
    return {
      key: { ...evaluateArgument(key, scope), step: shown },
      value: { ...evaluateArgument(value, scope), step: shown },
    };
  });
  return combine(
    evaluated.flatMap(({ key, value }) => [key, value]),
    () => {
      const marks: Marks[] = [];
      const names = new Set<string>();
      const terms = evaluated.map(({ key, value }): readonly [string | null, Term] => {
        const term = termOf(key);
        marks.push(deepMarks(term));
        if (term.kind === "unknown") return [null, termOf(value)];
        const name = keyText(term).normalize("NFC");
        if (names.has(name)) throw invalidValue("Two keys of this map are the same, so one would overwrite the other.");
        names.add(name);
        return [name, termOf(value)];
      });
      const known = terms.flatMap(([name, term]) => (name === null ? [] : [[name, term] as const]));
      const made =
        known.length < terms.length
          ? terms.reduce((all, [, term]) => marked(all, deepMarks(term)), UNKNOWN_TERM)
          : mapping("object", known);
      return marks.reduce<Term>((term, mark) => marked(term, mark), made);
    },
  );
}

/** Combines evaluated parts, unless one of them has a problem. */
function combine(parts: readonly (Evaluated & { readonly step: string | number })[], make: () => Term): Evaluated {
  const problems = parts.flatMap(({ problems: found, step }) =>
    found.map(({ path = [], ...one }): ArgumentProblem => ({ ...one, path: [step, ...path] })),
  );
  const fromSensitive = parts.some((part) => part.fromSensitive);
  if (problems.length > 0)
    return {
      ...failed(
        problems,
        parts.some(({ sensitive }) => sensitive),
      ),
      fromSensitive,
    };
  let made: Evaluated | null = null;
  const failures = problemsOf(() => {
    const term = make();
    if (term.size > MAX_PARTS) throw tooLarge(`This value has more than ${String(MAX_PARTS)} parts.`);
    made = fromTerm(term, fromSensitive);
  });
  return made ?? failed(failures, fromSensitive);
}

function failed(problems: readonly ArgumentProblem[], sensitive = false): Evaluated {
  return { value: UNKNOWN, sensitive, fromSensitive: sensitive, references: [], problems };
}

/** Whether the template refers to sensitive values, or to values that depend on them. */
function mentionsSensitive(template: Template, scope: Scope): boolean {
  return referencesOf(template).some((reference) => {
    let sensitive = false;
    problemsOf(() => {
      const { marks, fromSensitive } = rootOf(reference, scope);
      sensitive = marks.sensitive || fromSensitive;
    });
    return sensitive;
  });
}

function problemsOf(work: () => unknown): readonly ExpressionProblem[] {
  try {
    work();
    return [];
  } catch (error) {
    if (!(error instanceof ExpressionFailure)) throw error;
    return [error.problem];
  }
}
