import { isName } from "../../core/model/address.ts";
import { type Diagnostic, type Place, type Result, nearest, errorOf } from "../../core/model/diagnostic.ts";

/** A feature that only Terraform has. `why` is a clause, `instead` is an alternative without Terraform. */
export function requiresTerraform(what: string, why: string, place: Place, instead = ""): Diagnostic {
  return errorOf("stack_unsupported", "Requires Terraform", {
    detail: `This stack has ${what}, which requires Terraform: ${why}.`,
    ...(instead === "" ? {} : { hint: instead }),
    ways: [{ kind: "use-terraform" }],
    place,
  });
}

export function unknownArgument(key: string, known: readonly string[], place: Place): Diagnostic {
  const suggestion = nearest(key.slice(key.lastIndexOf(".") + 1), known);
  return errorOf("unknown_key", "Unknown argument", {
    detail: `${JSON.stringify(key)} is not a known argument.`,
    hint: suggestion === null ? `Known arguments: ${known.join(", ")}.` : `Did you mean ${suggestion}?`,
    place,
  });
}

export function writeOnly(key: string, stored: string, place: Place): Diagnostic {
  return errorOf("write_only_unsupported", "Write-only arguments require Terraform", {
    detail: `${key} keeps a secret out of Terraform's state. The outreach state contains only fingerprints, so it does not need this argument.`,
    hint: `Use ${stored} with a sensitive variable.`,
    place,
  });
}

/** An error that Terraform reports too. */
export function stackMistake(
  summary: string,
  { detail, hint, place }: { readonly detail: string; readonly hint: string; readonly place: Place },
): Diagnostic {
  return errorOf("stack_mistake", summary, { detail, hint, place });
}

/** Checks the name of a block or a local. */
export function checkName(name: string, place: Place): readonly Diagnostic[] {
  if (isName(name)) return [];
  const detail = `${JSON.stringify(name)} is not a valid name: names start with a letter or an underscore, and contain only letters, digits, underscores and dashes.`;
  return [stackMistake("Invalid name", { detail, hint: "Use another name.", place })];
}

/** What was said about any of several parts. */
export function saidOf(...parts: readonly Pick<Result<unknown>, "diagnostics">[]): readonly Diagnostic[] {
  return parts.flatMap(({ diagnostics }) => diagnostics);
}
