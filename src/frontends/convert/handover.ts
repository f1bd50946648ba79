import type { Configuration, ImportBlock } from "../../core/config/block.ts";
import { blockOf } from "../../core/model/address.ts";
import { type AnyResource, type Catalog, resourceOf } from "../../core/model/definition.ts";
import { type Diagnostic, errorOf } from "../../core/model/diagnostic.ts";
import { identityText } from "../../core/model/identity-text.ts";
import type { RecordedInstance } from "../../core/model/instance.ts";
import { repeatOf } from "../../core/plan/rechecks.ts";

/** The objects that move from one state to another, without any request to the service. */
export interface Handover {
  readonly imports: readonly ImportBlock[];
  /** The blocks to remove from the source's state. */
  readonly removed: Configuration["removed"];
  readonly diagnostics: readonly Diagnostic[];
}

/** The recorded objects of declared blocks. Other recorded objects are reported. */
export function handoverOf(
  { blocks }: Configuration,
  instances: readonly RecordedInstance[],
  catalog: Catalog,
): Handover {
  const declared = new Set(blocks.flatMap(({ mode, type, name }) => (mode === "managed" ? [`${type}.${name}`] : [])));
  const [ours, others] = [
    instances.filter(({ address, undeclared: isKept }) => !isKept && declared.has(blockOf(address))),
    instances.filter(({ address, undeclared: isKept }) => !isKept && !declared.has(blockOf(address))),
  ];
  // An import would record what still waits as done, and nobody would look for it again.
  const waiting = new Set(
    ours.filter((one) => repeatOf(resourceOf(catalog, one.type), one.attributes, one)?.kind === "recheck"),
  );
  const known = ours.flatMap((instance) => {
    if (waiting.has(instance)) return [];
    const id = importIdOf(instance, resourceOf(catalog, instance.type));
    return id === null
      ? []
      : [{ to: instance.address, id: { kind: "literal", value: id }, locate: () => undefined } as const];
  });
  const removed = [...new Set(ours.map(({ address }) => blockOf(address)))].map((from) => ({
    from,
    destroy: false,
    locate: () => undefined,
  }));
  return {
    imports: known,
    removed,
    diagnostics: [
      ...others.map(undeclared),
      ...ours.flatMap(deposed),
      ...ours.flatMap((one) => hiddenId(one, resourceOf(catalog, one.type))),
    ],
  };
}

/** The import id; for a resource that cannot be listed, its identity. */
function importIdOf({ id, attributes }: RecordedInstance, definition: AnyResource): string | null {
  return definition.list ? id : identityText(definition, attributes);
}

/** Reports sensitive identity attributes, because the import id would print them. */
function hiddenId({ address, masked = [] }: RecordedInstance, { list, identity }: AnyResource): readonly Diagnostic[] {
  const hidden = list ? [] : identity.filter((name) => masked.includes(name));
  if (hidden.length === 0) return [];
  return [
    errorOf("convert_unsupported", "Conversion not possible", {
      detail: `${hidden.join(" and ")} of ${address} comes from a sensitive variable, but is part of the import id.`,
      hint: "Make the variable not sensitive, apply, and convert again.",
      address,
    }),
  ];
}

function undeclared({ address }: RecordedInstance): Diagnostic {
  return errorOf("convert_undeclared", "Recorded, but not declared", {
    detail: `${address} is in the state, but no block declares it: the next apply would delete or move it.`,
    hint: "Run outreach apply first, and convert again.",
    address,
  });
}

function deposed({ address, deposed: older = [] }: RecordedInstance): readonly Diagnostic[] {
  if (older.length === 0) return [];
  const detail = `The replace of ${address} is not finished: ${older.map(({ id }) => id).join(", ")} is not deleted yet.`;
  return [
    errorOf("convert_unfinished", "Unfinished replace", {
      detail,
      hint: "Run outreach apply first, and convert again.",
      address,
    }),
  ];
}
