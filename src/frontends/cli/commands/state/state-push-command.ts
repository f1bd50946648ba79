import { resolve } from "node:path";
import { type Diagnostic, DiagnosticsError, warningOf } from "../../../../core/model/diagnostic.ts";
import { canonicalJson } from "../../../../core/model/value.ts";
import { type StateDocument, UnreadableState, decodeState, encodeState } from "../../../../core/state/document.ts";
import { parseEnvelope } from "../../../../core/state/encryption/envelope-format.ts";
import { assertOneRecord } from "../../../../core/state/one-record.ts";
import { type OpenState, foldInto, readState } from "../../../../core/state/open-state.ts";
import { assertKeepsOpenWrites, reasonToKeep } from "../../../../core/state/pushable.ts";
import type { StateStore } from "../../../../core/state/state-store.ts";
import { lostPlaces } from "../../../../output/content/describe-state.ts";
import type { CommandContext, ExitCode } from "../../command-context.ts";
import { resolvePath } from "../../../../operations/configuration/named-file.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import { type CommandOptions, withState } from "../../program/command-options.ts";
import { learnState } from "../../../../operations/personal-data.ts";
import { printDiagnostics } from "../../screen/print-diagnostics.ts";
import { locked, openReadyStore } from "../../../../operations/state/records.ts";

interface StatePushOptions extends CommandOptions {
  readonly force: boolean;
}

/** Replaces the state with a document: one of the same lineage that is not older, or any with `--force`. */
export const definition: CommandDefinition<StatePushOptions, readonly [file: string]> = {
  description: "replaces the state with a state document",
  example: {
    purpose: "to restore the previous version",
    lines: ["outreach state push --force outreach.state.json.backup"],
  },
  declare: (command) =>
    withState(command)
      .argument("<file>", "a document printed by state pull; - for standard input")
      .option(
        "--force",
        "overwrite the state even if the document has another lineage or is older, or the state cannot be read",
        false,
      ),
  run: async (context, { options, operands: [file] }) => {
    const store = await openReadyStore(context, options);
    const pushed = await readDocument(context, file, store);
    learnState(context, pushed);
    return locked(context, { store, options, operation: "state push" }, async (): Promise<ExitCode> => {
      const before = await openBefore(context, store, options);
      const serial = before.open?.document.serial ?? -1;
      const { run: _, ...contents } = pushed;
      if (before.open && canonicalJson(before.open.document) === canonicalJson(contents) && !before.open.keyChange) {
        context.out("The state already has these contents. Nothing was changed.\n");
        return 0;
      }
      assertOneRecord(context.catalog, pushed.instances);
      if (before.open) assertPushable(pushed, before.open, options);
      const dropped = before.open ? droppedCreates(pushed, before.open.document, store) : null;
      await store.write(
        encodeState({ ...contents, serial: Math.max(pushed.serial, serial + 1) }),
        before.version,
        context.stop,
      );
      context.out(
        `${store.name} now has the contents of ${file === "-" ? "the input" : file}.${before.version === null || !store.backup ? "" : ` The previous state is in ${store.backup.name}.`}\n`,
      );
      if (dropped) printDiagnostics(context, [dropped]);
      return 0;
    });
  },
};

interface Before {
  readonly version: string | null;
  /** Null without a state, or if it cannot be read. */
  readonly open: OpenState | null;
}

/**
 * Folds the journal in first, so that its events are not lost with the state that they belong to. If that state is gone,
 * or an older one has replaced it, the journal stays and continues the pushed state. Only `--force` replaces a state that
 * cannot be read.
 */
async function openBefore(context: CommandContext, store: StateStore, { force }: StatePushOptions): Promise<Before> {
  const { random, stop } = context;
  let version: string | null = null;
  try {
    const stored = await store.read(stop);
    if (stored === null) return { version: null, open: null };
    ({ version } = stored);
    const open = await readState(store, random, stop);
    learnState(context, open.document);
    const folded = open.journal && !open.restored ? await foldInto(store, open, stop) : open;
    return { version: folded.version, open: folded };
  } catch (error) {
    if (!force || !(error instanceof UnreadableState)) throw error;
    return { version: version ?? error.version, open: null };
  }
}

/**
 * A document in plain text, as `state pull` prints it, or one that is encrypted as the state is: what a run could not store. The
 * backup lies where the state does, so plain text there is as much trusted as in the state.
 */
async function readDocument(
  context: CommandContext,
  file: string,
  { encryption, backup }: StateStore,
): Promise<StateDocument> {
  const bytes =
    file === "-"
      ? await context.input()
      : await context.files.read(resolvePath(context.folder, file), { followLinks: true });
  const name = file === "-" ? "the input" : file;
  if (bytes === null)
    throw DiagnosticsError.of("push_missing", "No such file", { detail: `The file ${file} does not exist.` });
  try {
    const isBackup = backup !== null && resolve(context.folder, file) === resolve(context.folder, backup.name);
    return decodeState(
      encryption && (isBackup || parseEnvelope(bytes)) ? (await encryption.open(bytes, "state", name)).bytes : bytes,
      name,
    );
  } catch (error) {
    if (!(error instanceof UnreadableState) || error.diagnostics.some(({ code }) => code !== "state_unreadable"))
      throw error;
    const hint =
      "Push the unchanged output of outreach state pull --show-emails, or a copy of a state file. Nothing was changed.";
    throw new DiagnosticsError(
      error.diagnostics.map((diagnostic) => ({ ...diagnostic, summary: "Not a state document", hint })),
    );
  }
}

/** Throws unless the pushed state may overwrite the stored one. No force drops open writes. */
function assertPushable(pushed: StateDocument, stored: OpenState, { force }: StatePushOptions): void {
  assertKeepsOpenWrites(pushed, stored);
  const reason = force ? null : reasonToKeep(pushed, stored);
  if (reason !== null) throw refusal(reason, pushed.lineage === stored.document.lineage);
}

/** A warning about the lost creates and missing objects that only the replaced state had; null without any. */
function droppedCreates(
  { lostCreates }: StateDocument,
  replaced: StateDocument,
  { backup }: StateStore,
): Diagnostic | null {
  const kept = new Set(lostCreates.map(canonicalJson));
  const dropped = lostPlaces(replaced.lostCreates.filter((lost) => !kept.has(canonicalJson(lost))));
  if (dropped.length === 0) return null;
  const places = dropped.map(({ place, since }) => `\n  ${place}, ${since}`);
  return warningOf("push_drops_lost", "Lost creates are no longer in the state", {
    detail: `The previous state recorded these lost creates and missing objects, and the pushed one does not. No plan reports them if they appear later:${places.join("")}`,
    hint: `Look for them with outreach get webhooks.${backup ? ` To bring the previous state back: outreach state push --force ${backup.name}` : ""}`,
  });
}

/** `isOlder`: another run has written the same state since. */
function refusal(detail: string, isOlder: boolean): DiagnosticsError {
  return DiagnosticsError.of("push_refused", "Failed to write state", {
    detail: `${detail} Nothing was changed.`,
    hint: isOlder
      ? "If another run has written the state since, keep it and plan again: outreach looks up every open write. Pass --force only to drop what that run has recorded."
      : "To overwrite the state anyway, pass --force.",
  });
}
