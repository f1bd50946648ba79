import type { Argument } from "../../core/config/block.ts";
import type { Value } from "../../core/model/value.ts";
import { escapedText, uniqueName } from "./segments.ts";
import { escapedCommands, replaceHidden } from "../../core/model/visible.ts";

/** A value in synthesised form, in which strings are templates. */
export function rawText(argument: Argument): string {
  switch (argument.kind) {
    case "literal":
      return literalText(argument.value);
    case "template":
      return textLiteral(argument.text);
    case "list":
      return `[${argument.items.map(rawText).join(", ")}]`;
    case "object":
      return `{ ${argument.entries.map(([key, value]) => `${rawText(key)}: ${rawText(value)}`).join(", ")} }`;
    case "secret":
      throw new Error("a secret has no text form");
  }
}

/** A value in a place where strings are templates. */
function literalText(value: Value): string {
  if (typeof value === "string") return textLiteral(escapedText(value));
  return withEscapes(JSON.stringify(value, (_name, inner: unknown) => (typeof inner === "string" ? escapedText(inner) : inner)));
}

/** A value in a place where strings are not templates. */
export function plainText(value: Value): string {
  return typeof value === "string" ? textLiteral(value) : JSON.stringify(value);
}

/** Uses the quotation marks that need fewer escapes. */
export function textLiteral(content: string): string {
  const quoted = withEscapes(JSON.stringify(content));
  return content.includes('"') && !content.includes("'") ? `'${quoted.slice(1, -1).replaceAll('\\"', '"')}'` : quoted;
}

/** Escapes line breaks, hidden characters, and what a CI would take for a command. */
export function withEscapes(source: string): string {
  const shown = replaceHidden(source, (sign) => {
    if (sign === "\n") return "\\n";
    const code = (sign.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
  });
  return escapedCommands(shown);
}

/** Reserved words, and names that the program already uses. */
const TAKEN =
  "App TerraformOutput TerraformStack TerraformVariable Construct WebhooksStack WebhookSet SuppressionList EventType scope id app break case catch class const continue debugger default delete do else enum export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield await arguments eval";

/** Assigns unique names to the constructs of a program. */
export class TsNames {
  readonly #constants = new Set(TAKEN.split(" "));
  /** The properties of every object are reserved in the construct tree, and `Default` is not a name. */
  readonly #ids = new Set(["Default", ...Object.getOwnPropertyNames(Object.prototype)]);

  /** A constant with a name close to `name`. */
  constant(name: string): string {
    const words = name.split(/[^\p{ID_Continue}]+|_+/u).filter((word) => word !== "");
    const base = words.map((word, index) => (index === 0 ? word : `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)).join("") || "it";
    return uniqueName(/^\p{ID_Start}/u.test(base) ? base : `_${base}`, this.#constants, "");
  }

  /** The id of a construct: its name, with its kind if another construct has that name. */
  id(name: string, kind: string): string {
    return this.#ids.has(name) ? uniqueName(`${name}-${kind}`, this.#ids, "-") : uniqueName(name, this.#ids, "-");
  }
}
