import { Document, type Node, YAMLSeq, isCollection, isMap, isPair, isScalar, isSeq, visit } from "yaml";
import type { Argument, Block, Configuration, FanOutPart } from "../../core/config/block.ts";
import { formatAddress } from "../../core/model/address.ts";
import type { Catalog } from "../../core/model/definition.ts";
import { type Value, hasUnknown } from "../../core/model/value.ts";
import { oddStart } from "../yaml/plain-values.ts";
import { SECTIONS } from "../yaml/sections.ts";
import { definitionOf } from "../../core/config/round.ts";
import { escapedText } from "./escaped-text.ts";
import {
  escapedCommands,
  hasCommands,
  hasHidden,
  replaceHidden,
  visible,
  withoutCommands,
} from "../../core/model/visible.ts";

type Tree = { readonly [key: string]: unknown };

/** Comments of a YAML text: whole lines, without their number signs. */
export interface YamlComments {
  /** Above everything. */
  readonly head: readonly string[];
  /** Above a block, by its address. */
  readonly blocks: ReadonlyMap<string, readonly string[]>;
  /** Below everything. */
  readonly tail: readonly string[];
}

/** What a generated configuration can have. */
export type GeneratedConfiguration = Pick<Configuration, "variables" | "blocks" | "imports" | "moved">;

