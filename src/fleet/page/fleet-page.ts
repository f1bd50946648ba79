import { isoTime } from "../../core/model/iso-time.ts";
import { type Html, html } from "../../output/html/html-text.ts";
import { durationText } from "../../output/content/progress-text.ts";
import type { ConfigurationStatus, ProcessStatus, TeamState, TeamStatus } from "../fleet-store.ts";
import type { RemovedTeam } from "../team-work.ts";
import { type FleetSnapshot, type FleetSummary, STATES, inOrder, isFailing, isFound, summarize } from "./fleet-snapshot.ts";
import { approveCommand, countText, countsText, numberText, removedText, resumeCommand, runCommand, settingFlags } from "./fleet-words.ts";
import { type Column, STATE_TONES, agoHtml, changesHtml, dueHtml, stateHtml, tableHtml, teamPath, webPage } from "./page-parts.ts";

/** What of the fleet the page shows, as its address says. */
export interface FleetView {
  /** Null: every state. */
  readonly state: TeamState | null;
  /** A part of the name or of the message. */
  readonly q: string;
  /** From 1 on. */
  readonly page: number;
}

const PAGE_ROWS = 200;
/** The most teams that need a person; the table below has all. */
const MOST_FIRST = 20;

/** The page's view as its address has it. What the address says wrongly is left out. */
export function viewOf({ state = "", q = "", page = "" }: { readonly [name: string]: string | undefined }): FleetView {
  return { state: STATES.find((one) => one === state) ?? null, q: q.trim(), page: /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1 };
}

/** The fleet at a glance: how many teams are in which state, those that need a person, and all teams. */
export function fleetPage(fleet: FleetSnapshot, view: FleetView, version: string): string {
  const { teams, processes, changes, removed, atMs } = fleet;
  const summary = summarize(teams);
  const isWhole = view.state === null && view.q === "" && view.page === 1;
  return webPage({
    title: "Fleet – outreach controller",
    kicker: "Outreach controller",
    name: "Fleet",
    head: headHtml(fleet, summary),
    main: html`${isWhole ? html`${approvalHtml(teams, atMs)}${troubleHtml(teams, atMs)}` : ""}${teamsHtml(fleet, view)}${isWhole ? html`${changesHtml("Last changes", changes, atMs, { isNamed: true })}${removedHtml(removed, atMs)}${processesHtml(processes, atMs)}` : ""}`,
    footer: `As of ${isoTime(atMs)}. Made by outreach ${version}. This page contains no secrets.`,
  });
}

function headHtml({ teams, processes, configuration, settings, lagMs, atMs }: FleetSnapshot, { failing, drifted, plansWaiting }: FleetSummary): Html {
  const facts = [
    ...(teams.length === 0 ? [] : [failing === 0 ? "None has failed or is undecided." : `${countText(failing, "team")} failed or undecided.`]),
    ...(plansWaiting > 0 ? [`${countText(plansWaiting, "plan")} waiting for approval.`] : []),
    ...(drifted > 0 ? [`${countText(drifted, "drifted object")}.`] : []),
  ];
  const work = [
    processes.length === 0 ? "No controller is running." : processes.length === 1 ? "1 process." : `${numberText(processes.length)} processes.`,
    ...(lagMs > 0 ? [`The team that is due the longest has waited for ${durationText(lagMs)}.`] : []),
  ];
  return html`<p class="verdict">${countText(teams.length, "team")}. ${facts.join(" ")}</p>
    <p class="verdict${processes.length === 0 ? " refused" : ""}">${work.join(" ")}</p>
    ${configuration === null ? "" : configurationHtml(configuration, atMs)}
    <p class="where">Settings: <code>${settingFlags(settings)}</code></p>
    <ul class="counts" aria-label="Teams by state">
      ${STATES.map((state) => ({ state, count: teams.filter((team) => isFound(team, state)).length }))
        .filter(({ count }) => count > 0)
        .map(
          ({ state, count }) =>
            html`<li class="${STATE_TONES[state]}">
              <a href="/?state=${state}"><b>${numberText(count)}</b> ${state}</a>
            </li>`,
        )}
    </ul>`;
}

