import type { CheckSeverity } from "../model/check-result.ts";
import type { SecretSource } from "../model/declaration.ts";
import type { Limits } from "../model/limits.ts";
import type { Place, Written } from "../model/diagnostic.ts";
import type { Path } from "../model/path.ts";
import type { Value } from "../model/value.ts";
import type { VariableType } from "./variables/variable-type.ts";

/** A value as written: plain, a template with references, or a reference to a secret. */
export type Argument =
  | { readonly kind: "literal"; readonly value: Value }
  | { readonly kind: "template"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly Argument[] }
  | { readonly kind: "object"; readonly entries: readonly (readonly [key: Argument, value: Argument])[] }
  /** `own` is the name or path of the source, if it differs between the instances of a fan-out. */
  | { readonly kind: "secret"; readonly source: SecretSource; readonly own?: Argument };

/** `written` is the part of the value's text to point to, if the frontend can. */
export type Locate = (path: Path, written?: Written) => Place | undefined;

/**
 * One declared resource or data source. `locate` finds an attribute in the user's file. For a fan-out attribute, a second
 * step is the index of one of its values.
 */
export interface Block {
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly name: string;
  readonly provider: string;
  readonly arguments: { readonly [attribute: string]: Argument };
  /** One instance per combination. The parts' values, in this order and joined by `/`, make up the key. */
  readonly fanOut?: readonly FanOutPart[];
  /** Whether an empty fan-out is intended. */
  readonly allowEmpty?: boolean;
  /** Whether an instance whose value left a filter is deleted. */
  readonly prune?: boolean;
  /** The codes of warnings and findings that are silenced for it. */
  readonly ignore?: readonly string[];
  /** Instances by number or by key, as in Terraform. Excludes a fan-out. */
  readonly repeat?: Repeat;
  /** Attributes that keep their recorded values, whatever is declared. */
  readonly ignoreChanges?: readonly string[];
  /** The addresses of blocks, locals and variables in `depends_on`, in addition to the references in the arguments. */
  readonly dependsOn?: readonly string[];
  readonly preconditions?: readonly Condition[];
  /** These can refer to the resource or data source as `self`. */
  readonly postconditions?: readonly Condition[];
  readonly locate: Locate;
}

/** A condition and the message that explains its failure. */
export interface Condition {
  readonly condition: Argument;
  readonly message: Argument;
  /** Locates `condition` and `error_message`. */
  readonly locate: Locate;
}

/** Conditions on the whole configuration. */
export interface Check {
  readonly name: string;
  /** What a failure means: by default a warning. */
  readonly severity?: CheckSeverity;
  readonly asserts: readonly Condition[];
}

/** `count` takes a number, `for_each` a map or a set of strings. The block's `locate` finds it by its kind. */
export interface Repeat {
  readonly kind: "count" | "for_each";
  readonly value: Argument;
}

/** One dimension of a fan-out: the attribute that differs between the instances. */
export interface FanOutPart {
  readonly attribute: string;
  /** A list of strings. */
  readonly values: Argument;
  /** Whether the values are the current result of a filter. Values that leave it are kept, unless `prune`. */
  readonly filtered: boolean;
  /** Whether a duplicate value is an error; otherwise it counts once. */
  readonly distinct: boolean;
  /** Where further values come from. They are read when the configuration is loaded, and added to `values`. */
  readonly sources?: readonly ValueSource[];
  /** A source was not read, since nothing may run here: the recorded values of the block stand for it. */
  readonly unread?: true;
  /** What a source says of a value. */
  readonly details?: ReadonlyMap<string, { readonly [name: string]: string }>;
}

/** A file or a command with further values or teams, and its column that has them, or their names. */
export interface ValueSource {
  readonly from:
    | { readonly kind: "file"; readonly path: Argument }
    | { readonly kind: "command"; readonly command: readonly string[] };
  readonly column?: string;
  readonly locate: Locate;
}

/** A value that is shown after an apply and recorded in the state. */
export interface Output {
  readonly name: string;
  readonly value: Argument;
  readonly sensitive: boolean;
  readonly preconditions?: readonly Condition[];
  readonly locate: Locate;
}

/** A named value that others can refer to. */
export interface Local {
  readonly name: string;
  readonly value: Argument;
  readonly locate: Locate;
}

export interface Variable {
  readonly name: string;
  /** Undefined: the variable is required. */
  readonly default: Value | undefined;
  /** The setting that has the default, in messages. Absent: the variable's own. */
  readonly defaultFrom?: string;
  readonly sensitive: boolean;
  /** The type that its value is converted to. Absent: no conversion. */
  readonly type?: VariableType;
  /** The only values that it may have, compared by their text. Absent: any. */
  readonly allowed?: readonly (string | number | boolean)[];
  /** False: null means the default. True by default. */
  readonly nullable?: boolean;
  readonly validations?: readonly Condition[];
  readonly locate: Locate;
}

/** An existing object to import to an address, unless the address is already recorded. */
export interface ImportBlock {
  readonly to: string;
  /** The id, in the form of the command `import`. */
  readonly id: Argument;
  /** Locates `to` and `id`. */
  readonly locate: Locate;
}

