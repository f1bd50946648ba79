import { formatAddress } from "../model/address.ts";
import { type Diagnostic, errorOf } from "../model/diagnostic.ts";
import type { Argument, Block, Configuration, Local } from "./block.ts";
import { referencesIn } from "./blocks/references.ts";
import { topologicalOrder, reversed } from "./topological-order.ts";

/** A part of the configuration that others can refer to by its name: `local.base`, `data.T.N`, `T.N`. */
export type OrderedPart = { readonly name: string } & (
  | { readonly kind: "local"; readonly local: Local }
  | { readonly kind: "data" | "managed"; readonly block: Block }
);

export interface EvaluationOrder {
  /** Every part after those that it refers to. Parts in a cycle, and parts that refer to them, are absent. */
  readonly parts: readonly OrderedPart[];
  /** The names of the absent parts. */
  readonly cyclic: ReadonlySet<string>;
  /** The names of the parts that other parts, imports or conditions refer to. */
  readonly referenced: ReadonlySet<string>;
  readonly diagnostics: readonly Diagnostic[];
}

/** The order for evaluating locals and blocks. If blocks cannot refer to each other, it is the declared order. */
export function evaluationOrder(configuration: Configuration): EvaluationOrder {
  const { blocks, locals, imports } = configuration;
  const parts = [
    ...(locals ?? []).map(localPart),
    ...blocks.map(blockPart).toSorted((a, b) => Number(a.kind === "managed") - Number(b.kind === "managed")),
  ];
  if (!locals) return { parts, cyclic: new Set(), referenced: new Set(), diagnostics: [] };
  const byName = new Map(parts.map((part) => [part.name, part]));
  const needs = new Map(parts.map((part) => [part.name, [...namesIn(part)].filter((name) => byName.has(name))]));
  const names = [...needs.keys()];
  const sorted = new Set(
    topologicalOrder(
      names,
      reversed(names, (name) => needs.get(name) ?? []),
    ),
  );
  const cyclic = new Set([...byName.keys()].filter((name) => !sorted.has(name)));
  return {
    parts: [...sorted].flatMap((name) => byName.get(name) ?? []),
    cyclic,
    referenced: new Set([
      ...[...needs.values()].flat(),
      ...namesOf([...imports.map(({ id }) => id), ...conditionsIn(configuration)]),
    ]),
    diagnostics: cyclesIn(cyclic, needs).map((cycle) => cycleProblem(cycle, byName)),
  };
}

function localPart(local: Local): OrderedPart {
  return { kind: "local", name: `local.${local.name}`, local };
}

function blockPart(block: Block): OrderedPart {
  const { mode, type, name } = block;
  return { kind: mode, name: formatAddress({ mode, type, name, key: null }), block };
}

/** The names that a part refers to, including unknown ones. */
function namesIn(part: OrderedPart): ReadonlySet<string> {
  if (part.kind === "local") return namesOf([part.local.value]);
  const { arguments: given, repeat, dependsOn = [] } = part.block;
  return new Set([...namesOf([...Object.values(given), ...(repeat ? [repeat.value] : [])]), ...dependsOn]);
}

function namesOf(all: readonly Argument[]): ReadonlySet<string> {
  const references = all.flatMap(referencesIn);
  return new Set(references.map(({ steps }) => steps.slice(0, steps[0] === "data" ? 3 : 2).join(".")));
}

/** Conditions are checked last, so they do not affect the order. */
function conditionsIn({ blocks, variables, outputs, checks = [] }: Configuration): readonly Argument[] {
  const all = [
    ...blocks.flatMap(({ preconditions = [], postconditions = [] }) => [...preconditions, ...postconditions]),
    ...variables.flatMap(({ validations = [] }) => validations),
    ...outputs.flatMap(({ preconditions = [] }) => preconditions),
    ...checks.flatMap(({ asserts }) => asserts),
  ];
  return all.flatMap(({ condition, message }) => [condition, message]);
}

/** One cycle for each group of parts that refer to each other. */
function cyclesIn(
  cyclic: ReadonlySet<string>,
  needs: ReadonlyMap<string, readonly string[]>,
): readonly (readonly string[])[] {
  const seen = new Set<string>();
  const cycles: (readonly string[])[] = [];
  for (const start of cyclic) {
    const way: string[] = [];
    let name: string | undefined = start;
    while (name !== undefined && !seen.has(name)) {
      seen.add(name);
      way.push(name);
      name = needs.get(name)?.find((next) => cyclic.has(next));
    }
    const begin = name === undefined ? -1 : way.indexOf(name);
    if (begin >= 0) cycles.push(way.slice(begin));
  }
  return cycles;
}

function cycleProblem(cycle: readonly string[], byName: ReadonlyMap<string, OrderedPart>): Diagnostic {
  const [first = ""] = cycle;
  const part = byName.get(first);
  const place = part && (part.kind === "local" ? part.local.locate([]) : part.block.locate([]));
  return errorOf("reference_cycle", "Reference cycle", {
    detail: `${[...cycle, first].join(" → ")}: these values depend on each other, so none of them can be computed.`,
    hint: "Remove one of these references.",
    place,
  });
}
