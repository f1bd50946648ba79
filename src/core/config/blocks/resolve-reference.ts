import type { Hide } from "../block.ts";
import { ExpressionFailure, at, invalidReference } from "../../expression/expression-failure.ts";
import type { SharedSteps } from "../../expression/budget.ts";
import { selectStep } from "../../expression/select-step.ts";
import type { ExpressionProblem, Reference, Template } from "../../expression/syntax/syntax.ts";
import { NO_MARKS, type Term, fromValue, marked } from "../../expression/syntax/term.ts";
import { blockOf } from "../../model/address.ts";
import { nearest } from "../../model/diagnostic.ts";
import { type Attributes, type Unknown, type Value, isSecretDigest, isUnknown } from "../../model/value.ts";
import { NONE_MASKED, type RepeatedBlock, type Root, blockRoot, instanceRoot } from "./block-root.ts";
import type { DataSources } from "./references.ts";
import type { VariableValue } from "../variables/variables.ts";

const ROOTS = ["var", "data", "team"];
const ROOTS_WITH_LOCALS = ["var", "data", "local", "each", "count", "terraform"];

/** What a reference to neither a variable nor a block probably means: `vars.stage`, `stage` and `local.stage` → `var.stage`. */
function meantReference(
  { text, steps: [root, first] }: Reference,
  { variables, hasLocals }: { readonly variables: readonly string[]; readonly hasLocals: boolean },
): string | null {
  const name = String(root);
  const near = nearest(name, hasLocals ? ROOTS_WITH_LOCALS : ROOTS);
  const isVariable = first === undefined || near === "var" || name === "local";
  const variable = isVariable ? nearest(String(first ?? name), variables) : null;
  if (variable !== null) return `var.${variable}`;
  return near === null || near === root ? null : `${near}${text.slice(name.length)}`;
}

/** A declared block whose type ends with the given one, in the singular as well: as in a section of a file for the type. */
function blockOfLongerType(
  prefix: string,
  { type, name }: { readonly type: unknown; readonly name: unknown },
  addresses: Iterable<string>,
): string | null {
  if (typeof type !== "string" || typeof name !== "string") return null;
  const ends = [`_${type}`, `_${type.replace(/s$/, "")}`];
  const blocks = [...new Set([...addresses].map((address) => address.replace(/\[.*$/s, "")))].map((address) => {
    const dot = address.indexOf(".", prefix.length);
    return { address, type: address.slice(prefix.length, dot), name: address.slice(dot + 1) };
  });
  const fitting = blocks.filter((block) => ends.some((end) => block.type.endsWith(end)));
  const near = nearest(
    name,
    fitting.map((block) => block.name),
  );
  return fitting.find((block) => block.name === near)?.address ?? null;
}

/** A value that depends on others, with the addresses that it depends on. */
export interface DerivedValue extends VariableValue {
  readonly references?: readonly string[];
  /** Whether it depends on anything sensitive, even if nonsensitive() hides that. */
  readonly fromSensitive?: boolean;
}

/** Everything that references can resolve to. */
export interface Scope {
  readonly variables: ReadonlyMap<string, VariableValue>;
  /** The name of the team that the configuration is evaluated for. Absent: it declares no teams. */
  readonly team?: string;
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
  readonly each?: { readonly key: string | Unknown } & Omit<DerivedValue, "sensitive"> & {
      readonly sensitive?: boolean;
    };
  /** The instance of a block with a fan-out: its key, and the value of each attribute that fans out. Without a key, no particular instance is meant. */
  readonly fanOut?: { readonly key: string | Unknown; readonly values: ReadonlyMap<string, DerivedValue> };
  /** The instance of a block with `count`. */
  readonly countIndex?: number | Unknown;
  /** The attributes of the resources by address, including instance keys; null if nothing may refer to resources. */
  readonly managed: ReadonlyMap<string, Attributes> | null;
  /** The sensitive attributes of resources, by address. */
  readonly masked?: ReadonlyMap<string, readonly string[]>;
  /** The sensitive attributes of data sources, by address, for outputs and conditions. */
  readonly maskedData?: ReadonlyMap<string, readonly string[]>;
  /** The resource or data source that a postcondition checks. */
  readonly self?: { readonly address: string; readonly attributes: Attributes; readonly masked: readonly string[] };
  /**
   * Of an untrusted configuration: what depends on a sensitive value stays masked, whatever the configuration says. Where that would be refused,
   * because it is shown, it is passed on, to be masked by its value.
   */
  readonly hide?: Hide;
  /** What its expressions may still take together. */
  readonly steps?: SharedSteps;
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
    typeof value === "object" &&
    value !== null &&
    !isUnknown(value) &&
    !isSecretDigest(value) &&
    Array.isArray(value) === (typeof step === "number");
  const inner =
    fits && step !== undefined && Object.hasOwn(value, step)
      ? (value as { readonly [step: string]: Value })[step]
      : undefined;
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
      case "team":
        return scope.locals ? resourceRoot(reference, scope) : teamRoot(reference, scope);
      case "each":
        return scope.locals || scope.each ? forEachRoot(steps, scope) : fanOutRoot(reference, scope);
      case "count":
        return countRoot(steps, scope);
      case "terraform":
        return terraformRoot(reference);
      case "self":
        return selfRoot(reference, scope);
      default:
        return resourceRoot(reference, scope);
    }
  });
}

