import { createHash } from "node:crypto";
import path from "node:path";
import { invalidValue } from "../expression-failure.ts";
import { type Term, text } from "../syntax/term.ts";
import { yamlTerm } from "../values/yaml-term.ts";
import { type CallContext, type FunctionDefinition, type Parameter, type TextFiles, stringAt } from "./function-definition.ts";

const STR: Parameter = { name: "str", type: "string" };
const BASE64 = /^(?:[\w+/]{4})*(?:[\w+/]{2}==|[\w+/]{3}=)?$/;

export const ENCODING_FUNCTIONS: { readonly [name: string]: FunctionDefinition } = {
  urlencode: { parameters: [STR], call: (args) => text(urlEncoded(stringAt(args, 0))) },
  base64encode: { parameters: [STR], call: (args) => text(Buffer.from(stringAt(args, 0)).toString("base64")) },
  base64decode: { parameters: [STR], call: (args) => text(base64Decoded(stringAt(args, 0))) },
  sha256: { parameters: [STR], call: (args) => text(createHash("sha256").update(stringAt(args, 0)).digest("hex")) },
  yamldecode: { parameters: [{ name: "src", type: "string" }], call: yamlDecoded },
  file: { parameters: [{ name: "path", type: "string" }], call: (args, { files }) => text(fileText(stringAt(args, 0), files)) },
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
  if (!BASE64.test(digits) || digits.includes("_")) throw invalidValue("The argument of base64decode is not valid Base64.");
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
