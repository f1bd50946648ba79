import type { Configuration, ImportBlock, Locate, MovedBlock, RemovedBlock } from "../../core/config/block.ts";
import type { Diagnostic, Result } from "../../core/model/diagnostic.ts";
import { textArgument } from "./arguments.ts";
import type { ConfigFile } from "./config-file.ts";
import { type Tree, isTree } from "./tree.ts";

/** The statements of a file about addresses: the lists `imports`, `moved` and `removed`. */
export function readStatements(file: ConfigFile): Result<Pick<Configuration, "imports" | "moved" | "removed">> {
  const imports = items(file, "imports", ["to", "id"]);
  const moved = items(file, "moved", ["from", "to"]);
  const removed = items(file, "removed", ["from"]);
  return {
    value: {
      imports: imports.value.map(({ body, locate }): ImportBlock => ({ to: String(body["to"]), id: textArgument(String(body["id"])), locate })),
      moved: moved.value.map(({ body, locate }): MovedBlock => ({ from: String(body["from"]), to: String(body["to"]), locate })),
      removed: removed.value.map(({ body, locate }): RemovedBlock => ({ from: String(body["from"]), destroy: body["destroy"] !== false, locate })),
    },
    diagnostics: [imports, moved, removed].flatMap(({ diagnostics }) => diagnostics),
  };
}

interface Item {
  readonly body: Tree;
  readonly locate: Locate;
}

/** The valid and complete items of a list. */
function items({ root, parsed, isRefused }: ConfigFile, section: string, required: readonly string[]): Result<readonly Item[]> {
  const diagnostics: Diagnostic[] = [];
  const listed = root?.[section];
  const value = (Array.isArray(listed) ? (listed as readonly unknown[]) : []).flatMap((body, index): readonly Item[] => {
    const at = [section, index];
    const missing = isTree(body) ? required.filter((name) => !(name in body)) : [];
    diagnostics.push(...missing.map((name) => lacks(name, { section, required, place: parsed.locate(at) })));
    if (!isTree(body) || missing.length > 0 || isRefused(at)) return [];
    return [{ body, locate: (path, written) => parsed.locate([...at, ...path], written) }];
  });
  return { value, diagnostics };
}

interface Lacking {
  readonly section: string;
  readonly required: readonly string[];
  readonly place: Diagnostic["place"] & object;
}

function lacks(name: string, { section, required, place }: Lacking): Diagnostic {
  return {
    code: "attribute_missing",
    severity: "error",
    summary: "Missing required argument",
    detail: `${name} is required in ${section}, but is not set.`,
    hint: `Write { ${required.map((one) => `${one}: ${EXAMPLES[one] ?? ""}`).join(", ")} }.`,
    place,
  };
}

const EXAMPLES: { readonly [name: string]: string } = { from: "outreach_webhook.OLD", to: "outreach_webhook.NEW", id: "hoo_000001" };
