import type { Argument, Block, FanOutPart } from "../../core/config/block.ts";
import type { Attribute } from "../../core/model/attribute.ts";
import { type Diagnostic, type Result, errorOf } from "../../core/model/diagnostic.ts";
import { UNKNOWN } from "../../core/model/value.ts";
import { noSuchBlock, notThisButName } from "./block-names.ts";
import { type AttributeForm, FAN_OUT_SETTINGS, ignoreForm } from "./configuration-form.ts";
import { readKeys } from "./form.ts";
import { readSources } from "./value-sources.ts";
import { argumentOf } from "./yaml-arguments.ts";
import type { ConfigFile } from "./config-file.ts";
import type { DeclaredBlocks } from "./merge-files.ts";
import type { FanOutKey, Section } from "./sections.ts";
import type { Tree } from "./plain-values.ts";

/** The blocks below `data.SECTION` in all files. */
export type DataBlocks = (section: string) => DeclaredBlocks;

export interface BlockInput {
  readonly section: Section;
  readonly attributes: readonly AttributeForm[];
  readonly name: string;
  readonly body: Tree;
  readonly file: ConfigFile;
  readonly dataBlocks: DataBlocks;
}

/** What one attribute was given as: by which of its keys, and what there is to say about that. */
interface Given {
  readonly argument?: Argument;
  readonly part?: FanOutPart;
  readonly key?: string;
  readonly diagnostics: readonly Diagnostic[];
}

const BLOCK_SETTINGS = { ...FAN_OUT_SETTINGS, ignore: ignoreForm([], "") };

/** Reads one block: its attributes, their short forms, and the keys that fan out. */
export function readBlock(input: BlockInput): Result<Block> {
  const { section, attributes, name, body, file } = input;
  const { path, mode, type, fanOut = [] } = section;
  const at = [...path, name];
  const inBlock = { ...input, at };
  const present = Object.keys(body);
  const given = new Map<string, Given>();
  for (const one of attributes) {
    const keys = present.filter((key) => Object.hasOwn(one.keys, key));
    if (keys.length > 0) given.set(one.name, readAttribute(one, keys, inBlock));
  }
  const args = Object.fromEntries(
    [...given].flatMap(([attribute, { argument }]) => (argument ? [[attribute, argument]] : [])),
  );
  const parts = fanOut.flatMap(({ attribute }) => given.get(attribute)?.part ?? []);
  const locate: Block["locate"] = ([first, ...rest], written) => {
    if (first === undefined) return file.parsed.locateKey(at);
    const key = given.get(String(first))?.key ?? String(first);
    return file.parsed.locate([...at, key, ...(typeof body[key] === "object" ? rest : [])], written);
  };
  const { allow_empty: allowEmpty, prune, ignore = [] } = readKeys(BLOCK_SETTINGS, body, { file, path: at });
  return {
    value: {
      mode,
      type,
      name,
      provider: "outreach",
      arguments: args,
      ...(parts.length > 0 ? { fanOut: parts } : {}),
      ...(allowEmpty ? { allowEmpty } : {}),
      ...(prune ? { prune } : {}),
      ...(ignore.length > 0 ? { ignore: ignore.map(({ value }) => value) } : {}),
      locate,
    },
    diagnostics: [...given.values()].flatMap(({ diagnostics }) => diagnostics),
  };
}

interface AttributeInput extends BlockInput {
  readonly at: readonly string[];
}

