import { isoTime } from "../../core/model/iso-time.ts";
import { type Html, html } from "../../output/html/html-text.ts";
import { durationText } from "../../output/content/progress-text.ts";
import type { ConfigurationStatus, ProcessStatus, TeamState, TeamStatus } from "../fleet-store.ts";
import { holdAt } from "../freeze.ts";
import type { RemovedTeam } from "../team-work.ts";
import { type FleetSnapshot, type FleetSummary, STATES, inOrder, isFound, summarize } from "./fleet-snapshot.ts";
import {
  approveCommand,
  countText,
  countsText,
  numberText,
  removedText,
  resumeCommand,
  runCommand,
  settingFlags,
} from "./fleet-words.ts";
import { groupHead, groupRow, messageHtml, messageInTable } from "./group-html.ts";
import { type TeamGroup, failingGroups, isLarge, teamGroups, waitingGroups } from "./team-groups.ts";
import {
  type Column,
  STATE_TONES,
  agoHtml,
  changesHtml,
  commandHtml,
  dueHtml,
  eventsHtml,
  stateHtml,
  tableHtml,
  teamPath,
  webPage,
} from "./page-parts.ts";

/** What of the fleet the page shows, as its address says. */
export interface FleetView {
  /** Null: every state. */
  readonly state: TeamState | null;
  /** A part of the name or of the message. */
  readonly q: string;
  /** The key of a group; null: every team. */
  readonly group: string | null;
  /** From 1 on. */
  readonly page: number;
}

const PAGE_ROWS = 200;
/** The most teams that need a person; the table below has all. */
const MOST_FIRST = 20;

/** The page's view as its address has it. What the address says wrongly is left out. */
export function viewOf({
  state = "",
  q = "",
  group = "",
  page = "",
}: {
  readonly [name: string]: string | undefined;
}): FleetView {
  return {
    state: STATES.find((one) => one === state) ?? null,
    q: q.trim(),
    group: /^[\da-f]{10}$/.test(group) ? group : null,
    page: /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1,
  };
}

/** The fleet at a glance: how many teams are in which state, those that need a person, and all teams. */
export function fleetPage(fleet: FleetSnapshot, view: FleetView, version: string): string {
  const { teams, processes, changes, events, removed, atMs } = fleet;
  const summary = summarize(teams);
  const isWhole = view.state === null && view.q === "" && view.group === null && view.page === 1;
  return webPage({
    title: "Fleet – outreach controller",
    kicker: "Outreach controller",
    name: "Fleet",
    head: headHtml(fleet, summary),
    main: html`${isWhole ? html`${approvalHtml(teams, atMs)}${troubleHtml(teams, atMs)}` : ""}${teamsHtml(fleet, view)}${isWhole ? html`${changesHtml("Last changes", changes, atMs, { isNamed: true })}${eventsHtml(events, atMs, { isNamed: true })}${removedHtml(removed, atMs)}${processesHtml(processes, atMs)}` : ""}`,
    footer: `As of ${isoTime(atMs)}. Made by outreach ${version}. This page contains no secrets.`,
  });
}

