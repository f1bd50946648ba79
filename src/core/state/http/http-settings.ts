import type { SecretSource } from "../../model/declaration.ts";

/** Sound settings of the http backend. */
export interface HttpSettings {
  readonly address: URL;
  readonly updateMethod: string;
  /** Null where runs do not lock the state. */
  readonly lock: {
    readonly address: URL;
    readonly method: string;
    readonly unlockAddress: URL;
    readonly unlockMethod: string;
  } | null;
  readonly username: string | null;
  readonly password: SecretSource | null;
  /** Names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string | SecretSource])[];
  readonly retry: { readonly max: number; readonly waitMinMs: number; readonly waitMaxMs: number };
}

/** Whether HTTP can carry it. */
export function isHeaderValue(text: string): boolean {
  return /^[\t\x20-\x7E\x80-\xFF]*$/.test(text);
}
