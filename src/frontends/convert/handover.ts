import type { Configuration, ImportBlock } from "../../core/config/block.ts";
import { blockOf } from "../../core/model/address.ts";
import { type AnyResource, type Catalog, resourceOf } from "../../core/model/definition.ts";
import type { Diagnostic } from "../../core/model/diagnostic.ts";
import type { RecordedInstance } from "../../core/model/instance.ts";
import type { Value } from "../../core/model/value.ts";

/** What one side gives up and the other takes over, without the service noticing. */
export interface Handover {
  readonly imports: readonly ImportBlock[];
  /** The blocks whose objects are given up. */
  readonly removed: Configuration["removed"];
  readonly diagnostics: readonly Diagnostic[];
}

/** Everything that is recorded for a block that is declared. What is recorded beside that is told. */
export function handoverOf({ blocks }: Configuration, instances: readonly RecordedInstance[], catalog: Catalog): Handover {
  const declared = new Set(blocks.flatMap(({ mode, type, name }) => (mode === "managed" ? [`${type}.${name}`] : [])));
  const [ours, others] = [
    instances.filter(({ address }) => declared.has(blockOf(address))),
    instances.filter(({ address }) => !declared.has(blockOf(address))),
  ];
  const known = ours.flatMap((instance) => {
    const id = importIdOf(instance, resourceOf(catalog, instance.type));
    return id === null ? [] : [{ to: instance.address, id: { kind: "literal", value: id }, locate: () => undefined } as const];
  });
  const removed = [...new Set(ours.map(({ address }) => blockOf(address)))].map((from) => ({ from, destroy: false, locate: () => undefined }));
  return {
    imports: known,
    removed,
    diagnostics: [...others.map(undeclared), ...ours.flatMap(deposed), ...ours.flatMap((one) => hiddenId(one, resourceOf(catalog, one.type)))],
  };
}

/** The id as an import takes it: of what cannot be listed, what it is. */
function importIdOf({ id, attributes }: RecordedInstance, { list, identity }: AnyResource): string | null {
  return list ? id : identity.map((name) => textOf(attributes[name])).join("/");
}

/** Of what is known by its attributes, one may be sensitive: then its id would be printed. */
function hiddenId({ address, masked = [] }: RecordedInstance, { list, identity }: AnyResource): readonly Diagnostic[] {
  const hidden = list ? [] : identity.filter((name) => masked.includes(name));
  if (hidden.length === 0) return [];
  return [
    {
      code: "convert_unsupported",
      severity: "error",
      summary: "It cannot be converted",
      detail: `${hidden.join(" and ")} of ${address} was made from a sensitive variable, and what is imported is named by it.`,
      hint: "Take the mark from the variable, apply, and convert again.",
      address,
    },
  ];
}

function textOf(value: Value | undefined): string {
  if (typeof value !== "string") throw new Error("a part of an id that is no text");
  return value;
}

function undeclared({ address }: RecordedInstance): Diagnostic {
  return {
    code: "convert_undeclared",
    severity: "error",
    summary: "Recorded, but not declared",
    detail: `${address} is in the state, but no block declares it: the next apply would take it away or move it.`,
    hint: "Run outreach apply first, and convert again.",
    address,
  };
}

function deposed({ address, deposed: older = [] }: RecordedInstance): readonly Diagnostic[] {
  if (older.length === 0) return [];
  const detail = `The replace of ${address} is not finished: ${older.map(({ id }) => id).join(", ")} is still to be deleted.`;
  return [
    {
      code: "convert_unfinished",
      severity: "error",
      summary: "A replace is not finished",
      detail,
      hint: "Run outreach apply first, and convert again.",
      address,
    },
  ];
}
