import type { Argument } from "../../core/config/block.ts";
import { evaluateArgument, termOf } from "../../core/config/blocks/evaluate-argument.ts";
import type { Reference, Template } from "../../core/expression/syntax/syntax.ts";
import { hasReferences, parseTemplate, referencesOf } from "../../core/expression/syntax/template.ts";
import { hasUnknown } from "../../core/model/value.ts";
import { expressionText } from "./expression-text.ts";
import { type Segment, escapedText, segmentsOf, soleExpression } from "./segments.ts";

/** Returns the replacement for the first steps of a reference. Null leaves it unchanged. */
export type Replace = (reference: Reference) => { readonly steps: number; readonly by: Argument | string } | null;

const NOTHING = { variables: new Map(), dataAddresses: new Set<string>(), known: new Map(), managed: null };

/** Replaces references in an argument. */
export function replaceReferences(argument: Argument, replace: Replace): Argument {
  return mapped(argument, (text) => ({ kind: "template", text: replaced(text, replace) }));
}

/** Replaces references in an argument, and expressions without references with their values. */
export function rewriteArgument(argument: Argument, replace: Replace): Argument {
  return mapped(argument, (text) => folded(replaced(text, replace)));
}

function mapped(argument: Argument, change: (text: string) => Argument): Argument {
  switch (argument.kind) {
    case "literal":
      return argument;
    case "secret":
      return argument.own ? { ...argument, own: mapped(argument.own, change) } : argument;
    case "list":
      return { kind: "list", items: argument.items.map((item) => mapped(item, change)) };
    case "object":
      return {
        kind: "object",
        entries: argument.entries.map(([key, value]) => [mapped(key, change), mapped(value, change)]),
      };
    case "template":
      return change(argument.text);
  }
}

function replaced(text: string, replace: Replace): string {
  const segments = segmentsOf(text);
  return segments
    .map((segment) =>
      segment.kind === "text" ? segment.text : inSegment(segment, { replace, isAlone: segments.length === 1 }),
    )
    .join("");
}

function inSegment(
  { text }: Segment,
  { replace, isAlone }: { readonly replace: Replace; readonly isAlone: boolean },
): string {
  const whole = `\${${text}}`;
  const references = referencesOf(parsed(whole)).toSorted((a, b) => b.offset - a.offset);
  const [only] = references;
  const instead = only?.text === text ? replace(only) : null;
  // A template that replaces a whole expression needs no delimiters.
  if (
    instead &&
    instead.steps === only?.steps.length &&
    typeof instead.by !== "string" &&
    instead.by.kind === "template"
  ) {
    const inner = segmentsOf(instead.by.text)
      .map((segment) => (segment.kind === "text" ? segment.text : `\${${segment.text}}`))
      .join("");
    if (isAlone || isSelfContained(inner)) return inner;
  }
  return references.reduce((all, reference) => {
    const by = replace(reference);
    if (!by) return all;
    const end = reference.offset + writtenLength(reference, by.steps);
    const inserted = typeof by.by === "string" ? by.by : bracketed(expressionText(by.by), /[.[]/.test(all[end] ?? ""));
    return `${all.slice(0, reference.offset)}${inserted}${all.slice(end)}`;
  }, whole);
}

/** Whether text in a template keeps its meaning next to any other text. */
function isSelfContained(text: string): boolean {
  return !/^\{|[$%]$/.test(text);
}

function parsed(text: string): Template {
  const template = parseTemplate(text);
  if ("detail" in template) throw new Error(`a template that cannot be parsed: ${template.detail}`);
  return template;
}

/** The length of the first `count` steps in a reference's text. */
function writtenLength({ text, steps }: Reference, count: number): number {
  if (count >= steps.length) return text.length;
  const step = /^\s*(?:\.\s*(?:[\p{ID_Start}_][\p{ID_Continue}-]*|\d+)|\[\s*(?:"(?:[^"\\]|\\.)*"|\d+)\s*\])/u;
  let length = /^[\p{ID_Start}_][\p{ID_Continue}-]*/u.exec(text)?.[0].length ?? 0;
  for (let index = 1; index < count; index++) length += step.exec(text.slice(length))?.[0].length ?? 0;
  return length;
}

function bracketed(expression: string, goesOn: boolean): string {
  return /^(?:[\w.-]+|"(?:[^"\\]|\\.)*")$/.test(expression) && !goesOn ? expression : `(${expression})`;
}

function folded(text: string): Argument {
  const only = soleExpression(text);
  if (only !== null) return constantOf(only) ?? { kind: "template", text };
  const parts = segmentsOf(text).map((segment) => {
    if (segment.kind === "text") return segment.text;
    const constant = constantOf(segment.text);
    const value = constant?.kind === "literal" ? constant.value : null;
    const written = value === null || typeof value === "object" ? null : escapedText(String(value));
    return written === null || !isSelfContained(written) ? `\${${segment.text}}` : written;
  });
  const left = parts.filter((part) => part !== "");
  const all = left.length === 1 && soleExpression(left[0] ?? "") !== null ? text : left.join("");
  return all.includes("${") || all.includes("%{") ? { kind: "template", text: all } : { kind: "literal", value: all };
}

function constantOf(expression: string): Argument | null {
  const text = `\${${expression}}`;
  if (hasReferences(text)) return null;
  const evaluated = evaluateArgument({ kind: "template", text }, NOTHING);
  const { value, sensitive, problems } = evaluated;
  // A set looks like a list, but for_each accepts only a set.
  return problems.length > 0 || sensitive || hasUnknown(value) || termOf(evaluated).kind === "set"
    ? null
    : { kind: "literal", value };
}
