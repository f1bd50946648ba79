import type { Diagnostic } from "../model/diagnostic.ts";

export function stateChanged(name: string): Diagnostic {
  return {
    code: "state_changed",
    severity: "error",
    summary: "The state was changed by somebody else",
    detail: `${name} is not as it was when this run read it. Nothing of this run was written over it.`,
    hint: "Run the command again; it starts from the new state.",
  };
}

export function stateLocked(name: string, id: string, holder: string): Diagnostic {
  return {
    code: "state_locked",
    severity: "error",
    summary: "Error acquiring the state lock",
    detail: `${name} is locked by ${holder} (lock id ${id}). Only one run may change a state at a time.`,
    hint: "Wait for that run to end, or give --lock-timeout 30s to wait here.",
  };
}
