import { dataReading, dataSourceOf } from "../core/model/definition.ts";
import type { Attributes } from "../core/model/value.ts";
import type { OpenRun } from "./open-run.ts";
import type { OperationContext } from "./context.ts";

/** The objects that a data source lists in `list` without any filter. */
export async function readWhole(
  { catalog }: OperationContext,
  { readClient, signal }: Pick<OpenRun["ports"], "readClient" | "signal">,
  { source, list }: { readonly source: string; readonly list: string },
): Promise<readonly Attributes[]> {
  const definition = dataSourceOf(catalog, source);
  const config = Object.fromEntries(Object.keys(definition.schema).map((name) => [name, null]));
  const { value } = await definition.read(config, dataReading(catalog, { client: readClient, signal }));
  return (value as { readonly [name: string]: readonly Attributes[] })[list] ?? [];
}