export function yamlText(configuration: GeneratedConfiguration, catalog: Catalog, comments?: YamlComments): string {
  const { variables, blocks, imports, moved } = configuration;
  const sections = (mode: Block["mode"]): readonly (readonly [key: string, blocks: Tree])[] =>
    SECTIONS.filter((section) => section.mode === mode).map(({ path, type }) => [
      path.at(-1) ?? "",
      named(
        blocks.filter((block) => block.mode === mode && block.type === type),
        catalog,
      ),
    ]);
  const tree = {
    version: 1,
    variables: Object.fromEntries(
      variables.map(({ name, default: fallback, sensitive }) => [
        name,
        { ...(fallback === undefined ? {} : { default: fallback }), ...(sensitive ? { sensitive } : {}) },
      ]),
    ),
    data: Object.fromEntries(sections("data").filter(isPresent)),
    ...Object.fromEntries(sections("managed")),
    imports: imports.map(({ to, id }) => ({ to, id: plain(id) })),
    moved: moved.map(({ from, to }) => ({ from, to })),
  };
  const document = new Document(Object.fromEntries(Object.entries(tree).filter(isPresent)), {
    aliasDuplicateObjects: false,
  });
  layOut(document);
  if (comments) comment(document, comments);
  // Only texts in double quotes contain them now.
  const text = replaceHidden(document.toString({ lineWidth: 0 }), (character) =>
    character === "\n" ? character : escaped(character),
  );
  return escapedCommands(text);
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xff_ff ? `\\U${code.toString(16).padStart(8, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
}

function comment(document: Document, { head, blocks, tail }: YamlComments): void {
  document.commentBefore = head.length === 0 ? null : commentText(head);
  document.comment = tail.length === 0 ? null : commentText(tail);
  for (const { mode, type, path } of SECTIONS) {
    const section = document.getIn(path);
    if (!isMap(section)) continue;
    for (const { key } of section.items) {
      const lines = isScalar(key)
        ? blocks.get(formatAddress({ mode, type, name: String(key.value), key: null }))
        : undefined;
      if (isScalar(key) && lines) key.commentBefore = commentText(lines);
    }
  }
}

/** No text ends a comment: line ends and control characters are replaced. */
function commentText(lines: readonly string[]): string {
  return lines.map((line) => (line === "" ? "" : ` ${withoutCommands(visible(line))}`)).join("\n");
}

function isPresent([, value]: readonly [string, unknown]): boolean {
  return typeof value !== "object" || value === null || Object.keys(value).length > 0;
}

function named(blocks: readonly Block[], catalog: Catalog): Tree {
  return Object.fromEntries(blocks.map((block) => [block.name, bodyOf(block, catalog)]));
}

function bodyOf(block: Block, catalog: Catalog): Tree {
  const { schema } = definitionOf(block, catalog);
  const { fanOut = [] } = block;
  // In the order of the reference.
  const keys = Object.entries(schema).flatMap(([name, { refersTo }]): readonly (readonly [string, unknown])[] => {
    const part = fanOut.find(({ attribute }) => attribute === name);
    if (part) return [fanOutEntry(block, part)];
    const argument = block.arguments[name];
    if (!argument) return [];
    const referred = refersTo ? blockNamed(argument, refersTo.type) : null;
    return [refersTo && referred !== null ? [refersTo.yaml, referred] : [name, plain(argument)]];
  });
  return Object.fromEntries(keys);
}

function fanOutEntry({ type }: Block, { attribute, values }: FanOutPart): readonly [string, unknown] {
  const fan = SECTIONS.find((section) => section.type === type)?.fanOut?.find((key) => key.attribute === attribute);
  if (!fan) throw new Error(`no key for a fan-out over ${attribute}`);
  if (!fan.filter) return [fan.key, plain(values)];
  return [fan.key, values.kind === "list" ? values.items.map((item) => blockNamed(item, "outreach_campaign")) : []];
}

/** The name of the data source whose id the argument is; null for any other argument. */
function blockNamed(argument: Argument, type: string): string | null {
  const [, found, name = null] =
    /^\$\{data\.(\w+)\.([\p{L}_][\p{L}\p{N}_-]*)\.id\}$/u.exec(argument.kind === "template" ? argument.text : "") ?? [];
  return found === type ? name : null;
}

function plain(argument: Argument): unknown {
  switch (argument.kind) {
    case "literal":
      return typeof argument.value === "string" ? escapedText(argument.value) : known(argument.value);
    case "template":
      return argument.text;
    case "list":
      return argument.items.map(plain);
    case "secret":
      return secret(argument.source);
    case "object":
      throw new Error("an object, which no generated configuration has");
  }
}

function known(value: Value): Value {
  if (hasUnknown(value)) throw new Error("a value without a text form");
  return value;
}

function secret(source: Extract<Argument, { readonly kind: "secret" }>["source"]): Tree {
  if (source.kind === "env") return { env: source.name };
  if (source.kind === "file") return { file: source.path };
  if (source.kind === "command") return { command: source.command };
  throw new Error("a secret that is known");
}

function needsQuotes(text: string): boolean {
  return (
    hasCommands(text) ||
    hasHidden(text.replaceAll("\n", "")) ||
    OTHER_IN_YAML_1_1.test(text) ||
    oddStart(text) !== undefined
  );
}

/** Texts that readers of YAML 1.1 take for a boolean, null, a number (also octal and sexagesimal), a date or a merge. */
const OTHER_IN_YAML_1_1 =
  /^(?:y|n|yes|no|on|off|true|false|null|~|=|<<|[-+]?(?:\d[\d_,]*(?::\d+)*(?:\.[\d_]*)?(?:e[-+]?\d+)?|0[box][\da-f_]+|\.(?:inf|nan|[\d_]+))|\d{4}-\d{1,2}-\d{1,2}(?:[t ].*)?)$/i;

const MAX_FLOW = 100;

/** Puts small maps and lists on one line, as people write them, and texts with hidden characters, with commands to a CI, with a first character that is probably a mistake, or with another meaning in YAML 1.1, in double quotes. */
function layOut(document: Document): void {
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value === "string" && needsQuotes(node.value)) node.type = "QUOTE_DOUBLE";
    },
    Collection(_key, node, path) {
      const isSmall = node.items.every(
        (item) => isScalar(item) || (isPair(item) && (isScalar(item.value) || isSeq(item.value))),
      );
      const depth = path.filter((one) => isCollection(one as Node)).length;
      const width = JSON.stringify(node).length;
      const isBody = isMap(node) && depth === 2 && !isVariable(path);
      if (depth > 1 && isSmall && width <= MAX_FLOW && !isBody) node.flow = true;
      if (isSeq(node) && node.flow) node.toString = withoutPadding;
    },
  });
}

/** Maps have spaces inside their braces, lists do not. */
const withoutPadding: YAMLSeq["toString"] = function (this: YAMLSeq, context, ...rest) {
  return YAMLSeq.prototype.toString.call(this, context && { ...context, flowCollectionPadding: "" }, ...rest);
};

/** Bodies of variables and list items are always small; bodies of blocks are not. */
function isVariable([, , section]: readonly unknown[]): boolean {
  return (
    isPair(section) && isScalar(section.key) && ["variables", "imports", "moved"].includes(String(section.key.value))
  );
}