function configurationHtml({ commit, pushed }: ConfigurationStatus, nowMs: number): Html {
  const from = pushed === null ? html`from the files of the controllers` : html`pushed by ${pushed.by} ${agoHtml(pushed.atMs, nowMs)}`;
  return html`<p class="where">Configuration: ${from}${commit === null ? "" : html`, commit <code>${commit}</code>`}.</p>`;
}

function approvalHtml(teams: readonly TeamStatus[], nowMs: number): Html {
  const waiting = inOrder(teams.filter(({ plan }) => plan !== null));
  const rows = waiting.slice(0, MOST_FIRST).map(
    (team) =>
      html`<tr>
        ${nameHtml(team)}
        <td class="note">${countsText(team.counts, true)} ${commandHtml(approveCommand(team.name, team.plan ?? ""))}</td>
        <td class="optional">${agoHtml(team.lastRunMs, nowMs)}</td>
      </tr>`,
  );
  const columns: readonly Column[] = ["Team", "Plan, and how to approve it", ["Last run", "optional"]];
  return firstHtml("Waiting for approval", { columns, rows, count: waiting.length, rest: "/?state=waiting" });
}

function troubleHtml(teams: readonly TeamStatus[], nowMs: number): Html {
  const troubled = inOrder(teams.filter(isFailing));
  const rows = troubled.slice(0, MOST_FIRST).map(
    (team) =>
      html`<tr>
        ${nameHtml(team)}
        <td class="note">
          ${stateHtml(team, nowMs)} ${team.message ?? ""} ${commandHtml(team.state === "parked" ? resumeCommand(team.name) : runCommand(team.name))}
        </td>
        <td class="optional">${agoHtml(team.lastRunMs, nowMs)}</td>
      </tr>`,
  );
  const columns: readonly Column[] = ["Team", "Message, and what to run when it is fixed", ["Last run", "optional"]];
  return firstHtml("Failed and undecided", { columns, rows, count: troubled.length, rest: "#teams" });
}

interface First {
  readonly columns: readonly Column[];
  readonly rows: readonly Html[];
  readonly count: number;
  /** The address of those that are not shown. */
  readonly rest: string;
}

function firstHtml(title: string, { columns, rows, count, rest }: First): Html {
  if (count === 0) return html``;
  const more = count - rows.length;
  return html`<section>
    <h2>${title}</h2>
    ${tableHtml(title, columns, rows)} ${more === 0 ? "" : html`<p class="where"><a href="${rest}">${countText(more, "more team")}</a></p>`}
  </section>`;
}

function commandHtml(command: string): Html {
  return html`<code class="command said">${command}</code>`;
}

function teamsHtml({ teams, atMs }: FleetSnapshot, view: FleetView): Html {
  const words = view.q.toLowerCase();
  const found = teams.filter(
    (team) =>
      (view.state === null || isFound(team, view.state)) &&
      (words === "" || team.name.toLowerCase().includes(words) || (team.message !== null && team.message.toLowerCase().includes(words))),
  );
  const pages = Math.max(1, Math.ceil(found.length / PAGE_ROWS));
  const page = Math.min(view.page, pages);
  const from = (page - 1) * PAGE_ROWS;
  const shown = inOrder(found).slice(from, from + PAGE_ROWS);
  const isFiltered = view.state !== null || view.q !== "";
  const range = found.length > PAGE_ROWS ? `${countText(found.length, "team")}, ${numberText(from + 1)} to ${numberText(from + shown.length)} shown` : "";
  const status =
    found.length === 0
      ? isFiltered
        ? "No team matches the filter."
        : "No configuration with teams is in force yet."
      : range || countText(found.length, "team");
  return html`<section id="teams">
    <h2>Teams</h2>
    ${filterHtml(view, isFiltered)}
    <p class="where">${status}</p>
    ${shown.length === 0 ? "" : teamsTable(shown, atMs)} ${pagesHtml({ ...view, page }, pages)}
  </section>`;
}

