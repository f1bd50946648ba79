import { shellWord } from "../../core/model/shell-word.ts";
import type { Explanation } from "../../core/plan/explain-steps.ts";
import type { Hints } from "../context.ts";

export interface ExplainedCommand {
  readonly purpose: string;
  readonly command: string;
}

/** The commands that make sense next. The diagnostics have their own. */
export function explanationCommands(
  { given, asCalled }: Hints,
  { address, steps, instance, live, blockers, diagnostics, declaration }: Explanation,
): readonly ExplainedCommand[] {
  const word = shellWord(address);
  const isStopped = [...diagnostics, ...blockers].some(({ severity }) => severity === "error");
  const isChange = steps.some(({ action }) => action !== "keep");
  const isKept = steps.length > 0 && !isChange && declaration !== null && live !== null;
  const isDeleted = steps.some(({ action }) => action === "delete") && instance !== null;
  const commands = [
    ...(isChange ? [{ purpose: "See this change alone", command: `outreach plan ${given}--target ${word}` }] : []),
    ...(isChange && !isStopped
      ? [{ purpose: "Make this change alone", command: `outreach apply ${given}--target ${word}` }]
      : []),
    ...(isDeleted
      ? [
          {
            purpose: "Keep it live, and stop managing it",
            command: `outreach state rm ${given}${shellWord(instance.address)}`,
          },
        ]
      : []),
    ...(isKept ? [{ purpose: "Replace it anyway", command: `outreach apply ${given}--replace ${word}` }] : []),
    ...(isStopped ? [{ purpose: "See the whole plan", command: `outreach plan ${given}`.trimEnd() }] : []),
  ];
  return commands.map(({ purpose, command }) => ({ purpose, command: asCalled(command) }));
}
