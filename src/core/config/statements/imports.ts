import { blockOf, formatAddress } from "../../model/address.ts";
import type { Declaration, ImportTarget } from "../../model/declaration.ts";
import { type Catalog, resourceOf } from "../../model/definition.ts";
import { type Diagnostic, MAX_FOUND, type Result, checkEnded, nearest, errorOf } from "../../model/diagnostic.ts";
import { UNKNOWN, type Unknown, isUnknown } from "../../model/value.ts";
import type { ImportBlock } from "../block.ts";
import { type Scope, evaluateValue } from "../blocks/evaluate-block.ts";
import { managedAddress } from "./managed-address.ts";
import { declaredText } from "./moved.ts";
import { withLocationIn } from "../with-location.ts";

/** The configuration that imports are checked against. */
export interface ImportTargets {
  readonly catalog: Catalog;
  readonly declared: readonly Declaration[];
  /** The addresses of blocks with unknown instances. */
  readonly unknown: ReadonlySet<string>;
}

/** An import with an evaluated id; null if the value is not an id. */
interface ImportStatement extends Omit<ImportTarget, "id"> {
  readonly id: ImportTarget["id"] | null;
}

/** Evaluates the imports of a configuration. */
export function evaluateImports(
  imports: readonly ImportBlock[],
  { scope, ...targets }: ImportTargets & { readonly scope: Scope },
): Result<readonly ImportTarget[]> {
  const evaluated = imports.map((block) => ({ block, id: idOf(block, scope) }));
  const { value, diagnostics } = checkImports(
    evaluated.map(({ block: { to, locate }, id }) => ({ to, id: id.value, locate })),
    targets,
  );
  return {
    value,
    diagnostics: [
      ...evaluated.flatMap(({ block, id }) => id.diagnostics.map((problem) => withLocationIn(problem, block.locate))),
      ...diagnostics,
    ],
  };
}

/** The imports with valid addresses and ids. Reports imports to undeclared addresses. */
export function checkImports(
  imports: readonly ImportStatement[],
  { catalog, declared: declarations, unknown }: ImportTargets,
): Result<readonly ImportTarget[]> {
  if (imports.length === 0) return { value: [], diagnostics: [] };
  const declared = declaredByBlock(declarations);
  const byTarget = new Map<string, ImportStatement>();
  const byId = new Map<string, ImportStatement>();
  const diagnostics: Diagnostic[] = [];
  const value = imports.flatMap((statement): readonly ImportTarget[] => {
    const { id, locate } = statement;
    if (diagnostics.length >= MAX_FOUND) return [];
    const report = (problem: Diagnostic): void => void diagnostics.push(withLocationIn(problem, locate));
    const target = managedAddress(statement.to, catalog, "to");
    target.diagnostics.forEach(report);
    if (!target.value) return [];
    const to = formatAddress(target.value);
    const before = byTarget.get(to);
    if (before) report(duplicate(`An import to ${to} is declared`, before, "to"));
    byTarget.set(to, before ?? statement);
    if (!declared.get(blockOf(to))?.has(to) && !unknown.has(blockOf(to))) report(undeclared(to, declared));
    if (id === null || before) return [];
    if (!isUnknown(id)) {
      const invalid = resourceOf(catalog, target.value.type).checkId?.(id);
      if (invalid) report({ ...invalid, path: ["id"] });
      const key = `${target.value.type} ${id}`;
      const same = byId.get(key);
      if (same) report(duplicate(`An import of ${id} is declared`, same, "id"));
      byId.set(key, same ?? statement);
    }
    return [{ to, id, locate }];
  });
  return { value, diagnostics: diagnostics.length < MAX_FOUND ? diagnostics : [...diagnostics, checkEnded()] };
}

/** Null if the value is not an id. */
function idOf({ id: argument }: ImportBlock, scope: Scope): Result<string | Unknown | null> {
  if (argument.kind === "secret") throw new Error("a frontend let a secret pass as an id");
  const { value, sensitive, problems } = evaluateValue(argument, ["id"], scope);
  if (sensitive && !scope.hide) return { value: null, diagnostics: [...problems, sensitiveId()] };
  if (sensitive && !isUnknown(value)) scope.hide?.(typeof value === "string" ? value : JSON.stringify(value));
  if (isUnknown(value)) return { value: UNKNOWN, diagnostics: problems };
  if (typeof value === "number" || (typeof value === "string" && value !== ""))
    return { value: String(value), diagnostics: problems };
  return { value: null, diagnostics: [...problems, noId(value === null || value === "")] };
}

function sensitiveId(): Diagnostic {
  return errorOf("import_id", "Invalid import id", {
    detail: "The id of the import comes from a sensitive value, but ids are printed and recorded.",
    hint: "Use a value that is not sensitive, or mark it with nonsensitive.",
    path: ["id"],
  });
}

function noId(isEmpty: boolean): Diagnostic {
  return errorOf("import_id", "Invalid import id", {
    detail: isEmpty ? "The id of the import is empty." : "The id of the import must be text.",
    hint: "Write the service's id, or, for a type without a list, its identifying values separated by slashes.",
    ways: [{ kind: "list-live" }],
    path: ["id"],
  });
}

function duplicate(what: string, { locate }: ImportStatement, path: "to" | "id"): Diagnostic {
  return errorOf("import_twice", "Duplicate import", {
    detail: `${what} twice: the first time${declaredText(locate([path]))}.`,
    hint: "Keep one of them.",
    path: [path],
  });
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
  const suggestion = isBlock ? nearestInstance(to, block, declared) : nearestBlock(to, block, declared);
  return errorOf("import_undeclared", "Configuration for import target does not exist", {
    detail: isBlock
      ? `The block ${block} is declared, but has no instance ${to}.`
      : `The configuration does not declare ${to}.`,
    hint: "Declare it: an import records an object at a declared address.",
    ...(suggestion === null ? {} : { ways: [{ kind: "use-address", address: suggestion } as const] }),
    path: ["to"],
  });
}

function nearestInstance(to: string, block: string, declared: DeclaredByBlock): string | null {
  const own = [...(declared.get(block) ?? [])];
  return nearest(to, own) ?? own[0] ?? null;
}

/** The equal instance of the block with the most similar name, or else that block's most similar instance. */
function nearestBlock(to: string, block: string, declared: DeclaredByBlock): string | null {
  const suggestion = nearest(block, [...declared.keys()]);
  if (suggestion === null) return null;
  const same = `${suggestion}${to.slice(block.length)}`;
  return declared.get(suggestion)?.has(same) ? same : nearestInstance(same, suggestion, declared);
}
