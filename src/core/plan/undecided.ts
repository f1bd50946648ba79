import { type Diagnostic, errorOf } from "../model/diagnostic.ts";
import type { WayOut } from "../model/way-out.ts";

/** A write whose outcome recovery could not decide: its address gets no step, and the run ends with exit code 3. */
export interface UndecidedWrite {
  /** Null where it is not known. */
  readonly address: string | null;
  readonly type: string;
  /** The request, as in `create (second half of a replace)`. */
  readonly sent: string;
  /** What left the outcome open, as a clause. */
  readonly cause: string;
  /** Why recovery could not decide it, as a sentence without its full stop. */
  readonly why: string;
  /** The ids of the live objects that it may have created. */
  readonly candidates: readonly string[];
  readonly ways: readonly WayOut[];
}

/** The ways out of an undecided write: adopt one of its candidates, retry, or forget it. */
export function waysToResolve({
  address,
  type,
  candidates = [],
}: Pick<UndecidedWrite, "address" | "type"> & { readonly candidates?: readonly string[] }): readonly WayOut[] {
  return [
    ...candidates.map((id): WayOut => ({ kind: "adopt", address, id })),
    { kind: "retry", address, type },
    { kind: "forget", address },
  ];
}

export function undecidedWriteDiagnostic({ address, type, sent, cause, why, ways }: UndecidedWrite): Diagnostic {
  return errorOf("outcome_pending", "The outcome of a write is undecided", {
    detail: `The ${sent} of ${address ?? type} may or may not have been carried out: ${cause}. ${why}. Nothing is sent there until this is resolved.`,
    ways,
    ...(address === null ? {} : { address }),
  });
}
