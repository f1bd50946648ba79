import type { Argument } from "../../core/config/block.ts";
import type { Value } from "../../core/model/value.ts";
import { escapedText } from "./segments.ts";
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
