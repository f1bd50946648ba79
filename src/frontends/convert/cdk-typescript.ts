import { compareText } from "../../core/model/value.ts";
import { type CdkLanguage, type Fields, indented, quotedText, withEscapes, wordsOf } from "./cdk-language.ts";

/** The module with the constructs for cdktn. */
const CONSTRUCTS = "outreach-as-code/cdktn/lib";
const LIST_WIDTH = 100;

/** Reserved words, and names that the program already uses. */
const TAKEN =
  "App TerraformOutput TerraformStack TerraformVariable Construct WebhooksStack WebhookSet SuppressionList EventType scope id app break case catch class const continue debugger default delete do else enum export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield await arguments eval";

const escapeOf = (code: string): string => `\\u{${code}}`;

/** For cdktn. The program also works with `outreach-as-code/cdktf`. */
export const typescript: CdkLanguage = {
  file: "main.ts",
  run: ["npx tsx main.ts"],
  hasOwnConstructs: true,
  namesTypes: false,
  taken: TAKEN.split(" "),
  constantName: (name) =>
    wordsOf(name)
      .map((word, index) => (index === 0 ? word : `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`))
      .join(""),
  property: (name) => name.replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase()),
  value: (value) =>
    typeof value === "string" ? quotedText(value, escapeOf) : withEscapes(JSON.stringify(value), escapeOf),
  text: (content) => quotedText(content, escapeOf),
  mixed: (parts) =>
    `\`${parts.map(({ kind, text }) => (kind === "text" ? withEscapes(text.replaceAll(/[`\\]/g, "\\$&"), escapeOf) : `\${${text}}`)).join("")}\``,
  object: (fields) =>
    `{ ${lines(fields.map(([name, text]) => [/^[a-z_]+$/i.test(name) ? name : quotedText(name, escapeOf), text])).join(", ")} }`,
  struct: (_type, fields) => objectText(fields),
  construct: (type, id, fields) =>
    `new ${type}(this, ${quotedText(id, escapeOf)}${fields.length > 0 ? `, ${objectText(fields)}` : type === "OutreachProvider" ? "" : ", {}"});`,
  constant: (name, construct) => `const ${name} = ${construct}`,
  rename: (construct, name) => `${construct}.overrideLogicalId(${quotedText(name, escapeOf)});`,
  override: (construct, key, value) => `${construct ?? "this"}.addOverride(${quotedText(key, escapeOf)}, ${value});`,
  list: (items) => `[\n${items.map((item) => `  ${item},\n`).join("")}]`,
  program({ library, imports: classes, body }) {
    const imports = [...new Set(classes.values())].toSorted(compareText).map((path) => {
      const names = [...classes].flatMap(([name, from]) => (from === path ? [name] : []));
      return `import { ${names.toSorted(compareText).join(", ")} } from "${CONSTRUCTS}/${path}";\n`;
    });
    return `import { ${library.join(", ")} } from "cdktn";
import type { Construct } from "constructs";
${imports.join("")}
class WebhooksStack extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
${body.map((part) => indented(part, "    ")).join("\n")}
  }
}

const app = new App();
new WebhooksStack(app, "webhooks");
app.synth();
`;
  },
};

function lines(fields: Fields): readonly string[] {
  return fields.map(([name, text]) => `${name}: ${text}`);
}

function objectText(fields: Fields): string {
  const short = `{ ${lines(fields).join(", ")} }`;
  if (fields.length === 0) return "{}";
  return fields.length < 3 && short.length <= LIST_WIDTH && !short.includes("\n")
    ? short
    : `{\n${lines(fields)
        .map((field) => indented(`${field},\n`, "  "))
        .join("")}}`;
}
