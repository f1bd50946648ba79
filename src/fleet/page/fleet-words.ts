import { isoTime } from "../../core/model/iso-time.ts";
import { shellWord } from "../../core/model/shell-word.ts";
import type { PlanCounts } from "../../core/plan/plan.ts";
import { durationText } from "../../output/content/progress-text.ts";
import type { EventStatus, GivenSettings, TeamStatus } from "../fleet-store.ts";
import type { RemovedTeam } from "../team-work.ts";
import type { TeamGroup } from "./team-groups.ts";

/** Settings as options of a command, as in `--auto safe --interval 10m`; empty for none. */
export function settingFlags({ auto, intervalMs, historyMs, freeze }: GivenSettings): string {
  return [
    ...(auto === undefined ? [] : [`--auto ${auto}`]),
    ...(intervalMs === undefined ? [] : [`--interval ${flagDuration(intervalMs)}`]),
    ...(historyMs === undefined ? [] : [`--history ${flagDuration(historyMs)}`]),
    ...(freeze
      ? [
          `--freeze ${isoTime(freeze.untilMs)}`,
          ...(freeze.reason === "" ? [] : [`--reason ${shellWord(freeze.reason)}`]),
        ]
      : []),
  ].join(" ");
}

/** Changed settings as options of a command: also those that are taken back. */
export function changedFlags(given: GivenSettings): string {
  return [settingFlags(given), given.freeze === null ? "--no-freeze" : ""].filter(Boolean).join(" ");
}

/** What a person asked for. */
export function askedText({ action, settings }: Pick<EventStatus, "action" | "settings">): string {
  return settings === null ? action : `${action} ${settings}`;
}

/** A duration in the largest unit that has no rest. */
function flagDuration(ms: number): string {
  if (ms % 86_400_000 === 0) return `${String(ms / 86_400_000)}d`;
  if (ms % 3_600_000 === 0) return `${String(ms / 3_600_000)}h`;
  return ms % 60_000 === 0 ? `${String(ms / 60_000)}m` : `${String(ms / 1000)}s`;
}

/** `2 to add, 1 to destroy` of a plan that waits, `2 added, 1 destroyed` of what was done; empty for none. */
export function countsText({ import: imported, add, change, destroy, forget }: PlanCounts, isPlan: boolean): string {
  const counts: readonly (readonly [count: number, toDo: string, done: string])[] = [
    [imported, "to import", "imported"],
    [add, "to add", "added"],
    [change, "to change", "changed"],
    [destroy, "to destroy", "destroyed"],
    [forget, "to forget", "forgotten"],
  ];
  return counts
    .filter(([count]) => count > 0)
    .map(([count, toDo, done]) => `${String(count)} ${isPlan ? toDo : done}`)
    .join(", ");
}

/** `running, failing for 2h05m`: a run does not hide that those before it have failed. */
export function stateText({ state, failingSinceMs }: TeamStatus, nowMs: number): string {
  return failingSinceMs === null ? state : `${state}, failing for ${durationText(Math.max(0, nowMs - failingSinceMs))}`;
}

/** `2m05s ago`; null: never. */
export function agoText(timeMs: number | null, nowMs: number): string {
  return timeMs === null ? "never" : `${durationText(Math.max(0, nowMs - timeMs))} ago`;
}

/** `in 2m05s`, `now` for what is due; null: not before somebody asks for it. */
export function dueText(timeMs: number | null, nowMs: number): string {
  if (timeMs === null) return "-";
  return timeMs <= nowMs ? "now" : `in ${durationText(timeMs - nowMs)}`;
}

/** `emea, removed 5m00s ago: 12 webhooks in STATE`. */
export function removedText({ name, webhooks, removedMs, place }: RemovedTeam, nowMs: number): string {
  return `${name}, removed ${agoText(removedMs, nowMs)}${webhooks === 0 ? "" : `: ${countText(webhooks, "webhook")}${place === null ? "" : ` in ${place}`}`}`;
}

/** `1 team`, `2,000 teams`. */
export function countText(count: number, noun: string): string {
  return `${numberText(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** `1,944`. */
export function numberText(count: number): string {
  return NUMBER.format(count);
}

const NUMBER = new Intl.NumberFormat("en-US");

export function approveCommand(team: string, plan: string): string {
  return `outreach controller approve ${shellWord(team)} ${shellWord(plan)}`;
}

/** What to run for all teams of a group. */
export function groupCommand({ key, kind, teams: [example] }: TeamGroup): string {
  const action = kind === "waiting" ? "approve" : example.state === "parked" ? "resume" : "run";
  return `outreach controller ${action} --group ${key}`;
}

export function resumeCommand(team: string): string {
  return `outreach controller resume ${shellWord(team)}`;
}

export function runCommand(team: string): string {
  return `outreach controller run ${shellWord(team)}`;
}
