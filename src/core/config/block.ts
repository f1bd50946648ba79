import type { SecretSource } from "../model/declaration.ts";
import type { Place } from "../model/diagnostic.ts";
import type { Path } from "../model/path.ts";
import type { Value } from "../model/value.ts";

/** A value as written: plain, a template with references, or a reference to a secret. */
export type Argument =
  | { readonly kind: "literal"; readonly value: Value }
  | { readonly kind: "template"; readonly text: string }
  | { readonly kind: "secret"; readonly source: SecretSource };

export type Locate = (path: Path) => Place | undefined;

/** One declared resource or data source. `locate` finds an attribute in the user's file. */
export interface Block {
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly name: string;
  readonly provider: string;
  readonly arguments: { readonly [attribute: string]: Argument };
  readonly locate: Locate;
}

export interface Variable {
  readonly name: string;
  /** Undefined: the variable must be given. */
  readonly default: Value | undefined;
  readonly sensitive: boolean;
  readonly locate: Locate;
}

/** What every door makes of its input. */
export interface Configuration {
  readonly variables: readonly Variable[];
  readonly blocks: readonly Block[];
  readonly service: {
    readonly baseUrl: Argument | null;
    readonly apiKey: Argument | null;
    /** Which part of the service's rate limit may be used: more than 0, at most 1; all of it when absent. */
    readonly rateShare?: number;
    /** Locates `base_url` and `api_key`. */
    readonly locate: Locate;
  };
  /** Where the state is kept when neither the command line nor the environment says so; relative to `folder`. */
  readonly statePath: Argument;
  /** Locates `path`, where the configuration's file can say it. */
  readonly locateState?: Locate;
  /** The folder that relative paths start from. */
  readonly folder: string;
}
