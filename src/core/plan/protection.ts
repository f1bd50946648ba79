import { blockOf } from "../model/address.ts";
import type { Declaration } from "../model/declaration.ts";
import type { AnyResource } from "../model/definition.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { type Attributes, isSecretDigest } from "../model/value.ts";
import { protectedDiagnostic } from "./diagnostics.ts";
import type { Change } from "./resource.ts";

/** Whether the configuration protects an address; undefined if its whole block is gone. */
export type DeclaredProtection = (address: string) => boolean | undefined;

/** The setting of a block applies to all its instances, including those that it no longer declares. */
export function declaredProtection(declarations: readonly Declaration[]): DeclaredProtection {
  let read:
    | { readonly byBlock: ReadonlyMap<string, boolean>; readonly byAddress: ReadonlyMap<string, boolean> }
    | undefined;
  return (address) => {
    read ??= protectionOf(declarations);
    return read.byAddress.get(address) ?? read.byBlock.get(blockOf(address));
  };
}

function protectionOf(declarations: readonly Declaration[]) {
  const byBlock = new Map<string, boolean>();
  const byAddress = new Map<string, boolean>();
  for (const { address, attributes } of declarations) {
    const block = blockOf(address);
    byAddress.set(address, isProtected(attributes));
    byBlock.set(block, byBlock.get(block) === true || isProtected(attributes));
  }
  return { byBlock, byAddress };
}

/** Refuses a change that would lose a protected object. The declared setting applies at once; without a block, the recorded one does. */
export function refusal(
  definition: AnyResource,
  change: Change,
  given: {
    readonly address: string;
    readonly attributes: Attributes;
    readonly declared: boolean | undefined;
    readonly destroy: boolean;
  },
): Diagnostic | undefined {
  const { address, attributes, declared, destroy } = given;
  if (change.action !== "delete" && change.action !== "replace") return undefined;
  if (!(declared ?? isProtected(attributes))) return undefined;
  if (change.action === "replace" && isRotation(definition, change.because, change.after)) return undefined;
  const because = change.action === "replace" ? change.because : null;
  return protectedDiagnostic(definition, { address, isDeclared: declared !== undefined, because, destroy });
}

export function isProtected(attributes: Attributes): boolean {
  return attributes["protect"] === true;
}

export function allowsDuplicate(attributes: Attributes): boolean {
  return attributes["allow_duplicate"] === true;
}

export function replaceOrder(attributes: Attributes): "delete-first" | "create-first" {
  return attributes["rotation"] === "create_first" ? "create-first" : "delete-first";
}

/** Whether only secrets force a replace. */
export function isRotation({ schema }: AnyResource, because: readonly string[], after: Attributes): boolean {
  return because.length > 0 && because.every((name) => schema[name]?.sensitive === true || isSecretDigest(after[name]));
}