function readAttribute(
  { name: attribute, attribute: { sensitive, refersTo, check }, form, fan }: AttributeForm,
  keys: readonly string[],
  input: AttributeInput,
): Given {
  const { body, at, file, section, dataBlocks } = input;
  const plural = [fan?.key, fan?.from?.key];
  const written = keys.filter((key) => (body[key] ?? null) !== null);
  const [first] = written;
  const diagnostics =
    written.length > 1 && written.some((key) => !plural.includes(key)) ? [twoWays(written, input)] : [];
  if (first === undefined)
    return sensitive ? { diagnostics } : { argument: { kind: "literal", value: UNKNOWN }, diagnostics };
  if (fan && written.some((key) => plural.includes(key))) {
    const { value: part, diagnostics: found } = readPart(fan, refersTo, input);
    return {
      part,
      key: written.includes(fan.key) ? fan.key : (fan.from?.key ?? fan.key),
      diagnostics: [...diagnostics, ...found],
    };
  }
  if (refersTo && written.includes(refersTo.yaml)) {
    const { value: argument, diagnostics: found } = nameArgument(body[refersTo.yaml], refersTo, {
      input,
      key: refersTo.yaml,
      at: [...at, refersTo.yaml],
      fan,
      direct: { attribute, check },
    });
    return { argument, key: refersTo.yaml, diagnostics: [...diagnostics, ...found] };
  }
  if (file.isRefused([...at, attribute]))
    return sensitive ? { diagnostics } : { argument: { kind: "literal", value: UNKNOWN }, diagnostics };
  const name = refersTo && notThisButName(body[attribute], { check, blocks: dataBlocks(refersTo.yaml).byName });
  if (refersTo && name) {
    const place = file.parsed.locate([...at, attribute]);
    const address = `${section.mode === "data" ? "data." : ""}${section.type}.${input.name}`;
    const problem: Diagnostic = {
      severity: "error",
      ...name.problem,
      hint: `Write ${refersTo.yaml}: ${name.meant}.`,
      address,
      place,
    };
    return { argument: { kind: "literal", value: UNKNOWN }, diagnostics: [...diagnostics, problem] };
  }
  return { argument: form.read(body[attribute], { file, path: [...at, attribute] }), diagnostics };
}

type RefersTo = NonNullable<Attribute["refersTo"]>;

function readPart(
  { key, attribute, distinct, filter, from }: FanOutKey,
  refersTo: RefersTo | undefined,
  input: AttributeInput,
): Result<FanOutPart> {
  const { value: sources, diagnostics: lacking } = from
    ? readSources(input.body[from.key], { file: input.file, path: [...input.at, from.key] })
    : { value: [], diagnostics: [] };
  const listed = input.body[key] ?? [];
  const isFilter = filter !== undefined && typeof listed === "string";
  const { value: values, diagnostics } = isFilter
    ? filterArgument(listed, { key, filter, refersTo }, input)
    : listArgument(listed, { key, filter, refersTo, isWhole: sources !== null }, input);
  return {
    value: {
      attribute,
      values,
      filtered: isFilter,
      distinct: distinct && !isFilter,
      ...(sources?.length ? { sources } : {}),
    },
    diagnostics: [...diagnostics, ...lacking],
  };
}

interface ListContext {
  readonly key: string;
  readonly filter: FanOutKey["filter"] | undefined;
  readonly refersTo: RefersTo | undefined;
  /** Whether it is all that was given. */
  readonly isWhole: boolean;
}

function listArgument(
  listed: unknown,
  { key, filter, refersTo, isWhole }: ListContext,
  input: AttributeInput,
): Result<Argument> {
  const { at, file } = input;
  const unknown: Argument = { kind: "literal", value: UNKNOWN };
  if (!Array.isArray(listed)) return { value: unknown, diagnostics: [] };
  const items = (listed as readonly unknown[]).map((item, index): Result<Argument> => {
    const here = [...at, key, String(index)];
    if (filter && refersTo) return nameArgument(item, refersTo, { input, key, at: here, fan: { key, filter } });
    return { value: file.isRefused(here) ? unknown : argumentOf(item), diagnostics: [] };
  });
  const doubled = filter ? duplicateNames(listed, { key, input }) : [];
  return {
    value: { kind: "list", items: [...items.map(({ value }) => value), ...(isWhole ? [] : [unknown])] },
    diagnostics: [...items.flatMap(({ diagnostics }) => diagnostics), ...doubled],
  };
}

