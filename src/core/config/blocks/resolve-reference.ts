import { type ExpressionFailure, at, invalidReference } from "../../expression/failure.ts";
import type { SharedSteps } from "../../expression/budget.ts";
import type { TextFiles } from "../../expression/functions/function-definition.ts";
import { selectStep } from "../../expression/select-step.ts";
import type { ExpressionProblem, Reference, Template } from "../../expression/syntax/syntax.ts";
import { type Marks, NO_MARKS, type Term, UNKNOWN_TERM, fromValue, mapping, marked, masked as sensitiveTerm, sequence } from "../../expression/syntax/term.ts";
import { nearest } from "../../model/diagnostic.ts";
import { type Attributes, UNKNOWN, type Unknown, type Value, isSecretDigest, isUnknown } from "../../model/value.ts";
import { blockOfLongerType, meantReference } from "./meant-reference.ts";
import type { DataSources } from "./references.ts";
import type { VariableValue } from "../variables/variables.ts";

/** A value that depends on others, with the addresses that it depends on. */
export interface DerivedValue extends VariableValue {
  readonly references?: readonly string[];
  /** Whether it depends on anything sensitive, even if nonsensitive() hides that. */
  readonly fromSensitive?: boolean;
}

/** The instances of a block with `count` or `for_each`, in order; null while they are unknown. */
export type RepeatedBlock = { readonly kind: "count" | "for_each"; readonly keys: readonly (string | number)[] } | null;

/** Everything that references can resolve to. */
export interface Scope {
  readonly variables: ReadonlyMap<string, VariableValue>;
  /** The addresses of all declared data sources, and the attributes read so far. */
  readonly dataAddresses: ReadonlySet<string>;
  readonly known: ReadonlyMap<string, Attributes>;
  /** The definitions of the data sources, to check references before the reads; absent: no such checks. */
  readonly dataSources?: DataSources;
  /** By the address of the block. */
  readonly repeated?: ReadonlyMap<string, RepeatedBlock>;
  /** Caches the values of whole blocks with several instances, because every instance of another block may refer to them. */
  readonly wholeBlocks?: Map<string, Root>;
  /** Whether a whole data source is a value, as in Terraform. */
  readonly wholeData?: boolean;
  /** The evaluated locals; absent for configurations without locals, such as YAML. */
  readonly locals?: ReadonlyMap<string, DerivedValue>;
  /** The instance of a block with `for_each`; unknown if no particular instance is meant. */
  readonly each?: { readonly key: string | Unknown } & Omit<DerivedValue, "sensitive"> & { readonly sensitive?: boolean };
  /** The instance of a block with `count`. */
  readonly countIndex?: number | Unknown;
  /** The attributes of the resources by address, including instance keys; null if nothing may refer to resources. */
  readonly managed: ReadonlyMap<string, Attributes> | null;
  /** The sensitive attributes of resources, by address. */
  readonly masked?: ReadonlyMap<string, readonly string[]>;
  /** The resource or data source that a postcondition checks. */
  readonly self?: { readonly address: string; readonly attributes: Attributes; readonly masked: readonly string[] };
  /** The files that expressions can read. */
  readonly files?: TextFiles;
  /** What its expressions may still take together. */
  readonly steps?: SharedSteps;
}

/** The target of the first steps of a reference, and the remaining steps. If `term` is present, it replaces `value`. */
interface Root {
  readonly value: Value;
  readonly term?: Term;
  readonly marks: Marks;
  readonly fromSensitive: boolean;
  readonly steps: Reference["steps"];
}

/** The value of a reference. Throws an `ExpressionFailure`. */
export function resolveReference(reference: Reference, scope: Scope): Term {
  const { value, term, marks, steps } = rootOf(reference, scope);
  const { reached, left } = term ? { reached: term, left: steps } : walk(value, steps);
  return at(reference.offset, () => {
    const found = left.reduce((of, step) => selectStep(of, step, reference.text), term ?? fromValue(reached as Value));
    return marked(found, marks);
  });
}

