import { isoTime } from "../../core/model/time.ts";
import { type Html, html } from "../../output/html/html-text.ts";
import type { RunStatus, TeamState, TeamStatus } from "../fleet-store.ts";
import { agoText, countsText, dueText, isFailing, stateText } from "./fleet-snapshot.ts";

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
  return html`<span class="state ${isFailing(team) ? "del" : STATE_TONES[team.state]}">${stateText(team, nowMs)}</span>`;
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
export function changesHtml(title: string, changes: readonly RunStatus[], nowMs: number, { isNamed = false } = {}): Html {
  if (changes.length === 0) return html``;
  const rows = changes.map(
    ({ team, beganMs, outcome, counts, plan, approvedBy, commit }) =>
      html`<tr>
        ${isNamed ? html`<th scope="row" class="note"><a href="${teamPath(team)}">${team}</a></th>` : ""}
        <td>${agoHtml(beganMs, nowMs)}</td>
        <td class="note">${outcomeHtml(outcome)} ${countsText(counts, false)}</td>
        <td class="note">${approvedBy === null ? "without approval" : html`${approvedBy}, plan <code>${plan ?? ""}</code>`}</td>
        <td class="optional">${commit === null ? "" : html`<code>${commit}</code>`}</td>
      </tr>`,
  );
  const head = html`${isNamed ? html`<th scope="col">Team</th>` : ""}
    <th scope="col">When</th>
    <th scope="col">Changes</th>
    <th scope="col">Approved by</th>
    <th scope="col" class="optional">Commit</th>`;
  return html`<section>
    <h2>${title}</h2>
    ${tableHtml(title, head, rows)}
  </section>`;
}

/** A team's page. */
export function teamPath(name: string): string {
  return `/teams/${encodeURIComponent(name.replaceAll(/\p{Cs}/gu, "\u{fffd}"))}`;
}

/** Wide tables scroll in themselves, with the keyboard too. */
export function tableHtml(label: string, head: Html, rows: readonly Html[]): Html {
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
