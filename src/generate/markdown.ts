import { readFileSync } from "node:fs";
import { capitalised } from "../core/model/words.ts";

/** A Markdown table. The cells are Markdown too. */
export function markdownTable(heads: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(heads), `|${"---|".repeat(heads.length)}`, ...rows.map(line)];
}

export function code(text: string): string {
  return `\`${text}\``;
}

/** The text with a capital letter and a full stop. */
export function sentence(text: string): string {
  const begun = capitalised(text);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

/** What is made from definitions, by its name in a template. */
export type Parts = { readonly [name: string]: readonly string[] | string };

/** A page from its template, with a part in each place `{{ NAME }}`. `otherwise` makes those that are not among the parts. */
export function fillTemplate(template: string, parts: Parts, otherwise?: (name: string) => readonly string[]): string {
  const text = readFileSync(new URL(`templates/${template}.md.tmpl`, import.meta.url), "utf8");
  return text.replaceAll(/\{\{ (.*?) \}\}/g, (_, name: string) => {
    const part = parts[name] ?? otherwise?.(name);
    if (part === undefined) throw new Error(`nothing fills {{ ${name} }} of the template ${template}`);
    return [part].flat().join("\n").trimEnd();
  });
}
