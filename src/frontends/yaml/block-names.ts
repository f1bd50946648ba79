import type { Attribute, Problem } from "../../core/model/attribute.ts";
import { type Diagnostic, nearest, errorOf } from "../../core/model/diagnostic.ts";
import { quoted } from "../../core/model/visible.ts";
import type { DeclaredBlocks } from "./merge-files.ts";

interface Missing {
  readonly key: string;
  readonly section: string;
  readonly hint: string | undefined;
  readonly declared: DeclaredBlocks;
  readonly place: Diagnostic["place"] & object;
}

/** A name that no block below `data` has. */
export function noSuchBlock(name: string, { key, section, hint, declared, place }: Missing): Diagnostic {
  return errorOf("reference_invalid", "Invalid reference", {
    detail: `${key} names ${JSON.stringify(name)}, but data.${section} declares no such block.`,
    hint: hint ?? meantBlock(name, declared) ?? `Declare it under data.${section}.`,
    place,
  });
}

/** The nearest block: by its name, or by the name of what it looks up. */
function meantBlock(name: string, { byName, byTitle }: DeclaredBlocks): string | null {
  const title = byTitle.has(name) ? name : null;
  const near = title === null ? nearest(name, [...byName.keys()]) : null;
  if (near !== null) return `Did you mean ${near}?`;
  const nearTitle = title ?? nearest(name, [...byTitle.keys()]);
  return nearTitle === null ? null : `Did you mean ${byTitle.get(nearTitle) ?? ""} (name ${quoted(nearTitle)})?`;
}

/** A value that its attribute refuses, where it is the name of a block or the name that a block looks up: the block, and the problem. */
export function notThisButName(
  value: unknown,
  { check, blocks }: { readonly check: Attribute["check"]; readonly blocks: DeclaredBlocks["byName"] },
): { readonly problem: Problem; readonly meant: string } | null {
  if (typeof value !== "string") return null;
  const meant = blocks.has(value) ? value : ([...blocks].find(([, { body }]) => body["name"] === value)?.[0] ?? null);
  const problem = meant === null ? undefined : check?.(value);
  return meant !== null && problem ? { problem, meant } : null;
}
