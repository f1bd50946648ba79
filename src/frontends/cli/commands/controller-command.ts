import { InvalidArgumentError, Option } from "commander";
import { DiagnosticsError } from "../../../core/model/diagnostic.ts";
import type { HostPattern } from "../../../core/model/host-pattern.ts";
import { pathOrigin, pushedOrigin } from "../../../fleet/configuration/configuration-origin.ts";
import { budgetRows } from "../../../fleet/database/budget-rows.ts";
import type { FleetDatabase } from "../../../fleet/database/fleet-database.ts";
import { migrateFleet } from "../../../fleet/database/fleet-schema.ts";
import { openController } from "../../../fleet/fleet-controller.ts";
import { FleetUnavailable } from "../../../fleet/fleet-store.ts";
import { type FleetLog, openFleetLog } from "../../../fleet/observe/fleet-log.ts";
import { openFleetMetrics } from "../../../fleet/observe/fleet-metrics.ts";
import { openTraces } from "../../../fleet/observe/fleet-traces.ts";
import { storeOf, withFleetDatabase } from "../../../fleet/open-fleet.ts";
import { openFleetServer } from "../../../fleet/page/fleet-server.ts";
import { openQueue } from "../../../fleet/queue.ts";
import { retryDatabase } from "../../../fleet/retry-database.ts";
import { sharedBudget } from "../../../fleet/shared-budget.ts";
import { openVerifier } from "../../../fleet/verify-receivers.ts";
import { openTeamWork } from "../../../fleet/team/reconcile-team.ts";
import { TOKEN_VARIABLE } from "../../../operations/configuration/environment-names.ts";
import { DEFAULT_CONFIG } from "../../../operations/options.ts";
import { logLevel } from "../../../operations/service/log.ts";
import type { CommandContext, ExitCode } from "../command-context.ts";
import type { CommandDefinition } from "../program/command-definition.ts";
import {
  type FleetOptions,
  type SettingOptions,
  assertSame,
  autoOption,
  intervalOption,
  settingsGiven,
  withDatabase,
} from "../program/fleet-options.ts";
import { type ConfigOptions, collect, parseAddress, parseCount, parseDurationMs } from "../program/command-options.ts";
import { collectHost } from "./verify-command.ts";
import { type ListenHints, cannotListen } from "../program/cannot-listen.ts";

interface RunOptions extends FleetOptions, Pick<ConfigOptions, "config" | "var" | "varFile">, SettingOptions {
  readonly pushed: boolean;
  readonly workers: number;
  readonly listen: { readonly host: string; readonly port: number };
  readonly allowHost: readonly string[];
  readonly verifyAllow: readonly HostPattern[];
  readonly verifyInterval?: number;
  readonly logFormat?: "json" | "text";
}

const DEFAULT_LISTEN = "127.0.0.1:4040";
const DEFAULT_WORKERS = 10;
const LISTEN_HINTS: ListenHints = {
  otherPort: "Choose another port with --listen, or any free one with --listen 127.0.0.1:0.",
  otherHost: "Choose an address of this machine with --listen, such as 127.0.0.1:4040.",
};

export const controllerCommand: CommandDefinition<RunOptions> = {
  name: "controller",
  description: "keeps the teams of a configuration reconciled, on any number of machines over one PostgreSQL database",
  example: { lines: ["outreach controller --database postgres://outreach@db.example.com/fleet --config teams"] },
  declare: (command) =>
    withDatabase(command)
      .option(
        "-c, --config <path>",
        "the configuration with its teams: a YAML file, or a folder of YAML files",
        DEFAULT_CONFIG,
      )
      .option("--pushed", "take the configuration that outreach controller push stored last, instead of a path", false)
      .option("--var <name=value>", "the value of a variable; repeatable", collect, [])
      .option("--var-file <path>", "a YAML or JSON file of variables; repeatable", collect, [])
      .addOption(
        new Option("--workers <number>", "how many teams this process reconciles at once")
          .default(DEFAULT_WORKERS)
          .argParser(parseCount),
      )
      .addOption(autoOption())
      .addOption(intervalOption())
      .addOption(
        new Option("--listen <host:port>", "the address of the page, the metrics and the API, as HOST:PORT")
          .default(parseAddress(DEFAULT_LISTEN), DEFAULT_LISTEN)
          .argParser(parseAddress),
      )
      .option(
        "--allow-host <name>",
        "a further name under which browsers open the page, in addition to those of loopback; repeatable",
        (name: string, names: readonly string[]) => [...names, parseHostName(name)],
        [],
      )
      .option(
        "--verify-allow <host>",
        "verify the receivers of all teams at this host, as outreach verify --allow does, for the metric outreach_receiver_ok; repeatable",
        collectHost,
        [],
      )
      .addOption(
        new Option("--verify-interval <duration>", "how often, with --verify-allow; by default 24h").argParser(
          parseVerifyInterval,
        ),
      )
      .addOption(
        new Option("--log-format <format>", "by default text on a terminal, and JSON elsewhere").choices([
          "json",
          "text",
        ]),
      ),
  run: (context, { options, given }) => control(context, options, given),
};

