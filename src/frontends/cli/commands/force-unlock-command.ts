import { resolve } from "node:path";
import { type Diagnostic, DiagnosticsError } from "../../../core/model/diagnostic.ts";
import type { StateStore } from "../../../core/state/state-store.ts";
import { journalPlace } from "../../provider-journal/ledger-place.ts";
import { type LedgerProcess, processInLedger, processText } from "../../provider-journal/ledger-store.ts";
import type { CommandContext, ExitCode } from "../command-context.ts";
import type { CommandDefinition } from "../program/command-definition.ts";
import { type CommandOptions, withInput, withStatePath } from "../program/command-options.ts";
import { printDiagnostics } from "../screen/print-diagnostics.ts";
import { openReadyStore } from "../../../operations/state/records.ts";
import { openOtherStore } from "../../../operations/state/state-place.ts";

interface ForceUnlockOptions extends CommandOptions {
  readonly force: boolean;
}

/** Removes a stale lock, and only the lock with this id; or releases the creates of the provider's process with this id. */
export const definition: CommandDefinition<ForceUnlockOptions, readonly [lockId: string]> = {
  description: "removes a stale lock, or releases the creates of a run of the Terraform provider",
  example: { lines: ["outreach force-unlock 6ba7b810-9dad-11d1-80b4-00c04fd430c8"] },
  declare: (command) =>
    withInput(withStatePath(command))
      .argument("<lock-id>", "the id of the lock or of the provider's run, as the error message shows it")
      .option("--force", "do not ask for confirmation", false),
  run: async (context, { options, operands: [id] }) => {
    const journal = await openJournal(context, id).catch((error: unknown) => {
      if (!(error instanceof DiagnosticsError)) throw error;
      // The id may belong to the lock of the state. If not, this says why nothing was found.
      printDiagnostics(context, asWarnings(error));
      return null;
    });
    if (journal?.process) return releaseProcess(context, journal.process, { id, ...options });
    const store = journal?.isLocked ? journal.store : await openReadyStore(context, options);
    if (
      !options.force &&
      !(await confirmed(
        context,
        `remove the lock of ${store.name}. If the run that holds it is still\n  active, two runs can then change the state at once`,
      ))
    ) {
      context.out("\nforce-unlock cancelled. The lock stays.\n");
      return 1;
    }
    await store.forceUnlock(id, context.stop);
    context.out(
      `${context.paint("green", "The state has been unlocked.")}\n\nLock ${id} of ${store.name} is removed. State and journal are unchanged.\n`,
    );
    return 0;
  },
};

function asWarnings({ diagnostics }: DiagnosticsError): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) => ({ ...diagnostic, severity: "warning" }));
}

interface Journal {
  readonly store: StateStore;
  readonly process: LedgerProcess | null;
  /** Whether a run has left the lock with this id. */
  readonly isLocked: boolean;
}

async function openJournal(context: CommandContext, id: string): Promise<Journal> {
  const place = journalPlace(context.environment, (path) => resolve(context.folder, path));
  const store = await openOtherStore(context, place.store);
  const process = await processInLedger(id, { store, ports: context });
  return { store, process, isLocked: (await store.heldLock(context.stop))?.id === id };
}

async function releaseProcess(
  context: CommandContext,
  { mark, release }: LedgerProcess,
  { id, force }: { readonly id: string; readonly force: boolean },
): Promise<ExitCode> {
  const run = processText(mark, null);
  if (
    !force &&
    !(await confirmed(
      context,
      `release the creates of ${run}. If that run is still active,\n  the next one can create the same again`,
    ))
  ) {
    context.out("\nforce-unlock cancelled. The creates still belong to that run.\n");
    return 1;
  }
  await release();
  context.out(
    `${context.paint("green", "The creates have been released.")}\n\nThe journal keeps the records of ${run} (${id}). The next apply looks up its open creates.\n`,
  );
  return 0;
}

async function confirmed({ ask, cannotAsk, paint }: CommandContext, effect: string): Promise<boolean> {
  if (!ask)
    throw DiagnosticsError.of("approval_missing", "Confirmation required", {
      detail: `force-unlock asks for a typed yes, but ${cannotAsk}. Nothing was changed.`,
      hint: "If that run is certainly over, pass --force.",
    });
  const text = `${paint("bold", "Do you really want to force-unlock?")}\n  outreach will ${effect}. Only 'yes' will be accepted to confirm.\n\n`;
  return (await ask({ text, prompt: "  Enter a value: " })) === "yes";
}
