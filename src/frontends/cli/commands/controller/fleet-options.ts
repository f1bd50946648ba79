import { type Command, InvalidArgumentError, Option } from "commander";
import { DiagnosticsError } from "../../../../core/model/diagnostic.ts";
import { parsedTimeMs } from "../../../../core/model/iso-time.ts";
import type { FleetSettings, GivenSettings } from "../../../../fleet/fleet-store.ts";
import { settingFlags } from "../../../../fleet/page/fleet-words.ts";
import { DATABASE_VARIABLE } from "../../../../operations/configuration/environment-names.ts";
import { parseDurationMs } from "../../program/command-options.ts";

/** The option of every command of the fleet. */
export interface FleetOptions {
  readonly database?: string;
}

export function withDatabase(command: Command): Command {
  return command.option(
    "--database <url>",
    `the PostgreSQL database of the fleet, as in postgres://USER@HOST/DATABASE; by default ${DATABASE_VARIABLE}`,
  );
}

/** The fleet's settings, as options give them. */
export interface SettingOptions {
  readonly auto?: FleetSettings["auto"];
  readonly interval?: number;
  readonly history?: number;
}

const SHORTEST_INTERVAL_MS = 10_000;
const SHORTEST_HISTORY_MS = 86_400_000;

export function autoOption(): Option {
  return new Option(
    "--auto <policy>",
    "what is applied without approval, for the whole fleet: nothing (none), plans within the limits of the configuration (safe, at first), or whatever the configuration asks for (all)",
  ).choices(["none", "safe", "all"]);
}

export function intervalOption(): Option {
  return new Option(
    "--interval <duration>",
    "how often each team of the fleet is reconciled, as in 5m; at first 10m",
  ).argParser((text: string) => {
    const intervalMs = parseDurationMs(text);
    if (intervalMs < SHORTEST_INTERVAL_MS)
      throw new InvalidArgumentError("Each run of a team costs a request of its limit: use at least 10s.");
    return Math.round(intervalMs);
  });
}

export function historyOption(): Option {
  return new Option(
    "--history <duration>",
    "how long approvals and changes are kept, as in 365d; at first 90d",
  ).argParser((text: string) => {
    const historyMs = parseDurationMs(text);
    if (historyMs < SHORTEST_HISTORY_MS) throw new InvalidArgumentError("Use at least 1d.");
    return Math.round(historyMs);
  });
}

/** Until when no plan is applied. False: the option that ends it. */
export interface HoldOptions {
  readonly freeze?: number | false;
  readonly reason?: string;
}

export function withHold(command: Command): Command {
  return command
    .addOption(
      new Option("--freeze <time>", "apply nothing until then, as in 2027-01-04T08:00Z; plans wait").argParser(
        parseTime,
      ),
    )
    .option("--no-freeze", "end the freeze")
    .option("--reason <text>", "why, with --freeze");
}

const TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d))?$/;

function parseTime(text: string): number {
  const ms = TIME.test(text) ? parsedTimeMs(text) : null;
  if (ms === null)
    throw new InvalidArgumentError(
      "Use a date, as in 2027-01-04, or a time with its offset, as in 2027-01-04T08:00Z or 2027-01-04T08:00+01:00.",
    );
  return ms;
}

export function settingsGiven({
  auto,
  interval,
  history,
  freeze,
  reason = "",
}: SettingOptions & HoldOptions): GivenSettings {
  return {
    auto,
    intervalMs: interval,
    historyMs: history,
    freeze: freeze === undefined ? undefined : freeze === false ? null : { untilMs: freeze, reason },
  };
}

/** Throws if an option differs from the fleet's settings: two controllers would work against each other. */
export function assertSame(settings: FleetSettings, options: SettingOptions): void {
  const given = settingsGiven(options);
  const differing = {
    ...(given.auto === settings.auto ? {} : { auto: given.auto }),
    ...(given.intervalMs === settings.intervalMs ? {} : { intervalMs: given.intervalMs }),
  };
  const asked = settingFlags(differing);
  if (asked === "") return;
  throw DiagnosticsError.of("fleet_settings_differ", "The fleet has other settings", {
    detail: `The fleet works with ${settingFlags({ auto: settings.auto, intervalMs: settings.intervalMs })}, but this controller was started with ${asked}. The settings belong to the fleet, so that all controllers work alike.`,
    hint: `Omit the options, or change the settings for all controllers: outreach controller set ${asked}`,
  });
}