/** Follows plain steps first, so that only the selected value is converted. */
function walk(value: Value, steps: Reference["steps"]): { readonly reached: Value; readonly left: Reference["steps"] } {
  const [step, ...others] = steps;
  const fits =
    typeof value === "object" && value !== null && !isUnknown(value) && !isSecretDigest(value) && Array.isArray(value) === (typeof step === "number");
  const inner = fits && step !== undefined && Object.hasOwn(value, step) ? (value as { readonly [step: string]: Value })[step] : undefined;
  return inner === undefined ? { reached: value, left: steps } : walk(inner, others);
}

/** Resolves the first steps of a reference. Throws an `ExpressionFailure` if the target is not declared. */
export function rootOf(reference: Reference, scope: Scope): Root {
  const [root, ...steps] = reference.steps;
  return at(reference.offset, () => {
    switch (root) {
      case "var":
        return variableRoot(steps, scope);
      case "data":
        return dataRoot(steps, scope);
      case "local":
        return scope.locals ? localRoot(steps, scope.locals) : unknownRoot(reference, scope);
      case "each":
        return eachRoot(steps, scope);
      case "count":
        return countRoot(steps, scope);
      case "terraform":
        return terraformRoot(reference);
      case "path":
        return scope.locals ? pathRoot(reference) : unknownRoot(reference, scope);
      case "self":
        return selfRoot(reference, scope);
      default:
        return resourceRoot(reference, scope);
    }
  });
}

/** A template with nothing but a data source: it has no single value. */
export function wholeDataSource({ parts }: Template, { dataAddresses, wholeData }: Scope): readonly ExpressionProblem[] {
  const [only] = parts;
  if (wholeData || parts.length !== 1 || typeof only !== "object" || only.kind !== "reference") return [];
  const [root, type, name, ...steps] = only.steps;
  const address = `data.${String(type)}.${String(name)}`;
  if (root !== "data" || steps.length > 0 || !dataAddresses.has(address)) return [];
  const { problem } = invalidReference(`${address} is a whole data source. Name one of its attributes.`);
  return [{ ...problem, offset: only.offset }];
}

function unknownRoot(reference: Reference, { variables, locals }: Scope): never {
  const { text } = reference;
  const meant = meantReference(reference, { variables: [...variables.keys()], hasLocals: locals !== undefined });
  throw invalidReference(
    `${text} refers to neither a variable nor a data source.`,
    meant === null ? "Write var.NAME or data.TYPE.NAME.ATTRIBUTE. For a literal ${ write $${." : `Did you mean ${meant}?`,
    `unknown ${text}`,
  );
}

function derived({ value, term, sensitive, references = [], fromSensitive = sensitive }: DerivedValue, steps: Reference["steps"]): Root {
  // A term already has the marks of its parts.
  const marks = (sensitive || references.length > 0) && !term ? { sensitive, references: new Set(references) } : NO_MARKS;
  return { value, ...(term ? { term } : {}), marks, fromSensitive: fromSensitive || sensitive, steps };
}

function variableRoot([name, ...steps]: Reference["steps"], { variables, locals }: Scope): Root {
  const found = typeof name === "string" ? variables.get(name) : undefined;
  if (found) return derived(found, steps);
  const suggestion = nearest(String(name), [...variables.keys()]);
  throw invalidReference(
    `The configuration does not declare the variable ${String(name)}.`,
    suggestion === null ? `Declare ${locals ? "the variable, or correct the reference" : "it under variables"}.` : `Did you mean var.${suggestion}?`,
    `undeclared var.${String(name)}`,
  );
}

function localRoot([name, ...steps]: Reference["steps"], locals: ReadonlyMap<string, DerivedValue>): Root {
  const found = typeof name === "string" ? locals.get(name) : undefined;
  if (found) return derived(found, steps);
  const suggestion = nearest(String(name), [...locals.keys()]);
  throw invalidReference(
    `The local ${String(name)} does not exist.`,
    suggestion === null ? "Declare the local, or correct the reference." : `Did you mean local.${suggestion}?`,
    `undeclared local.${String(name)}`,
  );
}

function eachRoot([which, ...steps]: Reference["steps"], { each }: Scope): Root {
  if (!each) throw invalidReference("each is only available inside a block with for_each.");
  if (which === "key") return derived({ value: each.key, sensitive: false }, steps);
  if (which !== "value") throw invalidReference("each only has each.key and each.value.");
  return derived({ sensitive: false, ...each }, steps);
}