function headHtml(
  { teams, processes, configuration, settings, lagMs, atMs }: FleetSnapshot,
  { failing, drifted, plansWaiting }: FleetSummary,
): Html {
  const facts = [
    ...(teams.length === 0
      ? []
      : [failing === 0 ? "None has failed or is undecided." : `${countText(failing, "team")} failed or undecided.`]),
    ...(plansWaiting > 0 ? [`${countText(plansWaiting, "plan")} waiting for approval.`] : []),
    ...(drifted > 0 ? [`${countText(drifted, "drifted object")}.`] : []),
  ];
  const work = [
    processes.length === 0
      ? "No controller is running."
      : processes.length === 1
        ? "1 process."
        : `${numberText(processes.length)} processes.`,
    ...(lagMs > 0 ? [`The team that is due the longest has waited for ${durationText(lagMs)}.`] : []),
  ];
  const hold = holdAt(settings, atMs);
  return html`<p class="verdict">${countText(teams.length, "team")}. ${facts.join(" ")}</p>
    <p class="verdict${processes.length === 0 ? " refused" : ""}">${work.join(" ")}</p>
    ${configuration === null ? "" : configurationHtml(configuration)}
    ${hold === null ? "" : html`<p class="verdict refused">No plan is applied now. ${hold}</p>`}
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

function configurationHtml({ commit }: ConfigurationStatus): Html {
  return commit === null ? html`` : html`<p class="where">Configuration: commit <code>${commit}</code>.</p>`;
}

function approvalHtml(teams: readonly TeamStatus[], nowMs: number): Html {
  const rowOf = (team: TeamStatus): Html =>
    html`<tr>
      ${nameHtml(team)}
      <td class="note">
        ${countsText(team.counts, true)} ${messageHtml(team)} ${commandHtml(approveCommand(team.name, team.plan ?? ""))}
      </td>
      <td class="optional">${agoHtml(team.lastRunMs, nowMs)}</td>
    </tr>`;
  const columns: readonly Column[] = ["Team", "Plan, and how to approve it", ["Last run", "optional"]];
  return firstHtml("Waiting for approval", {
    columns,
    rowOf,
    groups: waitingGroups(teams),
    rest: "/?state=waiting",
    nowMs,
  });
}

function troubleHtml(teams: readonly TeamStatus[], nowMs: number): Html {
  const rowOf = (team: TeamStatus): Html =>
    html`<tr>
      ${nameHtml(team)}
      <td class="note">
        ${stateHtml(team, nowMs)} ${messageHtml(team)}
        ${commandHtml(team.state === "parked" ? resumeCommand(team.name) : runCommand(team.name))}
      </td>
      <td class="optional">${agoHtml(team.lastRunMs, nowMs)}</td>
    </tr>`;
  const columns: readonly Column[] = ["Team", "Message, and what to run when it is fixed", ["Last run", "optional"]];
  return firstHtml("Failed and undecided", { columns, rowOf, groups: failingGroups(teams), rest: "#teams", nowMs });
}

interface First {
  readonly columns: readonly Column[];
  /** The row of a team in a group that is too small to be shown as one. */
  readonly rowOf: (team: TeamStatus) => Html;
  readonly groups: readonly TeamGroup[];
  /** The address of those that are not shown. */
  readonly rest: string;
  readonly nowMs: number;
}

/** The groups that the first lists of the page show. */
function shownGroups(teams: readonly TeamStatus[]): readonly TeamGroup[] {
  return [waitingGroups(teams), failingGroups(teams)].flatMap((groups) => groups.filter(isLarge).slice(0, MOST_FIRST));
}

function sizeOf(groups: readonly TeamGroup[]): number {
  return groups.reduce((sum, { teams }) => sum + teams.length, 0);
}

function firstHtml(title: string, { columns, rowOf, groups, rest, nowMs }: First): Html {
  if (groups.length === 0) return html``;
  const large = groups.filter(isLarge);
  const small = groups.filter((group) => !isLarge(group)).flatMap((group) => group.teams);
  const rows = [...large.map((group) => groupRow(group, nowMs)), ...small.map(rowOf)].slice(0, MOST_FIRST);
  const more = sizeOf(large.slice(MOST_FIRST)) + small.length - Math.max(0, MOST_FIRST - large.length);
  return html`<section>
    <h2>${title}</h2>
    ${tableHtml(title, columns, rows)}
    ${more <= 0 ? "" : html`<p class="where"><a href="${rest}">${countText(more, "more team")}</a></p>`}
  </section>`;
}

function teamsHtml({ teams, atMs }: FleetSnapshot, view: FleetView): Html {
  const words = view.q.toLowerCase();
  const groups = teamGroups(teams);
  const group = view.group === null ? null : (groups.find(({ key }) => key === view.group) ?? null);
  const isFiltered = view.state !== null || view.q !== "" || view.group !== null;
  const members = new Set(
    (isFiltered ? [...(group?.teams ?? [])] : shownGroups(teams).flatMap((one) => one.teams)).map(({ name }) => name),
  );
  const found = teams.filter(
    (team) =>
      (isFiltered ? view.group === null || members.has(team.name) : !members.has(team.name)) &&
      (view.state === null || isFound(team, view.state)) &&
      (words === "" ||
        team.name.toLowerCase().includes(words) ||
        (team.message !== null && team.message.toLowerCase().includes(words))),
  );
  const pages = Math.max(1, Math.ceil(found.length / PAGE_ROWS));
  const page = Math.min(view.page, pages);
  const from = (page - 1) * PAGE_ROWS;
  const shown = inOrder(found).slice(from, from + PAGE_ROWS);
  const range =
    found.length > PAGE_ROWS
      ? `${countText(found.length, "team")}, ${numberText(from + 1)} to ${numberText(from + shown.length)} shown`
      : "";
  const status =
    found.length === 0
      ? isFiltered
        ? "No team matches the filter."
        : members.size > 0
          ? ""
          : "No configuration with teams is in force yet."
      : `${range || countText(found.length, "team")}.`;
  const above = isFiltered || members.size === 0 ? "" : `${countText(members.size, "team")} in the groups above.`;
  const large = new Map(groups.filter(isLarge).map((one) => [one.key, one]));
  return html`<section id="teams">
    <h2>Teams</h2>
    ${filterHtml(view, isFiltered)} ${group === null ? "" : groupHead(group)}
    <p class="where">${status} ${above}</p>
    ${shown.length === 0 ? "" : teamsTable(shown, group === null ? (team) => messageInTable(team, large) : () => html``, atMs)}
    ${pagesHtml({ ...view, page }, pages)}
  </section>`;
}

function teamsTable(teams: readonly TeamStatus[], saidOf: (team: TeamStatus) => Html, nowMs: number): Html {
  const columns: readonly Column[] = [
    "Team",
    "State",
    "Last run",
    ["Took", "optional"],
    ["Next run", "optional"],
    ["Drift", "optional number"],
    ["Changes", "optional"],
  ];
  const rows = teams.map((team) => rowHtml(team, saidOf(team), nowMs));
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

function rowHtml(team: TeamStatus, said: Html, nowMs: number): Html {
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
    ${view.page > 1 ? link(view.page - 1, "Previous") : ""}
    <span>Page ${view.page} of ${pages}</span> ${view.page < pages ? link(view.page + 1, "Next") : ""}
  </nav>`;
}

