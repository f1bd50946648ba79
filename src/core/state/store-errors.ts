import type { Path } from "../model/path.ts";
import { type Diagnostic, errorOf, errorText, warningOf } from "../model/diagnostic.ts";
import { type Hidden, hiddenText } from "../model/process-fate.ts";

export function stateChanged(name: string): Diagnostic {
  return errorOf("state_changed", "Another run changed the state", {
    detail: `${name} has changed since this run read it. This run did not overwrite it.`,
    hint: "Run the command again; it starts from the new state.",
  });
}

export function lockLost(name: string, id: string): Diagnostic {
  return errorOf("lock_lost", "The state lock was lost", {
    detail: `Another run, or a forced unlock, took the lock ${id} of ${name} away from this run. This run stopped sending and did not write the state again.`,
    hint: "Make sure that no other run is at work on this state, then run the command again.",
  });
}

export function stateIsFolder(name: string): Diagnostic {
  return errorOf("state_place", "The state is a folder", {
    detail: `${name} is a folder, but the state is a file.`,
    ways: [{ kind: "choose-state" }],
  });
}

export function stateNotReplaced(error: unknown): Diagnostic {
  return errorOf("state_write_failed", "The state could not be written", {
    detail: `${errorText(error)}.`,
    hint: "A state is replaced as a whole. In a container, mount its folder, and not the file. In a sticky folder, it must belong to you.",
    ways: [{ kind: "choose-state" }],
  });
}

export function stateIsNoFile(name: string): Diagnostic {
  return errorOf("state_place", "The state is not a file", {
    detail: `${name} is a named pipe, a socket or a device, but the state, its lock and its journal are files.`,
    ways: [{ kind: "choose-state" }],
  });
}

export function noFolderForState(name: string): Diagnostic {
  return errorOf("state_place", "No folder for the state", {
    detail: `The state would be ${name}, but its folder does not exist.`,
    hint: "Create the folder, or correct the path.",
    ways: [{ kind: "choose-state" }],
  });
}

/** `hidden`: why its holder may still run, unseen. */
export function stateLocked(
  name: string,
  id: string,
  { holder, hidden = null }: { readonly holder: string; readonly hidden?: Hidden | null },
): Diagnostic {
  const doubt = hidden === null ? "" : ` ${hiddenText("The lock", hidden)} The lock stays.`;
  return errorOf("state_locked", "Error acquiring the state lock", {
    detail: `${name} is locked by ${holder} (lock id ${id}). Only one run may change a state at a time.${doubt}`,
    ways: [{ kind: "wait-for-lock" }, { kind: "unlock", id }],
  });
}

export function lockUnreadable(name: string, lockFile: string): Diagnostic {
  return errorOf("state_locked", "Error acquiring the state lock", {
    detail: `${name} is locked by the unreadable lock file ${lockFile}, so its owner is not known.`,
    hint: `Make sure that no other run uses this state, then remove ${lockFile}.`,
  });
}

export function lockAbsent(name: string): Diagnostic {
  return errorOf("lock_absent", "Failed to unlock state", { detail: `${name} is not locked. Nothing was changed.` });
}

export function lockOther(name: string, { id, held }: { readonly id: string; readonly held: string }): Diagnostic {
  return errorOf("lock_other", "Failed to unlock state", {
    detail: `The lock of ${name} has the id ${held}, not ${id}. Nothing was changed.`,
    hint: "The lock with that id may be gone, and another run may hold the lock now. Run the command that was locked out again: it names the holder and the id.",
  });
}

/** The lock is held, and the server does not say by whom. */
export function lockUnnamed(name: string): Diagnostic {
  return errorOf("state_locked", "Error acquiring the state lock", {
    detail: `${name} is locked, but the server does not say by whom.`,
    hint: "If no run is active, remove the lock on the server.",
    ways: [{ kind: "wait-for-lock" }],
  });
}

/** A run may have left its own lock behind. */
export function lockMayStay(name: string, id: string): Diagnostic {
  return warningOf("lock_stays", "The state may stay locked", {
    detail: `The server did not say whether ${name} is still locked by this run (lock id ${id}).`,
    ways: [{ kind: "unlock", id }],
  });
}

/** `request` names what was sent, and where. */
export function storeUnreachable({
  request,
  why,
  hint,
}: {
  readonly request: string;
  readonly why: string;
  readonly hint: string | null;
}): Diagnostic {
  return errorOf("state_unreachable", "The state cannot be reached", {
    detail: `${request} failed: ${why}.`,
    hint: hint ?? "Check the network and the address, then run the command again.",
  });
}

/** An answer that this run cannot use. `isDenied`: the server does not let these credentials do that. */
export function storeAnswer(isDenied: boolean, said: { readonly detail: string; readonly hint: string }): Diagnostic {
  return isDenied
    ? errorOf("state_denied", "Access to the state was denied", said)
    : errorOf("state_answer", "Unexpected answer from the state's server", said);
}

export interface SettingOrigin {
  /** Empty for an environment variable. */
  readonly path: Path;
  /** The setting or the variable that it comes from. */
  readonly from: string;
}

export function invalidSetting({ path, from }: SettingOrigin, why: string, hint?: string): Diagnostic {
  return errorOf("state_setting_invalid", "Invalid state setting", {
    detail: `${from} is not valid. ${why}`,
    hint,
    ...(path.length > 0 ? { path } : {}),
  });
}
