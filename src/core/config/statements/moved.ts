import { groupBy } from "../../model/maps.ts";
import { blockOf, formatAddress } from "../../model/address.ts";
import type { Declaration } from "../../model/declaration.ts";
import type { Catalog } from "../../model/definition.ts";
import { type Diagnostic, type Place, type Result, errorOf } from "../../model/diagnostic.ts";
import { isOfBlocks, type Move } from "../../model/relocate.ts";
import type { Block, Locate, MovedBlock } from "../block.ts";
import { managedAddress } from "./managed-address.ts";
import { withLocationIn } from "../with-location.ts";
import type { RecordedInstance } from "../../model/instance.ts";
import { reversed, topologicalOrder } from "../topological-order.ts";

/** Finds a declared block by its address. */
export type DeclaredAt = (block: string) => { readonly place: Place | undefined } | undefined;

/** A move with its position in the configuration. */
export interface LocatedMove extends Move {
  readonly locate: Locate;
}

/**
 * Checks the move statements without knowing the instances: one target per source, no cycle, and no source that is still
 * declared. Without errors, the moves are sorted for execution.
 */
export function checkMoved(
  moved: readonly MovedBlock[],
  { catalog, declaredAt }: { readonly catalog: Catalog; readonly declaredAt: DeclaredAt },
): Result<readonly LocatedMove[]> {
  const diagnostics: Diagnostic[] = [];
  const moves: LocatedMove[] = [];
  const sources = new Map<string, LocatedMove>();
  const targets = new Map<string, LocatedMove>();
  for (const statement of moved) {
    const report = (one: Diagnostic): void => void diagnostics.push(withLocationIn(one, statement.locate));
    const move = parseMove(statement, catalog, report);
    if (!move || sources.get(move.from)?.to === move.to) continue;
    // A block in one statement can be an instance without a key in another.
    const target = isOfBlocks(move) ? `${move.to}[*]` : move.to;
    const [other, sameTarget] = [sources.get(move.from), targets.get(target)];
    const declared = isOfBlocks(move) ? declaredAt(move.from) : undefined;
    if (other) report(twoTargets(move, other));
    if (sameTarget) report(twoSources(move, sameTarget));
    if (declared) report(stillDeclared(move, declared.place));
    sources.set(move.from, other ?? move);
    targets.set(target, sameTarget ?? move);
    moves.push(move);
  }
  if (diagnostics.length > 0) return { value: moves, diagnostics };
  const { ordered, cycle } = sortMoves(moves);
  const [first] = cycle;
  return first
    ? { value: moves, diagnostics: [withLocationIn(cyclicMoves(cycle), first.locate)] }
    : { value: ordered, diagnostics };
}

function parseMove(
  { from: source, to: target, locate }: MovedBlock,
  catalog: Catalog,
  report: (problem: Diagnostic) => void,
): LocatedMove | null {
  const [start, end] = [managedAddress(source, catalog, "from"), managedAddress(target, catalog, "to")];
  [...start.diagnostics, ...end.diagnostics].forEach(report);
  if (!start.value || !end.value) return null;
  const move = { from: formatAddress(start.value), to: formatAddress(end.value), locate };
  if (move.from === move.to) report(redundant(move));
  else if (start.value.type !== end.value.type) report(otherType(move));
  else return move;
  return null;
}

/** Moves of single instances whose old address is still declared. */
export function instancesStillDeclared(
  moves: readonly LocatedMove[],
  { declared, at }: { readonly declared: readonly Declaration[]; readonly at: DeclaredAt },
): readonly Diagnostic[] {
  if (moves.length === 0) return [];
  const addresses = new Set(declared.map(({ address }) => address));
  return moves
    .filter((move) => !isOfBlocks(move) && addresses.has(move.from))
    .map((move) => withLocationIn(stillDeclared(move, at(blockOf(move.from))?.place), move.locate));
}

/** The position of a declaration, to append to a sentence. */
export function declaredText(place: Place | undefined): string {
  if (place?.line !== undefined) return ` at ${place.file}:${String(place.line)}:${String(place.column ?? 1)}`;
  return place?.construct === undefined ? "" : ` as ${place.construct}`;
}

function redundant({ from }: Move): Diagnostic {
  return errorOf("moved_redundant", "Redundant move statement", {
    detail: `This statement moves ${from} to its own address.`,
    hint: "Remove the statement, or correct one of its addresses.",
    path: ["to"],
  });
}

