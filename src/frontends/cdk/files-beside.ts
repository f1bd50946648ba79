import type { Diagnostic } from "../../core/model/diagnostic.ts";
import { outside } from "./outside.ts";

const CONFIGURATION = /^[^.].*\.(?:tf|tofu)(?:\.json)?$/;
const VALUES = /^terraform\.tfvars(?:\.json)?$|^[^.].*\.auto\.tfvars(?:\.json)?$/;

/** What Terraform would read together with the stack, and what would be left out here: `names` are the files of its folder, which `path` begins with. */
export function filesBeside(names: readonly string[], path: string): readonly Diagnostic[] {
  return names.toSorted().flatMap((name): readonly Diagnostic[] => {
    const place = { file: `${path}${name}` };
    if (name !== "cdk.tf.json" && CONFIGURATION.test(name))
      return [outside(`the file ${name} beside it`, "only Terraform takes several files for one stack", place)];
    if (VALUES.test(name)) return [outside(`the file ${name} beside it`, "only Terraform takes values of variables from it without being told", place)];
    return [];
  });
}