/** Runs until an interrupt. */
function control(context: CommandContext, options: RunOptions, given: readonly string[]): Promise<ExitCode> {
  if (options.pushed) assertNoPath(given);
  const { verifyAllow: allow, verifyInterval: intervalMs } = options;
  if (intervalMs !== undefined && allow.length === 0) throw intervalAlone();
  return withFleetDatabase<ExitCode>(context, options, async (database) => {
    const log = logOf(context, options);
    const { clock, random, version, environment, stop } = context;
    const chance = (): number => fractionOf(random.bytes(4));
    const store = storeOf(context, database, random.uuid());
    const metrics = openFleetMetrics(version);
    const traces = await openTraces({ environment, version, clock, log });
    const work = openTeamWork(
      budgeted(context, database),
      options.pushed ? pushedOrigin(context, database) : pathOrigin(options),
      store,
    );
    const controller = openController({
      store,
      work,
      verifier:
        allow.length === 0
          ? null
          : openVerifier({ store, work, log, allow, intervalMs: intervalMs ?? DEFAULT_VERIFY_MS }),
      openQueue: (teams) =>
        openQueue({ ...teams, workers: options.workers, clock, log: (message) => log("warn", "queue", message) }),
      clock,
      chance,
      log,
      metrics,
      traces,
    });
    const prepare = async (): Promise<void> => {
      await migrateFleet(database);
      const settings = await store.settle(settingsGiven(options));
      assertSame(settings, options);
    };
    const isPrepared = await prepare().then(
      () => true,
      (error: unknown) => {
        if (error instanceof FleetUnavailable) return false;
        throw error;
      },
    );
    const server = await openFleetServer({
      store,
      metrics,
      process: controller.state,
      token: tokenOf(context),
      version,
      clock,
      log,
      listen: options.listen,
      allowedHosts: options.allowHost,
    }).catch((error: unknown) => {
      throw cannotListen(error, options.listen, LISTEN_HINTS);
    });
    log("info", "listening", `The page of the fleet is at ${server.url}.`);
    try {
      if (!isPrepared) await retryDatabase({ clock, log, chance })(prepare, stop);
      await controller.run(stop);
    } catch (error) {
      if (!stop.aborted) throw error;
    } finally {
      await server.close();
      await traces.close();
    }
    return 0;
  });
}

const DEFAULT_VERIFY_MS = 86_400_000;
const SHORTEST_VERIFY_MS = 3_600_000;

function parseVerifyInterval(text: string): number {
  const intervalMs = parseDurationMs(text);
  if (intervalMs < SHORTEST_VERIFY_MS)
    throw new InvalidArgumentError("Each verification sends two events to each receiver: use at least 1h.");
  return intervalMs;
}

function intervalAlone(): DiagnosticsError {
  return DiagnosticsError.of("options_conflict", "Conflicting options", {
    detail: "--verify-interval says how often receivers are verified, but no host is allowed to get events.",
    hint: "Name the hosts with --verify-allow HOST, or omit --verify-interval.",
  });
}

/** A name as a Host header has it, without the port. */
function parseHostName(text: string): string {
  if (!HOST_NAME.test(text))
    throw new InvalidArgumentError("Use a host name without scheme, port and path, as in fleet.example.com.");
  return text.toLowerCase();
}

const HOST_NAME = /^[a-z\d_-]+(?:\.[a-z\d_-]+)*\.?$/i;

/** All processes share the requests of a key, through the database. */
function budgeted(context: CommandContext, database: FleetDatabase): CommandContext {
  const { clock, random } = context;
  const rows = budgetRows(database, clock);
  return { ...context, requestLog: (key) => sharedBudget(clock, rows, { key, participant: random.uuid() }) };
}

function logOf({ streams, clock, personal, environment, notice }: CommandContext, { logFormat }: RunOptions): FleetLog {
  const isTerminal = (streams.stdout as { readonly isTTY?: boolean }).isTTY === true;
  return openFleetLog({
    format: logFormat ?? (isTerminal ? "text" : "json"),
    level: logLevel({ environment }) ?? "info",
    mask: (text) => personal.mask(text),
    write: notice,
    clock,
  });
}

/** What changes over HTTP need; null: nothing can be changed over HTTP. */
function tokenOf({ environment, redactor }: CommandContext): string | null {
  const token = environment[TOKEN_VARIABLE] ?? "";
  if (token === "") return null;
  redactor.add(token);
  if (UNSENDABLE.test(token))
    throw DiagnosticsError.of("setting_invalid", "Invalid setting", {
      detail: `${TOKEN_VARIABLE} starts or ends with white space, or contains characters other than printable ASCII, so no request can send it in a header.`,
      hint: "Make another one, as with: openssl rand -hex 32",
    });
  return token;
}

/** Clients and servers trim a header, and read other characters differently. */
const UNSENDABLE = /^ | $|[^ -~]/;

/** A number from 0 to less than 1. */
function fractionOf(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0) / 256 ** bytes.length;
}

const PATH_OPTIONS: { readonly [option: string]: string } = { config: "--config", var: "--var", varFile: "--var-file" };

function assertNoPath(given: readonly string[]): void {
  const names = given.flatMap((option) => PATH_OPTIONS[option] ?? []);
  if (names.length === 0) return;
  throw DiagnosticsError.of("options_conflict", "Conflicting options", {
    detail: `With --pushed, the configuration and its variables come from the database, so ${names.join(" and ")} cannot apply.`,
    hint: "Push them: outreach controller push -c PATH --var NAME=VALUE\nOr omit --pushed.",
  });
}
