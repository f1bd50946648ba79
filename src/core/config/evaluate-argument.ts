import { type Reference, parseTemplate } from "../expression/template.ts";
import { type Diagnostic, nearest } from "../model/diagnostic.ts";
import { type Attributes, UNKNOWN, type Value, isUnknown } from "../model/value.ts";
import type { Argument } from "./block.ts";
import type { VariableValue } from "./variables.ts";

/** What references can see. */
export interface Scope {
  readonly variables: ReadonlyMap<string, VariableValue>;
  /** The addresses of all declared data sources, and what was read of them so far. */
  readonly dataAddresses: ReadonlySet<string>;
  readonly known: ReadonlyMap<string, Attributes>;
}

export interface Evaluated {
  readonly value: Value;
  readonly sensitive: boolean;
  readonly problems: readonly (Pick<Diagnostic, "code" | "summary" | "detail" | "hint"> & { readonly offset?: number })[];
}

/** The value of a plain argument or a template. A template that is one reference has that reference's own type. */
export function evaluateArgument(argument: Exclude<Argument, { kind: "secret" | "list" }>, scope: Scope): Evaluated {
  if (argument.kind === "literal") return { value: argument.value, sensitive: false, problems: [] };
  const template = parseTemplate(argument.text);
  if ("detail" in template) {
    const { detail, offset } = template;
    return { value: UNKNOWN, sensitive: false, problems: [{ code: "expression_invalid", summary: "Invalid expression", detail, offset }] };
  }
  const values = template.parts.map((part): Evaluated => (typeof part === "string" ? { value: part, sensitive: false, problems: [] } : lookUp(part, scope)));
  const problems = values.flatMap((one) => one.problems);
  const sensitive = values.some((one) => one.sensitive);
  const [only] = values;
  if (only && values.length === 1) return { value: only.value, sensitive, problems };
  if (values.some(({ value }) => isUnknown(value))) return { value: UNKNOWN, sensitive, problems };
  const unprintable = template.parts.find((_, index) => typeof (values[index]?.value ?? null) === "object");
  if (unprintable !== undefined && typeof unprintable !== "string") {
    const detail = `${unprintable.text} is not a string, a number or a boolean, so it cannot stand inside a text.`;
    problems.push({ code: "template_value", summary: "Invalid template value", detail, offset: unprintable.offset });
  }
  return { value: values.map(({ value }) => (typeof value === "string" ? value : JSON.stringify(value))).join(""), sensitive, problems };
}

function lookUp(reference: Reference, scope: Scope): Evaluated {
  const [root, ...steps] = reference.steps;
  if (root === "var") return variable(reference, steps, scope);
  if (root === "data") return data(reference, steps, scope);
  return problem(reference, {
    detail: `${reference.text} refers to neither a variable nor a data source.`,
    hint: "Write var.NAME or data.TYPE.NAME.ATTRIBUTE. For a literal ${ write $${.",
  });
}

function variable(reference: Reference, [name, ...steps]: Reference["steps"], { variables }: Scope): Evaluated {
  const found = typeof name === "string" ? variables.get(name) : undefined;
  if (!found) {
    const meant = nearest(String(name), [...variables.keys()]);
    return problem(reference, {
      detail: `There is no variable ${String(name)}, or it has no value.`,
      hint: meant === null ? "Declare it under variables." : `Did you mean var.${meant}?`,
    });
  }
  return { ...descend(reference, found.value, steps), sensitive: found.sensitive };
}

function data(reference: Reference, [type, name, ...steps]: Reference["steps"], { dataAddresses, known }: Scope): Evaluated {
  const address = `data.${String(type)}.${String(name)}`;
  if (!dataAddresses.has(address)) {
    const meant = nearest(address, [...dataAddresses]);
    return problem(reference, {
      detail: `The configuration declares no ${address}.`,
      hint: meant === null ? "Declare it under data." : `Did you mean ${meant}?`,
    });
  }
  const read = known.get(address);
  if (!read) return { value: UNKNOWN, sensitive: false, problems: [] };
  const [attribute] = steps;
  if (typeof attribute !== "string" || !(attribute in read)) {
    const meant = nearest(String(attribute), Object.keys(read));
    return problem(reference, {
      detail: attribute === undefined ? `${address} is a whole data source; name one of its attributes.` : `${address} has no attribute ${String(attribute)}.`,
      hint: meant === null ? `It has ${Object.keys(read).join(", ")}.` : `Did you mean ${meant}?`,
    });
  }
  return descend(reference, read, steps);
}

function descend(reference: Reference, from: Value, steps: Reference["steps"]): Evaluated {
  let value: Value = from;
  for (const step of steps) {
    const inner: Value | undefined =
      typeof value === "object" && value !== null && Object.hasOwn(value, step) ? (value as { readonly [step: string]: Value })[step] : undefined;
    if (inner === undefined) return problem(reference, { detail: `${reference.text} leads nowhere: there is no ${JSON.stringify(step)}.` });
    value = inner;
  }
  return { value, sensitive: false, problems: [] };
}

function problem(reference: Reference, { detail, hint }: { readonly detail: string; readonly hint?: string }): Evaluated {
  const said = { code: "reference_invalid", summary: "Invalid reference", detail, offset: reference.offset, ...(hint === undefined ? {} : { hint }) };
  return { value: UNKNOWN, sensitive: false, problems: [said] };
}
