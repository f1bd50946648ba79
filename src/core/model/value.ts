/**
 * A value in every frontend, plan and state file: JSON, plus two marks.
 * `Unknown` stands for what is only known after an apply, `SecretDigest` for a secret of which only the fingerprint is kept.
 */
export type Value =
  | null
  | boolean
  | number
  | string
  | Unknown
  | SecretDigest
  | readonly Value[]
  | { readonly [name: string]: Value };

export interface Unknown {
  readonly $unknown: true;
}

export interface SecretDigest {
  readonly $secret: string;
}

/** The attributes of one resource or data source, by their Terraform names. */
export type Attributes = { readonly [name: string]: Value };

export const UNKNOWN: Unknown = Object.freeze({ $unknown: true });

export function isUnknown(value: Value | undefined): value is Unknown {
  return typeof value === "object" && value !== null && "$unknown" in value;
}

export function isSecretDigest(value: Value | undefined): value is SecretDigest {
  return typeof value === "object" && value !== null && "$secret" in value;
}

/** Whether the value, or anything inside it, is unknown. */
export function hasUnknown(value: Value): boolean {
  if (isUnknown(value)) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value as { readonly [name: string]: Value }).some(hasUnknown);
}

/** The order of texts, code unit by code unit: the same on every machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A text that is equal for equal values: keys sorted, no white space. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => compareText(a, b)))
      : inner,
  );
}

/** Equality to the letter; an unknown value equals nothing. */
export function identical(a: Value, b: Value): boolean {
  if (a === b) return !hasUnknown(a);
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  return !hasUnknown(a) && !hasUnknown(b) && canonicalJson(a) === canonicalJson(b);
}

/** Every text in a value. */
export function textsIn(value: Value): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null
    ? Object.values(value as { readonly [name: string]: Value }).flatMap(textsIn)
    : [];
}
