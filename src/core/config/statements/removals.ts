import { formatAddress } from "../../model/address.ts";
import type { RemovalTarget } from "../../model/declaration.ts";
import { type Catalog, resourceOf } from "../../model/definition.ts";
import { type Diagnostic, MAX_FOUND, type Result, checkEnded, errorOf } from "../../model/diagnostic.ts";
import type { RemovalEntry } from "../block.ts";
import { declaredText } from "./moved.ts";
import { withLocationIn } from "../with-location.ts";

/** The name of the block that plans show removals under. */
const BLOCK = "removals";

/** Checks the objects to delete by their ids: each valid, once, and with a reason. */
export function checkRemovals(entries: readonly RemovalEntry[], catalog: Catalog): Result<readonly RemovalTarget[]> {
  const byAddress = new Map<string, RemovalTarget>();
  const diagnostics: Diagnostic[] = [];
  for (const { type, id, reason, locate } of entries) {
    if (diagnostics.length >= MAX_FOUND) return { value: [], diagnostics: [...diagnostics, checkEnded()] };
    const address = formatAddress({ mode: "managed", type, name: BLOCK, key: id });
    const invalid = resourceOf(catalog, type).checkId?.(id);
    const before = byAddress.get(address);
    if (invalid) diagnostics.push(withLocationIn({ ...invalid, path: ["id"] }, locate));
    else if (before) diagnostics.push(withLocationIn(twice(before), locate));
    else if (reason.trim() === "") diagnostics.push(withLocationIn(withoutReason(id), locate));
    else byAddress.set(address, { address, type, id, reason, locate });
  }
  return { value: [...byAddress.values()], diagnostics };
}

function twice({ id, locate }: RemovalTarget): Diagnostic {
  return errorOf("removal_twice", "Duplicate removal", {
    detail: `${id} is listed twice under removals: the first time${declaredText(locate(["id"]))}.`,
    hint: "Keep one of them.",
    path: ["id"],
  });
}

function withoutReason(id: string): Diagnostic {
  return errorOf("removal_reason", "A removal without a reason", {
    detail: `The reason to delete ${id} is empty. The person who approves the plan reads it.`,
    hint: "Write why nobody needs it.",
    path: ["reason"],
  });
}
