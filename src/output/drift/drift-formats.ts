import type { DriftFormat } from "./drift-format.ts";

/** The formats of a drift report, as `--format` names them, each loaded when it is used. */
export const DRIFT_FORMATS = {
  text: async (): Promise<DriftFormat> => (await import("./drift-text.ts")).driftReportText,
  json: async (): Promise<DriftFormat> => (await import("./drift-json.ts")).driftReportJson,
  markdown: async (): Promise<DriftFormat> => (await import("./drift-markdown.ts")).driftReportMarkdown,
} as const;

export type DriftFormatName = keyof typeof DRIFT_FORMATS;

export const DRIFT_FORMAT_NAMES = Object.keys(DRIFT_FORMATS) as readonly DriftFormatName[];
