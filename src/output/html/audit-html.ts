import {
  AUDIT_TITLE,
  type AuditContext,
  type AuditFormat,
  type AuditRow,
  NO_AUDIT,
  auditGroups,
  auditSentences,
  auditedValues,
  findingTexts,
  holderText,
} from "../content/audit-report.ts";
import { resourceOf } from "../../core/model/definition.ts";
import { diagnosticText } from "../content/diagnostic-text.ts";
import { plain } from "../content/paint.ts";
import { asOfText } from "../content/unsubscription-report.ts";
import { type Entry, type Tone, filterHtml, groupHtml, hintText } from "./entry-html.ts";
import { html, ownText } from "./html-text.ts";
import { pageText } from "./page.ts";

const TONES: { readonly [id: string]: Tone } = { managed: "add", unmanaged: "off", temporary: "off", undecided: "chg" };
const COLUMNS = 100;

/** An audit as one page: each group with a filter. */
export const auditHtml: AuditFormat = {
  part: (shown, context) => {
    const groups = auditGroups(shown.reports, context.catalog).filter(({ rows }) => rows.length > 0);
    const { mask } = context;
    return html`${auditSentences(shown, context.catalog).map((sentence) => html`<p class="verdict">${mask(sentence)}</p>`)}
      <ul class="counts">
        ${groups.map(({ id, title, rows }) => html`<li class="${TONES[id] ?? "del"}"><b>${rows.length}</b> ${title.toLowerCase()}</li>`)}
      </ul>
      ${shown.diagnostics.map((one) => html`<pre>${mask(diagnosticText(one, plain, COLUMNS))}</pre>`)}
      ${groups.map(({ id, title, meaning, rows }) => {
        const entries = rows.map((row) => entryOf(row, TONES[id] ?? "del", context));
        return html`${groupHtml({ kind: id, title: title.toLowerCase(), count: rows.length, entries, isQuiet: true })}
          <p class="where">${title}: ${meaning}.</p>`;
      })}`.html;
  },
  document: (parts, context) => {
    const head = html`<p class="verdict">${asOfText(context)}</p>
      ${filterHtml([], "id, URL, campaign, finding …")}`;
    const sections = parts.map(({ team, text }) => ({
      title: team === null ? "Live webhooks" : `Team ${team}`,
      content: text === "" ? html`<p class="verdict refused">${NO_AUDIT}</p>` : ownText(text),
    }));
    return pageText({
      title: AUDIT_TITLE,
      kicker: "outreach",
      name: AUDIT_TITLE,
      head,
      sections,
      version: context.version,
    });
  },
};

function entryOf(row: AuditRow, tone: Tone, context: AuditContext): Entry {
  const { mask } = context;
  const values = auditedValues(row, context).map(([name, value]) => [name, mask(value)] as const);
  const address = holderText(row.object);
  return {
    symbol: "•",
    tone,
    name: mask(row.object.id),
    hint: hintText([...values.map(([, value]) => value), ...(row.why === "" ? [] : [mask(row.why)])]),
    remarks: findingTexts(row.object.findings, resourceOf(context.catalog, row.type)).map(mask),
    values: [...values, ...(address === "" ? [] : [["managed by", mask(address)] as const])].map(([name, value]) => ({
      name,
      values: [value] as const,
      forces: false,
      note: null,
    })),
  };
}
