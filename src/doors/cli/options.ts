import { durationMs } from "../../core/model/duration.ts";
import { type Command, InvalidArgumentError, Option } from "commander";

/** Options of every command that reads a configuration. */
export interface ConfigOptions {
  readonly config: string;
  readonly var: readonly string[];
  readonly varFile: readonly string[];
  readonly showEmails: boolean;
}

/** Options of every command that reads the state. */
export interface StatePathOptions extends ConfigOptions {
  readonly state?: string;
}

/** Options of every command that may change the state. */
export interface StateOptions extends StatePathOptions {
  readonly lock: boolean;
  readonly lockTimeout: number;
}

export interface PlanOptions extends StateOptions {
  readonly allowRecreate: boolean;
  readonly allowServiceChange: boolean;
  readonly destroy: boolean;
  readonly detailedExitcode: boolean;
}

export interface ApplyOptions extends PlanOptions {
  readonly autoApprove: boolean;
}

/** The configuration where `-c` names none. */
export const DEFAULT_CONFIG = "outreach.yaml";

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

export function withConfig(command: Command): Command {
  return command
    .option("-c, --config <path>", "the configuration: a YAML file, or a synthesised CDK stack", DEFAULT_CONFIG)
    .option("--var <name=value>", "the value of a variable; may be repeated", collect, [])
    .option("--var-file <path>", "a YAML or JSON file of variables; may be repeated", collect, [])
    .option("--show-emails", "print the email addresses of leads in full, off a terminal and in JSON too", false);
}

export function withJson(command: Command): Command {
  return withConfig(command).option("--json", "print JSON", false);
}

export function withStatePath(command: Command): Command {
  return withConfig(command).option("--state <path>", "the state file, in place of the configuration's");
}

export function withState(command: Command): Command {
  return withStatePath(command)
    .addOption(
      new Option("--lock <bool>", "whether to lock the state; --lock=false where nobody else can be at work").default(true, "true").argParser(parseBoolean),
    )
    .addOption(new Option("--lock-timeout <duration>", "how long to wait for the lock, as in 30s or 5m").default(0, "0s").argParser(parseDurationMs));
}

export function withPlan(command: Command): Command {
  return withState(command)
    .option("--allow-recreate", "create recorded webhooks again although the list may be cut off, or the key is another one", false)
    .option("--allow-service-change", "go on although the state was made at another base URL", false);
}

export function parseDurationMs(text: string): number {
  const duration = durationMs(text);
  if (duration === null) throw new InvalidArgumentError("Write a number and a unit, as in 30s or 5m.");
  return duration;
}

export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError("Write a number from 0 to 65535.");
  return port;
}

function parseBoolean(text: string): boolean {
  if (text === "true") return true;
  if (text === "false") return false;
  throw new InvalidArgumentError("Write true or false.");
}
