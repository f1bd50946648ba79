import type { Infer, Model, Schema, Type } from "./attribute.ts";
import type { Diagnostic, Result } from "./diagnostic.ts";
import type { IgnorableWarning } from "./ignored-warnings.ts";
import type { Attributes, Value } from "./value.ts";

/** `R` and `W` are the service's read and write clients; the core never looks inside them. */
export interface Reading<R> {
  readonly client: R;
  readonly signal: AbortSignal;
}

/** How a write that the rate limit has refused, for certain, is sent again. */
export interface RetryRule {
  /** Called before each further request. Rejects when it must not be sent. */
  readonly before?: () => Promise<void>;
  /** Aborted: it is not sent again. */
  readonly stop: AbortSignal;
  /** The create half of a replace, which is worth a longer wait. */
  readonly ofReplace?: boolean;
}

/** What a write sends with. */
export interface Writing<W> extends Reading<W> {
  readonly retry?: RetryRule;
}

/** What a create sends with. */
export interface Creating<W> extends Writing<W> {
  /** The service may have carried out an earlier attempt: only of types without a list. */
  readonly attempted?: true;
  /** The mark that the new object carries. */
  readonly mark?: string;
}

/** What a data source reads from. */
export interface DataReading<R> extends Reading<R> {
  /** The live objects of a resource type, if its resources are read from a list. */
  readonly listing: (type: string) => Promise<LiveListing>;
}

export interface IdCheck<R> extends Reading<R> {
  readonly isThorough: boolean;
}

export type Rejection = "plain" | "conflict";

/** The service's answer to a write. Only `unsure` leaves open whether the service carried it out. */
export type WriteOutcome =
  | {
      readonly kind: "done";
      readonly id: string | null;
      readonly returned: Attributes;
      readonly warnings?: readonly Diagnostic[];
    }
  /**
   * Not carried out. `gone`: the service says that no such object exists. `rejected`: an answer rejects the request itself, and a
   * service may answer so after it has carried out a create, so its list is read before that is believed; after a `conflict`, an
   * object of the list is never the outcome. Without it, no service has received the request, or its rate limit refused it.
   */
  | { readonly kind: "refused"; readonly diagnostic: Diagnostic; readonly gone?: true; readonly rejected?: Rejection }
  /** `answered`: an answer came, but it does not tell the outcome. Without an answer the service may still be working on it. */
  | { readonly kind: "unsure"; readonly cause: string; readonly answered: boolean };

/** One live object: `attributes` holds only what the service returned (observed); an absent one is unobserved. */
export interface LiveObject {
  readonly id: string;
  readonly attributes: Attributes;
  /** The mark of the create that made it. It is in none of the attributes. Absent: it carries none. */
  readonly mark?: string;
}

export interface LiveListing {
  readonly objects: readonly LiveObject[];
  /** Whether the service showed that nothing follows. Otherwise `missing.ts` decides what the list proves. */
  readonly complete: boolean;
  /** Whether the service was asked for more than its first answer. */
  readonly isAsked?: boolean;
  /** How the list is paged, as its definition names it, where the first answer was only a part of it. */
  readonly paging?: string | null;
  /** The ids of the answer to the plain request, in its order, before any other page. Absent: the list proves nothing about its own order or length. */
  readonly firstAnswer?: readonly string[];
  /** What earlier lists tell about this one. Absent where it shows no `firstAnswer`. */
  readonly evidence?: ListEvidence;
  /** The service's clock when it answered, as it gave it; empty when it gave none. */
  readonly serverDate: string;
  /** What could not be read in it. */
  readonly warnings?: readonly Diagnostic[];
  /** When the answer came, in milliseconds since the epoch by the local clock. */
  readonly readAtMs?: number;
}

/** What can decide about an object that a list does not show. */
export interface ListEvidence {
  /** The objects in the order of the only answer that the list consists of, each once; null where it is not so simple. */
  readonly answer: readonly LiveObject[] | null;
  /** How many records the only answer has, those that it lists twice counted twice; null where other pages follow. */
  readonly records: number | null;
  /** The length of the longest answer seen from the same service with the same key, since the last contradiction; 0 for none. */
  readonly longestSeen: number;
  /** Whether a list has lacked what it must have shown: then its length proves nothing. */
  readonly isContradicted: boolean;
}

/** What a read of a list needs. */
export interface ListQuery {
  /** The recorded ids that should be there. */
  readonly expectedIds: ReadonlySet<string>;
  /** Asks for proof that the list is whole, whatever it shows. */
  readonly confirm?: boolean;
  /** How the list is known to be paged, as an earlier `LiveListing` names it. */
  readonly paging?: string | null;
  /** Its length proves nothing. */
  readonly isDoubtful?: boolean;
}

/** A list that is about to be read. */
export interface ListSize {
  /** How many objects it will have. */
  readonly records: number;
  /** How many of them one answer shows, where the list is paged; null where that is not known. */
  readonly page: number | null;
  /** How the list is paged, as an earlier `LiveListing` names it; null where one answer was all. */
  readonly paging: string | null;
}

