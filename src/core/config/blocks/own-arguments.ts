import { checkAttributes } from "../../model/check.ts";
import type { AnyDataSource, AnyResource } from "../../model/definition.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { UNKNOWN } from "../../model/value.ts";
import type { Argument, Block } from "../block.ts";
import { type EvaluatedBlock, type Scope, evaluateBlock, hideSensitive } from "./evaluate-block.ts";
import { referencesIn } from "./references.ts";

export function refersToEach(argument: Argument): boolean {
  return referencesIn(argument).some(({ steps: [root] }) => root === "each");
}

/** A block with the arguments that all its instances share, and the arguments of a fan-out that refer to `each`. */
export function splitArguments(block: Block): { readonly shared: Block; readonly own: Block } {
  const entries = Object.entries(block.arguments);
  const isOwn = ([, argument]: (typeof entries)[number]): boolean =>
    block.fanOut !== undefined && refersToEach(argument);
  const withArguments = (some: typeof entries): Block => ({ ...block, arguments: Object.fromEntries(some) });
  return { shared: withArguments(entries.filter((entry) => !isOwn(entry))), own: withArguments(entries.filter(isOwn)) };
}

export interface OwnInput {
  /** The block with only these arguments. */
  readonly own: Block;
  readonly definition: AnyResource | AnyDataSource;
  readonly scope: Scope;
}

/** Evaluates and checks the arguments that refer to `each`. */
export function evaluateOwn(
  { own, definition, scope }: OwnInput,
  fanOut: NonNullable<Scope["fanOut"]>,
): EvaluatedBlock {
  const evaluated = evaluateBlock(own, definition.schema, { ...scope, fanOut });
  const schema = Object.fromEntries(
    Object.entries(definition.schema).filter(([name]) => Object.hasOwn(own.arguments, name)),
  );
  const checked = hideSensitive(evaluated, checkAttributes({ type: definition.type, schema }, evaluated.complete));
  return { ...evaluated, diagnostics: [...evaluated.diagnostics, ...checked] };
}

/** The instance of a fan-out while its values are unknown. */
export function unknownInstance({ fanOut = [] }: Block): NonNullable<Scope["fanOut"]> {
  return {
    key: UNKNOWN,
    values: new Map(fanOut.map(({ attribute }) => [attribute, { value: UNKNOWN, sensitive: false }])),
  };
}

/** Problems that several instances share are reported once, for the first of them. */
export function onceEach(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Set<string>();
  return diagnostics.filter(({ code, path, written }) => {
    const key = JSON.stringify([code, path, written?.offset]);
    return !seen.has(key) && seen.add(key);
  });
}
