import type { OutputValue } from "../../core/model/declaration.ts";
import { hiddenText, wholeText } from "./value-text.ts";

/** Output values, one `name = value` each; sensitive ones hidden. */
export function outputsText(outputs: readonly OutputValue[]): string {
  return outputs.map(({ name, value, sensitive }) => `${name} = ${sensitive ? hiddenText(value) : wholeText(value)}\n`).join("");
}
