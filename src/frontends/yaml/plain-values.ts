import { type Document, type Node, type Pair, isAlias, isMap, isNode, isScalar, isSeq } from "yaml";

export const MAX_DEPTH = 64;
export const MAX_NODES = 200_000;
/** Digits of a number that messages show. */
const MAX_NUMBER = 40;
const RESERVED_NAMES = new Set(["__proto__", "constructor", "prototype"]);
/** Tags that add nothing to the value. */
const CORE_TAGS = new Set(
  ["str", "int", "float", "bool", "null", "map", "seq"].map((name) => `tag:yaml.org,2002:${name}`),
);

export const DEPTH_HINT = "A configuration needs no more than ten.";

/** A YAML feature that a configuration does not support, and its offset. */
export interface Refusal {
  readonly offset: number;
  readonly summary: string;
  readonly detail: string;
  readonly hint: string;
}

interface PlainValues {
  /** Valid only if there are no refusals and no duplicates. */
  readonly value: unknown;
  readonly refusals: readonly Refusal[];
  /** Offsets of keys that repeat an earlier key of their map. */
  readonly duplicates: readonly number[];
}

/** Turns a document into plain values in one walk. The walk ends where the document is too deep or too large. */
export function plainValues(document: Document.Parsed): PlainValues {
  const walk: Walk = { refusals: [], duplicates: [], aliases: new Set(), nodes: 0, ended: false };
  const { version, explicit } = document.directives.yaml;
  if (explicit && version !== "1.2")
    refuse(walk, null, [
      "Not YAML 1.2",
      `The file says that it is YAML ${version}, which reads words such as yes and on as true.`,
      "Remove the %YAML line.",
    ]);
  const value = valueOf(document.contents, 0, walk);
  return { value, refusals: walk.refusals, duplicates: walk.duplicates };
}

interface Walk {
  readonly refusals: Refusal[];
  readonly duplicates: number[];
  readonly aliases: Set<string>;
  nodes: number;
  ended: boolean;
}

function refuse(
  walk: Walk,
  node: Node | null,
  [summary, detail, hint]: readonly [summary: string, detail: string, hint: string],
): void {
  walk.refusals.push({ offset: offsetOf(node), summary, detail, hint });
}

function offsetOf(node: Node | null): number {
  return node?.range?.[0] ?? 0;
}

/** `depth` counts the maps and lists around the node. */
function valueOf(node: unknown, depth: number, walk: Walk): unknown {
  if (walk.ended || !isNode(node)) return null;
  walk.nodes++;
  if (walk.nodes > MAX_NODES) {
    walk.ended = true;
    refuse(walk, node, [
      "Too many nodes",
      `The file has more than ${String(MAX_NODES)} nodes.`,
      "Split it into several configurations.",
    ]);
  } else if (depth > MAX_DEPTH) {
    walk.ended = true;
    refuse(walk, node, [
      "Nested too deeply",
      `The file is nested deeper than ${String(MAX_DEPTH)} levels.`,
      DEPTH_HINT,
    ]);
  }
  if (walk.ended) return null;
  if (node.tag !== undefined && !CORE_TAGS.has(node.tag))
    refuse(walk, node, ["Tags are not supported", "A tag has no meaning here.", "Remove the tag."]);
  if (isScalar(node)) {
    if (typeof node.value === "number" && node.source !== undefined && node.source !== String(node.value))
      refuse(walk, node, changedNumber(node.source, node.value));
    const odd = node.type === "PLAIN" && typeof node.value === "string" ? oddStart(node.value) : undefined;
    if (odd) refuse(walk, node, odd.said);
    return node.value;
  }
  if (isMap(node)) return mapOf(node.items, depth + 1, walk);
  if (isSeq(node)) return node.items.map((item) => valueOf(item, depth + 1, walk));
  if (isAlias(node) && !walk.aliases.has(node.source)) {
    walk.aliases.add(node.source);
    refuse(walk, node, [
      "Aliases are not supported",
      "An alias repeats another part of the file.",
      "Write it out, so that a reader sees the applied values.",
    ]);
  }
  return null;
}

/** What is odd about the first character of a text that is written without quotes. */
export function oddStart(text: string): (typeof ODD_STARTS)[number] | undefined {
  return ODD_STARTS.find(({ start }) => start.test(text));
}

/** How texts without quotes begin that were typed in a word processor, or copied from a web page. */
const ODD_STARTS: readonly {
  readonly start: RegExp;
  readonly said: readonly [summary: string, detail: string, hint: string];
}[] = [
  {
    start: /^[\u2018-\u201F\u00AB]/,
    said: [
      "Typographic quotes",
      "YAML reads a typographic quotation mark as a part of the text.",
      "Write straight quotes. To keep it, put the whole text in straight quotes.",
    ],
  },
  {
    start: /^[\u00A0\u2000-\u200B\u202F\u3000]/,
    said: [
      "Non-breaking space",
      "The text begins with a non-breaking space, which looks like a space.",
      "Replace it with spaces. To keep it, put the whole text in quotes.",
    ],
  },
];

/** A number that is written in another way than it is read, such as 007 and 1.10: its text would be lost. */
function changedNumber(source: string, value: number): readonly [summary: string, detail: string, hint: string] {
  const shown = source.length > MAX_NUMBER ? `${source.slice(0, MAX_NUMBER)}…` : source;
  return [
    "Number that changes",
    `${shown} is read as the number ${String(value)}.`,
    `Put it in quotes to keep it as it is written. For the number, write ${String(value)}.`,
  ];
}

function mapOf(items: readonly Pair[], depth: number, walk: Walk): unknown {
  const map: Record<string, unknown> = {};
  const keys = new Set<unknown>();
  for (const { key, value } of items) {
    const name = isScalar(key) ? key.value : null;
    if (isScalar(key) && keys.size === keys.add(name).size) walk.duplicates.push(offsetOf(key));
    if (typeof name !== "string" || name === "<<" || RESERVED_NAMES.has(name)) refuseKey(key, value, walk);
    valueOf(key, depth, walk);
    const plain = valueOf(value, depth, walk);
    if (typeof name === "string") map[name] = plain;
  }
  return map;
}

function refuseKey(key: unknown, value: unknown, walk: Walk): void {
  if (!isScalar(key)) {
    const node = isNode(key) ? key : isNode(value) ? value : null;
    if (node)
      refuse(walk, node, [
        "A key that is not text",
        "A list, a map or nothing is in the place of a key.",
        "Write a name.",
      ]);
  } else if (typeof key.value !== "string") {
    const kind = key.value === null ? "as empty" : `as a ${typeof key.value}`;
    refuse(walk, key, [
      "A key that is not text",
      `${key.source ?? String(key.value)} is read ${kind}, not as text.`,
      "Put it in quotes.",
    ]);
  } else if (key.value === "<<")
    refuse(walk, key, [
      "Merge keys are not supported",
      "<< would copy another part of the file in here.",
      "Write it out, so that a reader sees the applied values.",
    ]);
  else refuse(walk, key, ["Reserved name", `${key.value} cannot be used as a name.`, "Choose another name."]);
}

/** A map of a parsed file. */
export type Tree = { readonly [key: string]: unknown };

export function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The map at a path; an empty one where there is none. */
export function treeAt(root: unknown, path: readonly string[]): Tree {
  const found = path.reduce<unknown>(
    (tree, key) => (isTree(tree) && Object.hasOwn(tree, key) ? tree[key] : undefined),
    root,
  );
  return isTree(found) ? found : {};
}
