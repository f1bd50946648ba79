import { visibleLines } from "../../core/model/visible.ts";

/** A part of a page, already escaped. Only `html` makes one. */
export interface Html {
  readonly html: string;
}

type Part = Html | readonly Html[] | string | number;

/** A part of a page: texts are escaped, parts of pages stay as they are. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: texts.map((text, index) => text + markup(parts[index] ?? "")).join("") };
}

/** Markup of ours as it is: a style or script, which no value is part of, or the text of parts that `html` has made. */
export function ownText(text: string): Html {
  return { html: text };
}

const ENTITIES: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function markup(part: Part): string {
  if (typeof part === "string") return escaped(part);
  if (typeof part === "number") return String(part);
  return "html" in part ? part.html : part.map((one) => one.html).join("");
}

/** Hidden characters are made visible: they could hide or reorder what follows. */
function escaped(text: string): string {
  return visibleLines(text).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