function teamsTable(teams: readonly TeamStatus[], nowMs: number): Html {
  const columns: readonly Column[] = [
    "Team",
    "State",
    "Last run",
    ["Took", "optional"],
    ["Next run", "optional"],
    ["Drift", "optional number"],
    ["Changes", "optional"],
  ];
  const rows = teams.map((team) => rowHtml(team, nowMs));
  return tableHtml("Teams", columns, rows);
}

function filterHtml({ state, q }: FleetView, isFiltered: boolean): Html {
  return html`<form class="filter" role="search" aria-label="Teams" action="/" method="get">
    <label class="wide">Name or message <input type="search" name="q" value="${q}" maxlength="200" /></label>
    <label
      >State
      <select name="state">
        <option value="">any</option>
        ${STATES.map((one) => (one === state ? html`<option value="${one}" selected>${one}</option>` : html`<option value="${one}">${one}</option>`))}
      </select></label
    >
    <button type="submit">Filter</button>
    ${isFiltered ? html`<a class="clear" href="/">Show all</a>` : ""}
  </form>`;
}

function rowHtml(team: TeamStatus, nowMs: number): Html {
  const said = team.message === null ? "" : html`<span class="said">${team.message}</span>`;
  return html`<tr>
    ${nameHtml(team)}
    <td class="note">${stateHtml(team, nowMs)}${said}</td>
    <td>${agoHtml(team.lastRunMs, nowMs)}</td>
    <td class="optional">${team.lastDurationMs === null ? "" : durationText(team.lastDurationMs)}</td>
    <td class="optional">${dueHtml(team.nextRunMs, nowMs)}</td>
    <td class="optional number">${team.drifted}</td>
    <td class="optional">${countsText(team.counts, team.plan !== null)}</td>
  </tr>`;
}

function nameHtml({ name }: TeamStatus): Html {
  return html`<th scope="row" class="note"><a href="${teamPath(name)}">${name}</a></th>`;
}

function pagesHtml(view: FleetView, pages: number): Html {
  if (pages === 1) return html``;
  const link = (page: number, text: string): Html => html`<a href="${addressOf({ ...view, page })}">${text}</a>`;
  return html`<nav class="pages" aria-label="Pages">
    ${view.page > 1 ? link(view.page - 1, "Previous") : ""} <span>Page ${view.page} of ${pages}</span> ${view.page < pages ? link(view.page + 1, "Next") : ""}
  </nav>`;
}

function addressOf({ state, q, page }: FleetView): string {
  const given = new URLSearchParams({ ...(state === null ? {} : { state }), ...(q === "" ? {} : { q }), ...(page === 1 ? {} : { page: String(page) }) });
  return given.size === 0 ? "/" : `/?${given.toString()}`;
}

function removedHtml(removed: readonly RemovedTeam[], nowMs: number): Html {
  if (removed.length === 0) return html``;
  return html`<section>
    <h2>Webhooks of removed teams</h2>
    <p class="where">These teams are no longer in the configuration. Nobody reconciles their webhooks.</p>
    <ul>
      ${removed.map((one) => html`<li>${removedText(one, nowMs)}</li>`)}
    </ul>
  </section>`;
}

function processesHtml(processes: readonly ProcessStatus[], nowMs: number): Html {
  if (processes.length === 0) return html``;
  const rows = processes.map(
    ({ id, host, pid, version, startedMs, isCurrent }) =>
      html`<tr>
        <th scope="row" class="note"><code>${id}</code></th>
        <td class="note">${host}, pid ${pid}</td>
        <td class="optional">${version}</td>
        <td class="optional">${agoHtml(startedMs, nowMs)}</td>
        <td class="note">${isCurrent ? "in force" : "another one is in force"}</td>
      </tr>`,
  );
  const columns: readonly Column[] = ["Process", "Host", ["Version", "optional"], ["Started", "optional"], "Configuration"];
  return html`<section>
    <h2>Processes</h2>
    ${tableHtml("Processes", columns, rows)}
  </section>`;
}
