import type { Cell, Matrix } from "../content/matrix.ts";
import { type Html, html } from "./html-text.ts";
import type { PageSection } from "./page.ts";

/** The most rows or columns that are shown. Further ones are counted. */
const [MOST_ROWS, MOST_COLUMNS] = [300, 100];
/** With more columns their names are upright, to take less room. */
const MOST_LEVEL = 6;

const COUNTED: readonly (readonly [counted: keyof Cell, sign: string, tone: string, words: string])[] = [
  ["stays", "", "off", "stays"],
  ["comes", "+", "add", "to create"],
  ["replaced", "±", "chg", "to replace"],
  ["goes", "−", "del", "to remove"],
];

/** A matrix of what is there, comes and goes. `isPlan`: with a legend of the changes. */
export function matrixSection(matrix: Matrix, { isPlan }: { readonly isPlan: boolean }): PageSection {
  const rows = matrix.rows.slice(0, MOST_ROWS);
  const columns = matrix.columns.slice(0, MOST_COLUMNS);
  const isTall = columns.length > MOST_LEVEL;
  const left = [
    ...(matrix.rows.length > rows.length ? [`${String(matrix.rows.length - rows.length)} more rows`] : []),
    ...(matrix.columns.length > columns.length
      ? [`${String(matrix.columns.length - columns.length)} more columns`]
      : []),
  ];
  const content = html`<div class="card scroll" role="region" tabindex="0" aria-label="${matrix.title}">
      <table>
        <thead>
          <tr>
            <th scope="col" rowspan="2">${matrix.rowTitle}</th>
            <th class="side" scope="colgroup" colspan="${columns.length}">${matrix.columnTitle}</th>
          </tr>
          <tr>
            ${columns.map((name) => html`<th scope="col">${isTall ? html`<span class="tall">${name}</span>` : name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (row) =>
              html`<tr>
                <th scope="row">${row}</th>
                ${columns.map((column) => cellHtml(matrix.cell(row, column)))}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${left.length === 0 ? "" : html`<p class="where">${left.join(" and ")} not shown.</p>`}
    ${isPlan ? legendHtml() : ""}`;
  return { title: matrix.title, content };
}

function cellHtml(cell: Cell | null): Html {
  if (cell === null) return html`<td></td>`;
  const parts = COUNTED.filter(([counted]) => cell[counted] > 0);
  return html`<td class="cell">
    ${parts.map(([counted, sign, tone, words]) => html`<span class="${tone}" title="${cell[counted]} ${words}">${sign}${cell[counted]}</span>`)}
  </td>`;
}

function legendHtml(): Html {
  return html`<ul class="legend">
    ${COUNTED.map(([, sign, tone, words]) => html`<li><span class="${tone}">${sign}1</span>${words}</li>`)}
  </ul>`;
}
