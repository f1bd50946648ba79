import type { Diagnostic } from "../../core/model/diagnostic.ts";
import { type Html, html } from "./html-text.ts";
import type { PageSection } from "./page.ts";

const TITLES: { readonly [severity in Diagnostic["severity"]]: string } = { error: "Error", warning: "Warning", note: "Note" };
const ORDER = Object.keys(TITLES) as readonly Diagnostic["severity"][];

/** Messages, the errors first; no section for none. */
export function messageSections(diagnostics: readonly Diagnostic[], mask: (text: string) => string): readonly PageSection[] {
  if (diagnostics.length === 0) return [];
  const ordered = ORDER.flatMap((severity) => diagnostics.filter((one) => one.severity === severity));
  return [{ title: "Messages", content: html`${ordered.map((one) => messageHtml(one, mask))}` }];
}

function messageHtml({ severity, summary, detail, hint, address, place }: Diagnostic, mask: (text: string) => string): Html {
  const where = [...(place ? [placeText(place)] : []), ...(address === undefined ? [] : [address])].join(", ");
  return html`<article class="card message ${severity}">
    <h3>${TITLES[severity]}: ${mask(summary)}</h3>
    ${where === "" ? "" : html`<p class="where"><code>${mask(where)}</code></p>`}
    <p>${mask(detail)}</p>
    ${hint === undefined ? "" : html`<pre>${mask(hint)}</pre>`}
  </article> `;
}

function placeText({ file, line, column = 1 }: NonNullable<Diagnostic["place"]>): string {
  return line === undefined ? file : `${file}:${String(line)}:${String(column)}`;
}
