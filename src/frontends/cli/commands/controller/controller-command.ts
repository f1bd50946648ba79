import { InvalidArgumentError, Option } from "commander";
import { DiagnosticsError } from "../../../../core/model/diagnostic.ts";
import { migrateFleet } from "../../../../fleet/database/fleet-schema.ts";
import { openController } from "../../../../fleet/fleet-controller.ts";
import { FleetUnavailable } from "../../../../fleet/fleet-store.ts";
import { type FleetLog, openFleetLog } from "../../../../fleet/observe/fleet-log.ts";
import { openFleetMetrics } from "../../../../fleet/observe/fleet-metrics.ts";
import { storeOf, withFleetDatabase } from "../../../../fleet/open-fleet.ts";
import { openFleetServer } from "../../../../fleet/page/fleet-server.ts";
import { openQueue } from "../../../../fleet/queue.ts";
import { retryDatabase } from "../../../../fleet/retry-database.ts";
import { openTeamWork } from "../../../../fleet/team/reconcile-team.ts";
import { TOKEN_VARIABLE } from "../../../../operations/configuration/environment-names.ts";
import { DEFAULT_CONFIG } from "../../../../operations/options.ts";
import { logLevel } from "../../../../operations/service/log.ts";
import type { CommandContext, ExitCode } from "../../command-context.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import {
  type FleetOptions,
  type SettingOptions,
  assertSame,
  autoOption,
  intervalOption,
  settingsGiven,
  withDatabase,
} from "./fleet-options.ts";
import { collect, parseAddress, parseCount } from "../../program/command-options.ts";
import type { ReadOptions } from "../../../../fleet/configuration/read-fleet-configuration.ts";
import { type ListenHints, cannotListen } from "../../program/cannot-listen.ts";

interface RunOptions extends FleetOptions, ReadOptions, SettingOptions {
  readonly workers: number;
  readonly listen: { readonly host: string; readonly port: number };
  readonly allowHost: readonly string[];
  readonly logFormat?: "json" | "text";
}

const DEFAULT_LISTEN = "127.0.0.1:4040";
const DEFAULT_WORKERS = 10;
const LISTEN_HINTS: ListenHints = {
  otherPort: "Choose another port with --listen, or any free one with --listen 127.0.0.1:0.",
  otherHost: "Choose an address of this machine with --listen, such as 127.0.0.1:4040.",
};

export const definition: CommandDefinition<RunOptions> = {
  description: "keeps the teams of a configuration reconciled, on any number of machines over one PostgreSQL database",
  example: { lines: ["outreach controller --database postgres://outreach@db.example.com/fleet --config teams"] },
  declare: (command) =>
    withDatabase(command)
      .option(
        "-c, --config <path>",
        "the configuration with its teams: a YAML file, or a folder of YAML files",
        DEFAULT_CONFIG,
      )
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
      .addOption(
        new Option("--log-format <format>", "by default text on a terminal, and JSON elsewhere").choices([
          "json",
          "text",
        ]),
      ),
  run: (context, { options }) => control(context, options),
};

/** Runs until an interrupt. */
function control(context: CommandContext, options: RunOptions): Promise<ExitCode> {
  return withFleetDatabase<ExitCode>(context, options, async (database) => {
    const log = logOf(context, options);
    const { clock, random, version, stop } = context;
    const chance = (): number => fractionOf(random.bytes(4));
    const store = storeOf(context, database, random.uuid());
    const metrics = openFleetMetrics(version);
    const work = openTeamWork(context, options, store);
    const controller = openController({
      store,
      work,
      openQueue: (teams) =>
        openQueue({ ...teams, workers: options.workers, clock, log: (message) => log("warn", "queue", message) }),
      clock,
      chance,
      log,
      metrics,
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
    }
    return 0;
  });
}

/** A name as a Host header has it, without the port. */
function parseHostName(text: string): string {
  if (!HOST_NAME.test(text))
    throw new InvalidArgumentError("Use a host name without scheme, port and path, as in fleet.example.com.");
  return text.toLowerCase();
}

const HOST_NAME = /^[a-z\d_-]+(?:\.[a-z\d_-]+)*\.?$/i;

function logOf(context: CommandContext, { logFormat }: RunOptions): FleetLog {
  const { streams, clock, personal, notice } = context;
  const isTerminal = (streams.stdout as { readonly isTTY?: boolean }).isTTY === true;
  return openFleetLog({
    format: logFormat ?? (isTerminal ? "text" : "json"),
    level: logLevel(context) ?? "info",
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
