import type { OutputValue } from "../../core/model/declaration.ts";
import { hiddenText, wholeText } from "./value-text.ts";
import { visible } from "../../core/model/visible.ts";

/** Output values, one `name = value` each; sensitive ones hidden. */
export function outputsText(outputs: readonly OutputValue[]): string {
  return outputs.map(({ name, value, sensitive }) => `${visible(name)} = ${sensitive ? hiddenText(value) : wholeText(value)}\n`).join("");
}
