import { blockOf, formatAddress } from "../../model/address.ts";
import type { Declaration } from "../../model/declaration.ts";
import type { Catalog } from "../../model/definition.ts";
import type { Diagnostic, Place, Result } from "../../model/diagnostic.ts";
import { type Move, isOfBlocks } from "../../model/relocate.ts";
import type { Locate, MovedBlock } from "../block.ts";
import { managedAddress } from "./managed-address.ts";
import { inOrder } from "./move-order.ts";
import { withLocationIn } from "../with-location.ts";

/** Finds a declared block by its address. */
export type DeclaredAt = (block: string) => { readonly place: Place | undefined } | undefined;

/** A move, and where it is said. */
export interface LocatedMove extends Move {
  readonly locate: Locate;
}

/**
 * Checks what is said to have moved, as far as no instance has to be known for it: each thing goes to one place, nothing
 * in a circle, and no block that is still declared. Without mistakes the moves come in an order in which they can be carried out.
 */
export function checkMoved(
  moved: readonly MovedBlock[],
  { catalog, declaredAt }: { readonly catalog: Catalog; readonly declaredAt: DeclaredAt },
): Result<readonly LocatedMove[]> {
  const diagnostics: Diagnostic[] = [];
  const moves: LocatedMove[] = [];
  const sources = new Map<string, LocatedMove>();
  const targets = new Map<string, LocatedMove>();
  for (const said of moved) {
    const tell = (one: Diagnostic): void => void diagnostics.push(withLocationIn(one, said.locate));
    const move = moveOf(said, catalog, tell);
    if (!move || sources.get(move.from)?.to === move.to) continue;
    // What is a block in one statement can be its instance without a key in another.
    const target = isOfBlocks(move) ? `${move.to}[*]` : move.to;
    const [other, meeting] = [sources.get(move.from), targets.get(target)];
    const declared = isOfBlocks(move) ? declaredAt(move.from) : undefined;
    if (other) tell(goesElsewhere(move, other));
    if (meeting) tell(meets(move, meeting));
    if (declared) tell(stillDeclared(move, declared.place));
    sources.set(move.from, other ?? move);
    targets.set(target, meeting ?? move);
    moves.push(move);
  }
  if (diagnostics.length > 0) return { value: moves, diagnostics };
  const { ordered, circle } = inOrder(moves);
  const [first] = circle;
  return first ? { value: moves, diagnostics: [withLocationIn(circular(circle), first.locate)] } : { value: ordered, diagnostics };
}

function moveOf({ from: source, to: target, locate }: MovedBlock, catalog: Catalog, tell: (said: Diagnostic) => void): LocatedMove | null {
  const [start, end] = [managedAddress(source, catalog, "from"), managedAddress(target, catalog, "to")];
  [...start.diagnostics, ...end.diagnostics].forEach(tell);
  if (!start.value || !end.value) return null;
  const move = { from: formatAddress(start.value), to: formatAddress(end.value), locate };
  if (move.from === move.to) tell(redundant(move));
  else if (start.value.type !== end.value.type) tell(otherType(move));
  else return move;
  return null;
}

/** Moves of single instances that are declared at their old address still. */
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

/** Where something stands, to go on a sentence with. */
export function declaredText(place: Place | undefined): string {
  if (place?.line !== undefined) return ` at ${place.file}:${String(place.line)}:${String(place.column ?? 1)}`;
  return place?.construct === undefined ? "" : ` as ${place.construct}`;
}

function redundant({ from }: Move): Diagnostic {
  return {
    code: "moved_redundant",
    severity: "error",
    summary: "Redundant move statement",
    detail: `This says that ${from} has moved to the same address, which is no move.`,
    hint: "Remove the statement, or correct one of its addresses.",
    path: ["to"],
  };
}

function otherType({ from, to }: Move): Diagnostic {
  return {
    code: "moved_type",
    severity: "error",
    summary: "Resource type mismatch",
    detail: `${from} cannot have moved to ${to}: a resource stays what it is.`,
    hint: "Name a target of the same type.",
    path: ["to"],
  };
}

function goesElsewhere({ from, to }: Move, other: LocatedMove): Diagnostic {
  return {
    code: "moved_ambiguous",
    severity: "error",
    summary: "Ambiguous move statements",
    detail: `${from} is said to have moved to ${other.to}${saidText(other)}, and here to ${to}. Each resource can move to one place only.`,
    hint: "Keep the statement that is right.",
    path: ["from"],
  };
}

function meets({ from, to }: Move, other: LocatedMove): Diagnostic {
  return {
    code: "moved_ambiguous",
    severity: "error",
    summary: "Ambiguous move statements",
    detail: `${other.from} is said to have moved to ${to}${saidText(other)}, and here ${from} is. Each resource can have moved from one place only.`,
    hint: "Keep the statement that is right.",
    path: ["to"],
  };
}

function saidText({ locate }: LocatedMove): string {
  return declaredText(locate(["from"]));
}

function stillDeclared({ from, to }: Move, place: Place | undefined): Diagnostic {
  return {
    code: "moved_declared",
    severity: "error",
    summary: "Moved object still exists",
    detail: `This says that ${from} has moved to ${to}, but ${from} is still declared${declaredText(place)}.`,
    hint: `Declare it as ${to} instead, or take this statement out.`,
    path: ["from"],
  };
}

function circular(moves: readonly LocatedMove[]): Diagnostic {
  const listed = moves.map((move) => `  - ${move.from} -> ${move.to}${saidText(move)}`);
  return {
    code: "moved_cycle",
    severity: "error",
    summary: "Cyclic dependency in move statements",
    detail: `These moves go in a circle, so that there is no place where anything ends:\n\n${listed.join("\n")}\n`,
    hint: "Let the last of them end at an address that no other one begins with.",
    path: ["from"],
  };
}
