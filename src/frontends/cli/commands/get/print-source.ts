import { checkAttributes, prepareChecks } from "../../../../core/model/check.ts";
import { dataReading, dataSourceOf } from "../../../../core/model/definition.ts";
import { DiagnosticsError, hasErrors } from "../../../../core/model/diagnostic.ts";
import type { Attributes, Value } from "../../../../core/model/value.ts";
import { jsonText } from "../../../../output/json/escaped-json.ts";
import { knownJson } from "../../../../output/json/json-value.ts";
import { tableText } from "../../../../output/text/table.ts";
import type { CallerOptions } from "../../../../service/api/caller.ts";
import { readClient } from "../../../../service/api/client.ts";
import type { CommandContext, ExitCode } from "../../command-context.ts";
import type { CommandOptions } from "../../program/command-options.ts";
import { printDiagnostics } from "../../screen/print-diagnostics.ts";
import { withService } from "../../../../operations/service/connection.ts";

/** A data source, and how its table looks. */
export interface PrintedSource {
  readonly type: string;
  /** What it is asked for; null for every other attribute. */
  readonly config: Attributes;
  /** The attribute whose objects are the rows; absent: one row for each attribute, with the columns `name` and `value`. */
  readonly rows?: {
    readonly attribute: string;
    readonly columns: readonly string[];
    /** Whether each other attribute is a column too where a row has a value. Then the columns have the order of the attributes. */
    readonly withOthers?: true;
  };
  /** What is known of each row besides the service's answer. */
  readonly enrich?: (rows: readonly Attributes[], caller: Pick<CallerOptions, "baseUrl">) => Promise<EnrichedRows>;
}

export interface EnrichedRows {
  readonly rows: readonly Attributes[];
  /** The added columns. */
  readonly columns: readonly string[];
}

/** Prints a data source as a table, or as JSON with `--json`. */
export async function printSource(
  context: CommandContext,
  { type, config, rows, enrich }: PrintedSource,
  options: CommandOptions,
): Promise<ExitCode> {
  const definition = dataSourceOf(context.catalog, type);
  const complete: Attributes = Object.fromEntries(
    Object.keys(definition.schema).map((name) => [name, config[name] ?? null]),
  );
  await prepareChecks(definition, complete);
  const problems = checkAttributes(definition, complete);
  if (hasErrors(problems)) throw new DiagnosticsError(problems);
  return withService(context, options, async (caller): Promise<ExitCode> => {
    const { value, diagnostics } = await definition.read(
      complete,
      dataReading(context.catalog, { client: readClient(caller), signal: context.stop }),
    );
    printDiagnostics(context, diagnostics);
    const attributes = value as Attributes;
    const found = rows ? ((attributes[rows.attribute] ?? []) as readonly Attributes[]) : [];
    const enriched = enrich ? await enrich(found, caller) : { rows: found, columns: [] };
    const result: Value = rows ? enriched.rows : attributes;
    if (options.json) context.out(`${jsonText(knownJson(result), { indented: true })}\n`);
    else if (rows) context.out(tableText([...shownColumns(rows, found), ...enriched.columns], enriched.rows));
    else
      context.out(
        tableText(
          ["name", "value"],
          Object.entries(attributes).map(([name, one]) => ({ name, value: one })),
        ),
      );
    return 0;
  });
}

function shownColumns(
  { columns, withOthers }: NonNullable<PrintedSource["rows"]>,
  rows: readonly Attributes[],
): readonly string[] {
  if (!withOthers || !rows[0]) return columns;
  const isShown = (name: string): boolean => columns.includes(name) || rows.some((row) => (row[name] ?? null) !== null);
  return Object.keys(rows[0]).filter(isShown);
}
