import type { Diagnostic } from "../../core/model/diagnostic.ts";
import { diagnosticText } from "../content/diagnostic-text.ts";
import { plain } from "../content/paint.ts";
import { codeBlock } from "./escape.ts";

const COLUMNS = 100;
const ORDER: readonly Diagnostic["severity"][] = ["error", "warning", "note"];

/** Messages as blocks of code, the errors first: as many whole ones as `room` characters can hold, and the number of the others. */
export function diagnosticsMarkdown(diagnostics: readonly Diagnostic[], mask: (text: string) => string, room: number): string {
  const ordered = ORDER.flatMap((severity) => diagnostics.filter((one) => one.severity === severity));
  const blocks: string[] = [];
  let left = room - moreText(ordered.length).length;
  for (const diagnostic of ordered) {
    const block = `${codeBlock(mask(diagnosticText(diagnostic, plain, COLUMNS)))}\n\n`;
    if (block.length > left) continue;
    blocks.push(block);
    left -= block.length;
  }
  return `${blocks.join("")}${moreText(ordered.length - blocks.length)}`;
}

function moreText(count: number): string {
  return count === 0 ? "" : `${String(count)} more ${count === 1 ? "message is" : "messages are"} not shown here.\n\n`;
}
