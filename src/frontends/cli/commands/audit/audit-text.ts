import {
  type AuditFormat,
  type AuditGroup,
  type AuditContext,
  auditGroups,
  auditSentences,
  auditedValues,
} from "./audit-groups.ts";
import { indented } from "../../../../output/text/drift-text.ts";
import { tableText } from "../../../../output/text/table.ts";

/** An audit for people: a summary, then each group as a table. */
export const auditText: AuditFormat = (shown, context) => {
  const groups = auditGroups(shown.reports, context.catalog).filter(({ rows }) => rows.length > 0);
  const [first = "", ...others] = auditSentences(shown, context.catalog);
  const head = [context.paint("bold", first), ...others].map((sentence) => `${sentence}\n`).join("");
  return [head, ...groups.map((group) => groupText(group, context))].join("\n");
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
