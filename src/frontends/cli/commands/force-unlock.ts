import { resolve } from "node:path";
import { type Diagnostic, DiagnosticsError } from "../../../core/model/diagnostic.ts";
import { type JournalName, SUFFIX, markAsOver, nameIn, ownerText } from "../../provider-journal/owner.ts";
import { journalFolder } from "../../provider-journal/place.ts";
import type { Environment, ExitCode, Input, Output, WorkingFolder } from "../command-context.ts";
import type { CommandDefinition } from "../program/command-definition.ts";
import { type StatePathOptions, withStatePath } from "../program/options.ts";
import { type RecordsContext, openReadyStore } from "../session/records.ts";

interface ForceUnlockOptions extends StatePathOptions {
  readonly force: boolean;
}

export const forceUnlockCommand: CommandDefinition<ForceUnlockOptions, readonly [lockId: string]> = {
  name: "force-unlock",
  description: "removes a stale lock, or releases a journal of the Terraform provider",
  example: { lines: ["outreach force-unlock 6ba7b810-9dad-11d1-80b4-00c04fd430c8"] },
  declare: (command) =>
    withStatePath(command)
      .argument("<lock-id>", "the id of the lock or of the provider's journal, as the error message shows it")
      .option("--force", "do not ask for confirmation", false),
  run: (context, { options, operands: [lockId] }) => forceUnlock(context, lockId, options),
};

type Context = Environment & Input & Output & RecordsContext & WorkingFolder;

/** Removes a stale lock, and only the lock with this id; or releases the provider's journal with this id. */
async function forceUnlock(context: Context, id: string, options: ForceUnlockOptions): Promise<ExitCode> {
  const journal = await findJournal(context, id);
  if (journal) return releaseJournal(context, journal, options);
  const store = await openReadyStore(context, options);
  if (
    !options.force &&
    !(await confirmed(context, `remove the lock of ${store.name}. If the run that holds it is still\n  active, two runs can then change the state at once`))
  ) {
    context.out("\nforce-unlock cancelled. The lock stays.\n");
    return 1;
  }
  await store.forceUnlock(id, context.stop);
  context.out(`${context.paint("green", "The state has been unlocked.")}\n\nLock ${id} of ${store.name} is removed. State and journal are unchanged.\n`);
  return 0;
}

interface Journal {
  readonly folder: string;
  readonly file: string;
  readonly id: string;
  readonly owner: Exclude<JournalName["owner"], "over">;
}

async function findJournal({ environment, files, folder: from }: Context, id: string): Promise<Journal | null> {
  const folder = resolve(from, journalFolder(environment));
  for (const file of await files.list(folder)) {
    const name = nameIn(file);
    if (file.endsWith(SUFFIX) && name?.id === id && name.owner !== "over") return { folder, file, id, owner: name.owner };
  }
  return null;
}

/** Its records stay: the next run recovers its open creates as those of an ended run. */
async function releaseJournal(context: Context, { folder, file, id, owner }: Journal, { force }: ForceUnlockOptions): Promise<ExitCode> {
  const run = ownerText(owner, null);
  if (!force && !(await confirmed(context, `release the journal of ${run}. If that run is still active,\n  the next one can create the same again`))) {
    context.out("\nforce-unlock cancelled. The journal still belongs to that run.\n");
    return 1;
  }
  await markAsOver(folder, file, context.files);
  context.out(
    `${context.paint("green", "The journal has been released.")}\n\nJournal ${id} of ${run} keeps its records. The next apply looks up its open creates.\n`,
  );
  return 0;
}

async function confirmed({ ask, out, paint }: Input & Output, effect: string): Promise<boolean> {
  if (!ask) throw new DiagnosticsError([approvalRequired()]);
  out(`${paint("bold", "Do you really want to force-unlock?")}\n  outreach will ${effect}. Only 'yes' will be accepted to confirm.\n\n`);
  return (await ask("  Enter a value: ")) === "yes";
}

function approvalRequired(): Diagnostic {
  return {
    code: "approval_missing",
    severity: "error",
    summary: "Confirmation required",
    detail: "force-unlock asks for a typed yes, but the input is not a terminal. Nothing was changed.",
    hint: "If the run that holds the lock or the journal is certainly over, pass --force.",
  };
}
