import type { Diagnostic, Place } from "./diagnostic.ts";
import type { Path } from "./path.ts";
import type { Attributes } from "./value.ts";

/** Where a secret comes from. Only `value` holds one, and only in memory: it was made from sensitive variables. */
export type SecretSource =
  | { readonly kind: "env"; readonly name: string }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "command"; readonly command: readonly string[] }
  | { readonly kind: "value"; readonly value: string };

/** One managed object that the configuration asks for, with every expression evaluated as far as is known. */
export interface Declaration {
  readonly address: string;
  readonly type: string;
  readonly provider: string;
  /** Without the secrets; unknown where a read is still to come. */
  readonly attributes: Attributes;
  readonly secrets: { readonly [attribute: string]: SecretSource };
  /** Attributes whose value was made from a sensitive variable: masked in output. */
  readonly masked: readonly string[];
  readonly locate: (path: Path) => Place | undefined;
}

/** One data source that was not read yet. Its configuration may hold unknown values: then another one is to be read first. */
export interface PendingRead {
  readonly address: string;
  readonly type: string;
  readonly config: Attributes;
  readonly locate: (path: Path) => Place | undefined;
}

export interface Evaluation {
  readonly declarations: readonly Declaration[];
  readonly reads: readonly PendingRead[];
  readonly diagnostics: readonly Diagnostic[];
}

/** `known` holds what was read so far, by address. Pure: called again after each round of reads. */
export type Evaluate = (known: ReadonlyMap<string, Attributes>) => Evaluation;
