import { blockOf } from "../model/address.ts";
import type { Declaration } from "../model/declaration.ts";
import { type Catalog, resourceOf } from "../model/definition.ts";
import { type Diagnostic, nearest, errorOf, warningOf } from "../model/diagnostic.ts";
import type { RecordedInstance } from "../model/instance.ts";
import type { PlanOptions } from "./plan-context.ts";

export interface Targeting {
  /** Whether the plan includes an address. */
  readonly includes: (address: string) => boolean;
  readonly isReplaceRequested: (address: string) => boolean;
  readonly diagnostics: readonly Diagnostic[];
}

interface Addressed {
  readonly catalog: Catalog;
  readonly declarations: readonly Declaration[];
  readonly instances: readonly RecordedInstance[];
  readonly options: PlanOptions;
  /** New address → the recorded one. */
  readonly moves: ReadonlyMap<string, string>;
}

/** A target names an instance, or a block with all its instances. */
export function openTargets({ catalog, declarations, instances, options, moves }: Addressed): Targeting {
  const { targets, replace } = options;
  if (targets.length === 0 && replace.length === 0) return { includes: () => true, isReplaceRequested: () => false, diagnostics: [] };
  const recorded = addressesOf([...instances, ...[...moves.keys()].map((address) => ({ address }))]);
  const isReplaceRequested = within(replace);
  const final = instances.filter(({ type, address }) => !resourceOf(catalog, type).list && isReplaceRequested(address));
  const known = addressesOf([...declarations, ...instances]);
  const mistakes = [
    ...targets.filter((target) => !known.has(target)).map((target) => unknownAddress("target", target, known)),
    ...replace.filter((target) => !recorded.has(target)).map((target) => unknownAddress("replace", target, recorded)),
    ...final.map((instance) => notReplaceable(instance, catalog)),
  ];
  return {
    includes: targets.length === 0 ? () => true : within(targets),
    isReplaceRequested,
    diagnostics: mistakes.length === 0 && targets.length > 0 ? [targeted()] : mistakes,
  };
}

function within(targets: readonly string[]): (address: string) => boolean {
  const wanted = new Set(targets);
  return (address) => wanted.has(address) || wanted.has(blockOf(address));
}

function addressesOf(addressed: readonly { readonly address: string }[]): ReadonlySet<string> {
  return new Set(addressed.flatMap(({ address }) => [address, blockOf(address)]));
}

function unknownAddress(use: "target" | "replace", target: string, known: ReadonlySet<string>): Diagnostic {
  const meant = [...known].find((address) => address.endsWith(`.${target}`)) ?? nearest(target, [...known]);
  return errorOf("address_unknown", "No such address", {
    detail: use === "target" ? `The target ${target} is neither declared nor recorded.` : `${target} cannot be replaced: it is not in the state.`,
    ways: [meant === null ? { kind: "list-records" } : { kind: "use-address", address: meant }],
  });
}

function notReplaceable({ address, type }: RecordedInstance, catalog: Catalog): Diagnostic {
  return errorOf("replace_impossible", "Cannot be replaced", {
    detail: `${address} cannot be replaced: no documented request undoes a ${resourceOf(catalog, type).noun}.`,
    ways: [{ kind: "keep", address }],
    address,
  });
}

function targeted(): Diagnostic {
  return warningOf("targeted", "Resource targeting is in effect", {
    detail: "The plan includes only the targets: the result may not be everything that the configuration declares.",
    hint: "Use targets only to recover from mistakes.",
    ways: [{ kind: "untarget" }],
  });
}
