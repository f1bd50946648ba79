import { type Html, html } from "./html-text.ts";
import type { PageSection } from "./page.ts";

/** One resource in a list of a page. */
export interface Entry {
  readonly symbol: string;
  /** The class of its colours. */
  readonly tone: Tone;
  readonly name: string;
  /** What tells it apart at a glance, next to its name. */
  readonly hint: string;
  readonly remarks: readonly string[];
  readonly values: readonly EntryValue[];
}

export interface EntryValue {
  readonly name: string;
  readonly values: readonly [string] | readonly [before: string, after: string];
  readonly forces: boolean;
  /** What a replace means, and why it is needed. */
  readonly note: string | null;
  /** The name of what the value is the id of. */
  readonly comment?: string | null;
}

export type Tone = "add" | "del" | "chg" | "imp" | "off";

/** A heading with a list of entries. */
export interface EntryGroup {
  /** What the entries are, behind their number. */
  readonly title: string;
  readonly count: number;
  readonly entries: readonly Entry[];
  /** Whether nothing that is there changes. */
  readonly isQuiet: boolean;
}

/** The entries of larger groups are closed at first; of groups that only add, sooner. */
const [MOST_OPEN, MOST_OPEN_QUIET] = [20, 5];
/** The values of larger groups are lines of one text, so that a browser shows thousands of entries at once. */
const MOST_DETAILED = 200;

/** The groups; no section for none. */
export function entrySections(title: string, groups: readonly EntryGroup[]): readonly PageSection[] {
  if (groups.length === 0) return [];
  return [{ title, content: html`${groups.map(groupHtml)}` }];
}

/** Values as the hint of an entry. */
export function hintText(values: readonly string[]): string {
  return values.map((value) => value.replaceAll(/^"|"$/g, "")).join(" · ");
}

export function groupHtml({ title, count, entries, isQuiet }: EntryGroup): Html {
  const isOpen = entries.length <= (isQuiet ? MOST_OPEN_QUIET : MOST_OPEN);
  const list = entries.length <= MOST_DETAILED ? detailedValues : plainValues;
  return html`<section>
    <h3>${count} ${title}</h3>
    <ol class="card list">
      ${entries.map((entry) => entryHtml(entry, { isOpen, list }))}
    </ol>
  </section> `;
}

interface Layout {
  readonly isOpen: boolean;
  readonly list: (values: readonly EntryValue[]) => Html;
}

function entryHtml({ symbol, tone, name, hint, remarks, values }: Entry, { isOpen, list }: Layout): Html {
  const sign = symbol === "" ? "" : html`<span class="sym ${tone}">${symbol}</span>`;
  const head = html`${sign}<code class="name">${name}</code
    >${hint === "" ? "" : html`<span class="hint">${hint}</span>`}`;
  if (remarks.length + values.length === 0) return html`<li><div class="row">${head}</div></li> `;
  const said =
    remarks.length === 0
      ? ""
      : html`<ul>
          ${remarks.map((remark) => html`<li>${remark}</li>`)}
        </ul>`;
  const body = html`${said}${values.length === 0 ? "" : list(values)}`;
  return html`<li><details${isOpen ? html` open` : ""}><summary>${head}</summary><div class="body">${body}</div></details></li> `;
}

function detailedValues(values: readonly EntryValue[]): Html {
  return html`<dl>${values.map(valueHtml)}</dl>`;
}

function plainValues(values: readonly EntryValue[]): Html {
  const width = Math.max(...values.map(({ name }) => name.length));
  const lines = values.map(({ name, values: sides, forces, note, comment = null }) => {
    const why = forces ? `  # forces replacement${note === null ? "" : `: ${note}`}` : "";
    return `${name.padEnd(width)}  ${sides.join(" → ")}${comment === null ? "" : `  # ${comment}`}${why}`;
  });
  return html`<pre>${lines.join("\n")}</pre>`;
}

function valueHtml({ name, values: [first, second], forces, note, comment = null }: EntryValue): Html {
  const value =
    second === undefined
      ? html`<code>${first}</code>`
      : html`<del><code>${first}</code></del> → <ins><code>${second}</code></ins>`;
  const why = forces
    ? html`<span class="forces"><b>Forces replacement</b>${note === null ? "" : `: ${note}`}</span>`
    : "";
  return html`<dt><code>${name}</code></dt>
    <dd>${value}${comment === null ? "" : html` <span class="hint">${comment}</span>`}${why}</dd>`;
}
