import { createHash } from "node:crypto";
import { isoTime } from "../../core/model/iso-time.ts";
import { type Html, html, ownText } from "../../output/html/html-text.ts";
import { PAGE_STYLE } from "../../output/html/page-style.ts";
import { requestsIn } from "./audit.ts";
import type { EventStatus, RunStatus, TeamState, TeamStatus } from "../fleet-store.ts";
import { isFailing } from "./fleet-snapshot.ts";
import { agoText, askedText, countText, countsText, dueText, stateText } from "./fleet-words.ts";

export interface WebPage {
  readonly title: string;
  /** What kind of page it is, in a few words above the name. */
  readonly kicker: Html | string;
  readonly name: string;
  /** What stands below the name. */
  readonly head: Html;
  readonly main: Html;
  readonly footer: string;
}

const STYLE = `${PAGE_STYLE}
.filter{display:flex;flex-wrap:wrap;gap:8px 12px;align-items:center;padding:0 0 12px}
.filter label{display:flex;flex-direction:column;color:var(--soft);font-size:.85rem}.filter .wide{flex:1 1 220px}
select,.filter input{padding:8px 12px;border:1px solid var(--soft);border-radius:8px;background:var(--card);color:var(--text);font:inherit;font-size:.95rem}
.filter input{width:100%;min-width:0}.filter input::placeholder{color:var(--soft);opacity:1}
.filter button,.filter .clear{align-self:flex-end;padding:8px 14px}.filter .clear{padding:8px 0}
button{border:1px solid var(--line);border-radius:99px;background:var(--card);color:var(--text);font:inherit;font-size:.85rem;cursor:pointer}
button:hover{border-color:var(--soft)}
.counts a{display:flex;align-items:baseline;gap:8px;color:inherit;text-decoration:none}.counts a:hover{text-decoration:underline}
.state{display:inline-block;padding:1px 8px;border-radius:5px;font-weight:600}
.scroll.full{width:auto}.full table{width:100%}
.full td{vertical-align:top}.full th{vertical-align:top}.full .note{min-width:14rem;white-space:normal}
.full tbody th,.full thead tr:first-child th:first-child{font-weight:600}
.number{text-align:right}
.said{display:block;margin-top:2px;color:var(--soft)}.said p{margin:2px 0 0}
details.said>summary{display:inline-flex;gap:8px;padding:0 16px 0 0;position:static}details.said>summary::after{position:static}
code.command{white-space:pre-wrap}
.pages{align-items:center}
pre.plan{width:fit-content;margin:0;padding:14px 16px;white-space:pre}
.facts{margin:12px 0 0}
.runs .body>p{margin:8px 0 0;color:var(--soft);font-size:.9rem}.runs .body{padding-left:16px}.runs>li{content-visibility:visible}
@media (max-width:640px){.optional{display:none}.full th,.full td{padding:6px 8px;white-space:normal;overflow-wrap:break-word}
.full .note{min-width:7rem;overflow-wrap:anywhere}.full th.note{min-width:6.5rem;max-width:38vw}}
`;

