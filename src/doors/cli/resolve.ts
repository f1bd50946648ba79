import { DiagnosticsError } from "../../core/model/diagnostic.ts";
import { foldInto } from "../../core/state/open-state.ts";
import type { StateOptions } from "./options.ts";
import { withSession } from "./session.ts";
import type { ExitCode, Terminal } from "./terminal.ts";

/**
 * Settles writes whose outcome is undecided as not carried out, so that the next apply does them again if they are still
 * wanted. That is safe where they were carried out after all: a webhook that is there already stops the create as an
 * identical unmanaged one, and one that is gone already is only forgotten. Sends nothing.
 */
export function resolveCommand(terminal: Terminal, addresses: readonly string[], options: StateOptions): Promise<ExitCode> {
  return withSession(terminal, options, { operation: "resolve" }, async ({ store, open }): Promise<ExitCode> => {
    const chosen = open.pending.filter(({ intent }) => intent.address !== null && addresses.includes(intent.address));
    const unknown = addresses.filter((address) => !chosen.some(({ intent }) => intent.address === address));
    if (unknown.length > 0) {
      throw new DiagnosticsError([
        {
          code: "nothing_pending",
          severity: "error",
          summary: "Nothing to resolve",
          detail: `No outcome is undecided at ${unknown.join(", ")}.`,
          hint: "outreach plan names the addresses that are.",
        },
      ]);
    }
    const settled = new Set(chosen.map(({ intent }) => intent.seq));
    const pending = open.document.pending.filter((event) => !settled.has("of" in event ? event.of : event.seq));
    await foldInto(store, { ...open, document: { ...open.document, pending } }, [], terminal.stop);
    for (const { intent } of chosen)
      terminal.out(`${String(intent.address)}: the ${intent.op} is settled as not carried out. outreach plan shows what is to be done now.\n`);
    return 0;
  });
}