/** A block or an instance that has a new address. */
export interface MovedBlock {
  readonly from: string;
  readonly to: string;
  /** Locates `from` and `to`. */
  readonly locate: Locate;
}

/** A block that is no longer declared, with all its instances. */
export interface RemovedBlock {
  readonly from: string;
  /** Whether its objects are deleted; otherwise the state only forgets them. */
  readonly destroy: boolean;
  /** Locates `from`. */
  readonly locate: Locate;
}

/** An object to delete by its id, which nothing manages. */
export interface RemovalEntry {
  readonly type: string;
  readonly id: string;
  readonly reason: string;
  /** Locates `id` and `reason`. */
  readonly locate: Locate;
}

/** The settings of a service that some blocks refer to. */
export interface OtherService {
  /** The name in the blocks. */
  readonly name: string;
  readonly baseUrl: Argument | null;
  readonly apiKey: Argument | null;
  readonly locate: Locate;
}

/** One of the teams that a configuration applies to. What it sets stands in for the common setting. */
export interface Team {
  readonly name: string;
  readonly baseUrl: Argument | null;
  readonly apiKey: Argument | null;
  /** The values of variables. */
  readonly variables: ReadonlyMap<string, string | number | boolean>;
  /** Whether a command printed them, so that they are in no file. */
  readonly isPrinted?: boolean;
  /** Locates `base_url`, `api_key` and the names below `variables`. */
  readonly locate: Locate;
}

/** A state backend and its settings, which may use variables but no data. Paths start from the configuration's folder. */
export interface StateSection {
  readonly backend: string;
  readonly settings: { readonly [name: string]: Argument };
  /** Whether the configuration names no place. */
  readonly isDefault?: true;
  /** Locates `backend` and the settings, if the configuration's file can set them. */
  readonly locate?: Locate;
}

/** Where notices of runs go. */
export interface NotifyTarget {
  readonly name: string;
  /** A reference to a secret, or a text. Null: a command gets them. */
  readonly url: Argument | null;
  readonly command: readonly Argument[];
  readonly format: "json" | "slack" | "teams";
  /** Null: all. */
  readonly events: readonly string[] | null;
  /** Time after which a finding that persists is sent again, in milliseconds. */
  readonly remindMs: number;
  /** Locates `url` and `command`. */
  readonly locate: Locate;
}

/** Masks a text from now on; a host, unless the configuration itself writes it, too. */
export type Hide = (text: string, options?: { readonly isHost?: boolean }) => void;

/** The result of every frontend. */
export interface Configuration {
  /** Whether it is a synthesised stack; absent: YAML. */
  readonly isStack?: boolean;
  /** The declared teams. Absent or empty: it applies once. */
  readonly teams?: readonly Team[];
  /** Where further teams come from. They are read with the configuration, and added to `teams`. Absent: nowhere. */
  readonly teamsFrom?: readonly ValueSource[];
  /** The name of the team that it applies to now, as `team.name` of expressions. */
  readonly team?: string;
  /** Present where the configuration is untrusted: see `Scope`. */
  readonly hide?: Hide;
  readonly variables: readonly Variable[];
  /** Present, even if empty, if blocks and locals may refer to each other and to resources; absent, they may refer to variables and data sources only. */
  readonly locals?: readonly Local[];
  readonly blocks: readonly Block[];
  readonly outputs: readonly Output[];
  readonly imports: readonly ImportBlock[];
  readonly moved: readonly MovedBlock[];
  readonly removed: readonly RemovedBlock[];
  /** Absent: none. */
  readonly removals?: readonly RemovalEntry[];
  readonly checks?: readonly Check[];
  readonly notify?: readonly NotifyTarget[];
  readonly limits: Limits;
  /** The codes of warnings and findings that are silenced. Absent: none. */
  readonly ignore?: readonly string[];
  readonly service: {
    readonly baseUrl: Argument | null;
    readonly apiKey: Argument | null;
    /** The usable share of the service's rate limit, above 0 and at most 1; 1 by default. */
    readonly rateShare?: number | undefined;
    /** Whether the service allows one object per value of a type's exclusive attribute; absent: no. */
    readonly exclusive?: boolean | undefined;
    /** Whether creates carry a mark; absent: no. */
    readonly mark?: boolean | undefined;
    /** Further services in the blocks. A run has a single service, so they must agree. */
    readonly others?: readonly OtherService[];
    /** Locates `base_url` and `api_key`. */
    readonly locate: Locate;
  };
  /** The state's location, unless the command line or the environment sets another. */
  readonly state: StateSection;
  /** The base of relative paths. */
  readonly folder: string;
}

/** The parts of a configuration that declares nothing. */
export const NOTHING_DECLARED: Pick<
  Configuration,
  "variables" | "blocks" | "outputs" | "imports" | "moved" | "removed" | "limits"
> = {
  variables: [],
  blocks: [],
  outputs: [],
  imports: [],
  moved: [],
  removed: [],
  limits: {},
};