/** Forbids a page every script, picture, font and request, and other sites to show it in a frame. Its form may ask for the same page again. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;

/** A page without scripts. The server sends `PAGE_POLICY` with it. */
export function webPage({ title, kicker, name, head, main, footer }: WebPage): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        ${ownText(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <header>
          <p class="kicker">${kicker}</p>
          <h1>${name}</h1>
          ${head}
        </header>
        <main>${main}</main>
        <footer>${footer}</footer>
      </body>
    </html> `.html;
}

/** A page with a sentence or two, in place of the one that was asked for. */
export function messagePage(name: string, text: string, version: string): string {
  return webPage({
    title: `${name} – outreach controller`,
    kicker: "Outreach controller",
    name,
    head: html`<p class="verdict">${text}</p>`,
    main: html`<nav aria-label="Elsewhere"><a href="/">All teams</a></nav>`,
    footer: `Made by outreach ${version}.`,
  });
}

type Tone = "add" | "chg" | "del" | "imp" | "off";

export const STATE_TONES: { readonly [state in TeamState]: Tone } = {
  parked: "del",
  failed: "del",
  locked: "chg",
  waiting: "chg",
  paused: "off",
  running: "imp",
  new: "off",
  applied: "add",
  unchanged: "add",
};

const OUTCOME_TONES: { readonly [outcome in RunStatus["outcome"]]: Tone } = {
  unchanged: "add",
  applied: "add",
  waiting: "chg",
  outdated: "off",
  busy: "off",
  failed: "del",
  undecided: "del",
  running: "imp",
  interrupted: "chg",
};

export function stateHtml(team: TeamStatus, nowMs: number): Html {
  return html`<span class="state ${isFailing(team) ? "del" : STATE_TONES[team.state]}"
    >${stateText(team, nowMs)}</span
  >`;
}

export function outcomeHtml(outcome: RunStatus["outcome"]): Html {
  return html`<span class="state ${OUTCOME_TONES[outcome]}">${outcome}</span>`;
}

export function agoHtml(timeMs: number | null, nowMs: number): Html {
  return timeHtml(timeMs, agoText(timeMs, nowMs));
}

export function dueHtml(timeMs: number | null, nowMs: number): Html {
  return timeHtml(timeMs, dueText(timeMs, nowMs));
}

function timeHtml(timeMs: number | null, text: string): Html {
  if (timeMs === null) return html`${text}`;
  const time = isoTime(timeMs);
  return html`<time datetime="${time}" title="${time}">${text}</time>`;
}

/** What was approved and applied. With `isNamed`, each row names its team. */
export function changesHtml(
  title: string,
  changes: readonly RunStatus[],
  nowMs: number,
  { isNamed = false } = {},
): Html {
  if (changes.length === 0) return html``;
  const rows = changes.map(
    ({ team, beganMs, outcome, counts, plan, approvedBy, commit }) =>
      html`<tr>
        ${isNamed ? html`<th scope="row" class="note"><a href="${teamPath(team)}">${team}</a></th>` : ""}
        <td>${agoHtml(beganMs, nowMs)}</td>
        <td class="note">${outcomeHtml(outcome)} ${countsText(counts, false)}</td>
        <td class="note">
          ${approvedBy === null ? "without approval" : html`${approvedBy}, plan <code>${plan ?? ""}</code>`}
        </td>
        <td class="optional">${commit === null ? "" : html`<code>${commit}</code>`}</td>
      </tr>`,
  );
  const columns: readonly Column[] = [
    ...(isNamed ? ["Team"] : []),
    "When",
    "Changes",
    "Approved by",
    ["Commit", "optional"],
  ];
  return html`<section>
    <h2>${title}</h2>
    ${tableHtml(title, columns, rows)}
  </section>`;
}

/** Who asked for what, and when. With `isNamed`, each row names its team, or how many they were. */
export function eventsHtml(events: readonly EventStatus[], nowMs: number, { isNamed = false } = {}): Html {
  if (events.length === 0) return html``;
  const rows = requestsIn(events).map(({ by, atMs, events: [event, ...more], ...asked }) => {
    const example = event.team === null ? html`the fleet` : html`<a href="${teamPath(event.team)}">${event.team}</a>`;
    const named =
      more.length === 0
        ? example
        : html`${countText(more.length + 1, "team")} <span class="said">for example ${example}</span>`;
    return html`<tr>
      ${isNamed ? html`<th scope="row" class="note">${named}</th>` : ""}
      <td>${agoHtml(atMs, nowMs)}</td>
      <td class="note">${askedText(asked)}</td>
      <td class="note">${by}</td>
      <td class="optional">${event.plan === null || more.length > 0 ? "" : html`<code>${event.plan}</code>`}</td>
    </tr>`;
  });
  const columns: readonly Column[] = [...(isNamed ? ["Team"] : []), "When", "What", "Asked by", ["Plan", "optional"]];
  return html`<section>
    <h2>Requests</h2>
    ${tableHtml("Requests", columns, rows)}
  </section>`;
}

/** What to run, in a line of its own. */
export function commandHtml(command: string): Html {
  return html`<code class="command said">${command}</code>`;
}

/** A team's page. */
export function teamPath(name: string): string {
  return `/teams/${encodeURIComponent(name.replaceAll(/\p{Cs}/gu, "\u{fffd}"))}`;
}

/** The title of a column, and its classes: `optional` where a narrow screen hides it. */
export type Column = string | readonly [title: string, classes: string];

/** Wide tables scroll in themselves, with the keyboard too. */
export function tableHtml(label: string, columns: readonly Column[], rows: readonly Html[]): Html {
  const head = columns.map((column) =>
    typeof column === "string"
      ? html`<th scope="col">${column}</th>`
      : html`<th scope="col" class="${column[1]}">${column[0]}</th>`,
  );
  return html`<div class="card scroll full" role="region" tabindex="0" aria-label="${label}">
    <table>
      <thead>
        <tr>
          ${head}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}
