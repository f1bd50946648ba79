import { isoTime } from "../../core/model/iso-time.ts";
import { type Html, html } from "../../output/html/html-text.ts";
import { messageSections } from "../../output/html/plan-html.ts";
import { durationText } from "../../output/content/progress-text.ts";
import type { PlanStatus, RunStatus } from "../fleet-store.ts";
import type { TeamSnapshot } from "./fleet-snapshot.ts";
import { approveCommand, countText, countsText, resumeCommand, runCommand } from "./fleet-words.ts";
import { agoHtml, changesHtml, dueHtml, eventsHtml, outcomeHtml, stateHtml, webPage } from "./page-parts.ts";

/** One team: its state, the plan that waits, its last runs with their messages, and what was approved and applied. */
export function teamPage({ team, runs, changes, events, plan, atMs }: TeamSnapshot, version: string): string {
  return webPage({
    title: `${team.name} – outreach controller`,
    kicker: html`<a href="/">Fleet</a>`,
    name: team.name,
    head: headHtml({ team, atMs }),
    main: html`${plan === null ? "" : planHtml(plan, atMs)}${runsHtml(runs, atMs)}${changesHtml("Changes", changes, atMs)}${eventsHtml(events, atMs)}`,
    footer: `As of ${isoTime(atMs)}. Made by outreach ${version}. This page contains no secrets.`,
  });
}

function headHtml({ team, atMs: nowMs }: Pick<TeamSnapshot, "team" | "atMs">): Html {
  const { name, state, message, lastRunMs, nextRunMs, failures, drifted, auto, commit, removedMs } = team;
  const command = state === "parked" || state === "paused" ? resumeCommand(name) : runCommand(name);
  const why = {
    parked: "Nothing happens until you have done what the message says, and resume the team:",
    paused: "Nothing happens until you resume the team:",
  } as const;
  return html`<p class="verdict">${stateHtml(team, nowMs)} ${message ?? ""}</p>
    ${removedMs === null ? html`<p class="verdict">${state === "parked" || state === "paused" ? why[state] : "To reconcile it now:"} <code class="command">${command}</code></p>` : html`<p class="verdict refused">Left the configuration ${agoHtml(removedMs, nowMs)}. Nobody reconciles it.</p>`}
    <dl class="facts">
      <dt>Last run</dt>
      <dd>${agoHtml(lastRunMs, nowMs)}</dd>
      <dt>Next run</dt>
      <dd>${dueHtml(nextRunMs, nowMs)}</dd>
      <dt>Failures</dt>
      <dd>${failures === 0 ? "none" : `${String(failures)} in a row`}</dd>
      <dt>Drift</dt>
      <dd>${drifted === 0 ? "none" : countText(drifted, "object")}</dd>
      <dt>Policy</dt>
      <dd>${auto === null ? "the fleet's" : html`<code>--auto ${auto}</code>`}</dd>
      <dt>Commit</dt>
      <dd>${commit === null ? "-" : html`<code>${commit}</code>`}</dd>
    </dl>`;
}

function planHtml({ id, team, madeMs, counts, text }: PlanStatus, nowMs: number): Html {
  return html`<section>
    <h2>Plan waiting for approval</h2>
    <p>
      Made ${agoHtml(madeMs, nowMs)}: ${countsText(counts, true)}. To approve it, run
      <code class="command">${approveCommand(team, id)}</code>
    </p>
    <div class="card scroll full" role="region" tabindex="0" aria-label="Plan"><pre class="plan">${text}</pre></div>
  </section>`;
}

function runsHtml(runs: readonly RunStatus[], nowMs: number): Html {
  return html`<section>
    <h2>Last runs</h2>
    ${
      runs.length === 0
        ? html`<p>No run yet.</p>`
        : html`<ul class="card list runs">
            ${runs.map((run, index) => runHtml(run, index === 0, nowMs))}
          </ul>`
    }
  </section>`;
}

function runHtml(run: RunStatus, isNewest: boolean, nowMs: number): Html {
  const {
    id,
    trigger,
    outcome,
    beganMs,
    durationMs,
    counts,
    drifted,
    requests,
    messages,
    commit,
    process,
    plan,
    approvedBy,
  } = run;
  const done = countsText(counts, outcome === "waiting");
  const facts = [
    ...(durationMs === null ? [] : [`took ${durationText(durationMs)}`]),
    ...(done === "" ? [] : [done]),
    ...(drifted === 0 ? [] : [countText(drifted, "drifted object")]),
    ...(messages.length === 0 ? [] : [countText(messages.length, "message")]),
  ];
  const opening =
    isNewest && messages.length > 0
      ? html`<details open>${bodyHtml()}</details>`
      : html`<details>${bodyHtml()}</details>`;
  return html`<li>${opening}</li>`;

  function bodyHtml(): Html {
    return html`<summary>
        ${outcomeHtml(outcome)} <span class="name">${agoHtml(beganMs, nowMs)}</span> <span>${facts.join(", ")}</span>
      </summary>
      <div class="body">
        ${messageSections(messages, (text) => text).map(({ content }) => content)}
        <p>
          ${approvedBy === null ? "" : html`Plan <code>${plan ?? ""}</code>, approved by ${approvedBy}. `}Run
          <code>${id}</code>, trigger ${trigger}, ${countText(requests, "request")}, process
          <code>${process}</code>${commit === null ? "" : html`, commit <code>${commit}</code>`}
        </p>
      </div>`;
  }
}