/** A template with nothing but a data source: it has no single value. */
export function wholeDataSource(
  { parts }: Template,
  { dataAddresses, wholeData }: Scope,
): readonly ExpressionProblem[] {
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
    meant === null
      ? "Write var.NAME or data.TYPE.NAME.ATTRIBUTE. For a literal ${ write $${."
      : `Did you mean ${meant}?`,
    `unknown ${text}`,
  );
}

function derived(
  { value, term, sensitive, references = [], fromSensitive = sensitive }: DerivedValue,
  steps: Reference["steps"],
): Root {
  // A term already has the marks of its parts.
  const marks =
    (sensitive || references.length > 0) && !term ? { sensitive, references: new Set(references) } : NO_MARKS;
  return { value, ...(term ? { term } : {}), marks, fromSensitive: fromSensitive || sensitive, steps };
}

function variableRoot([name, ...steps]: Reference["steps"], { variables, locals }: Scope): Root {
  const found = typeof name === "string" ? variables.get(name) : undefined;
  if (found) return derived(found, steps);
  const suggestion = nearest(String(name), [...variables.keys()]);
  throw invalidReference(
    `The configuration does not declare the variable ${String(name)}.`,
    suggestion === null
      ? `Declare ${locals ? "the variable, or correct the reference" : "it under variables"}.`
      : `Did you mean var.${suggestion}?`,
    `undeclared var.${String(name)}`,
  );
}

function teamRoot({ text, steps: [, which, ...steps] }: Reference, { team }: Scope): Root {
  if (which !== "name") throw invalidReference(`${text} does not exist: a team only has team.name.`);
  if (team === undefined)
    throw invalidReference(
      "The configuration declares no teams, so team.name has no value.",
      "Declare teams, or use a variable.",
    );
  return derived({ value: team, sensitive: false }, steps);
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

function fanOutRoot({ text, steps: [, which, ...steps] }: Reference, { fanOut }: Scope): Root {
  if (which === "key" && fanOut) return derived({ value: fanOut.key, sensitive: false }, steps);
  const found = typeof which === "string" ? fanOut?.values.get(which) : undefined;
  if (found) return derived(found, steps);
  const attributes = [...(fanOut?.values.keys() ?? [])];
  const available = [...attributes, "key"].map((name) => `each.${name}`).join(" and ");
  throw new ExpressionFailure({
    code: "reference_invalid",
    summary: "Invalid reference",
    detail: `${text} has no value here: ${fanOut ? `this block fans out over ${attributes.join(" and ")}, so it has ${available}` : "only a block with a fan-out has each"}.`,
    ways: [{ kind: "fan-out", attribute: typeof which === "string" ? which : null }],
  });
}

function forEachRoot([which, ...steps]: Reference["steps"], { each }: Scope): Root {
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

function selfRoot({ steps: [, ...steps] }: Reference, { self }: Scope): Root {
  if (!self) throw invalidReference("self is only available in postconditions.");
  return instanceRoot(
    { attributesOf: () => self.attributes, masked: new Map([[self.address, self.masked]]) },
    self.address,
    steps,
  );
}

function dataRoot(
  [type, name, ...steps]: Reference["steps"],
  { dataAddresses, known, maskedData, repeated, wholeBlocks }: Scope,
): Root {
  const base = `data.${String(type)}.${String(name)}`;
  const block = {
    base,
    steps,
    declared: dataAddresses,
    attributesOf: (address: string) => known.get(address),
    masked: maskedData ?? NONE_MASKED,
    repeated,
    wholeBlocks,
  };
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
      throw invalidReference(
        `${reference.text} refers to neither a variable nor a data source.`,
        `Did you mean ${[block, ...steps].join(".")}?`,
      );
    return unknownRoot(reference, scope);
  }
  const base = `${type}.${name}`;
  if (managed === null)
    throw invalidReference(
      `${base} is a resource, and only outputs and checks can refer to resources.`,
      "Refer to a variable or a data source instead.",
    );
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
  const suggestion = nearest(base, blocksOf(managed.keys()));
  throw invalidReference(
    `The configuration does not declare ${base}.`,
    suggestion === null ? "Declare it, or correct the reference." : `Did you mean ${suggestion}?`,
    `undeclared ${base}`,
  );
}

/** The most blocks that are suggested. */
const MAX_SUGGESTED = 1_000;

function blocksOf(addresses: Iterable<string>): readonly string[] {
  const blocks = new Set<string>();
  for (const address of addresses) {
    blocks.add(blockOf(address));
    if (blocks.size >= MAX_SUGGESTED) break;
  }
  return [...blocks];
}
