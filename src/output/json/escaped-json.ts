import { escapedCommands, replaceHidden } from "../../core/model/visible.ts";

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [name: string]: Json };

/** JSON on one line, or indented by two. Hidden characters and commands to a CI are escaped. */
export function jsonText(value: Json, { indented = false }: { readonly indented?: boolean } = {}): string {
  return escapedJson(JSON.stringify(value, null, indented ? 2 : undefined));
}

/** JSON with hidden characters and commands to a CI escaped: they occur in its texts only. */
export function escapedJson(json: string): string {
  const shown = replaceHidden(json, (character) =>
    character === "\n"
      ? character
      : Array.from({ length: character.length }, (_, index) => escaped(character.charCodeAt(index))).join(""),
  );
  return escapedCommands(shown);
}

function escaped(code: number): string {
  return `\\u${code.toString(16).padStart(4, "0")}`;
}
