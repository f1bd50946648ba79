import type { Intent } from "../../core/state/journal-event.ts";
import type { Attributes } from "../../core/model/value.ts";

/** The service that an object belongs to: its address and a fingerprint of the key. */
export interface ServiceMark {
  readonly baseUrl: string;
  readonly key: string;
}

/** What Terraform keeps for the provider beside an object's attributes, and never shows. It holds no secret. */
export interface PrivateState {
  /** Null until the object has been created or read. */
  readonly service: ServiceMark | null;
  /** Names of attributes whose value is neither declared nor returned by the service: unobserved, which is not null. */
  readonly unobserved: readonly string[];
  /** What the service returned, where it writes a value differently. */
  readonly returned: Attributes;
  /** In a plan's answer: the object that was asked for. Terraform hands it back when it asks once more as for a new one. */
  readonly askedFor?: string;
  /** Present when it is not known whether the service has created the object: what was sent. */
  readonly undecided?: UndecidedCreate;
}

/** A create whose outcome is open, as far as it takes to look for it without the journal. Secrets are fingerprints. */
export interface UndecidedCreate extends Pick<Intent, "key" | "planned" | "provider" | "serverDate" | "sentAtMs"> {
  /** What the journal calls it. */
  readonly name: string;
  /** The ids of those that were there before and could be taken for it; null when that is not known. */
  readonly preIds: readonly string[] | null;
  /** Whether the list of those may have been cut off. */
  readonly partial: boolean;
  readonly cause: string | null;
  readonly answered: boolean;
  readonly lastAtMs: number;
}

const FORMAT = 1;

export const NO_PRIVATE_STATE: PrivateState = { service: null, unobserved: [], returned: {} };

export function encodePrivate(state: PrivateState): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ format: FORMAT, ...state }));
}

/** What was stored by `encodePrivate`; nothing stored means nothing special. Throws for a format of a newer version. */
export function decodePrivate(bytes: Uint8Array): PrivateState {
  if (bytes.length === 0) return NO_PRIVATE_STATE;
  const { format, ...state } = JSON.parse(new TextDecoder().decode(bytes)) as PrivateState & { readonly format: unknown };
  if (format !== FORMAT) throw new Error("a newer version of the provider has stored this object; use that version");
  return { ...NO_PRIVATE_STATE, ...state };
}
