import type { ReportFormat } from "./unsubscription-report.ts";
import { unsubscriptionsCsv } from "./unsubscriptions-csv.ts";
import { unsubscriptionsJson } from "./unsubscriptions-json.ts";
import { unsubscriptionsText } from "./unsubscriptions-text.ts";

/** As `--format` names them. */
export const REPORT_FORMATS = {
  text: unsubscriptionsText,
  csv: unsubscriptionsCsv,
  json: unsubscriptionsJson,
} satisfies { readonly [name: string]: ReportFormat };

export type ReportFormatName = keyof typeof REPORT_FORMATS;
