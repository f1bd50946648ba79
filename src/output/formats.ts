import type { DocumentFormat, OutputFormat } from "./format.ts";

/**
 * The formats, as `--format` names them, each loaded when it is used. `forTerminals`: a person reads it on a terminal, and
 * may see the leads' addresses there. What goes anywhere else is masked, and so is every format that does not say so here.
 */
export const FORMATS = {
  text: { forTerminals: true, load: async (): Promise<OutputFormat> => (await import("./text.ts")).text },
  json: { forTerminals: false, load: async (): Promise<OutputFormat> => (await import("./json.ts")).json },
  markdown: { forTerminals: false, load: async (): Promise<DocumentFormat> => (await import("./markdown.ts")).markdown },
  html: { forTerminals: false, load: async (): Promise<DocumentFormat> => (await import("./html.ts")).html },
} as const;

export type FormatName = keyof typeof FORMATS;

export const FORMAT_NAMES = Object.keys(FORMATS) as readonly FormatName[];

/** Whether what goes to a stream hides the addresses of leads. Decided by where it goes: only a person at a terminal sees them unasked. */
export function hidesEmails(to: { readonly isTerminal: boolean; readonly format: FormatName; readonly showEmails: boolean }): boolean {
  return !to.showEmails && !(to.isTerminal && FORMATS[to.format].forTerminals);
}
