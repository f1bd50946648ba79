import type { SecretSource } from "../model/declaration.ts";
import type { Limits } from "../model/limits.ts";
import type { Place } from "../model/diagnostic.ts";
import type { Path } from "../model/path.ts";
import type { Value } from "../model/value.ts";
import type { VariableType } from "./variables/variable-type.ts";

/** A value as written: plain, a template with references, or a reference to a secret. */
export type Argument =
  | { readonly kind: "literal"; readonly value: Value }
  | { readonly kind: "template"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly Argument[] }
  | { readonly kind: "object"; readonly entries: readonly (readonly [key: Argument, value: Argument])[] }
  | { readonly kind: "secret"; readonly source: SecretSource };

export type Locate = (path: Path) => Place | undefined;

/**
 * One declared resource or data source. `locate` finds an attribute in the user's file: of an attribute that fans out, a
 * second step is the index of one of its values.
 */
export interface Block {
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly name: string;
  readonly provider: string;
  readonly arguments: { readonly [attribute: string]: Argument };
  /** One instance for each combination; the parts' values make up the key, in this order, joined by `/`. */
  readonly fanOut?: readonly FanOutPart[];
  /** Whether a fan-out without any instance is meant. */
  readonly allowEmpty?: boolean;
  /** Whether an instance that only left a filter is deleted. */
  readonly prune?: boolean;
  /** Instances by number or by key, as Terraform has them; not together with a fan-out. */
  readonly repeat?: Repeat;
  /** Attributes of which the recorded value stands, whatever is declared. */
  readonly ignoreChanges?: readonly string[];
  /** The addresses of blocks, and the locals and variables, that it says to depend on beside what its arguments refer to. */
  readonly dependsOn?: readonly string[];
  readonly locate: Locate;
}

/** `count` takes a number, `for_each` a map or a set of texts. `locate` of the block finds it by its kind. */
export interface Repeat {
  readonly kind: "count" | "for_each";
  readonly value: Argument;
}

/** One dimension of a fan-out: the attribute that each instance has its own value of. */
export interface FanOutPart {
  readonly attribute: string;
  /** Gives a list of texts. */
  readonly values: Argument;
  /** Whether the values are what a filter finds now: what leaves it is kept, unless `prune`. */
  readonly filtered: boolean;
  /** Whether the same value twice is a mistake; otherwise it counts once. */
  readonly distinct: boolean;
  /** A file of further values: whoever loads the configuration reads it, and adds them to `values`. */
  readonly file?: { readonly path: Argument; readonly locate: Locate };
}

/** A value that is shown after an apply, and kept in the state. */
export interface Output {
  readonly name: string;
  readonly value: Argument;
  readonly sensitive: boolean;
  readonly locate: Locate;
}

/** A value with a name, for others to refer to. */
export interface Local {
  readonly name: string;
  readonly value: Argument;
  readonly locate: Locate;
}

export interface Variable {
  readonly name: string;
  /** Undefined: the variable must be given. */
  readonly default: Value | undefined;
  readonly sensitive: boolean;
  /** What its value is converted to. Absent: it is taken as it comes. */
  readonly type?: VariableType;
  /** False: null stands for the default. True when absent. */
  readonly nullable?: boolean;
  readonly locate: Locate;
}

/** An object of the service's that is to be taken into the state at an address, unless that is recorded already. */
export interface ImportBlock {
  readonly to: string;
  /** The id as the command `import` takes it. */
  readonly id: Argument;
  /** Locates `to` and `id`. */
  readonly locate: Locate;
}

/** A block, or an instance of one, that has another address now. */
export interface MovedBlock {
  readonly from: string;
  readonly to: string;
  /** Locates `from` and `to`. */
  readonly locate: Locate;
}

/** A block that is no longer declared, with all its instances. */
export interface RemovedBlock {
  readonly from: string;
  /** Whether its objects are deleted; otherwise they are only forgotten. */
  readonly destroy: boolean;
  /** Locates `from`. */
  readonly locate: Locate;
}

/** The settings of a service that some of the blocks name. */
export interface OtherService {
  /** As blocks name it. */
  readonly name: string;
  readonly baseUrl: Argument | null;
  readonly apiKey: Argument | null;
  readonly locate: Locate;
}

/** A state backend and its settings, which may use variables but no data. Paths start from the configuration's folder. */
export interface StateSection {
  readonly backend: string;
  readonly settings: { readonly [name: string]: Argument };
  /** Locates `backend` and the settings, where the configuration's file can say them. */
  readonly locate?: Locate;
}

/** What every door makes of its input. */
export interface Configuration {
  readonly variables: readonly Variable[];
  /** Present, even if empty, where blocks and locals may refer to each other and to resources; absent, they may refer to variables and data sources alone. */
  readonly locals?: readonly Local[];
  readonly blocks: readonly Block[];
  readonly outputs: readonly Output[];
  readonly imports: readonly ImportBlock[];
  readonly moved: readonly MovedBlock[];
  readonly removed: readonly RemovedBlock[];
  readonly limits: Limits;
  readonly service: {
    readonly baseUrl: Argument | null;
    readonly apiKey: Argument | null;
    /** Which part of the service's rate limit may be used: more than 0, at most 1; all of it when absent. */
    readonly rateShare?: number;
    /** Further ones that blocks name: what runs is one service, so they have to agree. */
    readonly others?: readonly OtherService[];
    /** Locates `base_url` and `api_key`. */
    readonly locate: Locate;
  };
  /** Where the state is kept, unless the command line or the environment says so. */
  readonly state: StateSection;
  /** The folder that relative paths start from. */
  readonly folder: string;
}
