import type { Environment } from "../../../operations/context.ts";
import type { Messages, Output } from "../command-context.ts";

/** Whether a line of the messages can be redrawn. A terminal may not know its width. */
export function canRedraw({ columns, isOneScreen, environment }: Environment & Pick<Messages, "columns"> & Pick<Output, "isOneScreen">): boolean {
  return (columns !== null || isOneScreen) && environment["TERM"] !== "dumb";
}
