import type { Value } from "../../core/model/value.ts";
import { compareText } from "../../core/model/value.ts";
import { type CdkLanguage, type Fields, indented, quotedText, withEscapes, wordsOf } from "./cdk-language.ts";

/** Where the example's `cdktf get` writes the classes of the provider. */
const CLASSES = "imports.outreach";
const WIDTH = 100;

/** Reserved words, and names that the program already uses. Names of classes have capitals, which constants do not get. */
const TAKEN =
  "self scope id app and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return super try while with yield";

const escapeOf = (code: string): string => `\\U${code.padStart(8, "0")}`;

/** For cdktf, with the classes that `cdktf get` writes. */
export const python: CdkLanguage = {
  file: "main.py",
  run: ["npx cdktf-cli@0.21 get", "python main.py"],
  hasOwnConstructs: false,
  namesTypes: true,
  taken: TAKEN.split(" "),
  // Python reads names in this form.
  constantName: (name) => wordsOf(name.normalize("NFKC")).join("_").toLowerCase(),
  property: (name) => name,
  value: valueText,
  text: (content) => quotedText(content, escapeOf),
  mixed: (parts) =>
    `f"${parts.map(({ kind, text }) => (kind === "text" ? withEscapes(JSON.stringify(text).slice(1, -1), escapeOf) : `{${text}}`)).join("")}"`,
  object: (fields) => `{${fields.map(([name, text]) => `${quotedText(name, escapeOf)}: ${text}`).join(", ")}}`,
  struct: (type, fields) => call(type, argumentsOf(fields)),
  construct: (type, id, fields) => call(type, ["self", quotedText(id, escapeOf), ...argumentsOf(fields)]),
  constant: (name, construct) => `${name} = ${construct}`,
  rename: (construct, name) => `${construct}.override_logical_id(${quotedText(name, escapeOf)})`,
  override: (construct, key, value) => `${construct ?? "self"}.add_override(${quotedText(key, escapeOf)}, ${value})`,
  list: (items) => `[\n${items.map((item) => `    ${item},\n`).join("")}]`,
  program: ({ library, imports: classes, body }) => `from cdktf import ${library.join(", ")}
from constructs import Construct

${[...classes]
  .toSorted(([, one], [, other]) => compareText(one, other))
  .map(([name, path]) => `from ${CLASSES}.${path.replaceAll("-", "_")} import ${name}\n`)
  .join("")}

class WebhooksStack(TerraformStack):
    def __init__(self, scope: Construct, id: str) -> None:
        super().__init__(scope, id)
${body.map((part) => indented(part, " ".repeat(8))).join("\n")}


app = App()
WebhooksStack(app, "webhooks")
app.synth()
`,
};

function argumentsOf(fields: Fields): readonly string[] {
  return fields.map(([name, text]) => `${name}=${text}`);
}

function call(name: string, given: readonly string[]): string {
  const short = `${name}(${given.join(", ")})`;
  return short.length <= WIDTH && !short.includes("\n")
    ? short
    : `${name}(\n${given.map((one) => indented(`${one},\n`, "    ")).join("")})`;
}

function valueText(value: Value): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string") return quotedText(value, escapeOf);
  if (Array.isArray(value)) return `[${value.map((item: Value) => valueText(item)).join(", ")}]`;
  if (typeof value === "object")
    return `{${Object.entries(value)
      .map(([key, inner]) => `${quotedText(key, escapeOf)}: ${valueText(inner as Value)}`)
      .join(", ")}}`;
  return JSON.stringify(value);
}
