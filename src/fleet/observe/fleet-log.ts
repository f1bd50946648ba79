import type { Clock } from "../../core/model/ports.ts";
import { isoTime } from "../../core/model/iso-time.ts";
import { visible } from "../../core/model/visible.ts";
import { jsonText } from "../../output/json/escaped-json.ts";
import { durationText } from "../../output/content/progress-text.ts";

const LEVELS = ["error", "warn", "info", "debug"] as const;
export type FleetLogLevel = (typeof LEVELS)[number];

/** What a line is about, for programs. */
export interface FleetLogFields {
  readonly team?: string;
  readonly run?: string;
  readonly outcome?: string;
  readonly durationMs?: number;
  /** The approved plan that a run applies, and who approved it. */
  readonly plan?: string;
  readonly approvedBy?: string;
}

/** `event` names the kind of line, as in `run-ended`. The message is for people, and one line. */
export type FleetLog = (level: FleetLogLevel, event: string, message: string, fields?: FleetLogFields) => void;

export interface FleetLogOptions {
  readonly format: "json" | "text";
  /** The least important level that is logged. */
  readonly level: FleetLogLevel;
  /** Hides personal data. */
  readonly mask: (text: string) => string;
  readonly write: (line: string) => void;
  readonly clock: Pick<Clock, "now">;
}

/** Log lines: JSON objects for programs, or text for people as the command's own log has it. */
export function openFleetLog({ format, level: limit, mask, write, clock }: FleetLogOptions): FleetLog {
  return (level, event, message, fields = {}) => {
    if (LEVELS.indexOf(level) > LEVELS.indexOf(limit)) return;
    const line = { time: isoTime(clock.now()), level, event, message: mask(message), fields };
    write(format === "json" ? jsonLine(line) : textLine(line));
  };
}

interface Line {
  readonly time: string;
  readonly level: FleetLogLevel;
  readonly event: string;
  readonly message: string;
  readonly fields: FleetLogFields;
}

function jsonLine({
  time,
  level,
  event,
  message,
  fields: { team, run, outcome, durationMs, plan, approvedBy },
}: Line): string {
  const duration = durationMs === undefined ? undefined : Math.round(durationMs);
  const line = {
    time,
    level,
    event,
    team,
    run,
    outcome,
    duration_ms: duration,
    plan,
    approved_by: approvedBy,
    message,
  };
  return `${jsonText(Object.fromEntries(Object.entries(line).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))))}\n`;
}

function textLine({
  time,
  level,
  message,
  fields: { team, run, outcome, durationMs, plan, approvedBy },
}: Line): string {
  const facts = [
    ...(run === undefined ? [] : [`run ${run}`]),
    ...(outcome === undefined ? [] : [outcome]),
    ...(durationMs === undefined ? [] : [durationText(durationMs)]),
    ...(plan === undefined ? [] : [`plan ${plan}`]),
    ...(approvedBy === undefined ? [] : [`approved by ${approvedBy}`]),
  ];
  const text = `${team === undefined ? "" : `[${team}] `}${message}${facts.length > 0 ? ` (${facts.join(", ")})` : ""}`;
  return `${time} [${level.toUpperCase()}] ${visible(text.replaceAll(/[\n\t]+/g, " "))}\n`;
}
