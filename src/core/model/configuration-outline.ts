import { type Shape, anyAttributes, anyFlag, anyText, anyValue, fields, listOf, maybe, oneOf } from "./shape.ts";
import type { Attributes, Value } from "./value.ts";

/** A data source as a plan read it. */
export interface DataRead {
  readonly address: string;
  readonly type: string;
  readonly attributes: Attributes;
  /** The attributes that come from something sensitive. */
  readonly masked: readonly string[];
}

/** The parts of a configuration that a saved plan shows, in addition to its steps. Values of sensitive variables are absent. */
export interface ConfigurationOutline {
  readonly variables: readonly OutlinedVariable[];
  readonly outputs: readonly { readonly name: string; readonly sensitive: boolean }[];
  /** The declared blocks, by their addresses. */
  readonly blocks: readonly {
    readonly address: string;
    readonly mode: "managed" | "data";
    readonly type: string;
    readonly provider: string;
  }[];
  readonly data: readonly DataRead[];
}

export interface OutlinedVariable {
  readonly name: string;
  readonly sensitive: boolean;
  /** The value of this run. */
  readonly value?: Value;
  /** Absent for a variable without one. */
  readonly default?: Value;
}

/** A `ConfigurationOutline`. */
export const outlineShape: Shape = fields({
  variables: listOf(fields({ name: anyText, sensitive: anyFlag, value: maybe(anyValue), default: maybe(anyValue) })),
  outputs: listOf(fields({ name: anyText, sensitive: anyFlag })),
  blocks: listOf(fields({ address: anyText, mode: oneOf("managed", "data"), type: anyText, provider: anyText })),
  data: listOf(fields({ address: anyText, type: anyText, attributes: anyAttributes, masked: listOf(anyText) })),
});
