import type { Evaluate, Evaluation, PendingRead, EvaluationInput } from "../../model/declaration.ts";
import type { DataRead } from "../../model/configuration-outline.ts";
import { type AnyDataSource, type Catalog, type DataReading, dataSourceOf } from "../../model/definition.ts";
import { type Diagnostic, hasErrors, errorOf } from "../../model/diagnostic.ts";
import { type Attributes, hasUnknown } from "../../model/value.ts";

const MAX_ROUNDS = 50;

/** The input of a plan, once everything that can be read has been read. */
export interface Prepared extends Evaluation {
  /** What was read, by address. */
  readonly known: ReadonlyMap<string, Attributes>;
  /** The same, with what it was read for. */
  readonly data: readonly DataRead[];
  /** The diagnostics of the reads, in addition to those of the evaluation. */
  readonly said: readonly Diagnostic[];
}

/** Evaluates, reads the data sources whose configuration is known, and evaluates again, until nothing is left to read. */
export async function prepare(
  evaluate: Evaluate,
  { instances, ...context }: ReadContext & Pick<EvaluationInput, "instances">,
): Promise<Prepared> {
  const known = new Map<string, Attributes>();
  const data: DataRead[] = [];
  const said: Diagnostic[] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const evaluation = evaluate({ known, instances });
    const ready = evaluation.reads.filter(({ config }) => !hasUnknown(config));
    if (hasErrors(evaluation.diagnostics) || ready.length === 0)
      return { ...evaluation, known, data, said: [...said, ...neverKnown(evaluation)] };
    const results = await Promise.all(ready.map((pending) => readOne(pending, context)));
    said.push(...results.flatMap((result) => result.diagnostics));
    for (const { address, type, masked, value } of results) {
      if (!value) continue;
      known.set(address, value);
      data.push({ address, type, attributes: value, masked });
    }
    if (hasErrors(said)) return { ...evaluation, known, data, said };
  }
  throw new Error(`data sources are still to be read after ${String(MAX_ROUNDS)} rounds`);
}

interface ReadContext extends DataReading<unknown> {
  readonly catalog: Catalog;
}

async function readOne(pending: PendingRead, { catalog, ...reading }: ReadContext) {
  const { address, type, config, masked = [], locate } = pending;
  const definition = dataSourceOf(catalog, type);
  const { value, diagnostics } = await definition.read(completed(definition, config), reading);
  const place = diagnostics.length > 0 ? locate([]) : undefined;
  return {
    address,
    type,
    masked,
    value: value as Attributes | null,
    diagnostics: diagnostics.map((one): Diagnostic => ({ address, ...(place ? { place } : {}), ...one })),
  };
}

/** Every attribute of the schema, absent ones as null. */
function completed(definition: AnyDataSource, config: Attributes): Attributes {
  return Object.fromEntries(Object.keys(definition.schema).map((name) => [name, config[name] ?? null]));
}

function neverKnown({ declarations, reads, diagnostics }: Evaluation): readonly Diagnostic[] {
  if (hasErrors(diagnostics)) return [];
  const waiting = [...declarations, ...reads.map(({ config, ...read }) => ({ ...read, attributes: config }))];
  return waiting.flatMap(({ address, attributes, locate }) => {
    const name = Object.keys(attributes).find((one) => hasUnknown(attributes[one] ?? null));
    if (name === undefined) return [];
    return [
      errorOf("reference_cycle", "A reference that leads back to itself", {
        detail: `${name} cannot be known: a data source that it refers to depends on itself.`,
        address,
        place: locate([name]),
      }),
    ];
  });
}
