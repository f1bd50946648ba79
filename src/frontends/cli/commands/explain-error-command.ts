import { DiagnosticsError, nearest } from "../../../core/model/diagnostic.ts";
import type { CommandDefinition } from "../program/command-definition.ts";

/** Explains the code of a message, without network. */
export const explainErrorCommand: CommandDefinition<unknown, readonly [code: string]> = {
  name: "explain-error",
  description: "explains the code at the end of a message's first line; without network",
  example: { lines: ["outreach explain-error state_locked"] },
  declare: (command) => void command.argument("<code>", "as in state_locked"),
  run: async (context, { operands: [typed] }) => {
    const { EXPLAINED } = await import("../generated/explained-errors.ts");
    const code = typed.replace(/^\[(.*)\]$/, "$1");
    const text = Object.hasOwn(EXPLAINED, code) ? EXPLAINED[code] : undefined;
    if (text === undefined) throw unknownCode(typed, Object.keys(EXPLAINED));
    context.out(`${code}\n\n${text}\n`);
    return 0;
  },
};

function unknownCode(typed: string, codes: readonly string[]): DiagnosticsError {
  const begun = codes.filter((code) => typed.length > 2 && code.startsWith(typed));
  const meant = nearest(typed, codes);
  const near = [...new Set([...(meant === null ? [] : [meant]), ...begun])].slice(0, 5);
  return DiagnosticsError.of("code_unknown", "Unknown code", {
    detail: `No message has the code ${JSON.stringify(typed)}.`,
    hint:
      near.length === 0
        ? "A message shows its code in brackets, at the end of its first line."
        : `Did you mean ${near.join(", ")}?`,
  });
}
