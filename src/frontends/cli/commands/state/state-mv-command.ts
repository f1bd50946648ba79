import { blockOf } from "../../../../core/model/address.ts";
import { DiagnosticsError, hasErrors } from "../../../../core/model/diagnostic.ts";
import { moveInstances } from "../../../../core/state/edit.ts";
import type { ExitCode } from "../../command-context.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import { type CommandOptions, withState } from "../../program/command-options.ts";
import { assertDecided, changeRecords, meantAddresses, storeRecords } from "../../../../operations/state/records.ts";

export const definition: CommandDefinition<CommandOptions, readonly [from: string, to: string]> = {
  description: "moves a record, or all records of a block, to another address; sends nothing",
  example: {
    purpose: "after a block was renamed",
    lines: ["outreach state mv outreach_webhook.crm outreach_webhook.crm-replies"],
  },
  declare: (command) =>
    withState(command)
      .argument("<address>", "the recorded address")
      .argument("<new-address>", "the new address, where nothing is recorded yet")
      .option("--dry-run", "print what would be moved, and change nothing", false),
  run: (context, { options, operands: typed }) =>
    changeRecords(context, options, "state mv", async (records): Promise<ExitCode> => {
      const [from = typed[0], to = typed[1]] = meantAddresses(context, records, typed);
      const { value, diagnostics } = moveInstances(records.open.document, { from, to });
      assertDecided(records, (address) => [from, to].some((one) => one === address || one === blockOf(address)));
      if (hasErrors(diagnostics)) throw new DiagnosticsError(diagnostics);
      const { document, moves } = value;
      if (!options.dryRun) await storeRecords(context, records, document);
      context.out(
        moves.map((move) => `${options.dryRun ? "Would move" : "Move"} "${move.from}" to "${move.to}"\n`).join(""),
      );
      if (!options.dryRun) context.out(`Successfully moved ${String(moves.length)} object(s).\n`);
      return 0;
    }),
};
