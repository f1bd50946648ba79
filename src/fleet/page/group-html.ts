import { type Html, html } from "../../output/html/html-text.ts";
import type { TeamStatus } from "../fleet-store.ts";
import { countText, countsText, groupCommand } from "./fleet-words.ts";
import { agoHtml, commandHtml, stateHtml, teamPath } from "./page-parts.ts";
import { type TeamGroup, groupKey, messageParts } from "./team-groups.ts";

/** A group in the lists of what needs a person, in one row: how many teams, one of them as an example, and why. */
export function groupRow(group: TeamGroup, nowMs: number): Html {
  const { key, kind, teams } = group;
  const [example] = teams;
  return html`<tr>
    <th scope="row" class="note">
      <a href="/?group=${key}">${countText(teams.length, "team")}</a>
      <span class="said">for example <a href="${teamPath(example.name)}">${example.name}</a></span>
    </th>
    <td class="note">
      ${kind === "waiting" ? countsText(example.counts, true) : stateHtml(example, nowMs)} ${messageHtml(example)}
      ${commandHtml(groupCommand(group))}
    </td>
    <td class="optional">${agoHtml(example.lastRunMs, nowMs)}</td>
  </tr>`;
}

/** What all teams of a group have in common, above the table of them. */
export function groupHead(group: TeamGroup): Html {
  const {
    key,
    kind,
    teams: [example],
  } = group;
  return html`<p>
      Group <code>${key}</code>: the same kind of
      ${kind === "waiting" ? html`plan, ${countsText(example.counts, true)}` : "failure"}. Of
      <a href="${teamPath(example.name)}">${example.name}</a>, for example:
    </p>
    ${messageHtml(example)} ${commandHtml(groupCommand(group))}`;
}

/** A message in one line, which opens to its details. */
export function messageHtml({ message }: TeamStatus): Html {
  if (message === null) return html``;
  const [summary, detail] = messageParts(message);
  if (detail === "") return html`<span class="said">${summary}</span>`;
  return html`<details class="said">
    <summary>${summary}</summary>
    <p>${detail}</p>
  </details>`;
}

/** The message of a team in a table of all teams: one that a large group has is there only by its summary. `large`: the groups by their key. */
export function messageInTable(team: TeamStatus, large: ReadonlyMap<string, TeamGroup>): Html {
  const group = large.get(groupKey(team) ?? "");
  if (!group) return messageHtml(team);
  const [summary] = messageParts(team.message ?? "");
  return html`<span class="said"
    >${summary} <a href="/?group=${group.key}">as ${countText(group.teams.length, "team")}</a></span
  >`;
}
