import type { Diagnostic } from "../../core/model/diagnostic.ts";
import { encodeState } from "../../core/state/document.ts";
import type { StatePathOptions } from "./options.ts";
import { printDiagnostics } from "./print-diagnostics.ts";
import { openStore, readRecords } from "./records.ts";
import type { ExitCode, Terminal } from "./terminal.ts";

/** Prints the whole state document, as `state push` takes it; nothing where there is no state. */
export async function statePullCommand(terminal: Terminal, options: StatePathOptions): Promise<ExitCode> {
  const store = await openStore(terminal, options);
  if ((await store.read(terminal.stop)) === null) return 0;
  const { open } = await readRecords(terminal, options);
  const text = new TextDecoder().decode(encodeState(open.document));
  if (terminal.hidesEmails.out && terminal.personal.mask(text) !== text) printDiagnostics(terminal, [incomplete()]);
  terminal.out(text);
  return 0;
}

function incomplete(): Diagnostic {
  return {
    code: "pull_masked",
    severity: "warning",
    summary: "Addresses of leads are masked",
    detail: "The state holds email addresses, which are not printed in full where the output is not a terminal. What is printed cannot be pushed again.",
    hint: "To get the whole document, give --show-emails, and keep it as you keep personal data.",
  };
}
