import type { Argument, FanOutPart, Repeat } from "../../core/config/block.ts";
import type { Schema } from "../../core/model/attribute.ts";
import type { Value } from "../../core/model/value.ts";
import { expressionText, onOneLine } from "./expression-text.ts";

/** A fan-out as `for_each`: the instances, and the attributes that differ between them. */
export interface Repeated {
  readonly repeat: Repeat;
  readonly own: { readonly [attribute: string]: Argument };
}

/** Converts a fan-out to the same instances with the same keys. */
export function repeatedAs(
  parts: readonly FanOutPart[],
  { schema, onLines }: { readonly schema: Schema; /** Whether it may take several lines. */ readonly onLines: boolean },
): Repeated {
  const [first, ...others] = parts.map((part) => valuesOf(part, schema));
  if (!first) throw new Error("a fan-out without parts");
  return others.length === 0 ? overOne(first, onLines) : overSeveral([first, ...others], onLines);
}

interface PartValues {
  readonly attribute: string;
  /** Without duplicates; null unless all are literal. */
  readonly written: ReadonlyMap<string, string> | null;
  /** The list as an expression. With an indentation it can span several lines; null: one line. */
  readonly list: (indent: string | null) => string;
  /** Whether upper and lower case are equal. */
  readonly isLowered: boolean;
}

function valuesOf({ attribute, values, distinct }: FanOutPart, schema: Schema): PartValues {
  const { canonical } = schema[attribute] ?? {};
  const isLowered = canonical?.("Aa") === "aa";
  const items =
    values.kind === "list"
      ? values.items.map((item) => (item.kind === "literal" && typeof item.value === "string" ? item.value : null))
      : [null];
  if (items.every((item) => item !== null)) {
    const written = new Map<string, string>();
    for (const item of items) {
      const same = canonical?.(item);
      const key = typeof same === "string" ? same : item;
      if (!written.has(key)) written.set(key, item);
    }
    return { attribute, written, list: laidOut(listOf([...written.values()])), isLowered };
  }
  const once = `[for same in values({ for one in ${onOneLine(values)} : lower(one) => one... }) : same[0]]`;
  return { attribute, written: null, list: isLowered && !distinct ? () => once : laidOut(values), isLowered };
}

function laidOut(list: Argument): PartValues["list"] {
  return (indent) => (indent === null ? onOneLine(list) : expressionText(list, indent));
}

function overOne({ attribute, written, list: listed, isLowered }: PartValues, onLines: boolean): Repeated {
  const list = listed(onLines ? "" : null);
  if (written === null && isLowered)
    return repeat(`{ for ${attribute} in ${list} : lower(${attribute}) => ${attribute} }`, {
      [attribute]: "each.value",
    });
  if (written === null || [...written].every(([key, value]) => key === value))
    return repeat(`toset(${list})`, { [attribute]: "each.key" });
  const entries = [...written].map(([key, value]) => [literal(key), literal(value)] as const);
  return {
    repeat: { kind: "for_each", value: { kind: "object", entries } },
    own: { [attribute]: template("each.value") },
  };
}

/** Every combination, with a key from its parts. */
function overSeveral(parts: readonly PartValues[], onLines: boolean): Repeated {
  return repeat(
    combined(parts, { index: 0, onLines }),
    Object.fromEntries(parts.map(({ attribute }) => [attribute, `each.value.${attribute}`])),
  );
}

function combined(
  parts: readonly PartValues[],
  { index, onLines }: { readonly index: number; readonly onLines: boolean },
): string {
  const { attribute, list } = parts[index] ?? { attribute: "", list: () => "" };
  const outer = onLines ? `\n${"  ".repeat(index)}` : "";
  const inner = onLines ? `${outer}  ` : "";
  const written = list(onLines ? inner.slice(1) : null);
  if (index < parts.length - 1)
    return `merge([${inner}for ${attribute} in ${written} : ${combined(parts, { index: index + 1, onLines })}${outer}]...)`;
  const key = parts.map((part) => `\${${part.isLowered ? `lower(${part.attribute})` : part.attribute}}`).join("/");
  const fields = parts.map((part) => `${part.attribute} = ${part.attribute}`).join(", ");
  return `{${inner || " "}for ${attribute} in ${written} : "${key}" => { ${fields} }${outer || " "}}`;
}

function repeat(expression: string, own: { readonly [attribute: string]: string }): Repeated {
  return {
    repeat: { kind: "for_each", value: template(expression) },
    own: Object.fromEntries(Object.entries(own).map(([attribute, text]) => [attribute, template(text)])),
  };
}

function template(expression: string): Argument {
  return { kind: "template", text: `\${${expression}}` };
}

function literal(value: Value): Argument {
  return { kind: "literal", value };
}

function listOf(values: readonly string[]): Argument {
  return { kind: "list", items: values.map(literal) };
}
