import type { Block } from "../../core/config/block.ts";
import type { Schema } from "../../core/model/attribute.ts";
import { type Diagnostic, type Place, type Result, nearest } from "../../core/model/diagnostic.ts";
import { mistaken, outside, unknownArgument } from "./outside.ts";
import { COMMENT, type Tree, blocksIn } from "./stack-tree.ts";

export interface Lifecycle {
  readonly createFirst: boolean;
  readonly protect: boolean;
  readonly ignoreChanges?: readonly string[];
}

const KNOWN = ["create_before_destroy", "prevent_destroy", "ignore_changes"];
const CONDITION = "only Terraform checks the conditions of a configuration";
const TERRAFORM_ONLY: ReadonlyMap<string, string> = new Map([
  ["replace_triggered_by", "what is planned here does not depend on the plan of another resource"],
  ["precondition", CONDITION],
  ["postcondition", CONDITION],
  ["action_trigger", "only Terraform runs actions"],
]);

/** Reads `lifecycle`, which holds no expressions. */
export function readLifecycle(
  written: unknown,
  { mode, schema, place }: { readonly mode: Block["mode"]; readonly schema: Schema; readonly place: Place },
): Result<Lifecycle> {
  const { value: body, diagnostics: inBlock } = lifecycleBlock(written, place);
  const diagnostics: Diagnostic[] = [...inBlock];
  for (const [key, value] of Object.entries(body)) {
    if (key === COMMENT || value === null) continue;
    const why = TERRAFORM_ONLY.get(key);
    if (why !== undefined) diagnostics.push(outside(`lifecycle.${key}`, why, place));
    else if (!KNOWN.includes(key)) diagnostics.push(unknownArgument(`lifecycle.${key}`, KNOWN, place));
    else if (mode === "data") diagnostics.push(invalid(key, "A data source has nothing that it could apply to.", place));
  }
  const flag = (key: string): boolean => {
    const { value, diagnostics: inFlag } = lifecycleFlag(body, { key, absent: false, place });
    diagnostics.push(...inFlag);
    return value;
  };
  const [createFirst, protect] = [flag("create_before_destroy"), flag("prevent_destroy")];
  const { value: ignoreChanges, diagnostics: ignoring } = readIgnored(body["ignore_changes"], { schema, place });
  return { value: { createFirst, protect, ...(ignoreChanges.length > 0 ? { ignoreChanges } : {}) }, diagnostics: [...diagnostics, ...ignoring] };
}

/** What stands under `lifecycle`; empty where there is none. */
export function lifecycleBlock(written: unknown, place: Place): Result<Tree> {
  const { blocks, diagnostics } = blocksIn({ lifecycle: written }, { depth: 1, place });
  const [first, second] = blocks;
  if (second)
    diagnostics.push(mistaken("Duplicate lifecycle block", { detail: "A block has one lifecycle, and this has several.", hint: "Make one of them.", place }));
  return { value: first?.body ?? {}, diagnostics };
}

/** One of its settings that is true or false. */
export function lifecycleFlag(body: Tree, { key, absent, place }: { readonly key: string; readonly absent: boolean; readonly place: Place }): Result<boolean> {
  const written = body[key] ?? absent;
  const value = written === true || written === "true";
  if (value || written === false || written === "false") return { value, diagnostics: [] };
  return { value: absent, diagnostics: [invalid(key, "It must be true or false, written out.", place)] };
}

/** `all`, or names of attributes; what follows a name is a part of it, and the attributes of ours have none. */
function readIgnored(written: unknown, { schema, place }: { readonly schema: Schema; readonly place: Place }): Result<readonly string[]> {
  const given = Object.keys(schema).filter((name) => schema[name]?.mode !== "computed");
  if (written === undefined || written === null) return { value: [], diagnostics: [] };
  const names: readonly unknown[] = Array.isArray(written) ? written : [written];
  if (names.length === 1 && (names[0] === "all" || names[0] === "*")) return { value: given, diagnostics: [] };
  const diagnostics = names.flatMap((name): readonly Diagnostic[] => {
    if (typeof name === "string" && Object.hasOwn(schema, name)) return [];
    const meant = typeof name === "string" ? nearest(name, given) : null;
    return [
      mistaken("Invalid lifecycle argument", {
        detail: `ignore_changes names ${JSON.stringify(name)}, which is no attribute here.`,
        hint: meant === null ? `The attributes are ${given.join(", ")}; all stands for all of them.` : `Did you mean ${meant}?`,
        place,
      }),
    ];
  });
  return { value: names.filter((name) => typeof name === "string" && given.includes(name)) as readonly string[], diagnostics };
}

function invalid(key: string, detail: string, place: Place): Diagnostic {
  return mistaken("Invalid lifecycle argument", { detail: `lifecycle.${key}: ${detail}`, hint: "Correct it, or take it out.", place });
}
