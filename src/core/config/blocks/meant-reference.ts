import type { Reference } from "../../expression/syntax/syntax.ts";
import { nearest } from "../../model/diagnostic.ts";

const ROOTS = ["var", "data", "team"];
const ROOTS_WITH_LOCALS = ["var", "data", "local", "each", "count", "terraform"];

/** What a reference to neither a variable nor a block probably means: `vars.stage`, `stage` and `local.stage` → `var.stage`. */
export function meantReference(
  { text, steps: [root, first] }: Reference,
  { variables, hasLocals }: { readonly variables: readonly string[]; readonly hasLocals: boolean },
): string | null {
  const name = String(root);
  const near = nearest(name, hasLocals ? ROOTS_WITH_LOCALS : ROOTS);
  const isVariable = first === undefined || near === "var" || name === "local";
  const variable = isVariable ? nearest(String(first ?? name), variables) : null;
  if (variable !== null) return `var.${variable}`;
  return near === null || near === root ? null : `${near}${text.slice(name.length)}`;
}

/** A declared block whose type ends with the given one, in the singular as well: as in a section of a file for the type. */
export function blockOfLongerType(
  prefix: string,
  { type, name }: { readonly type: unknown; readonly name: unknown },
  addresses: Iterable<string>,
): string | null {
  if (typeof type !== "string" || typeof name !== "string") return null;
  const ends = [`_${type}`, `_${type.replace(/s$/, "")}`];
  const blocks = [...new Set([...addresses].map((address) => address.replace(/\[.*$/s, "")))].map((address) => {
    const dot = address.indexOf(".", prefix.length);
    return { address, type: address.slice(prefix.length, dot), name: address.slice(dot + 1) };
  });
  const fitting = blocks.filter((block) => ends.some((end) => block.type.endsWith(end)));
  const near = nearest(
    name,
    fitting.map((block) => block.name),
  );
  return fitting.find((block) => block.name === near)?.address ?? null;
}
