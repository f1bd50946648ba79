import type { Argument } from "../../core/config/block.ts";
import type { Value } from "../../core/model/value.ts";
import { escapedCommands, replaceHidden } from "../../core/model/visible.ts";
import { escapedText } from "./segments.ts";

export type Fields = readonly (readonly [name: string, text: string])[];

/** How a language writes a program with constructs. Its texts are source code. */
export interface CdkLanguage {
  /** The file of the program, and the commands that synthesise it. */
  readonly file: string;
  readonly run: readonly string[];
  /** Whether it has the constructs that are written by hand: for fan-outs and event types. */
  readonly hasOwnConstructs: boolean;
  /** Whether an argument that is an object names its type. */
  readonly namesTypes: boolean;
  /** Names that no constant may have. */
  readonly taken: readonly string[];
  constantName(name: string): string;
  /** The name of a property, from the name of an attribute in snake_case. */
  property(name: string): string;
  value(value: Value): string;
  /** A text whose hidden characters are escaped. */
  text(content: string): string;
  /** A text with expressions in it. */
  mixed(parts: readonly { readonly kind: "text" | "expression"; readonly text: string }[]): string;
  /** A plain object; any text is a name. */
  object(fields: Fields): string;
  /** An argument that is an object of the library's type `type`. */
  struct(type: string, fields: Fields): string;
  construct(type: string, id: string, fields: Fields): string;
  constant(name: string, construct: string): string;
  rename(construct: string, name: string): string;
  override(construct: string | null, key: string, value: string): string;
  list(items: readonly string[]): string;
  program(parts: {
    readonly library: readonly string[];
    readonly imports: ReadonlyMap<string, string>;
    readonly body: readonly string[];
  }): string;
}

/** A value in synthesised form, in which strings are templates. */
export function rawText(argument: Argument, language: CdkLanguage): string {
  switch (argument.kind) {
    case "literal":
      return language.value(asTemplate(argument.value));
    case "template":
      return language.text(argument.text);
    case "list":
      return `[${argument.items.map((item) => rawText(item, language)).join(", ")}]`;
    case "object":
      return `{ ${argument.entries.map(([key, value]) => `${rawText(key, language)}: ${rawText(value, language)}`).join(", ")} }`;
    case "secret":
      throw new Error("a secret has no text form");
  }
}

/** A value in a place where strings are templates. */
function asTemplate(value: Value): Value {
  return JSON.parse(JSON.stringify(value), (_name, inner: unknown) =>
    typeof inner === "string" ? escapedText(inner) : inner,
  ) as Value;
}

/** Uses the quotation marks that need fewer escapes. */
export function quotedText(content: string, escapeOf: (code: string) => string): string {
  const quoted = withEscapes(JSON.stringify(content), escapeOf);
  return content.includes('"') && !content.includes("'") ? `'${quoted.slice(1, -1).replaceAll('\\"', '"')}'` : quoted;
}

/** Escapes line breaks, hidden characters, and what a CI would take for a command. `escapeOf` writes a character beyond four hexadecimal digits. */
export function withEscapes(source: string, escapeOf: (code: string) => string): string {
  const shown = replaceHidden(source, (sign) => {
    if (sign === "\n") return "\\n";
    const code = (sign.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? escapeOf(code) : `\\u${code.padStart(4, "0")}`;
  });
  return escapedCommands(shown);
}

/** The words of a name, which is text of any kind. */
export function wordsOf(name: string): readonly string[] {
  return name.split(/[^\p{ID_Continue}]+|_+/u).filter((word) => word !== "");
}

export function indented(text: string, by: string): string {
  return text.replaceAll(/^(?=.)/gm, by);
}
