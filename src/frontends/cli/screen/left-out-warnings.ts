import { type Diagnostic, warningOf } from "../../../core/model/diagnostic.ts";
import { firstFew } from "../../../core/model/words.ts";
import type { LeftOut } from "../../generate/adoption/live-webhook.ts";

const MAX_SHOWN = 10;

/** The live webhooks that a generated configuration does not declare. */
export function leftOutWarnings(leftOut: readonly LeftOut[]): readonly Diagnostic[] {
  if (leftOut.length === 0) return [];
  const shown = leftOut.map(({ id, why }) => `${id}: ${why}`);
  return [
    warningOf(
      "generate_left_out",
      `${leftOut.length === 1 ? "A live webhook was" : `${String(leftOut.length)} live webhooks were`} left out`,
      {
        detail: `${firstFew(shown, MAX_SHOWN, { separator: "\n", last: "\n… and " })}${leftOut.length > MAX_SHOWN ? ", at the end of the YAML." : ""}`,
      },
    ),
  ];
}
