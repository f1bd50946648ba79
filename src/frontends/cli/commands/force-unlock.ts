import { type Diagnostic, DiagnosticsError } from "../../../core/model/diagnostic.ts";
import type { ExitCode, CommandContext } from "../command-context.ts";
import type { CommandDefinition } from "../program/command-definition.ts";
import { type StatePathOptions, withStatePath } from "../program/options.ts";
import { openReadyStore } from "../session/records.ts";

interface ForceUnlockOptions extends StatePathOptions {
  readonly force: boolean;
}

export const forceUnlockCommand: CommandDefinition<ForceUnlockOptions, readonly [lockId: string]> = {
  name: "force-unlock",
  description: "removes a stale lock",
  example: { lines: ["outreach force-unlock 6ba7b810-9dad-11d1-80b4-00c04fd430c8"] },
  declare: (command) =>
    withStatePath(command).argument("<lock-id>", "the lock's id, as the error message shows it").option("--force", "do not ask for confirmation", false),
  run: (context, { options, operands: [lockId] }) => forceUnlock(context, lockId, options),
};

/** Takes a lock away from a run that is over without having given it back. Only the lock with this id is removed. */
async function forceUnlock(context: CommandContext, id: string, options: ForceUnlockOptions): Promise<ExitCode> {
  const store = await openReadyStore(context, options);
  if (!options.force && !(await confirmed(context, store.name))) {
    context.out("\nforce-unlock cancelled. The lock stays.\n");
    return 1;
  }
  await store.forceUnlock(id, context.stop);
  context.out(
    `${context.paint("green", "The state has been unlocked.")}\n\nThe lock ${id} of ${store.name} was removed; state and journal are as they were. Other commands can lock the state now.\n`,
  );
  return 0;
}

async function confirmed({ ask, out, paint }: CommandContext, name: string): Promise<boolean> {
  if (!ask) throw new DiagnosticsError([nobodyToAsk()]);
  out(
    `${paint("bold", "Do you really want to force-unlock?")}\n  outreach will remove the lock of ${name}. A run that is still at work there would then\n  change it at the same time as others. Only 'yes' will be accepted to confirm.\n\n`,
  );
  return (await ask("  Enter a value: ")) === "yes";
}

function nobodyToAsk(): Diagnostic {
  return {
    code: "approval_missing",
    severity: "error",
    summary: "Nobody can confirm",
    detail: "force-unlock asks for a yes, but the input is not a terminal. The lock stays.",
    hint: "Give --force where it is certain that the run which holds the lock is over.",
  };
}
