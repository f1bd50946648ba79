import {
  AUDIT_TITLE,
  type AuditFormat,
  type AuditGroup,
  type AuditContext,
  NO_AUDIT,
  auditGroups,
  auditSentences,
  auditedValues,
} from "../content/audit-report.ts";
import { indented } from "./drift-text.ts";
import { tableText } from "./table.ts";

/** An audit for people: a summary, then each group as a table. */
export const auditText: AuditFormat = {
  part: (shown, context) => {
    const groups = auditGroups(shown.reports, context.catalog).filter(({ rows }) => rows.length > 0);
    const [first = "", ...others] = auditSentences(shown, context.catalog);
    const head = [context.paint("bold", first), ...others].map((sentence) => `${sentence}\n`).join("");
    return [head, ...groups.map((group) => groupText(group, context))].join("\n");
  },
  document: (parts, { paint }) =>
    parts
      .map(
        ({ team, text }) =>
          `${team === null ? "" : `\n${paint("bold", `=== ${AUDIT_TITLE}: team ${team} ===`)}\n\n`}${text || `${NO_AUDIT}\n`}`,
      )
      .join(""),
};

function groupText({ title, meaning, column, rows }: AuditGroup, context: AuditContext): string {
  const lines = rows.map((row) => ({
    id: row.object.id,
    ...Object.fromEntries(auditedValues(row, context)),
    ...(column === "" ? {} : { [column]: row.why === "" ? null : row.why }),
  }));
  const columns = [...new Set(lines.flatMap((line) => Object.keys(line)))];
  return `${context.paint("bold", `${title} (${String(rows.length)}):`)} ${meaning}\n\n${indented(tableText(columns, lines))}`;
}
