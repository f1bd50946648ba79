import type { Diagnostic, Place } from "./diagnostic.ts";
import type { RecordedInstance } from "./instance.ts";
import type { Path } from "./path.ts";
import type { Move } from "./relocate.ts";
import type { Attributes, Unknown, Value } from "./value.ts";

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
  /** What an attribute was looked up by, where it comes from a data source: the same text is the same question. */
  readonly lookups?: { readonly [attribute: string]: string };
  /** Attributes of which the recorded value stands in a plan, whatever is declared. */
  readonly ignoreChanges?: readonly string[];
  /** Kept although the fan-out no longer yields it: it only left a filter. */
  readonly retained?: true;
  readonly locate: (path: Path) => Place | undefined;
}

/** One output value: unknown where it depends on something that is still to be created or read. */
export interface OutputValue {
  readonly name: string;
  readonly value: Value;
  readonly sensitive: boolean;
}

/** One data source that was not read yet. Its configuration may hold unknown values: then another one is to be read first. */
export interface PendingRead {
  readonly address: string;
  readonly type: string;
  readonly config: Attributes;
  /** Which of them were made from something sensitive. */
  readonly masked?: readonly string[];
  readonly locate: (path: Path) => Place | undefined;
}

/** An object of the service's that is to be taken into the state, unless something is recorded at its address already. */
export interface ImportTarget {
  /** The address of what declares it. */
  readonly to: string;
  /** As a user types it; unknown where a read is still to come. */
  readonly id: string | Unknown;
  /** Locates `to` and `id`. */
  readonly locate: (path: Path) => Place | undefined;
}

/** A block that is no longer declared. */
export interface Removal {
  readonly from: string;
  /** Whether its objects are deleted; otherwise they are only forgotten. */
  readonly destroy: boolean;
}

/** What the configuration says of addresses and the objects behind them, beside what it declares. */
export interface Statements {
  readonly imports: readonly ImportTarget[];
  /** In an order in which they can be carried out one after the other. */
  readonly moved: readonly Move[];
  readonly removed: readonly Removal[];
}

export interface Evaluation extends Statements {
  readonly declarations: readonly Declaration[];
  readonly reads: readonly PendingRead[];
  readonly outputs: readonly OutputValue[];
  readonly diagnostics: readonly Diagnostic[];
}

/** What an evaluation can see. */
export interface Seen {
  /** What was read so far, by the address of the data source. */
  readonly known: ReadonlyMap<string, Attributes>;
  /** What is recorded: instances that only left a filter are declared still. */
  readonly instances: readonly RecordedInstance[];
  /** The managed objects by address, as planned or as they are, for outputs; absent while nothing is planned: then outputs that refer to them are unknown. */
  readonly managed?: ReadonlyMap<string, Attributes>;
}

/** Pure: called again after each round of reads. */
export type Evaluate = (seen: Seen) => Evaluation;
