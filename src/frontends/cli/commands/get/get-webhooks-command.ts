import { DiagnosticsError } from "../../../../core/model/diagnostic.ts";
import type { Attributes } from "../../../../core/model/value.ts";
import type { CommandContext } from "../../command-context.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import { type JsonOptions, type StatePathOptions, withStatePath } from "../../program/command-options.ts";
import { printDiagnostics } from "../../screen/print-diagnostics.ts";
import { type EnrichedRows, printSource } from "./print-source.ts";
import { readRecords } from "../../../../operations/state/records.ts";

type WebhooksOptions = JsonOptions & StatePathOptions;

export const getWebhooksCommand: CommandDefinition<WebhooksOptions> = {
  name: "webhooks",
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
          columns: ["id", "target_url", "type", "campaign_id", "is_first", "automation_id", "created_at"],
          optional: ["is_first", "automation_id"],
        },
        enrich: (rows, { baseUrl }) => withManager(context, options, { rows, baseUrl }),
      },
      options,
    ),
};

/** Adds the address that manages each webhook; null for an unmanaged one. Without a readable state of this service nothing is added. */
async function withManager(
  context: CommandContext,
  options: StatePathOptions,
  { rows, baseUrl }: { readonly rows: readonly Attributes[]; readonly baseUrl: string },
): Promise<EnrichedRows> {
  const managers = await managersById(context, options, baseUrl);
  if (managers === null) return { rows, columns: [] };
  const managerOf = ({ id = null }: Attributes): string | null => (typeof id === "string" ? (managers.get(id) ?? null) : null);
  return { rows: rows.map((row) => ({ ...row, managed: managerOf(row) })), columns: ["managed"] };
}

async function managersById(context: CommandContext, options: StatePathOptions, baseUrl: string): Promise<ReadonlyMap<string, string> | null> {
  try {
    const { document } = (await readRecords(context, options)).open;
    if (document.service !== null && document.service.baseUrl !== baseUrl) return null;
    const ids = document.instances.flatMap(({ address, id, deposed = [] }): readonly (readonly [string, string])[] => [
      ...(id === null ? [] : [[id, address] as const]),
      ...deposed.map((one) => [one.id, `${address} (deposed)`] as const),
    ]);
    return new Map(ids);
  } catch (error) {
    if (!(error instanceof DiagnosticsError)) throw error;
    const codes = new Set(error.diagnostics.map(({ code }) => code));
    if (codes.has("state_missing")) return new Map();
    // The list is of use without a configuration, and where the state is damaged.
    if (!codes.has("config_missing"))
      printDiagnostics(
        context,
        error.diagnostics.map((one) => ({ ...one, severity: "warning" })),
      );
    return null;
  }
}