/** One managed resource type. The service has no update: every change replaces, or is only recorded. */
export interface ResourceDefinition<S extends Schema = Schema, R = never, W = never> {
  readonly kind: "resource";
  readonly type: string;
  /** What one of them is called in a sentence, and several of them. */
  readonly noun: string;
  readonly plural: string;
  /** What it means to users, as clauses: that a second identical object exists, and that none does between a delete and a create. */
  readonly effects?: { readonly duplicate: string; readonly missing: string };
  readonly version: number;
  readonly docs: string;
  readonly schema: S;
  /** The attributes that tell two live objects apart: two that agree in all of them are duplicates. */
  readonly identity: readonly (keyof S & string)[];
  /** The attribute with values that a service may allow one object each: a second one with the same value is then rejected as a conflict. */
  readonly exclusive?: keyof S & string;
  /**
   * A create can carry a mark, a random text that the list shows again: so the outcome of the create can be told. A marked object has an
   * exclusive value of its own.
   */
  readonly mark?: true;
  /** Present: two objects can overlap without being duplicates. They do if they agree in `place`, and select something in common. */
  readonly overlap?: OverlapDefinition<keyof S & string>;
  readonly destroy: "delete" | "forget";
  /** The attribute with the time when the service created an object (ISO 8601), if it has one. */
  readonly createdAt?: keyof S & string;
  /**
   * What is recorded of an object that cannot be listed: `done` where the user vouches for it, `unconfirmed` where no answer
   * tells the outcome, `gone` where the service knows no such object.
   */
  readonly irreversible?: {
    readonly done: Attributes;
    readonly unconfirmed: Attributes;
    readonly gone: Attributes;
    /**
     * The setting with which what is recorded as `gone` or `unconfirmed` is looked for again: the same write, sent once `interval`
     * has passed, without another approval. `interval` is the attribute with a duration, `accept` the setting with which `gone` is
     * as good as done.
     */
    readonly watch?: {
      readonly attribute: keyof S & string;
      readonly value: Value;
      readonly interval: keyof S & string;
      readonly accept: Value;
    };
    /** The attribute with the duration after which what is done is sent again; any other text: never. */
    readonly reassert?: keyof S & string;
  };
  /** What an absent value of an attribute means, in words. Absent: none. */
  readonly absent?: { readonly [name in keyof S & string]?: string };
  /** Present: the live objects can be searched, managed or not. Only with `list`. */
  readonly search?: SearchDefinition;
  /** Absent: such objects cannot be listed, and are never refreshed. */
  list?(context: Reading<R> & ListQuery): Promise<LiveListing>;
  /** How many requests a read of the list takes, where nothing is missing from it. Absent: one. */
  listRequests?(size: ListSize): number;
  create(planned: Model<S>, context: Creating<W>): Promise<WriteOutcome>;
  delete?(id: string, context: Writing<W>): Promise<WriteOutcome>;
  /** Rules over several attributes. Unknown values pass. */
  check?(attributes: Attributes): readonly Diagnostic[];
  /** The problem of an id that a user typed for an import. */
  checkId?(id: string): Diagnostic | undefined;
}

/** When two objects overlap, unless one of them allows duplicates. */
export interface OverlapDefinition<N extends string = string> {
  readonly place: N;
  /** Two objects select something in common if each of these has one value, or is null in one of them: null selects everything. */
  readonly selectors: readonly N[];
  /** What happens to the events that both select, as a clause. */
  effect(one: Attributes, other: Attributes): string;
  /**
   * What such selectors select, as a noun. `names`: those of objects, by id. `isPartlyKept`: another object selects some of it.
   */
  selection(
    selectors: Attributes,
    about: { readonly names: { readonly [id: string]: string }; readonly isPartlyKept: boolean },
  ): string;
}

/** A search among the live objects of a resource type. */
export interface SearchDefinition {
  readonly docs: string;
  /** What can be asked for: attributes of the resource, by their names. An object is found when it has every value that is given. */
  readonly filters: Schema;
  /** What one of the objects is called in a list for people. `attributes` holds only what the service returned. */
  title(attributes: Attributes): string;
}

/** One read-only source of data. */
export interface DataSourceDefinition<S extends Schema = Schema, R = never> {
  readonly kind: "data";
  readonly type: string;
  readonly docs: string;
  readonly schema: S;
  check?(attributes: Attributes): readonly Diagnostic[];
  read(config: Model<S>, context: DataReading<R>): Promise<Result<Model<S> | null>>;
  /** The problems of ids that a configuration gives without a lookup, by id. Reads as little as it can; unless `isThorough`, nothing that would only be read to check. */
  checkIds?(ids: readonly string[], context: IdCheck<R>): Promise<ReadonlyMap<string, Diagnostic>>;
  /** The names of all that the client has read so far, by id. Sends nothing. */
  namesRead?(client: R): Promise<ReadonlyMap<string, string>>;
}