function countRoot([which, ...steps]: Reference["steps"], { countIndex }: Scope): Root {
  if (countIndex === undefined) throw invalidReference("count is only available inside a block with count.");
  if (which !== "index") throw invalidReference("count only has count.index.");
  return derived({ value: countIndex, sensitive: false }, steps);
}

/** Workspaces are not supported: this is always Terraform's initial one. */
function terraformRoot({ text, steps: [, which, ...steps] }: Reference): Root {
  if (which !== "workspace") throw invalidReference(`${text} does not exist: terraform only has terraform.workspace.`);
  return derived({ value: "default", sensitive: false }, steps);
}

/** A stack's files are found from its folder, in which Terraform runs. */
function pathRoot({ text, steps: [, which, ...steps] }: Reference): Root {
  if (which === "cwd") throw invalidReference("path.cwd is not supported: it differs from machine to machine.", "Use path.module or path.root.");
  if (which !== "module" && which !== "root") throw invalidReference(`${text} is not supported: path only has path.module and path.root.`);
  return derived({ value: ".", sensitive: false }, steps);
}

function selfRoot({ steps: [, ...steps] }: Reference, { self }: Scope): Root {
  if (!self) throw invalidReference("self is only available in postconditions.");
  return instanceRoot({ attributesOf: () => self.attributes, masked: new Map([[self.address, self.masked]]) }, self.address, steps);
}

function dataRoot([type, name, ...steps]: Reference["steps"], { dataAddresses, known, repeated, wholeBlocks }: Scope): Root {
  const base = `data.${String(type)}.${String(name)}`;
  const block = { base, steps, declared: dataAddresses, attributesOf: (address: string) => known.get(address), masked: NONE_MASKED, repeated, wholeBlocks };
  const found = blockRoot(block);
  if (found) return found;
  const suggestion = nearest(base, [...dataAddresses]) ?? blockOfLongerType("data.", { type, name }, dataAddresses);
  throw invalidReference(
    `The configuration does not declare ${base}.`,
    suggestion === null ? "Declare that data source." : `Did you mean ${suggestion}?`,
    `undeclared ${base}`,
  );
}

