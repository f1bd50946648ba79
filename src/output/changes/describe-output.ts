import type { OutputChange } from "../../core/plan/plan.ts";
import { hiddenText, hiddenTexts, valueText, valueTexts } from "../text/value-text.ts";

/** The change of an output in words, without a layout. */
export interface DescribedOutput {
  readonly symbol: "+" | "-" | "~";
  readonly values: readonly [string] | readonly [before: string, after: string];
}

/** `mask` hides emails in a value before a long one is cut. */
export function describeOutput({ before, after, sensitive }: OutputChange, mask?: (text: string) => string): DescribedOutput {
  if (before !== null && after !== null)
    return { symbol: "~", values: sensitive ? hiddenTexts(before.value, after.value) : valueTexts(before.value, after.value, mask) };
  const value = (before ?? after)?.value ?? null;
  return { symbol: before === null ? "+" : "-", values: [sensitive ? hiddenText(value) : valueText(value, mask)] };
}
