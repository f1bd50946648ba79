import { blockOf } from "../../../../core/model/address.ts";
import { DiagnosticsError, hasErrors } from "../../../../core/model/diagnostic.ts";
import type { Move } from "../../../../core/model/relocate.ts";
import { moveInstances } from "../../../../core/state/edit.ts";
import type { CommandContext, ExitCode } from "../../command-context.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import { type StateEditOptions, withState } from "../../program/command-options.ts";
import { assertDecided, changeRecords, meantAddresses, storeRecords } from "../../../../operations/state/records.ts";

export const stateMvCommand: CommandDefinition<StateEditOptions, readonly [from: string, to: string]> = {
  name: "mv",
  description: "moves a record, or all records of a block, to another address; sends nothing",
  example: { purpose: "after a block was renamed", lines: ["outreach state mv outreach_webhook.crm outreach_webhook.crm-replies"] },
  declare: (command) =>
    withState(command)
      .argument("<address>", "the recorded address")
      .argument("<new-address>", "the new address, where nothing is recorded yet")
      .option("--dry-run", "print what would be moved, and change nothing", false),
  run: (context, { options, operands: [from, to] }) => moveRecorded(context, { from, to }, options),
};

/** Moves the record of an instance, or of every instance of a block, to another address. Sends nothing. */
function moveRecorded(context: CommandContext, typed: Move, options: StateEditOptions): Promise<ExitCode> {
  return changeRecords(context, options, "state mv", async (records): Promise<ExitCode> => {
    const [from = typed.from, to = typed.to] = meantAddresses(context, records, [typed.from, typed.to]);
    const { value, diagnostics } = moveInstances(records.open.document, { from, to });
    assertDecided(records, (address) => [from, to].some((one) => one === address || one === blockOf(address)));
    if (hasErrors(diagnostics)) throw new DiagnosticsError(diagnostics);
    const { document, moves } = value;
    if (!options.dryRun) await storeRecords(context, records, document);
    context.out(moves.map((move) => `${options.dryRun ? "Would move" : "Move"} "${move.from}" to "${move.to}"\n`).join(""));
    if (!options.dryRun) context.out(`Successfully moved ${String(moves.length)} object(s).\n`);
    return 0;
  });
}
