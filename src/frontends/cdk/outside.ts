import { isName } from "../../core/model/address.ts";
import { type Diagnostic, type Place, nearest } from "../../core/model/diagnostic.ts";

/** What only Terraform does. `why` is a clause, `instead` what can be had without it. */
export function outside(what: string, why: string, place: Place, instead = ""): Diagnostic {
  return {
    code: "stack_unsupported",
    severity: "error",
    summary: "Outside of what runs without Terraform",
    detail: `This stack has ${what}, which does not run here: ${why}.`,
    ...(instead === "" ? {} : { hint: instead }),
    ways: [{ kind: "use-terraform" }],
    place,
  };
}

export function unknownArgument(key: string, known: readonly string[], place: Place): Diagnostic {
  const meant = nearest(key.slice(key.lastIndexOf(".") + 1), known);
  return {
    code: "unknown_key",
    severity: "error",
    summary: "Unknown argument",
    detail: `${JSON.stringify(key)} is not an argument that is known here.`,
    hint: meant === null ? `Known arguments: ${known.join(", ")}.` : `Did you mean ${meant}?`,
    place,
  };
}

export function writeOnly(key: string, stored: string, place: Place): Diagnostic {
  return {
    code: "write_only_unsupported",
    severity: "error",
    summary: "Write-only arguments are Terraform's",
    detail: `${key} keeps a secret out of Terraform's state. The state of this tool holds fingerprints only, so it is not needed here.`,
    hint: `Use ${stored} with a sensitive variable.`,
    place,
  };
}

/** Something in the stack that Terraform refuses too. */
export function mistaken(summary: string, { detail, hint, place }: { readonly detail: string; readonly hint: string; readonly place: Place }): Diagnostic {
  return { code: "stack_mistake", severity: "error", summary, detail, hint, place };
}

/** What is wrong with the name of a block, or of a local. */
export function checkName(name: string, place: Place): readonly Diagnostic[] {
  if (isName(name)) return [];
  const detail = `${JSON.stringify(name)} cannot be a name: one begins with a letter or an underscore, and has only letters, digits, underscores and dashes.`;
  return [mistaken("Invalid name", { detail, hint: "Give it another name.", place })];
}
