import { type Diagnostic, errorOf } from "../../../../core/model/diagnostic.ts";

/** A webhook that only the tool which has it can finish. */
export function unfinished(address: string, what: string, command: string): Diagnostic {
  return errorOf("generate_unfinished", "The state is not settled", {
    detail: `${address} ${what}. Nothing was written.`,
    hint: `Run ${command} until nothing is left to do, and generate again.`,
    address,
  });
}
