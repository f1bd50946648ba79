import type { EvaluatedCheck } from "./check-result.ts";
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

/** A source in words, without the secret. */
export function describeSource(source: SecretSource): string {
  switch (source.kind) {
    case "env":
      return `the environment variable ${source.name}`;
    case "file":
      return `the file ${source.path}`;
    case "command":
      return `the output of the command ${JSON.stringify(source.command[0] ?? "")}`;
    case "value":
      return "the value of the sensitive variable";
  }
}

/** One managed object that the configuration declares, with every expression evaluated as far as its values are known. */
export interface Declaration {
  readonly address: string;
  readonly type: string;
  readonly provider: string;
  /** The values without the secrets; unknown where a read is still to come. */
  readonly attributes: Attributes;
  readonly secrets: { readonly [attribute: string]: SecretSource };
  /** Attributes whose value was made from a sensitive variable: masked in output. */
  readonly masked: readonly string[];
  /** The lookup that an attribute comes from, if it comes from a data source: the same text is the same lookup. */
  readonly lookups?: { readonly [attribute: string]: string };
  /** Attributes whose changes a plan ignores: the recorded value stays. */
  readonly ignoreChanges?: readonly string[];
  /** Kept although the fan-out no longer yields it: it has only left a filter. */
  readonly retained?: true;
  /** A value of its address is the result of a filter, which may find others later. */
  readonly isFiltered?: true;
  /** What its list says of it, for the record: no plan compares it. */
  readonly details?: { readonly [name: string]: string };
  readonly locate: (path: Path) => Place | undefined;
}

/** One output value: unknown if it depends on an object that is still to be created or read. */
export interface OutputValue {
  readonly name: string;
  readonly value: Value;
  readonly sensitive: boolean;
}

/** One data source that is still to be read. If its configuration contains unknown values, another one must be read first. */
export interface PendingRead {
  readonly address: string;
  readonly type: string;
  readonly config: Attributes;
  /** The names of the values that come from something sensitive. */
  readonly masked?: readonly string[];
  readonly locate: (path: Path) => Place | undefined;
}

/** An object of the service to record, unless its address has a record already. */
export interface ImportTarget {
  /** The address that declares it. */
  readonly to: string;
  /** The id that a user types; unknown where a read is still to come. */
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

/** An object that nothing declares or records, to be deleted once a person has approved that. */
export interface RemovalTarget {
  /** What plans and reports call it. Nothing is declared or recorded there. */
  readonly address: string;
  readonly type: string;
  readonly id: string;
  readonly reason: string;
  /** Locates `id` and `reason`. */
  readonly locate: (path: Path) => Place | undefined;
}

/** The statements of a configuration about addresses and their objects, in addition to its declarations. */
export interface Statements {
  readonly imports: readonly ImportTarget[];
  /** The moves, in an order in which they can be carried out one after the other. */
  readonly moved: readonly Move[];
  readonly removed: readonly Removal[];
  /** Absent: none. */
  readonly removals?: readonly RemovalTarget[];
}

export interface Evaluation extends Statements {
  readonly declarations: readonly Declaration[];
  readonly reads: readonly PendingRead[];
  readonly outputs: readonly OutputValue[];
  /** Absent: none are declared. */
  readonly checks?: readonly EvaluatedCheck[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The input of an evaluation. */
export interface EvaluationInput {
  /** The results of the reads so far, by the address of the data source. */
  readonly known: ReadonlyMap<string, Attributes>;
  /** The recorded instances: those that have only left a filter are still declared. */
  readonly instances: readonly RecordedInstance[];
  /** The managed objects by address, as planned or as recorded, for outputs. Absent before the plan: then outputs that refer to them are unknown. */
  readonly managed?: ReadonlyMap<string, Attributes>;
}

/** Pure: called again after each round of reads. */
export type Evaluate = (seen: EvaluationInput) => Evaluation;