function resourceRoot(reference: Reference, scope: Scope): Root {
  const { managed, masked, repeated, wholeBlocks } = scope;
  const [type, name, ...steps] = reference.steps;
  if (typeof type !== "string" || typeof name !== "string" || !type.includes("_")) {
    const block = managed && blockOfLongerType("", { type, name }, managed.keys());
    if (block !== null)
      throw invalidReference(`${reference.text} refers to neither a variable nor a data source.`, `Did you mean ${[block, ...steps].join(".")}?`);
    return unknownRoot(reference, scope);
  }
  const base = `${type}.${name}`;
  if (managed === null)
    throw invalidReference(`${base} is a resource, and only outputs can refer to resources.`, "Refer to a variable or a data source instead.");
  const block = {
    base,
    steps,
    declared: managed,
    attributesOf: (address: string) => managed.get(address),
    masked: masked ?? NONE_MASKED,
    repeated,
    wholeBlocks,
  };
  const found = blockRoot(block);
  if (found) return found;
  const bases = new Set([...managed.keys()].map((address) => address.replace(/\[.*$/s, "")));
  const suggestion = nearest(base, [...bases]);
  throw invalidReference(
    `The configuration does not declare ${base}.`,
    suggestion === null ? "Declare it, or correct the reference." : `Did you mean ${suggestion}?`,
    `undeclared ${base}`,
  );
}

const NONE_MASKED: ReadonlyMap<string, readonly string[]> = new Map();

interface BlockReference {
  readonly base: string;
  /** The steps after the name of the block. */
  readonly steps: Reference["steps"];
  readonly declared: { has(address: string): boolean; keys(): Iterable<string> };
  /** Undefined for data that is not read yet. */
  readonly attributesOf: (address: string) => Attributes | undefined;
  readonly masked: ReadonlyMap<string, readonly string[]>;
  readonly repeated: Scope["repeated"];
  readonly wholeBlocks: Scope["wholeBlocks"];
}

/** A block, one of its instances, or all of them by key. Null if the block does not exist. */
function blockRoot(block: BlockReference): Root | null {
  const { base, steps, declared } = block;
  const [key, ...others] = steps;
  if (declared.has(base)) return instanceRoot(block, base, steps);
  const repeated = block.repeated?.get(base);
  if (repeated === null) return { value: UNKNOWN, steps: [], marks: NO_MARKS, fromSensitive: false };
  const known = key === undefined ? undefined : `${base}[${JSON.stringify(key)}]`;
  if (known !== undefined && declared.has(known)) return instanceRoot(block, known, others);
  const before = key === undefined ? block.wholeBlocks?.get(base) : undefined;
  if (before) return before;
  const keys = repeated?.keys ?? keysOf(base, declared.keys());
  if (keys.length === 0 && !repeated) return null;
  if (key !== undefined) throw noSuchInstance(base, key, keys);
  const isList = repeated ? repeated.kind === "count" : keys.every((one) => typeof one === "number");
  const root = { value: UNKNOWN, term: wholeTerm(block, { keys, isList }), steps: [], marks: NO_MARKS, fromSensitive: false };
  block.wholeBlocks?.set(base, root);
  return root;
}

/** All instances. Each carries its own marks, so that a value from one of them does not depend on the others. */
function wholeTerm(
  { base, attributesOf, masked }: BlockReference,
  { keys, isList }: { readonly keys: readonly (string | number)[]; readonly isList: boolean },
): Term {
  const instances = keys.map((key): readonly [string, Term] => {
    const address = `${base}[${JSON.stringify(key)}]`;
    return [String(key), marked(instanceTerm(attributesOf(address), masked.get(address)), marksOf([address], false).marks)];
  });
  if (!isList) return mapping("object", instances);
  return sequence(
    "tuple",
    instances.map(([, term]) => term),
  );
}

/** A whole instance, with marks on its sensitive attributes only. */
function instanceTerm(attributes: Attributes | undefined, hidden: readonly string[] = []): Term {
  if (!attributes) return UNKNOWN_TERM;
  return mapping(
    "object",
    Object.entries(attributes).map(([name, value]) => [name, hidden.includes(name) ? sensitiveTerm(fromValue(value)) : fromValue(value)]),
  );
}

/** The keys of the instances; numbers are sorted. */
function keysOf(base: string, addresses: Iterable<string>): readonly (string | number)[] {
  const instances = [...addresses].filter((address) => address.startsWith(`${base}[`));
  const keys = instances.map((address) => JSON.parse(address.slice(base.length + 1, -1)) as string | number);
  return keys.every((key) => typeof key === "number") ? keys.toSorted((a, b) => a - b) : keys;
}

function noSuchInstance(base: string, key: string | number, keys: readonly (string | number)[]): ExpressionFailure {
  const shown = keys.map((one) => JSON.stringify(one));
  const suggestion = nearest(JSON.stringify(key), shown);
  const [first] = shown;
  const hint = first === undefined ? "It has no instances." : suggestion === null ? `Write ${base}[${first}].` : `Did you mean ${base}[${suggestion}]?`;
  return invalidReference(`${base} has no instance ${base}[${JSON.stringify(key)}].`, hint);
}

function instanceRoot({ attributesOf, masked }: Pick<BlockReference, "attributesOf" | "masked">, address: string, steps: Reference["steps"]): Root {
  const attributes = attributesOf(address);
  const [attribute] = steps;
  if (attributes && attribute !== undefined && !Object.hasOwn(attributes, attribute)) {
    const names = Object.keys(attributes);
    const suggestion = nearest(String(attribute), names);
    throw invalidReference(
      `${address} has no attribute ${String(attribute)}.`,
      suggestion === null ? `It has ${names.join(", ")}.` : `Did you mean ${suggestion}?`,
    );
  }
  const hidden = masked.get(address);
  if (attribute === undefined && attributes && hidden) return { value: UNKNOWN, term: instanceTerm(attributes, hidden), steps, ...marksOf([address], false) };
  const sensitive = attribute !== undefined && hidden?.includes(String(attribute)) === true;
  return { value: attributes ?? UNKNOWN, steps: attributes ? steps : [], ...marksOf([address], sensitive) };
}

function marksOf(addresses: readonly string[], sensitive: boolean): Pick<Root, "marks" | "fromSensitive"> {
  return { marks: { sensitive, references: new Set(addresses) }, fromSensitive: sensitive };
}
