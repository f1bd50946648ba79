import { type Checked, type Given, checkConfiguration } from "../yaml/check-configuration.ts";
import { type Json, stackOf } from "./stack.ts";

const FILE = "hooks/cdk.tf.json";

/** The result of `outreach validate` for a stack. */
export function checkStack(parts: Json, given: Given = {}): Promise<Checked> {
  return checkConfiguration("", { ...given, files: { ...given.files, [FILE]: stackOf(parts) }, config: "hooks" });
}
