import { type Diagnostic, DiagnosticsError } from "../../../core/model/diagnostic.ts";
import type { ExitCode, Input, Output } from "../command-context.ts";
import type { CommandDefinition } from "../program/command-definition.ts";
import { type StatePathOptions, withStatePath } from "../program/options.ts";
import { type RecordsContext, openReadyStore } from "../session/records.ts";

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

/** Removes a stale lock, and only the lock with this id. */
async function forceUnlock(context: Input & Output & RecordsContext, id: string, options: ForceUnlockOptions): Promise<ExitCode> {
  const store = await openReadyStore(context, options);
  if (!options.force && !(await confirmed(context, store.name))) {
    context.out("\nforce-unlock cancelled. The lock stays.\n");
    return 1;
  }
  await store.forceUnlock(id, context.stop);
  context.out(`${context.paint("green", "The state has been unlocked.")}\n\nLock ${id} of ${store.name} is removed. State and journal are unchanged.\n`);
  return 0;
}

async function confirmed({ ask, out, paint }: Input & Output, name: string): Promise<boolean> {
  if (!ask) throw new DiagnosticsError([approvalRequired()]);
  out(
    `${paint("bold", "Do you really want to force-unlock?")}\n  outreach will remove the lock of ${name}. If the run that holds it is still\n  active, two runs can then change the state at once. Only 'yes' will be accepted to confirm.\n\n`,
  );
  return (await ask("  Enter a value: ")) === "yes";
}

function approvalRequired(): Diagnostic {
  return {
    code: "approval_missing",
    severity: "error",
    summary: "Confirmation required",
    detail: "force-unlock asks for a typed yes, but the input is not a terminal. The lock stays.",
    hint: "If the run that holds the lock is certainly over, pass --force.",
  };
}
