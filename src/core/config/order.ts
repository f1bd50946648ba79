import { formatAddress } from "../model/address.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Argument, Block, Configuration, Local } from "./block.ts";
import { referencesIn } from "./blocks/data-references.ts";
import { topologicalOrder, reversed } from "./topological-order.ts";

/** Something that is evaluated, and that others may refer to by its name: `local.base`, `data.T.N`, `T.N`. */
export type OrderedPart = { readonly name: string } & (
  | { readonly kind: "local"; readonly local: Local }
  | { readonly kind: "data" | "managed"; readonly block: Block }
);

export interface EvaluationOrder {
  /** Every part after those that it refers to. What leads back to itself, and what refers to that, is absent. */
  readonly parts: readonly OrderedPart[];
  /** The names of what is absent. */
  readonly stuck: ReadonlySet<string>;
  /** The names of the parts that others, or imports, refer to. */
  readonly referred: ReadonlySet<string>;
  readonly diagnostics: readonly Diagnostic[];
}

/** In which order locals and blocks are evaluated. Where blocks cannot refer to each other, the order in which they are declared does. */
export function evaluationOrder({ blocks, locals, imports }: Configuration): EvaluationOrder {
  const parts = [
    ...(locals ?? []).map(partOfLocal),
    ...blocks.map(partOfBlock).toSorted((a, b) => Number(a.kind === "managed") - Number(b.kind === "managed")),
  ];
  if (!locals) return { parts, stuck: new Set(), referred: new Set(), diagnostics: [] };
  const byName = new Map(parts.map((part) => [part.name, part]));
  const needs = new Map(parts.map((part) => [part.name, [...namesIn(part)].filter((name) => byName.has(name))]));
  const names = [...needs.keys()];
  const sorted = new Set(
    topologicalOrder(
      names,
      reversed(names, (name) => needs.get(name) ?? []),
    ),
  );
  const stuck = new Set([...byName.keys()].filter((name) => !sorted.has(name)));
  return {
    parts: [...sorted].flatMap((name) => byName.get(name) ?? []),
    stuck,
    referred: new Set([...[...needs.values()].flat(), ...namesOf(imports.map(({ id }) => id))]),
    diagnostics: cyclesIn(stuck, needs).map((cycle) => leadsBack(cycle, byName)),
  };
}

function partOfLocal(local: Local): OrderedPart {
  return { kind: "local", name: `local.${local.name}`, local };
}

function partOfBlock(block: Block): OrderedPart {
  const { mode, type, name } = block;
  return { kind: mode, name: formatAddress({ mode, type, name, key: null }), block };
}

/** What a part refers to, by name; among them what is no part. */
function namesIn(part: OrderedPart): ReadonlySet<string> {
  if (part.kind === "local") return namesOf([part.local.value]);
  const { arguments: given, repeat, dependsOn = [] } = part.block;
  return new Set([...namesOf([...Object.values(given), ...(repeat ? [repeat.value] : [])]), ...dependsOn]);
}

function namesOf(all: readonly Argument[]): ReadonlySet<string> {
  const references = all.flatMap(referencesIn);
  return new Set(references.map(({ steps }) => steps.slice(0, steps[0] === "data" ? 3 : 2).join(".")));
}

/** One way round for each group that leads back to itself. */
function cyclesIn(stuck: ReadonlySet<string>, needs: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const seen = new Set<string>();
  const cycles: (readonly string[])[] = [];
  for (const start of stuck) {
    const way: string[] = [];
    let name: string | undefined = start;
    while (name !== undefined && !seen.has(name)) {
      seen.add(name);
      way.push(name);
      name = needs.get(name)?.find((next) => stuck.has(next));
    }
    const begin = name === undefined ? -1 : way.indexOf(name);
    if (begin >= 0) cycles.push(way.slice(begin));
  }
  return cycles;
}

function leadsBack(cycle: readonly string[], byName: ReadonlyMap<string, OrderedPart>): Diagnostic {
  const [first = ""] = cycle;
  const part = byName.get(first);
  const place = part && (part.kind === "local" ? part.local.locate([]) : part.block.locate([]));
  return {
    code: "reference_cycle",
    severity: "error",
    summary: "A reference that leads back to itself",
    detail: `${[...cycle, first].join(" → ")}: what refers to itself, by whatever way, has no value.`,
    hint: "Take one of these references out.",
    ...(place ? { place } : {}),
  };
}