/** An operation of the service that leaves nothing to manage. */
export interface ActionDefinition<S extends Schema = Schema, W = never> {
  readonly kind: "action";
  readonly type: string;
  readonly docs: string;
  readonly schema: S;
  check?(attributes: Attributes): readonly Diagnostic[];
  /** Carries it out, once. It yields progress messages and returns diagnostics: with an error, it was not done, or may not have been. */
  invoke(config: Model<S>, context: Writing<W>): AsyncGenerator<string, readonly Diagnostic[]>;
}

/** A pure function of the configuration language. */
export interface FunctionDefinition {
  readonly kind: "function";
  readonly name: string;
  /** One line. */
  readonly summary: string;
  readonly docs: string;
  readonly parameters: readonly { readonly name: string; readonly type: Type; readonly docs: string }[];
  readonly returns: Type;
  /** Called with as many arguments as there are parameters, none of them null or unknown. The path of a mistake begins with the argument's number. */
  call(args: readonly Value[]): Result<Value>;
}

/** The types of a call's arguments, which the parameters say. */
type Arguments<P> = { readonly [K in keyof P]: P[K] extends { readonly type: infer T } ? Infer<T> : never };

export function defineResource<R, W>(): <const S extends Schema>(
  definition: Omit<ResourceDefinition<S, R, W>, "kind">,
) => ResourceDefinition<S, R, W> {
  return (definition) => ({ kind: "resource", ...definition });
}

export function defineDataSource<R>(): <const S extends Schema>(
  definition: Omit<DataSourceDefinition<S, R>, "kind">,
) => DataSourceDefinition<S, R> {
  return (definition) => ({ kind: "data", ...definition });
}

export function defineAction<W>(): <const S extends Schema>(
  definition: Omit<ActionDefinition<S, W>, "kind">,
) => ActionDefinition<S, W> {
  return (definition) => ({ kind: "action", ...definition });
}

export function defineFunction<const P extends FunctionDefinition["parameters"]>(
  definition: Omit<FunctionDefinition, "kind" | "parameters" | "call"> & {
    readonly parameters: P;
    call(args: Arguments<P>): Result<Value>;
  },
): FunctionDefinition {
  return { kind: "function", ...definition, call: (args) => definition.call(args as Arguments<P>) };
}

/* oxlint-disable typescript/no-explicit-any -- the engine hands clients and values through without looking at their types */
/** A resource definition as the engine and the frontends handle it. */
export type AnyResource = Omit<ResourceDefinition<Schema, any, any>, "create"> & {
  create(planned: any, context: Creating<any>): Promise<WriteOutcome>;
};

/** A data source definition as the engine and the frontends handle it. */
export type AnyDataSource = Omit<DataSourceDefinition<Schema, any>, "read" | "checkIds" | "namesRead"> & {
  read(config: any, context: DataReading<any>): Promise<Result<any>>;
  checkIds?(ids: readonly string[], context: IdCheck<any>): Promise<ReadonlyMap<string, Diagnostic>>;
  namesRead?(client: any): Promise<ReadonlyMap<string, string>>;
};

/** An action definition as the frontends handle it. */
export type AnyAction = Omit<ActionDefinition<Schema, any>, "invoke"> & {
  invoke(config: any, context: Writing<any>): AsyncGenerator<string, readonly Diagnostic[]>;
};
/* oxlint-enable typescript/no-explicit-any */

export interface Catalog {
  readonly resources: readonly AnyResource[];
  readonly dataSources: readonly AnyDataSource[];
  /** None when absent. The Terraform frontend offers them, as it does functions. */
  readonly actions?: readonly AnyAction[];
  readonly functions?: readonly FunctionDefinition[];
  /** The warnings and findings that configurations can silence. None when absent. */
  readonly ignorable?: readonly IgnorableWarning[];
}

/** The definition of a type that the caller knows to exist. */
export function resourceOf(catalog: Catalog, type: string): AnyResource {
  const found = catalog.resources.find((definition) => definition.type === type);
  if (!found) throw new Error(`no resource type ${type}`);
  return found;
}

/** The definition of a type of data source; throws for an unknown type. */
export function dataSourceOf(catalog: Catalog, type: string): AnyDataSource {
  const found = catalog.dataSources.find((definition) => definition.type === type);
  if (!found) throw new Error(`no data source type ${type}`);
  return found;
}

/** What the objects of these types are called in a sentence. */
export function pluralOf({ resources }: Catalog, types: Iterable<string>): string {
  const named = new Set(types);
  return resources.flatMap(({ type, plural }) => (named.has(type) ? [plural] : [])).join(" and ") || "objects";
}

/** The context of data sources that are read without any resources. */
export function dataReading<R>({ resources }: Catalog, reading: Reading<R>): DataReading<R> {
  const listing = (type: string): Promise<LiveListing> => {
    const list = resources.find((definition) => definition.type === type)?.list;
    if (!list) throw new Error(`${type} has no list`);
    return list({ ...reading, expectedIds: new Set() });
  };
  return { ...reading, listing };
}
