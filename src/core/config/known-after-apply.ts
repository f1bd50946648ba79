import { type Diagnostic, errorOf } from "../model/diagnostic.ts";
import type { ImportTarget } from "../model/declaration.ts";
import type { Repeat } from "./block.ts";
import { withLocationIn } from "./with-location.ts";

const HINT =
  "Refer to the resource's own arguments instead, or use Terraform, which can wait until the resource exists.";

/** Errors for attributes whose values depend on resources, by attribute, if nothing is left to read. */
export function knownAfterApply(waiting: ReadonlyMap<string, readonly string[]>): readonly Diagnostic[] {
  return [...waiting].flatMap(([name, references]): readonly Diagnostic[] => {
    const resources = references.filter((address) => !address.startsWith("data."));
    if (resources.length === 0) return [];
    return [
      errorOf("known_after_apply", "Known only after apply", {
        detail: `${name} depends on values that the service sets when it creates ${resources.join(", ")}, so it cannot be planned.`,
        hint: HINT,
        path: [name],
      }),
    ];
  });
}

/** The error for a block with unknown instances. */
export function instancesUnknown({ kind }: Repeat): Diagnostic {
  return errorOf("known_after_apply", `Invalid ${kind} argument`, {
    detail: `The value of ${kind} is known only after apply, so the number of instances is unknown.`,
    hint: HINT,
    path: [kind],
  });
}

/** The error for an import with an unknown id. */
export function idUnknown({ to, locate }: ImportTarget): Diagnostic {
  const problem: Diagnostic = errorOf("known_after_apply", "Invalid import id", {
    detail: `The id of the import to ${to} is known only after apply.`,
    hint: HINT,
    path: ["id"],
  });
  return withLocationIn(problem, locate);
}
