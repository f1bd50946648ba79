import { isoTime } from "../../core/model/iso-time.ts";
import { visible, visibleLines } from "../../core/model/visible.ts";
import { printable } from "../../core/model/words.ts";
import type { PlanCounts } from "../../core/plan/plan.ts";
import { type Json, type JsonObject, jsonText } from "../../output/json/escaped-json.ts";
import { durationText } from "../../output/content/progress-text.ts";
import { costJson } from "../../output/json/cost-json.ts";
import { tableText } from "../../output/text/table.ts";
import type {
  ConfigurationStatus,
  EventStatus,
  FleetSettings,
  ProcessStatus,
  RunStatus,
  TeamStatus,
} from "../fleet-store.ts";
import { type FleetSnapshot, STATES, type TeamSnapshot, inOrder, summarize } from "./fleet-snapshot.ts";
import { type TeamGroup, groupKey, isLarge, messageParts, teamGroups } from "./team-groups.ts";
import { holdAt } from "../freeze.ts";
import { type Request, requestsIn } from "./audit.ts";
import {
  agoText,
  approveCommand,
  askedText,
  countText,
  countsText,
  dueText,
  removedText,
  resumeCommand,
  runCommand,
  settingFlags,
  stateText,
} from "./fleet-words.ts";

/** The version of the object. It grows by 0.1 with every new member, and to 2.0 if a member changes its meaning. */
export const STATUS_FORMAT_VERSION = "1.0";

/** The fleet for programs: what `controller status --json` prints, and `GET /api/status` answers. Its teams are in the same order as in the table. */
export function statusJson(
  { teams, processes, configuration, settings, changes, events, removed, lagMs, atMs }: FleetSnapshot,
  version: string,
): string {
  const { states, failing, drifted, plansWaiting } = summarize(teams);
  return documentJson(version, atMs, {
    summary: {
      teams: teams.length,
      states,
      failing,
      drifted_objects: drifted,
      plans_waiting: plansWaiting,
      lag_seconds: lagMs / 1000,
    },
    configuration: configuration && { commit: configuration.commit },
    settings: settingsJson(settings),
    hold: holdAt(settings, atMs),
    teams: inOrder(teams).map(teamJson),
    groups: teamGroups(teams).map(groupJson),
    processes: processes.map(processJson),
    changes: changes.map(changeJson),
    requests: requestsIn(events).map(requestJson),
    removed_teams: removed.map(({ name, webhooks, removedMs, place }) => ({
      name,
      webhooks,
      removed: isoTime(removedMs),
      state: place,
    })),
  });
}

function documentJson(version: string, atMs: number, content: JsonObject): string {
  const document = {
    format_version: STATUS_FORMAT_VERSION,
    outreach_version: version,
    time: isoTime(atMs),
    ...content,
  };
  return `${jsonText(document, { indented: true })}\n`;
}

export function teamJson(team: TeamStatus): JsonObject {
  const {
    name,
    state,
    lastRunMs,
    lastDurationMs,
    nextRunMs,
    failures,
    failingSinceMs,
    drifted,
    counts,
    plan,
    message,
    commit,
  } = team;
  return {
    name,
    state,
    last_run: timeJson(lastRunMs),
    last_duration_seconds: lastDurationMs === null ? null : lastDurationMs / 1000,
    next_run: timeJson(nextRunMs),
    failures,
    failing_since: timeJson(failingSinceMs),
    drifted_objects: drifted,
    counts: countsJson(counts),
    auto: team.auto,
    plan,
    plan_requests: team.cost && costJson(team.cost),
    creates_only: team.createsOnly,
    removals: [...team.removals],
    message,
    commit,
    group: groupKey(team),
    removed: timeJson(team.removedMs),
  };
}

function groupJson({ key, kind, teams }: TeamGroup): Json {
  const [example] = teams;
  return {
    key,
    kind,
    teams: teams.length,
    example: example.name,
    counts: countsJson(example.counts),
    reason: example.message && messageParts(example.message)[0],
  };
}

