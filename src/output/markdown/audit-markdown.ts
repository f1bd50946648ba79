import {
  AUDIT_TITLE,
  type AuditContext,
  type AuditFormat,
  type AuditRow,
  NO_AUDIT,
  auditGroups,
  auditSentences,
  auditedValues,
} from "../content/audit-report.ts";
import { asOfText } from "../content/unsubscription-report.ts";
import { codeSpan, words } from "./escape.ts";
import { MOST_MARKDOWN, type Row, type Section, diagnosticsMarkdown, fitted } from "./fit.ts";

const MOST_MESSAGES = 10_000;
/** Room for the heading and the time, which `document` adds. */
const HEADING_ROOM = 300;
const MORE = "Not everything fits here. For all of it, run `outreach audit`.\n";
const HOLDERS: ReadonlySet<string> = new Set(["managed", "unmanaged", "temporary"]);

/** An audit as tables: at most 60,000 characters for each state, with what was found before all else. */
export const auditMarkdown: AuditFormat = {
  part: (shown, context) => {
    const groups = auditGroups(shown.reports, context.catalog).filter(({ rows }) => rows.length > 0);
    const meanings = groups.map(({ title, meaning }) => `- **${title}**: ${meaning}\n`).join("");
    const head = `${auditSentences(shown, context.catalog).join("\n\n")}\n\n${meanings}${meanings === "" ? "" : "\n"}`;
    const messages = diagnosticsMarkdown(shown.diagnostics, context.mask, MOST_MESSAGES);
    const sections = groups.map(({ id, title, column, rows }): Section => {
      const names = [
        "id",
        ...new Set(rows.flatMap((row) => auditedValues(row, context).map(([name]) => name))),
        ...(column === "" ? [] : [column]),
      ];
      const table = `| ${names.join(" | ")} |\n|${"---|".repeat(names.length)}\n`;
      return {
        title: title.toLowerCase(),
        head: table,
        rows: rows.map((row) => rowOf(row, column !== "", context)),
        isImportant: !HOLDERS.has(id),
      };
    });
    const { text, isWhole } = fitted(
      sections,
      MOST_MARKDOWN - HEADING_ROOM - head.length - messages.length - MORE.length,
    );
    return `${`${head}${messages}${text}${isWhole ? "" : MORE}`.trimEnd()}\n`;
  },
  document: (parts, context) =>
    parts
      .map(
        ({ team, text }) =>
          `### ${AUDIT_TITLE}${team === null ? "" : ` of the team ${codeSpan(team)}`}\n\n${asOfText(context)}\n\n${text || `${NO_AUDIT}\n`}`,
      )
      .join("\n"),
};

/** The short form leaves the reason out. */
function rowOf(row: AuditRow, hasReason: boolean, context: AuditContext): Row {
  const { mask } = context;
  const cells = [codeSpan(mask(row.object.id)), ...auditedValues(row, context).map(([, value]) => words(mask(value)))];
  const line = (rest: readonly string[]): string => `| ${[...cells, ...rest].join(" | ")} |\n`;
  return {
    full: line(hasReason ? [row.why === "" ? "" : words(mask(row.why))] : []),
    short: line(hasReason ? [""] : []),
    count: 1,
  };
}
