import type { Attributes } from "../../core/model/value.ts";

/** The service that an object belongs to: its address and a fingerprint of the key. */
export interface ServiceMark {
  readonly baseUrl: string;
  readonly key: string;
}

/** Data that Terraform stores for the provider with each object and never shows. It holds no secret. */
export interface PrivateState {
  /** Null until the object has been created or read. */
  readonly service: ServiceMark | null;
  /** Attributes whose value is neither declared nor returned by the service. Unobserved is not null. */
  readonly unobserved: readonly string[];
  /**
   * Of an imported object whose configuration does not count as applied yet: whether it was read for the run that applies it.
   * Until it counts, unobserved values that are declared are recorded without a request. Absent: it counts.
   */
  readonly imported?: "unread" | "read";
  /** What the service returned, where it writes a value differently. */
  readonly returned: Attributes;
  /**
   * In a planned answer: the id of the planned object. Terraform passes it back when it plans the create of a replace, and since
   * 1.16 also when that plan is applied.
   */
  readonly askedFor?: string;
  /** Present when the outcome of the create is unknown: the name of the create in the journal. */
  readonly undecided?: { readonly name: string };
}

const FORMAT = 1;

export const NO_PRIVATE_STATE: PrivateState = { service: null, unobserved: [], returned: {} };

export function encodePrivate(state: PrivateState): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ format: FORMAT, ...state }));
}

/** Decodes the output of `encodePrivate`; no bytes stand for the default. Throws for the format of a newer version. */
export function decodePrivate(bytes: Uint8Array): PrivateState {
  if (bytes.length === 0) return NO_PRIVATE_STATE;
  const { format, ...state } = JSON.parse(new TextDecoder().decode(bytes)) as PrivateState & { readonly format: unknown };
  if (format !== FORMAT) throw new Error("a newer version of the provider has stored this object; use that version");
  const { undecided, ...rest } = state;
  return { ...NO_PRIVATE_STATE, ...rest, ...(undecided ? { undecided: { name: undecided.name } } : {}) };
}