/** A run that changed something, or applied an approved plan. */
export function changeJson({
  id,
  team,
  trigger,
  outcome,
  beganMs,
  counts,
  commit,
  plan,
  approvedBy,
}: RunStatus): JsonObject {
  return {
    run: id,
    team,
    time: isoTime(beganMs),
    trigger,
    outcome,
    counts: countsJson(counts),
    plan,
    approved_by: approvedBy,
    commit,
  };
}

function settingsJson({ auto, intervalMs, historyMs, freeze }: FleetSettings): Json {
  return {
    auto,
    interval_seconds: intervalMs / 1000,
    history_seconds: historyMs / 1000,
    freeze: freeze && { until: isoTime(freeze.untilMs), reason: freeze.reason },
  };
}

/** What a person asked for of any number of teams. */
function requestJson({ action, settings, by, atMs, events }: Request): Json {
  const teams = events.flatMap(({ team, plan }) => (team === null ? [] : [{ name: team, plan }]));
  return { action, settings, by, time: isoTime(atMs), teams };
}

function eventJson({ team, action, settings, by, atMs, plan }: EventStatus): Json {
  return { team, action, settings, by, time: isoTime(atMs), plan };
}

export function countsJson(counts: PlanCounts): JsonObject {
  return {
    import: counts.import,
    add: counts.add,
    change: counts.change,
    destroy: counts.destroy,
    forget: counts.forget,
  };
}

function processJson({ id, host, pid, version, startedMs, isCurrent }: ProcessStatus): Json {
  return { id, host, pid, version, started: isoTime(startedMs), configuration_in_force: isCurrent };
}

function timeJson(timeMs: number | null): string | null {
  return timeMs === null ? null : isoTime(timeMs);
}

/**
 * The fleet for people: the counts, the groups and the other teams, and the processes as tables, and what to run for those that need a person. `group`: the
 * key of the only group that is shown, with its teams.
 */
export function statusText(
  { teams, processes, configuration, settings, removed, lagMs, atMs }: FleetSnapshot,
  group: string | null = null,
): string {
  const { states, drifted, plansWaiting } = summarize(teams);
  const hold = holdAt(settings, atMs);
  const counts = STATES.filter((state) => states[state] > 0).map((state) => `${String(states[state])} ${state}`);
  const facts = [
    `Settings: ${settingFlags(settings)}.`,
    ...(hold === null ? [] : [`No plan is applied now. ${visible(hold)}`]),
    ...(configuration ? configurationText(configuration) : []),
    ...(drifted > 0 ? [`${countText(drifted, "drifted object")}.`] : []),
    ...(lagMs > 0 ? [`The team that is due the longest has waited for ${durationText(lagMs)}.`] : []),
  ];
  const groups = group === null ? teamGroups(teams).filter(isLarge) : [];
  const grouped = new Set(groups.flatMap((one) => one.teams.map(({ name }) => name)));
  const alone = teams.filter(({ name }) => !grouped.has(name));
  const example = group === null ? null : (inOrder(teams)[0]?.message ?? null);
  const ways = [
    ...(groups.length > 0 ? ["See the teams of a group: outreach controller status --group GROUP"] : []),
    ...(groups.some(({ kind }) => kind === "waiting")
      ? ["Approve all plans of a group, after you have read its example: outreach controller approve --group GROUP"]
      : []),
    ...(plansWaiting > 0
      ? ["Read a plan on the page of its team, and approve it: outreach controller approve TEAM PLAN"]
      : []),
    ...(states.parked > 0
      ? ["Resume a parked team, after you have done what its message says: outreach controller resume TEAM"]
      : []),
  ];
  return [
    `${countText(teams.length, "team")}${counts.length > 0 ? `: ${counts.join(", ")}` : ""}.\n`,
    ...facts.map((line) => `${line}\n`),
    ...(example === null ? [] : [`${visible(example)}\n`]),
    ...(groups.length > 0 ? ["\n", groupsTable(groups, atMs)] : []),
    ...(alone.length > 0 ? ["\n", teamsTable(alone, atMs, { hasMessages: group === null })] : []),
    "\n",
    processes.length > 0 ? processesTable(processes, atMs) : "No controller is running.\n",
    ...removedLines(removed, atMs),
    ...(ways.length > 0 ? ["\n", ...ways.map((line) => `${line}\n`)] : []),
  ].join("");
}

