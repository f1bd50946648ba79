import { checkAttributes } from "../../../core/model/check.ts";
import { dataReading } from "../../../core/model/definition.ts";
import { DiagnosticsError, hasErrors } from "../../../core/model/diagnostic.ts";
import type { Attributes, Value } from "../../../core/model/value.ts";
import { jsonText } from "../../../output/json/json-text.ts";
import { knownJson } from "../../../output/json/json-value.ts";
import { tableText } from "../../../output/text/table.ts";
import { readClient } from "../../../service/api/client.ts";
import { withService } from "../session/connection.ts";
import type { JsonOptions } from "../program/options.ts";
import type { ExitCode, CommandContext } from "../command-context.ts";

/** What each word after `get` reads, and which columns its table has. */
export const READABLE = {
  campaigns: { type: "outreach_campaigns", list: "campaigns", columns: ["id", "name", "status", "labels", "created_at"] },
  schedules: { type: "outreach_schedules", list: "schedules", columns: ["id", "name", "timezone", "start", "end", "weekdays", "seconds_to_wait"] },
  warmup: { type: "outreach_warmup_settings", list: null, columns: ["name", "value"] },
  webhooks: { type: "outreach_webhooks", list: "webhooks", columns: ["id", "target_url", "type", "campaign_id", "created_at"] },
} as const;

/** Prints one of the read-only sources as a table, or as JSON with `--json`. */
export function getCommand(
  context: CommandContext,
  what: keyof typeof READABLE,
  { config, options }: { readonly config: Attributes; readonly options: JsonOptions },
): Promise<ExitCode> {
  const { type, list, columns } = READABLE[what];
  const definition = context.catalog.dataSources.find((candidate) => candidate.type === type);
  if (!definition) throw new Error(`no data source ${type}`);
  const complete: Attributes = Object.fromEntries(Object.keys(definition.schema).map((name) => [name, config[name] ?? null]));
  const problems = checkAttributes(definition, complete);
  if (hasErrors(problems)) throw new DiagnosticsError(problems);
  return withService(context, options, async (caller): Promise<ExitCode> => {
    const { value } = await definition.read(complete, dataReading(context.catalog, { client: readClient(caller), signal: context.stop }));
    const attributes = value as Attributes;
    const result: Value = list === null ? attributes : (attributes[list] ?? []);
    if (options.json) context.out(`${jsonText(knownJson(result), { indented: true })}\n`);
    else
      context.out(
        tableText(columns, list === null ? Object.entries(attributes).map(([name, one]) => ({ name, value: one })) : (result as readonly Attributes[])),
      );
    return 0;
  });
}
