import type { Argument, Block } from "../../core/config/block.ts";
import { evaluateArgument } from "../../core/config/blocks/evaluate-argument.ts";
import type { Scope } from "../../core/config/blocks/evaluate-block.ts";
import { type Instance, instancesOf } from "../../core/config/blocks/repeat.ts";
import { formatAddress } from "../../core/model/address.ts";
import { hasUnknown } from "../../core/model/value.ts";
import type { Replace } from "./rewrite.ts";
import { uniqueName } from "./segments.ts";

/** A block without `count` or `for_each`, created from one instance of another block. */
export interface Expanded {
  readonly address: string;
  readonly name: string;
  readonly instance: Instance;
}

export const NO_SCOPE: Scope = {
  variables: new Map(),
  dataAddresses: new Set(),
  known: new Map(),
  dataSources: new Map(),
  lookupTexts: new Map(),
  managed: null,
};

/** The instances of a block that depend only on the scope, each with an unused name. Null while they are unknown. */
export function expandedBlocks(block: Block, scope: Scope, taken: Set<string>): readonly Expanded[] | null {
  const { mode, type, name, repeat } = block;
  const { value: instances } = repeat ? instancesOf(repeat, scope) : { value: null };
  return (
    instances?.map((instance) => {
      const { key } = instance;
      const base = `${name}-${String(key).replaceAll(/[^\p{L}\p{N}_-]+/gu, "-")}`;
      return { address: formatAddress({ mode, type, name, key }), name: uniqueName(base, taken), instance };
    }) ?? null
  );
}

/** Replaces `each` and `count` with the values of an instance. Calls `refused` for a reference without a value to write. */
export function ofInstance({ instanceScope }: Instance, refused: (text: string) => void): Replace {
  return ({ steps: [root], steps, text }) => {
    if (root !== "each" && root !== "count") return null;
    const template: Argument = { kind: "template", text: `\${${text}}` };
    const { value, sensitive, problems } = evaluateArgument(template, { ...NO_SCOPE, ...instanceScope });
    if (problems.length === 0 && !sensitive && !hasUnknown(value))
      return { steps: steps.length, by: { kind: "literal", value } };
    refused(text);
    return null;
  };
}
