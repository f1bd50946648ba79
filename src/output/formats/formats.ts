import type { OutputFormat } from "../content/output-format.ts";
import type { TeamsFormat } from "../content/team-plans.ts";
import type { DriftFormat } from "../content/drift-format.ts";

/**
 * The formats, as `--format` names them, each loaded when it is used. `forTerminals`: a person reads it on a terminal, and
 * may see the leads' addresses there. What goes anywhere else is masked, and so is every format that does not say so here.
 */
export const FORMATS = {
  text: { forTerminals: true, load: async (): Promise<OutputFormat> => (await import("../text/text-format.ts")).text },
  json: { forTerminals: false, load: async (): Promise<OutputFormat> => (await import("../json/json-format.ts")).json },
  markdown: {
    forTerminals: false,
    load: async (): Promise<TeamsFormat> => ({
      plan: (await import("../markdown/plan-markdown.ts")).planMarkdown,
      state: (await import("../markdown/state-markdown.ts")).stateMarkdown,
      teams: (await import("../markdown/teams-markdown.ts")).teamsMarkdown,
    }),
  },
  html: {
    forTerminals: false,
    load: async (): Promise<TeamsFormat> => ({
      plan: (await import("../html/plan-html.ts")).planHtml,
      teams: (await import("../html/plan-html.ts")).teamsHtml,
      state: (await import("../html/state-html.ts")).stateHtml,
    }),
  },
} as const;

export type FormatName = keyof typeof FORMATS;

export const FORMAT_NAMES = Object.keys(FORMATS) as readonly FormatName[];

/** Whether what goes to a stream hides the addresses of leads. Decided by where it goes: only a person at a terminal sees them unasked. */
export function hidesEmails(to: {
  readonly isTerminal: boolean;
  readonly format: string;
  readonly showEmails: boolean;
}): boolean {
  const forTerminals = Object.entries(FORMATS).some(([name, format]) => name === to.format && format.forTerminals);
  return !to.showEmails && !(to.isTerminal && forTerminals);
}

/** The formats of a drift report, as `--format` names them, each loaded when it is used. */
export const DRIFT_FORMATS = {
  text: async (): Promise<DriftFormat> => (await import("../text/drift-text.ts")).driftReportText,
  json: async (): Promise<DriftFormat> => (await import("../json/drift-json.ts")).driftReportJson,
  markdown: async (): Promise<DriftFormat> => (await import("../markdown/drift-markdown.ts")).driftReportMarkdown,
} as const;

export type DriftFormatName = keyof typeof DRIFT_FORMATS;

export const DRIFT_FORMAT_NAMES = Object.keys(DRIFT_FORMATS) as readonly DriftFormatName[];
