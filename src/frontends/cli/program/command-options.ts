import { durationMs } from "../../../core/model/iso-time.ts";
import { DEFAULT_CONFIG, type OperationOptions } from "../../../operations/options.ts";
import { type Command, InvalidArgumentError, Option } from "commander";
import { GUARDS, type Guard } from "../../../core/model/guard.ts";
import { GUARD_NAMES } from "../../../operations/guards.ts";
import type { PlanChoices } from "../../../core/plan/plan-context.ts";
import { DiagnosticsError } from "../../../core/model/diagnostic.ts";

/** What many commands take. What a command does not take has its default. */
export interface CommandOptions extends OperationOptions {
  readonly showEmails?: boolean;
  readonly json?: boolean;
  /** Says what would be done, and does nothing. */
  readonly dryRun?: boolean;
}

/** The options of a plan: the same for plan, apply and destroy. */
export interface PlanningOptions extends CommandOptions, Partial<PlanChoices> {
  readonly detailedExitcode?: boolean;
  /** Where the plan is saved. */
  readonly out?: string;
  readonly autoApprove?: boolean;
  /** From the start of the command; null: no limit. */
  readonly maxDurationMs?: number | null;
}

/** Collects the values of an option that can be repeated. */
export function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

/** Without --show-emails, for commands that always mask. */
export function withConfigPath(command: Command): Command {
  return command
    .option(
      "-c, --config <path>",
      "the configuration: a YAML file, a folder of YAML files, or a synthesized CDK stack",
      DEFAULT_CONFIG,
    )
    .option("--var <name=value>", "the value of a variable; repeatable", collect, [])
    .option("--var-file <path>", "a YAML or JSON file of variables; repeatable", collect, [])
    .option(
      "--team <name>",
      "only this team of the configuration; repeatable where a command runs for several",
      collect,
      [],
    );
}

export function withConfig(command: Command): Command {
  return withConfigPath(command).option(
    "--show-emails",
    "print email addresses of leads in full, even if output is not a terminal or is JSON",
    false,
  );
}

export function withJson(command: Command): Command {
  return withConfig(command).option("--json", "print JSON", false);
}

export function withStatePath(command: Command): Command {
  return withStatePlace(withConfig(command));
}

export function withStatePlace(command: Command): Command {
  return command.option("--state <path>", "path or URL of the state, instead of the configured one");
}

/** Adds the name of a stage, for commands whose report replaces an earlier one. */
export function withName(command: Command): Command {
  return command.addOption(
    new Option(
      "--name <name>",
      "name of the stage in the report; by default the place of the state tells stages apart",
    ).argParser((name: string) => {
      if (name.trim() === "") throw new InvalidArgumentError("Write a name, as in --name production.");
      return name;
    }),
  );
}

export function withState(command: Command): Command {
  return withStatePath(command)
    .addOption(
      new Option("--lock <bool>", "whether to lock the state; --lock=false is safe only if nothing else can run")
        .default(true, "true")
        .argParser(parseBoolean),
    )
    .addOption(
      new NamedOption("--lock-timeout <duration>", "how long to wait for the lock, as in 30s or 5m", "lockTimeoutMs")
        .default(0, "0s")
        .argParser(parseDurationMs),
    );
}

/** Adds the time after which a command begins nothing more; `does` says so. */
export function withMaxDuration(command: Command, does: string): Command {
  return command.addOption(
    new NamedOption("--max-duration <duration>", `${does} after this time, as in 10m`, "maxDurationMs")
      .default(null, "none")
      .argParser(parseDurationMs),
  );
}

/** Adds --input, for commands that ask, and for those that take the same options. */
export function withInput(command: Command): Command {
  return command.addOption(
    new Option("--input <bool>", "whether to ask questions; with --input=false, what needs an answer is an error")
      .default(true, "true")
      .argParser(parseBoolean),
  );
}

/** An option under the name that it has everywhere else. */
export class NamedOption extends Option {
  readonly #name: string;

  constructor(flags: string, description: string, name: string) {
    super(flags, description);
    this.#name = name;
  }

  override attributeName(): string {
    return this.#name;
  }
}

/** Several may add to one list. */
function listOption(flags: string, description: string, name: keyof PlanChoices): Option {
  return new NamedOption(flags, description, name).default([]).argParser(collect);
}

/** Adds what a plan or a comparison is about. */
export function withScope(command: Command, verb: string): Command {
  const [one, all] = [
    `${verb} only this address, or all instances of this block`,
    `${verb} everything but this address or block`,
  ];
  return command
    .addOption(listOption("--target <address>", `${one}; repeatable`, "targets"))
    .addOption(listOption("--exclude <address>", `${all}; repeatable`, "excludes"));
}

/** The switch that lifts a guard. */
export function guardOption(guard: Guard, allows: string = GUARD_NAMES[guard].allows): Option {
  return listOption(`--allow-${GUARD_NAMES[guard].name}`, allows, "allow").preset(guard);
}

export function withPlan(command: Command): Command {
  withScope(withInput(withState(command)), "plan")
    .option("--adopt", "import identical unmanaged webhooks where the match is certain", false)
    .option("--json", "print Terraform's machine-readable lines", false)
    .option("--replace <address>", "replace this webhook even if nothing has changed; repeatable", collect, [])
    .option("--refresh-only", "only update the state from the service", false)
    .option(
      "--assume-unsubscribed",
      "record declared unsubscriptions as done without sending them, after the state was lost",
      false,
    );
  for (const guard of GUARDS) command.addOption(guardOption(guard));
  return command;
}

export function withPlanFile(command: Command): Command {
  return command.option(
    "--run-key-command",
    "run the command that state.encryption takes the key of an encrypted plan from",
    false,
  );
}

export function parseDurationMs(text: string): number {
  const duration = durationMs(text);
  if (duration === null) throw new InvalidArgumentError("Use a number and a unit, as in 30s or 5m.");
  return duration;
}

export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError("Use a number from 0 to 65535.");
  return port;
}

export function parseCount(text: string): number {
  const count = Number(text);
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError("Use a number from 1 to 9999.");
  return count;
}

/** Reads an address as in `0.0.0.0:4040`, `[::1]:4040`, or a port alone for this machine. */
export function parseAddress(text: string): { readonly host: string; readonly port: number } {
  const [, host = "127.0.0.1", port = ""] = /^(?:(\[[^\]]+\]|[^:]+):)?(\d+)$/.exec(text) ?? [];
  if (port === "" || Number(port) > 65_535) throw new InvalidArgumentError("Use HOST:PORT, as in 127.0.0.1:4040.");
  return { host: host.replaceAll(/^\[|\]$/g, ""), port: Number(port) };
}

function parseBoolean(text: string): boolean {
  if (text === "true") return true;
  if (text === "false") return false;
  throw new InvalidArgumentError("Use true or false.");
}

/** The format that `--json` and `--format` name. Throws if they name two. */
export function formatName<T extends string>({
  json = false,
  format,
}: {
  readonly json?: boolean;
  readonly format: T;
}): T | "json" {
  if (!json) return format;
  if (format === "text" || format === "json") return "json";
  throw DiagnosticsError.of("options_conflict", "Conflicting options", {
    detail: `--json and --format ${format} name two formats.`,
    hint: "Pass one of them.",
  });
}
