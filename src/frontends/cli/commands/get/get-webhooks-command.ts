import { DiagnosticsError } from "../../../../core/model/diagnostic.ts";
import type { RecordedInstance } from "../../../../core/model/instance.ts";
import { type Attributes, type Value, textsIn } from "../../../../core/model/value.ts";
import { recordedNames } from "../../../../core/plan/recorded-names.ts";
import type { CommandContext } from "../../command-context.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import { type CommandOptions, withStatePath } from "../../program/command-options.ts";
import { printDiagnostics } from "../../screen/print-diagnostics.ts";
import { type EnrichedRows, printSource } from "./print-source.ts";
import { learnPlanned, showHosts } from "../../../../operations/personal-data.ts";
import { readRecords } from "../../../../operations/state/records.ts";

type WebhooksOptions = CommandOptions;

export const definition: CommandDefinition<WebhooksOptions> = {
  description: "lists all live webhooks, and which address of the state manages each",
  example: { lines: ["outreach get webhooks --json"] },
  declare: (command) => withStatePath(command).option("--json", "print JSON", false),
  run: (context, { options }) =>
    printSource(
      context,
      {
        type: "outreach_webhooks",
        config: {},
        rows: {
          attribute: "webhooks",
          columns: ["id", "target_url", "type", "campaign_id", "created_at"],
          withOthers: true,
        },
        enrich: (rows, { baseUrl }) => withRecords(context, options, { rows, baseUrl }),
      },
      options,
    ),
};

/**
 * Adds the address that manages each webhook, and the name that a recorded one has looked its campaign up by; null where there is
 * none. Without a readable state of this service nothing is added.
 */
async function withRecords(
  context: CommandContext,
  options: CommandOptions,
  { rows, baseUrl }: { readonly rows: readonly Attributes[]; readonly baseUrl: string },
): Promise<EnrichedRows> {
  showHosts(
    context,
    rows.map((attributes) => ({ attributes })),
  );
  const instances = await recordsOf(context, options, baseUrl);
  if (instances === null) return { rows, columns: [] };
  const managers = managersById(instances);
  const names = new Map(
    Object.entries(
      recordedNames(context.catalog, instances, new Set(rows.flatMap((row) => textsIn(row["campaign_id"] ?? null)))),
    ),
  );
  learnPlanned(context, { names: Object.fromEntries(names) });
  const at = (known: ReadonlyMap<string, string>, id: Value | undefined): string | null =>
    typeof id === "string" ? (known.get(id) ?? null) : null;
  return {
    rows: rows.map((row) => ({
      ...row,
      campaign_name: at(names, row["campaign_id"]),
      managed: at(managers, row["id"]),
    })),
    columns: [...(names.size > 0 ? ["campaign_name"] : []), "managed"],
  };
}

function managersById(instances: readonly RecordedInstance[]): ReadonlyMap<string, string> {
  return new Map(
    instances.flatMap(({ address, id, deposed = [] }): readonly (readonly [string, string])[] => [
      ...(id === null ? [] : [[id, address] as const]),
      ...deposed.map((one) => [one.id, `${address} (deposed)`] as const),
    ]),
  );
}

/** None without a state, null where it cannot be read or is about another service. */
async function recordsOf(
  context: CommandContext,
  options: CommandOptions,
  baseUrl: string,
): Promise<readonly RecordedInstance[] | null> {
  try {
    const { document } = (await readRecords(context, options)).open;
    return document.service !== null && document.service.baseUrl !== baseUrl ? null : document.instances;
  } catch (error) {
    if (!(error instanceof DiagnosticsError)) throw error;
    const codes = new Set(error.diagnostics.map(({ code }) => code));
    if (codes.has("state_missing")) return [];
    // The list is of use without a configuration, and where the state is damaged.
    if (!codes.has("config_missing"))
      printDiagnostics(
        context,
        error.diagnostics.map((one) => ({ ...one, severity: "warning" })),
      );
    return null;
  }
}
