import type { Diagnostic } from "../model/diagnostic.ts";
import type { ImportTarget } from "../model/declaration.ts";
import type { Repeat } from "./block.ts";
import { withLocationIn } from "./with-location.ts";

const HINT = "Refer to what the resource is made from. Otherwise run this with Terraform, which can wait until the resource is there.";

/** What is to be said of attributes that wait for something, by what they are made from, when nothing is left that could be read. */
export function knownAfterApply(waiting: ReadonlyMap<string, readonly string[]>): readonly Diagnostic[] {
  return [...waiting].flatMap(([name, references]): readonly Diagnostic[] => {
    const resources = references.filter((address) => !address.startsWith("data."));
    if (resources.length === 0) return [];
    return [
      {
        code: "known_after_apply",
        severity: "error",
        summary: "Known only after an apply",
        detail: `${name} is made from what the service gives ${resources.join(", ")} when it is created, so it cannot be planned.`,
        hint: HINT,
        path: [name],
      },
    ];
  });
}

/** The same of a block whose instances are not known. */
export function instancesUnknown({ kind }: Repeat): Diagnostic {
  return {
    code: "known_after_apply",
    severity: "error",
    summary: `Invalid ${kind} argument`,
    detail: `The value of ${kind} is known only after an apply, so it cannot be told how many of them there are.`,
    hint: HINT,
    path: [kind],
  };
}

/** The same of an import whose id is not known. */
export function idUnknown({ to, locate }: ImportTarget): Diagnostic {
  const said: Diagnostic = {
    code: "known_after_apply",
    severity: "error",
    summary: "Invalid import id",
    detail: `The id of what is to be imported to ${to} is known only after an apply.`,
    hint: HINT,
    path: ["id"],
  };
  return withLocationIn(said, locate);
}
