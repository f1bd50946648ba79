import type { Argument } from "../../core/config/block.ts";
import { templateOf } from "../../core/config/blocks/references.ts";
import type { Expression, Reference } from "../../core/expression/syntax/syntax.ts";

/** What an expression needs to know of names. */
export interface SensitiveNames {
  /** Whether a value is sensitive: `var.NAME`, `local.NAME`, or `BLOCK.ATTRIBUTE`. */
  isSensitive(name: string): boolean;
  /** The attributes of a block by its address; undefined for anything but a block. */
  attributesOf(address: string): readonly string[] | undefined;
}

/** What a value holds: nothing sensitive, something sensitive, or whole objects of a block, whatever collection they are in. */
type Content = boolean | { readonly block: string };

/** Whether Terraform takes the value of an argument for sensitive, whatever its references turn out to be. */
export function holdsSensitive(argument: Argument, names: SensitiveNames): boolean {
  switch (argument.kind) {
    case "literal":
      return false;
    case "secret":
      return true;
    case "list":
      return argument.items.some((item) => holdsSensitive(item, names));
    case "object":
      return argument.entries.flat().some((item) => holdsSensitive(item, names));
    case "template": {
      const template = templateOf(argument);
      return (
        !("detail" in template) &&
        template.parts.some((part) => typeof part !== "string" && isHidden(contentOf(part, new Map(), names), names))
      );
    }
  }
}

/** Terraform marks a whole object that has a sensitive attribute, also where that is null. */
function isHidden(content: Content, { isSensitive, attributesOf }: SensitiveNames): boolean {
  return typeof content === "boolean"
    ? content
    : (attributesOf(content.block) ?? []).some((name) => isSensitive(`${content.block}.${name}`));
}

/** Functions that return the objects of a collection, and those that look only at the collection itself. */
const KEEPS = new Set([
  "values",
  "tolist",
  "toset",
  "tomap",
  "merge",
  "concat",
  "one",
  "element",
  "lookup",
  "coalesce",
  "try",
  "slice",
  "reverse",
  "flatten",
]);
const LOOKS = new Set(["keys", "length"]);
/** The element of a splat, among the variables. */
const ITEM = "*";

type Bound = ReadonlyMap<string, Content>;

function contentOf(expression: Expression, bound: Bound, names: SensitiveNames): Content {
  const of = (one: Expression, inner = bound): Content => contentOf(one, inner, names);
  const any = (all: readonly (Expression | null)[], inner = bound): boolean =>
    all.some((one) => one !== null && isHidden(of(one, inner), names));
  switch (expression.kind) {
    case "reference":
      return referred(expression, bound, names);
    case "literal":
      return false;
    case "item":
      return bound.get(ITEM) ?? false;
    case "template":
      return any(expression.parts.filter((part) => typeof part !== "string"));
    case "attribute":
      return selected(of(expression.of), [expression.name], names);
    case "index":
      return any([expression.key]) || of(expression.of);
    case "splat":
      return of(expression.each, new Map([...bound, [ITEM, of(expression.of)]]));
    case "tuple":
      return any(expression.items);
    case "object":
      return any(expression.entries.flat());
    case "call":
      return called(
        expression,
        expression.args.map((one) => of(one)),
        names,
      );
    case "for": {
      const { keyName, valueName, collection, key, value, condition } = expression;
      const inner = new Map([
        ...bound,
        ...(keyName === null ? [] : [[keyName, false] as const]),
        [valueName, of(collection)],
      ]);
      return any([key, condition], inner) || of(value, inner);
    }
    case "conditional":
      return any([expression.condition]) || joined([of(expression.yes), of(expression.no)], names);
    case "unary":
      return any([expression.of]);
    case "binary":
      return any([expression.left, expression.right]);
  }
}

function called(
  { name }: Extract<Expression, { readonly kind: "call" }>,
  args: readonly Content[],
  names: SensitiveNames,
): Content {
  if (LOOKS.has(name)) return args.includes(true);
  return KEEPS.has(name) ? joined(args, names) : args.some((one) => isHidden(one, names));
}

/** Objects of one block stay objects of it. */
function joined(all: readonly Content[], names: SensitiveNames): Content {
  const blocks = new Set(all.flatMap((one) => (typeof one === "boolean" ? [] : [one.block])));
  const [block] = blocks;
  return block !== undefined && blocks.size === 1 && !all.includes(true)
    ? { block }
    : all.some((one) => isHidden(one, names));
}

function referred({ steps }: Reference, bound: Bound, names: SensitiveNames): Content {
  const variable = bound.get(String(steps[0]));
  if (variable !== undefined) return selected(variable, steps.slice(1), names);
  const depth = steps[0] === "data" ? 3 : 2;
  const name = steps.slice(0, depth).join(".");
  return selected(names.attributesOf(name) ? { block: name } : names.isSensitive(name), steps.slice(depth), names);
}

/** The first step that is an attribute selects it; any other one is the key of an instance. */
function selected(content: Content, steps: Reference["steps"], { isSensitive, attributesOf }: SensitiveNames): Content {
  if (typeof content === "boolean") return content;
  const attribute = steps.find((step) => attributesOf(content.block)?.includes(String(step)));
  return attribute === undefined ? content : isSensitive(`${content.block}.${String(attribute)}`);
}
