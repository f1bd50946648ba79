import { blockOf, formatAddress, typedAddress } from "../../model/address.ts";
import type { Declaration, ImportTarget } from "../../model/declaration.ts";
import { type Catalog, resourceOf } from "../../model/definition.ts";
import { type Diagnostic, type Result, nearest } from "../../model/diagnostic.ts";
import { UNKNOWN, type Unknown, isUnknown } from "../../model/value.ts";
import type { ImportBlock } from "../block.ts";
import { type Scope, evaluateValue } from "../blocks/evaluate-block.ts";
import { managedAddress } from "./managed-address.ts";
import { declaredText } from "./moved.ts";
import { withLocationIn } from "../with-location.ts";

export interface ImportInput {
  readonly scope: Scope;
  readonly catalog: Catalog;
  readonly declared: readonly Declaration[];
  /** The addresses of blocks whose instances are not known yet. */
  readonly unknown: ReadonlySet<string>;
}

/** What is to be imported, each to an address that is declared. */
export function evaluateImports(imports: readonly ImportBlock[], input: ImportInput): Result<readonly ImportTarget[]> {
  if (imports.length === 0) return { value: [], diagnostics: [] };
  const declared = declaredByBlock(input.declared);
  const byTarget = new Map<string, ImportBlock>();
  const byId = new Map<string, ImportBlock>();
  const diagnostics: Diagnostic[] = [];
  const value = imports.flatMap((block): readonly ImportTarget[] => {
    const tell = (said: Diagnostic): void => void diagnostics.push(withLocationIn(said, block.locate));
    const target = managedAddress(block.to, input.catalog, "to");
    const id = idOf(block, input);
    [...target.diagnostics, ...id.diagnostics].forEach(tell);
    if (!target.value) return [];
    const to = formatAddress(target.value);
    const before = byTarget.get(to);
    if (before) tell(twice(`An import to ${to} is declared`, before, "to"));
    byTarget.set(to, before ?? block);
    if (!declared.get(blockOf(to))?.has(to) && !input.unknown.has(blockOf(to))) tell(undeclared(to, declared));
    if (id.value === null || before) return [];
    if (!isUnknown(id.value)) {
      const invalid = resourceOf(input.catalog, target.value.type).checkId?.(id.value);
      if (invalid) tell({ ...invalid, path: ["id"] });
      const key = `${target.value.type} ${id.value}`;
      const same = byId.get(key);
      if (same) tell(twice(`An import of ${id.value} is declared`, same, "id"));
      byId.set(key, same ?? block);
    }
    return [{ to, id: id.value, locate: block.locate }];
  });
  return { value, diagnostics };
}

/** Null where it is no id. */
function idOf({ id: argument }: ImportBlock, { scope }: ImportInput): Result<string | Unknown | null> {
  if (argument.kind === "secret") throw new Error("a door let a secret pass as an id");
  const { value, sensitive, problems } = evaluateValue(argument, ["id"], scope);
  if (sensitive) return { value: null, diagnostics: [...problems, sensitiveId()] };
  if (isUnknown(value)) return { value: UNKNOWN, diagnostics: problems };
  if (typeof value === "number" || (typeof value === "string" && value !== "")) return { value: String(value), diagnostics: problems };
  return { value: null, diagnostics: [...problems, noId(value === null || value === "")] };
}

function sensitiveId(): Diagnostic {
  return {
    code: "import_id",
    severity: "error",
    summary: "Invalid import id",
    detail: "The id of what is to be imported was made from a sensitive value, and ids are printed and recorded.",
    hint: "Take it from what is not sensitive, or mark it with nonsensitive.",
    path: ["id"],
  };
}

function noId(isEmpty: boolean): Diagnostic {
  return {
    code: "import_id",
    severity: "error",
    summary: "Invalid import id",
    detail: isEmpty ? "The id of what is to be imported is empty." : "The id of what is to be imported must be text.",
    hint: "Write the id that the service shows: outreach get webhooks prints those of webhooks. An unsubscription's is CAMPAIGN_ID/EMAIL.",
    path: ["id"],
  };
}

function twice(what: string, { locate }: ImportBlock, path: "to" | "id"): Diagnostic {
  return {
    code: "import_twice",
    severity: "error",
    summary: "Imported twice",
    detail: `${what} twice: the first time${declaredText(locate([path]))}.`,
    hint: "Keep one of them.",
    path: [path],
  };
}

type DeclaredByBlock = ReadonlyMap<string, ReadonlySet<string>>;

function declaredByBlock(declarations: readonly Declaration[]): DeclaredByBlock {
  const byBlock = new Map<string, Set<string>>();
  for (const { address } of declarations) {
    const block = blockOf(address);
    byBlock.set(block, (byBlock.get(block) ?? new Set()).add(address));
  }
  return byBlock;
}

function undeclared(to: string, declared: DeclaredByBlock): Diagnostic {
  const block = blockOf(to);
  const isBlock = declared.has(block);
  const meant = isBlock ? nearestInstance(to, block, declared) : nearestBlock(to, block, declared);
  return {
    code: "import_undeclared",
    severity: "error",
    summary: "Configuration for import target does not exist",
    detail: isBlock ? `The block ${block} is declared, but makes no ${to}.` : `The configuration declares no ${to}.`,
    hint: meant === null ? "Declare it: an import takes an object into what is declared." : `Did you mean ${typedAddress(meant)}? Otherwise declare it.`,
    path: ["to"],
  };
}

function nearestInstance(to: string, block: string, declared: DeclaredByBlock): string | null {
  const own = [...(declared.get(block) ?? [])];
  return nearest(to, own) ?? own[0] ?? null;
}

/** The same instance of the block that is called most like it, or else the most similar one there. */
function nearestBlock(to: string, block: string, declared: DeclaredByBlock): string | null {
  const meant = nearest(block, [...declared.keys()]);
  if (meant === null) return null;
  const same = `${meant}${to.slice(block.length)}`;
  return declared.get(meant)?.has(same) ? same : nearestInstance(same, meant, declared);
}
