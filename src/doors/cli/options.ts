import { type Command, InvalidArgumentError, Option } from "commander";

/** Options of every command that reads a configuration. */
export interface ConfigOptions {
  readonly config: string;
  readonly var: readonly string[];
  readonly varFile: readonly string[];
}

/** Options of every command that opens the state. */
export interface StateOptions extends ConfigOptions {
  readonly state?: string;
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

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

export function withConfig(command: Command): Command {
  return command
    .option("-c, --config <path>", "the configuration: a YAML file, or a synthesised CDK stack", "outreach.yaml")
    .option("--var <name=value>", "the value of a variable; may be repeated", collect, [])
    .option("--var-file <path>", "a YAML or JSON file of variables; may be repeated", collect, []);
}

export function withJson(command: Command): Command {
  return withConfig(command).option("--json", "print JSON", false);
}

export function withState(command: Command): Command {
  return withConfig(command)
    .option("--state <path>", "the state file, in place of the configuration's")
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

/** `30s`, `5m`, `250ms`, or plain seconds, in milliseconds. */
export function parseDurationMs(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text);
  if (!match) throw new InvalidArgumentError("Write a number and a unit, as in 30s or 5m.");
  const units: { readonly [unit: string]: number } = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
  return Number(match[1]) * (units[match[2] ?? "s"] ?? 1000);
}

function parseBoolean(text: string): boolean {
  if (text === "true") return true;
  if (text === "false") return false;
  throw new InvalidArgumentError("Write true or false.");
}