interface NameContext {
  readonly input: AttributeInput;
  readonly key: string;
  readonly at: readonly string[];
  /** The key that could name a filter. */
  readonly fan: Pick<FanOutKey, "key" | "filter"> | undefined;
  /** The attribute that takes the id itself in place of a name. */
  readonly direct?: { readonly attribute: string; readonly check: Attribute["check"] };
}

/** The name of a block below `data` as the reference that it stands for. */
function nameArgument(
  name: unknown,
  { type, yaml }: RefersTo,
  { input, key, at, fan, direct }: NameContext,
): Result<Argument> {
  const filter = fan?.filter?.section;
  return blockArgument(name, { section: yaml, type, attribute: "id", key, at, input }, (text) => {
    if (fan && filter !== undefined && input.dataBlocks(filter).byName.has(text))
      return `${text} is a filter under data.${filter}: write ${fan.key}: ${text}, without a list.`;
    return direct?.check && direct.check(text) === undefined ? `Write ${direct.attribute}: ${text}.` : undefined;
  });
}

function filterArgument(
  name: string,
  {
    key,
    filter,
    refersTo,
  }: {
    readonly key: string;
    readonly filter: NonNullable<FanOutKey["filter"]>;
    readonly refersTo: RefersTo | undefined;
  },
  input: AttributeInput,
): Result<Argument> {
  return blockArgument(name, { ...filter, attribute: filter.ids, key, at: [...input.at, key], input }, () =>
    refersTo && input.dataBlocks(refersTo.yaml).byName.has(name)
      ? `${name} is one block under data.${refersTo.yaml}: write ${key}: [${name}].`
      : undefined,
  );
}

interface BlockReference extends Pick<NameContext, "input" | "key" | "at"> {
  readonly section: string;
  readonly type: string;
  readonly attribute: string;
}

/** An attribute of the block with this name. `hintFor` says what else the name may mean. */
function blockArgument(
  name: unknown,
  { section, type, attribute, key, at, input }: BlockReference,
  hintFor: (name: string) => string | undefined,
): Result<Argument> {
  const unknown: Argument = { kind: "literal", value: UNKNOWN };
  if (typeof name !== "string") return { value: unknown, diagnostics: [] };
  const declared = input.dataBlocks(section);
  const found = declared.byName.get(name);
  if (found)
    return {
      value: found.isSound ? { kind: "template", text: `\${data.${type}.${name}.${attribute}}` } : unknown,
      diagnostics: [],
    };
  return {
    value: unknown,
    diagnostics: [
      noSuchBlock(name, { key, section, hint: hintFor(name), place: input.file.parsed.locate(at), declared }),
    ],
  };
}

function duplicateNames(
  listed: readonly unknown[],
  { key, input }: { readonly key: string; readonly input: AttributeInput },
): readonly Diagnostic[] {
  const before = new Set<unknown>();
  return listed.flatMap((name, index) => {
    const isFirst = !before.has(name);
    before.add(name);
    if (typeof name !== "string" || isFirst) return [];
    return [
      errorOf("value_twice", "Duplicate value", {
        detail: `${key} names ${JSON.stringify(name)} twice.`,
        hint: "Remove one of them.",
        place: input.file.parsed.locate([...input.at, key, index]),
      }),
    ];
  });
}

function twoWays(keys: readonly string[], { file, at }: AttributeInput): Diagnostic {
  const [first = "", ...others] = keys;
  const named = `${keys.slice(0, -1).join(", ")} and ${keys.at(-1) ?? ""}`;
  return errorOf("two_ways", "Given in two ways", {
    detail: `${named} are ${others.length > 1 ? "all" : "both"} given, but they are ways to say the same.`,
    hint: "Keep one of them.",
    place: file.parsed.locateKey([...at, first]),
  });
}
