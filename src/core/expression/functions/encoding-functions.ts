import { createHash } from "node:crypto";
import path from "node:path";
import { invalidValue, tooLarge } from "../expression-failure.ts";
import {
  type Term,
  text,
  MAX_DEPTH,
  NULL,
  bool,
  describe,
  isMapping,
  mapping,
  number,
  sequence,
} from "../syntax/term.ts";
import {
  type CallContext,
  type FunctionDefinition,
  type Parameter,
  type TextFiles,
  stringAt,
} from "./function-definition.ts";
import { type Document, type YAMLMap, isAlias, isMap, isScalar, isSeq, parseDocument } from "yaml";
import { convert } from "../values/convert-value.ts";

const STR: Parameter = { name: "str", type: "string" };
const BASE64 = /^(?:[\w+/]{4})*(?:[\w+/]{2}==|[\w+/]{3}=)?$/;

export const ENCODING_FUNCTIONS: { readonly [name: string]: FunctionDefinition } = {
  urlencode: { parameters: [STR], call: (args) => text(urlEncoded(stringAt(args, 0))) },
  base64encode: { parameters: [STR], call: (args) => text(Buffer.from(stringAt(args, 0)).toString("base64")) },
  base64decode: { parameters: [STR], call: (args) => text(base64Decoded(stringAt(args, 0))) },
  sha256: { parameters: [STR], call: (args) => text(createHash("sha256").update(stringAt(args, 0)).digest("hex")) },
  yamldecode: { parameters: [{ name: "src", type: "string" }], call: yamlDecoded },
  file: {
    parameters: [{ name: "path", type: "string" }],
    call: (args, { files }) => text(fileText(stringAt(args, 0), files)),
  },
};

function yamlDecoded(args: readonly Term[], { budget }: CallContext): Term {
  const source = stringAt(args, 0);
  budget.parse(source.length);
  return yamlTerm(source);
}

/** The encoding of a query string: a blank becomes +. */
function urlEncoded(whole: string): string {
  return encodeURIComponent(whole)
    .replaceAll("%20", "+")
    .replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

function base64Decoded(encoded: string): string {
  const digits = encoded.replaceAll(/[\r\n]/g, "");
  if (!BASE64.test(digits) || digits.includes("_"))
    throw invalidValue("The argument of base64decode is not valid Base64.");
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(digits, "base64"));
  } catch {
    throw invalidValue("The argument of base64decode is not text: its bytes are not UTF-8.");
  }
}

/** The files that a stack can read are below its folder, so that it shows nothing else of the machine. */
function fileText(given: string, files: TextFiles | undefined): string {
  if (!files) throw invalidValue("file is available in stacks only.");
  const normal = path.posix.normalize(given);
  if (path.posix.isAbsolute(normal) || normal.startsWith(".."))
    throw invalidValue(`file reads only files below the stack's folder, and ${JSON.stringify(given)} is outside.`);
  const found = files.get(normal);
  if (!found) throw invalidValue(`The stack's folder has no file ${JSON.stringify(given)}.`);
  if ("problem" in found) throw invalidValue(found.problem);
  return found.text;
}

/** Larger texts, and texts with more aliases, take the parser too long. */
const MAX_CHARACTERS = 100_000;
const MAX_ALIASES = 100;
/** Every anchor costs a search through all nodes, and an anchor can hide behind any of these signs. */
const ANCHOR = /(?<=^|[\s,[{:-])[&*]\S/gm;

/** The value of a YAML text, as Terraform decodes it. */
function yamlTerm(source: string): Term {
  if (source.length > MAX_CHARACTERS) throw tooLarge(`yamldecode reads at most ${String(MAX_CHARACTERS)} characters.`);
  if ((source.match(ANCHOR)?.length ?? 0) > MAX_ALIASES)
    throw tooLarge(`yamldecode reads at most ${String(MAX_ALIASES)} anchors and aliases.`);
  const document = parsed(source);
  const [error] = [...document.errors, ...document.warnings];
  if (error)
    throw invalidValue(
      `The argument of yamldecode is not valid YAML (${error.code}, line ${String(error.linePos?.[0].line ?? 1)}).`,
    );
  if (!document.contents) throw invalidValue("The argument of yamldecode has no value.");
  return termOf(document.contents, document, 0);
}

function parsed(source: string): Document.Parsed {
  try {
    return parseDocument(source, { uniqueKeys: false, merge: true, prettyErrors: true, logLevel: "error" });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw tooLarge("The argument of yamldecode is nested too deeply.");
  }
}

function termOf(node: unknown, document: Document.Parsed, depth: number): Term {
  if (depth > MAX_DEPTH)
    throw tooLarge(`The YAML for yamldecode is nested more than ${String(MAX_DEPTH)} levels deep.`);
  if (isAlias(node)) return termOf(node.resolve(document), document, depth + 1);
  if (isScalar(node))
    return node.type === "PLAIN" && node.tag === undefined && typeof node.value === "string"
      ? plainTerm(node.value)
      : scalarTerm(node.value);
  if (isSeq(node))
    return sequence(
      "tuple",
      node.items.map((item) => termOf(item, document, depth + 1)),
    );
  return isMap(node) ? mapTerm(node, document, depth) : NULL;
}

const BOOLS: ReadonlyMap<string, boolean> = new Map([
  ...["y", "Y", "yes", "Yes", "YES", "on", "On", "ON"].map((word) => [word, true] as const),
  ...["n", "N", "no", "No", "NO", "off", "Off", "OFF"].map((word) => [word, false] as const),
]);

/** Unquoted text can also be one of the older words for true and false, or a date. */
function plainTerm(written: string): Term {
  const truth = BOOLS.get(written);
  if (truth !== undefined) return bool(truth);
  if (!/^\d{4}-\d{1,2}-\d{1,2}(?!\d)/.test(written)) return text(written);
  if (/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/.test(written)) return text(`${written}T00:00:00Z`);
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(written)) return text(written);
  throw invalidValue("The YAML for yamldecode contains a date that is not in quotation marks.");
}

function scalarTerm(value: unknown): Term {
  if (typeof value === "string") return text(value);
  if (typeof value === "number") return number(value);
  if (typeof value === "boolean") return bool(value);
  if (value === null) return NULL;
  throw invalidValue("The YAML for yamldecode contains a value with a tag that is not supported.");
}

/** A merged key gives way to a key of the map itself. */
function mapTerm({ items }: YAMLMap, document: Document.Parsed, depth: number): Term {
  const own = new Map<string, Term>();
  const merged: (readonly [string, Term])[] = [];
  for (const { key, value } of items) {
    const inner = termOf(value, document, depth + 1);
    if (isScalar(key) && key.source === "<<") {
      if (!isMapping(inner)) throw invalidValue("The key << of a YAML map must refer to a map.");
      merged.push(...inner.entries);
      continue;
    }
    const given = termOf(key, document, depth + 1);
    const name = convert(given, "string");
    if (name?.kind !== "string")
      throw invalidValue(`A key in the YAML for yamldecode must be text, but it is ${describe(given)}.`);
    own.set(name.value, inner);
  }
  return mapping("object", [...merged, ...own]);
}
