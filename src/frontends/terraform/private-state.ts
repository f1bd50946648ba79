import type { Attributes } from "../../core/model/value.ts";
import type { AnyResource } from "../../core/model/definition.ts";
import { type Diagnostic, errorOf } from "../../core/model/diagnostic.ts";
import type { Fingerprinter } from "../../core/secrets/fingerprint.ts";

/** The service that an object belongs to: its address and a fingerprint of the key. */
export interface KnownService {
  readonly baseUrl: string;
  readonly key: string;
}

/** Data that Terraform stores for the provider with each object and never shows. It holds no secret. */
export interface PrivateState {
  /** Null until the object has been created or read. */
  readonly service: KnownService | null;
  /** Attributes whose value is neither declared nor returned by the service. Unobserved is not null. */
  readonly unobserved: readonly string[];
  /**
   * Whether an imported object, whose configuration does not count as applied yet, was read for the run that applies it.
   * Until it counts, unobserved values that are declared are recorded without a request. Absent: it counts.
   */
  readonly imported?: "unread" | "read";
  /** What the service returned, where it writes a value differently. */
  readonly returned: Attributes;
  /** When an irreversible write was last sent, in milliseconds since the epoch. */
  readonly sentAtMs?: number;
  /** Whether that was not its first request. */
  readonly isRepeated?: true;
  /**
   * The id of the planned object, in a planned answer. Terraform passes it back when it plans the create of a replace, and since
   * 1.16 also when that plan is applied.
   */
  readonly askedFor?: string;
  /**
   * In the planned answer of a create: a secret of the configuration was only a placeholder, which a saved plan holds, unless it is write-only.
   * In a replace, Terraform passes this to the delete as well.
   */
  readonly placeholder?: "planned" | "write-only";
  /** In the planned answer of a write: where the plan was made. Absent where the provider was not configured. */
  readonly plannedAt?: KnownService;
  /** The mark that it carries in the service. Terraform's state has the declared target URL. */
  readonly mark?: string;
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
  const { format, ...state } = JSON.parse(new TextDecoder().decode(bytes)) as PrivateState & {
    readonly format: unknown;
  };
  if (format !== FORMAT) throw new Error("a newer version of the provider has stored this object; use that version");
  const { undecided, ...rest } = state;
  return { ...NO_PRIVATE_STATE, ...rest, ...(undecided ? { undecided: { name: undecided.name } } : {}) };
}

/** The configured service, as private state has it. Different spellings of its address are one. */
export async function knownServiceOf(
  { baseUrl: written, apiKey }: { readonly baseUrl: string; readonly apiKey: string },
  { fingerprinter }: { readonly fingerprinter: Fingerprinter },
): Promise<KnownService> {
  const baseUrl = new URL(written).href.replace(/\/+$/, "");
  return { baseUrl, key: await fingerprinter(Buffer.from(baseUrl).toString("hex"))(apiKey) };
}

/** What differs between the object's recorded service and the configured one. */
export function serviceChanged(recorded: KnownService | null, now: KnownService): "nothing" | "address" | "key" {
  if (recorded === null) return "nothing";
  if (recorded.baseUrl !== now.baseUrl) return "address";
  return recorded.key === now.key ? "nothing" : "key";
}

/** An object was recorded at another address than the provider speaks to. */
export function belongsElsewhere(
  { noun }: AnyResource,
  id: string,
  recorded: KnownService | null,
  now: KnownService,
): Diagnostic {
  return errorOf("service_changed", `The ${noun} belongs to another service`, {
    detail: `${id} was recorded at ${recorded?.baseUrl ?? "another base_url"}, and base_url is ${now.baseUrl} now. An object with that id on this service is a different one.`,
    hint: "Restore base_url. To start over at the new address, remove the resource from the state (terraform state rm) and apply.",
  });
}

/** An object that no list shows was recorded at another address. */
export function recordedElsewhere({ noun }: AnyResource, recorded: KnownService, now: KnownService): Diagnostic {
  return errorOf("service_changed", `The ${noun} belongs to another service`, {
    detail: `It was sent to ${recorded.baseUrl}, and base_url is ${now.baseUrl} now. Nothing was sent.`,
    hint: "Restore base_url. To start over at the new address, remove the resource from the state (terraform state rm) and apply.",
  });
}

/** The same for another key, which may belong to another team. */
export function recordedWithAnotherKey({ noun }: AnyResource): Diagnostic {
  return errorOf("key_changed", `The ${noun} was sent with another API key`, {
    detail:
      "The service does not show this API key its campaign, so the key may belong to another team. Nothing was sent.",
    hint: "Use a key of the team that owns the campaign. To start over, remove the resource from the state (terraform state rm) and apply.",
  });
}

/** The live object with the recorded id has other values than the recorded ones, and nothing recorded says which service that was. */
export function anotherObject({ noun }: AnyResource, id: string, differing: readonly string[]): Diagnostic {
  return errorOf("another_object", `The ${noun} is another one`, {
    detail: `${id} is live with another ${differing.join(" and ")} than the state has. It may belong to another service or team. Nothing was deleted.`,
    hint: "Check base_url and api_key. If they are right, and it was changed in the service, run terraform apply -refresh-only, and delete it then.",
  });
}

/** Another key of the same team sees the same objects. If one is missing, the key may belong to another team. */
export function missingWithAnotherKey({ noun }: AnyResource, id: string): Diagnostic {
  return errorOf("key_changed", `The ${noun} is not visible with this API key`, {
    detail: `${id} was recorded with another API key, and the list of this key does not show it. It may belong to another team, so it is not treated as deleted.`,
    hint: "Use a key of the team that owns the object. If you are sure that it is gone, remove it from the state (terraform state rm) and apply.",
  });
}