const MOST_REMOVED = 10;

/** The webhooks that nobody reconciles, and the other teams that left the configuration. */
function removedLines(removed: FleetSnapshot["removed"], nowMs: number): readonly string[] {
  const [withWebhooks, others] = [
    removed.filter(({ webhooks }) => webhooks > 0),
    removed.filter(({ webhooks }) => webhooks === 0),
  ];
  const shown = others.slice(0, MOST_REMOVED);
  return [
    ...(withWebhooks.length > 0
      ? ["\nWebhooks of teams that are no longer in the configuration, which nobody reconciles:\n"]
      : []),
    ...withWebhooks.map((one) => `  ${visible(removedText(one, nowMs))}\n`),
    ...(others.length > 0 ? ["\nOther teams that are no longer in the configuration:\n"] : []),
    ...shown.map((one) => `  ${visible(removedText(one, nowMs))}\n`),
    ...(others.length > shown.length ? [`  and ${countText(others.length - shown.length, "more team")}\n`] : []),
  ];
}

function configurationText({ commit }: ConfigurationStatus): readonly string[] {
  return commit === null ? [] : [`Configuration: ${printable(`commit ${commit}`)}.`];
}

/** What groups of teams have in common, in a line each. */
export function groupsTable(groups: readonly TeamGroup[], nowMs: number): string {
  const rows = groups.map(({ key, kind, teams }) => {
    const [example] = teams;
    return {
      group: key,
      teams: teams.length,
      state: kind === "waiting" ? "waiting" : stateText(example, nowMs),
      changes: kind === "waiting" ? countsText(example.counts, true) : null,
      example: example.name,
      message: example.message && messageParts(example.message)[0],
    };
  });
  return tableText(["group", "teams", "state", "changes", "example", "message"], rows);
}

function teamsTable(
  teams: readonly TeamStatus[],
  nowMs: number,
  { hasMessages }: { readonly hasMessages: boolean },
): string {
  const rows = inOrder(teams).map((team) => ({
    team: team.name,
    state: stateText(team, nowMs),
    "last run": agoText(team.lastRunMs, nowMs),
    took: team.lastDurationMs === null ? null : durationText(team.lastDurationMs),
    "next run": dueText(team.nextRunMs, nowMs),
    drift: team.drifted,
    changes: countsText(team.counts, team.plan !== null) || null,
    plan: team.plan,
    message: team.message,
  }));
  return tableText(
    ["team", "state", "last run", "took", "next run", "drift", "changes", "plan", ...(hasMessages ? ["message"] : [])],
    rows,
  );
}

function processesTable(processes: readonly ProcessStatus[], nowMs: number): string {
  const rows = processes.map(({ id, host, pid, version, startedMs, isCurrent }) => ({
    process: id,
    host,
    pid,
    version,
    started: agoText(startedMs, nowMs),
    configuration: isCurrent ? "in force" : "another one is in force",
  }));
  return tableText(["process", "host", "pid", "version", "started", "configuration"], rows);
}

/** One team for programs: what `controller status TEAM --json` prints, and `GET /api/status?team=TEAM` answers. */
export function teamStatusJson({ team, runs, changes, events, plan, atMs }: TeamSnapshot, version: string): string {
  return documentJson(version, atMs, {
    team: teamJson(team),
    plan: plan && {
      id: plan.id,
      made: isoTime(plan.madeMs),
      counts: countsJson(plan.counts),
      requests: plan.cost && costJson(plan.cost),
      text: plan.text,
    },
    runs: runs.map(runJson),
    changes: changes.map(changeJson),
    requests: events.map(eventJson),
  });
}

