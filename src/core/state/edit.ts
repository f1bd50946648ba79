import { countOf } from "../model/words.ts";
import { blockOf, formatAddress, parseAddress } from "../model/address.ts";
import { type Diagnostic, type Result, nearest, errorOf } from "../model/diagnostic.ts";
import type { RecordedInstance } from "../model/instance.ts";
import { type Move, relocate } from "../model/relocate.ts";
import type { StateDocument } from "./document.ts";

/** The recorded instances that an address means: itself, or all of its block. Errors `address_invalid`, `address_unknown`. */
export function instancesAt(
  { instances }: Pick<StateDocument, "instances">,
  typed: string,
): Result<readonly RecordedInstance[]> {
  const { value: address, diagnostics } = parseAddress(typed);
  if (!address) return { value: [], diagnostics };
  const text = formatAddress(address);
  const found = instances.filter((instance) => instance.address === text || blockOf(instance.address) === text);
  return found.length > 0 ? { value: found, diagnostics: [] } : { value: [], diagnostics: [unknown(text, instances)] };
}

/**
 * The document after one move: of an instance, or of a block with all its instances. It moves what a `moved` statement of
 * the configuration moves; a move that moves nothing is an error: `address_unknown`, `move_type`, `move_taken`,
 * `move_block`.
 */
export function moveInstances(
  document: StateDocument,
  { from, to }: Move,
): Result<{ readonly document: StateDocument; readonly moves: readonly Move[] }> {
  const nothing = (diagnostics: readonly Diagnostic[]) => ({ value: { document, moves: [] }, diagnostics });
  const source = parseAddress(from);
  const target = parseAddress(to);
  if (!source.value || !target.value) return nothing([...source.diagnostics, ...target.diagnostics]);
  const found = instancesAt(document, from);
  if (found.diagnostics.length > 0) return nothing(found.diagnostics);
  const move = { from: formatAddress(source.value), to: formatAddress(target.value) };
  if (source.value.type !== target.value.type || target.value.mode !== "managed") return nothing([otherType(move)]);
  const { instances, origins, blocked } = relocate(document.instances, [move]);
  if (blocked.length > 0) return nothing([taken(move)]);
  if (origins.size === 0) return nothing([wholeBlock(move, found.value.length)]);
  return {
    value: {
      document: { ...document, instances },
      moves: [...origins].map(([now, before]) => ({ from: before, to: now })),
    },
    diagnostics: [],
  };
}

/** The document without the records at these addresses. Everything else stays, lost creates included. */
export function removeInstances(
  document: StateDocument,
  addresses: readonly string[],
): Result<{ readonly document: StateDocument; readonly removed: readonly RecordedInstance[] }> {
  const found = addresses.map((address) => instancesAt(document, address));
  const removed = [...new Set(found.flatMap(({ value }) => value))];
  const gone = new Set(removed);
  return {
    value: {
      document: { ...document, instances: document.instances.filter((instance) => !gone.has(instance)) },
      removed,
    },
    diagnostics: found.flatMap(({ diagnostics }) => diagnostics),
  };
}

function unknown(text: string, instances: readonly RecordedInstance[]): Diagnostic {
  const block = blockOf(text);
  const blocks = new Set(instances.map(({ address }) => blockOf(address)));
  const inBlock = instances.filter(({ address }) => blockOf(address) === block);
  const candidates = blocks.has(block) ? inBlock.map(({ address }) => address) : [...blocks];
  const meant = nearest(text, candidates.slice(0, MAX_CANDIDATES));
  return errorOf("address_unknown", "No matching objects found", {
    detail: `The state records nothing at ${text}.`,
    ways: [...(meant === null ? [] : [{ kind: "use-address", address: meant } as const]), { kind: "list-records" }],
  });
}

/** Comparing with more would take longer than it helps. */
const MAX_CANDIDATES = 2000;

function otherType({ from, to }: Move): Diagnostic {
  return errorOf("move_type", "Invalid target address", {
    detail: `${from} cannot be moved to ${to}: the resource types do not match.`,
    hint: "Name a target of the same type.",
  });
}

function taken({ from, to }: Move): Diagnostic {
  return errorOf("move_taken", "Invalid target address", {
    detail: `${from} cannot be moved to ${to}: that address has a record already. Nothing was changed.`,
    hint: "Move or remove that first, or choose another target.",
  });
}

function wholeBlock({ from, to }: Move, count: number): Diagnostic {
  return errorOf("move_block", "Invalid target address", {
    detail: `${from} is a block of ${countOf(count, "instance")}, so it cannot be moved to the single instance ${to}.`,
    hint: "Name a block as the target, or one of the instances as the source.",
  });
}
