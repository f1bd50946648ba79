import { visible } from "../../core/model/visible.ts";
import type { Consequences } from "../../core/plan/plan.ts";

/** The sentences about what a plan changes for others, each on one line, without control characters. */
export function consequenceLines({ sentences }: Consequences): readonly string[] {
  return sentences.map((sentence) => `${visible(sentence)}${sentence.startsWith("…") ? "" : "."}`);
}