function addressOf({ state, q, group, page }: FleetView): string {
  const given = new URLSearchParams({
    ...(state === null ? {} : { state }),
    ...(q === "" ? {} : { q }),
    ...(group === null ? {} : { group }),
    ...(page === 1 ? {} : { page: String(page) }),
  });
  return given.size === 0 ? "/" : `/?${given.toString()}`;
}

function removedHtml(removed: readonly RemovedTeam[], nowMs: number): Html {
  if (removed.length === 0) return html``;
  const inOrderOfNeed = removed.toSorted((one, other) => Number(other.webhooks > 0) - Number(one.webhooks > 0));
  const shown = inOrderOfNeed.slice(0, Math.max(MOST_FIRST, removed.filter(({ webhooks }) => webhooks > 0).length));
  const more = removed.length - shown.length;
  return html`<section>
    <h2>Removed teams</h2>
    <p class="where">These teams are no longer in the configuration. Nobody reconciles their webhooks.</p>
    <ul>
      ${shown.map((one) => html`<li><a href="${teamPath(one.name)}">${one.name}</a>${removedText(one, nowMs).slice(one.name.length)}</li>`)}
    </ul>
    ${more > 0 ? html`<p class="where">${countText(more, "more team")} without live webhooks.</p>` : ""}
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
  const columns: readonly Column[] = [
    "Process",
    "Host",
    ["Version", "optional"],
    ["Started", "optional"],
    "Configuration",
  ];
  return html`<section>
    <h2>Processes</h2>
    ${tableHtml("Processes", columns, rows)}
  </section>`;
}
