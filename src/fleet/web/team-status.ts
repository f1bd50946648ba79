import { isoTime } from "../../core/model/time.ts";
import { type Json, jsonText } from "../../output/json/json-text.ts";
import { durationText } from "../../output/text/progress-text.ts";
import { tableText } from "../../output/text/table.ts";
import { visibleLines } from "../../core/model/visible.ts";
import type { RunStatus } from "../fleet-store.ts";
import { approveCommand, resumeCommand, runCommand } from "./fleet-page.ts";
import { agoText, countText, countsText, dueText, stateText } from "./fleet-snapshot.ts";
import { STATUS_FORMAT_VERSION, changeJson, countsJson, teamJson } from "./status.ts";
import type { TeamSnapshot } from "./team-snapshot.ts";

/** One team for programs: what `controller status TEAM --json` prints, and `GET /api/status?team=TEAM` answers. */
export function teamStatusJson({ team, runs, changes, plan, atMs }: TeamSnapshot, version: string): string {
  const document = {
    format_version: STATUS_FORMAT_VERSION,
    outreach_version: version,
    time: isoTime(atMs),
    team: teamJson(team),
    plan: plan && { id: plan.id, made: isoTime(plan.madeMs), counts: countsJson(plan.counts), text: plan.text },
    runs: runs.map(runJson),
    changes: changes.map(changeJson),
  };
  return `${jsonText(document, { indented: true })}\n`;
}

function runJson(run: RunStatus): Json {
  const { durationMs, drifted, requests, messages, process } = run;
  return {
    ...changeJson(run),
    duration_seconds: durationMs === null ? null : durationMs / 1000,
    drifted_objects: drifted,
    requests,
    messages: messages.map(({ severity, code, summary, detail, hint = null, address = null }) => ({ severity, code, summary, detail, hint, address })),
    process,
  };
}

/** One team for people: its state with the messages of the last run, the plan that waits, its last runs, and what was approved and applied. */
export function teamStatusText({ team, runs, changes, plan, atMs }: TeamSnapshot): string {
  const facts = [
    `${team.name}: ${stateText(team, atMs)}. Last run ${agoText(team.lastRunMs, atMs)}, next run ${dueText(team.nextRunMs, atMs)}.`,
    ...(team.drifted > 0 ? [`${countText(team.drifted, "drifted object")}.`] : []),
    ...(team.commit === null ? [] : [`Commit ${team.commit}.`]),
    ...(runs[0]?.messages ?? []).map(({ severity, summary, detail, hint }) => `${severity}: ${summary}: ${detail}${hint === undefined ? "" : `\n${hint}`}`),
  ];
  const command = team.state === "parked" || team.state === "paused" ? resumeCommand(team.name) : runCommand(team.name);
  return [
    // Further lines are indented, so that no message looks like one of these.
    ...facts.map((fact) => `${visibleLines(fact).replaceAll("\n", "\n  ")}\n`),
    ...(plan === null ? [] : ["\n", visibleLines(plan.text), `\nApprove this plan: ${approveCommand(team.name, plan.id)}\n`]),
    ...(runs.length === 0 ? [] : ["\nLast runs:\n\n", runsTable(runs, atMs)]),
    ...(changes.length === 0 ? [] : ["\nChanges:\n\n", changesTable(changes, atMs)]),
    `\nTo ${command.includes(" resume ") ? "continue with" : "reconcile"} it now: ${command}\n`,
  ].join("");
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
