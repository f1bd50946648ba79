import { NEVER_ABORTED } from "../../model/async.ts";
import { type Diagnostic, DiagnosticsError, errorText, errorOf } from "../../model/diagnostic.ts";
import { type OpenState, encodeForFile, foldInto } from "../../state/open-state.ts";
import { assertOneRecord } from "../../state/one-record.ts";
import type { StateStore } from "../../state/state-store.ts";
import type { RunPorts } from "./run-ports.ts";

/**
 * Writes the state with what a run has done. A journal keeps that if the write fails; where there is none, the state is
 * kept elsewhere, and the error says where, after everything that the run has to report: `said`.
 */
export async function storeResults(
  store: StateStore,
  open: OpenState,
  {
    ports: { catalog, keepUnstored },
    said,
  }: { readonly ports: Pick<RunPorts, "catalog" | "keepUnstored">; readonly said: readonly Diagnostic[] },
): Promise<OpenState> {
  try {
    assertOneRecord(catalog, open.document.instances);
    return await foldInto(store, open, NEVER_ABORTED);
  } catch (error) {
    if (store.journal) throw error;
    const { document } = open;
    const file = await keepUnstored(
      await encodeForFile(store, { ...document, serial: document.serial + 1, run: open.run }),
    );
    throw new DiagnosticsError([...said, ...reported(error), notStored(store.name, file)], { cause: error });
  }
}

/** Stores what a failed run has done, and throws the error that it ended with, first of all. */
export async function storeResultsOfFailed(
  store: StateStore,
  open: OpenState,
  { failure, ports }: { readonly failure: unknown; readonly ports: RunPorts },
): Promise<never> {
  try {
    await storeResults(store, open, { ports, said: [] });
  } catch (error) {
    const undecided = failure instanceof DiagnosticsError && failure.undecided;
    throw new DiagnosticsError(
      [...new Map([...reported(failure), ...reported(error)].map((one) => [one.detail, one])).values()],
      {
        undecided,
        cause: failure,
      },
    );
  }
  throw failure;
}

function reported(error: unknown): readonly Diagnostic[] {
  if (error instanceof DiagnosticsError) return error.diagnostics;
  return [
    errorOf("state_write_failed", "The state could not be written", {
      detail: `${errorText(error)}. Nothing more was sent.`,
    }),
  ];
}

function notStored(name: string, file: string): Diagnostic {
  return errorOf("state_not_stored", "The results of this run are not in the state", {
    detail: `${name} did not take them, so they are in ${file}. Until they are stored, the next run does not know what this one has done.`,
    ways: [{ kind: "push-state", file }],
  });
}