function runJson(run: RunStatus): Json {
  const { durationMs, drifted, requests, messages, process } = run;
  return {
    ...changeJson(run),
    duration_seconds: durationMs === null ? null : durationMs / 1000,
    drifted_objects: drifted,
    requests,
    messages: messages.map(({ severity, code, summary, detail, hint = null, address = null }) => ({
      severity,
      code,
      summary,
      detail,
      hint,
      address,
    })),
    process,
  };
}

/** One team for people: its state with the messages of the last run, the plan that waits, its last runs, and what was approved and applied. */
export function teamStatusText({ team, runs, changes, events, plan, atMs }: TeamSnapshot): string {
  const facts = [
    ...(team.removedMs === null
      ? []
      : [`${team.name} left the configuration ${agoText(team.removedMs, atMs)}. Nobody reconciles it.`]),
    `${team.name}: ${stateText(team, atMs)}. Last run ${agoText(team.lastRunMs, atMs)}, next run ${dueText(team.nextRunMs, atMs)}.`,
    ...(team.drifted > 0 ? [`${countText(team.drifted, "drifted object")}.`] : []),
    ...(team.auto === null ? [] : [`Policy of this team: --auto ${team.auto}.`]),
    ...(team.commit === null ? [] : [`Commit ${team.commit}.`]),
    ...(runs[0]?.messages ?? []).map(
      ({ severity, summary, detail, hint }) =>
        `${severity}: ${summary}: ${detail}${hint === undefined ? "" : `\n${hint}`}`,
    ),
  ];
  const command = team.state === "parked" || team.state === "paused" ? resumeCommand(team.name) : runCommand(team.name);
  return [
    // Further lines are indented, so that no message looks like one of these.
    ...facts.map((fact) => `${visibleLines(fact).replaceAll("\n", "\n  ")}\n`),
    ...(plan === null
      ? []
      : ["\n", visibleLines(plan.text), `\nApprove this plan: ${approveCommand(team.name, plan.id)}\n`]),
    ...(runs.length === 0 ? [] : ["\nLast runs:\n\n", runsTable(runs, atMs)]),
    ...(changes.length === 0 ? [] : ["\nChanges:\n\n", changesTable(changes, atMs)]),
    ...(events.length === 0 ? [] : ["\nRequests:\n\n", eventsTable(events, atMs)]),
    ...(team.removedMs === null
      ? [`\nTo ${command.includes(" resume ") ? "continue with" : "reconcile"} it now: ${command}\n`]
      : []),
  ].join("");
}

function eventsTable(events: readonly EventStatus[], nowMs: number): string {
  return tableText(
    ["when", "what", "asked by", "plan"],
    events.map(({ atMs, by, plan, ...asked }) => ({
      when: agoText(atMs, nowMs),
      what: askedText(asked),
      "asked by": by,
      plan,
    })),
  );
}

function runsTable(runs: readonly RunStatus[], nowMs: number): string {
  const rows = runs.map(({ id, outcome, beganMs, durationMs, trigger, counts, requests }) => ({
    run: id,
    outcome,
    began: agoText(beganMs, nowMs),
    took: durationMs === null ? null : durationText(durationMs),
    trigger,
    changes: countsText(counts, outcome === "waiting") || null,
    requests,
  }));
  return tableText(["run", "outcome", "began", "took", "trigger", "changes", "requests"], rows);
}

function changesTable(changes: readonly RunStatus[], nowMs: number): string {
  const rows = changes.map(({ id, outcome, beganMs, counts, plan, approvedBy, commit }) => ({
    run: id,
    outcome,
    began: agoText(beganMs, nowMs),
    changes: countsText(counts, false) || null,
    "approved by": approvedBy,
    plan,
    commit,
  }));
  return tableText(["run", "outcome", "began", "changes", "approved by", "plan", "commit"], rows);
}