function otherType({ from, to }: Move): Diagnostic {
  return errorOf("moved_type", "Resource type mismatch", {
    detail: `${from} cannot move to ${to}: a move cannot change the resource type.`,
    hint: "Use a target of the same type.",
    path: ["to"],
  });
}

function twoTargets({ from, to }: Move, other: LocatedMove): Diagnostic {
  return errorOf("moved_ambiguous", "Ambiguous move statements", {
    detail: `${from} moves to ${other.to}${placeText(other)}, and here to ${to}. Each resource can move to only one address.`,
    hint: "Keep the statement that is right.",
    path: ["from"],
  });
}

function twoSources({ from, to }: Move, other: LocatedMove): Diagnostic {
  return errorOf("moved_ambiguous", "Ambiguous move statements", {
    detail: `${other.from} moves to ${to}${placeText(other)}, and here ${from} does too. Only one resource can move to an address.`,
    hint: "Keep the statement that is right.",
    path: ["to"],
  });
}

function placeText({ locate }: LocatedMove): string {
  return declaredText(locate(["from"]));
}

function stillDeclared({ from, to }: Move, place: Place | undefined): Diagnostic {
  return errorOf("moved_declared", "Moved object still exists", {
    detail: `This statement moves ${from} to ${to}, but ${from} is still declared${declaredText(place)}.`,
    hint: `Declare it as ${to} instead, or remove this statement.`,
    path: ["from"],
  });
}

function cyclicMoves(moves: readonly LocatedMove[]): Diagnostic {
  const listed = moves.map((move) => `  - ${move.from} -> ${move.to}${placeText(move)}`);
  return errorOf("moved_cycle", "Cyclic dependency in move statements", {
    detail: `These moves form a cycle, so they have no final address:\n\n${listed.join("\n")}\n`,
    hint: "Change one of them to end at an address that no other move starts from.",
    path: ["from"],
  });
}

/**
 * Terraform's implied moves: a resource that gets `count` becomes its first instance, and the other way round. Not if a
 * statement mentions the block, nor if both addresses are recorded.
 */
export function impliedMoves(
  blocks: readonly Block[],
  { instances, declared }: { readonly instances: readonly RecordedInstance[]; readonly declared: readonly Move[] },
): readonly Move[] {
  if (instances.length === 0) return [];
  const recorded = new Set(instances.map(({ address }) => address));
  const mentioned = new Set(declared.flatMap(({ from, to }) => [blockOf(from), blockOf(to)]));
  return blocks.flatMap(({ mode, type, name, repeat, fanOut }): readonly Move[] => {
    if (mode === "data" || fanOut || repeat?.kind === "for_each") return [];
    const [single, first] = [null, 0].map((key) => formatAddress({ mode, type, name, key })) as [string, string];
    const move = repeat ? { from: single, to: first } : { from: first, to: single };
    return recorded.has(move.from) && !recorded.has(move.to) && !mentioned.has(single) ? [move] : [];
  });
}

/**
 * Sorts moves for execution: a move to an address before a move from it, and moves of single instances before the move of
 * their block. Moves in a cycle are left out.
 */
export function sortMoves<M extends Move>(
  moves: readonly M[],
): { readonly ordered: readonly M[]; readonly cycle: readonly M[] } {
  const following = followers(moves);
  const ordered = topologicalOrder(moves, following);
  const done = new Set(ordered);
  const cyclic = moves.filter((move) => !done.has(move));
  // Exclude moves that only follow a cycle.
  const within = (move: M): readonly M[] => following(move).filter((next) => !done.has(next));
  const ends = new Set(topologicalOrder(cyclic, reversed(cyclic, within)));
  return { ordered, cycle: cyclic.filter((move) => !ends.has(move)) };
}

function followers<M extends Move>(moves: readonly M[]): (move: M) => readonly M[] {
  const fromBlock = groupBy(moves, ({ from }) => blockOf(from));
  const blocks = groupBy(moves.filter(isOfBlocks), ({ from }) => blockOf(from));
  const instances = groupBy(
    moves.filter((move) => !isOfBlocks(move)),
    ({ from }) => from,
  );
  return (move) => {
    const target = blockOf(move.to);
    if (isOfBlocks(move)) return fromBlock.get(target) ?? [];
    return [
      ...new Set([
        ...(blocks.get(target) ?? []),
        ...(instances.get(move.to) ?? []),
        ...(blocks.get(blockOf(move.from)) ?? []),
      ]),
    ];
  };
}
