import { pushableConfiguration, sizeOf } from "../../../../fleet/configuration/pushable-configuration.ts";
import type { ReadOptions } from "../../../../fleet/configuration/read-fleet-configuration.ts";
import { assertNotShrunk } from "../../../../fleet/configuration/lost-teams.ts";
import { readingsOf } from "../../../../fleet/database/readings.ts";
import { checkFleetSchema, migrateFleet } from "../../../../fleet/database/fleet-schema.ts";
import {
  type PushedConfiguration,
  type TeamDigests,
  storePush,
  teamsPushed,
} from "../../../../fleet/database/pushes.ts";
import { withFleetDatabase } from "../../../../fleet/open-fleet.ts";
import { countText } from "../../../../fleet/page/fleet-words.ts";
import { VARIABLE_PREFIXES } from "../../../../operations/configuration/environment-names.ts";
import { DEFAULT_CONFIG } from "../../../../operations/options.ts";
import { jsonText } from "../../../../output/json/escaped-json.ts";
import { tableText } from "../../../../output/text/table.ts";
import type { ExitCode } from "../../command-context.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import { type FleetOptions, withDatabase } from "../../program/fleet-options.ts";
import { collect } from "../../program/command-options.ts";

interface PushOptions extends FleetOptions, ReadOptions {
  readonly dryRun: boolean;
  readonly json: boolean;
}

export const controllerPushCommand: CommandDefinition<PushOptions> = {
  name: "push",
  description: "checks a configuration, and stores it in the database for outreach controller --pushed",
  example: { lines: ["outreach controller push --database postgres://outreach@db.example.com/fleet --config teams"] },
  declare: (command) =>
    withDatabase(command)
      .option(
        "-c, --config <path>",
        "the configuration with its teams: a YAML file, or a folder of YAML files",
        DEFAULT_CONFIG,
      )
      .option("--var <name=value>", "the value of a variable that is not sensitive; repeatable", collect, [])
      .option("--var-file <path>", "a YAML or JSON file of such variables; repeatable", collect, [])
      .option("--dry-run", "print what would be pushed, and store nothing", false)
      .option("--json", "print JSON", false),
  run: async (context, { options }) => {
    const { configuration, teams, read } = await pushableConfiguration(context, options);
    return withFleetDatabase<ExitCode>(context, options, async (database) => {
      await (options.dryRun ? checkFleetSchema(database) : migrateFleet(database));
      assertNotShrunk(read, await readingsOf(database).teamNames());
      const changes = changesOf(teams, (await teamsPushed(database)) ?? {});
      if (!options.dryRun) await storePush(database, configuration, teams);
      const shown = { configuration, changes, teams: Object.keys(teams).length, stored: !options.dryRun };
      context.out(options.json ? pushJson(shown, context.version) : pushText(shown));
      return 0;
    });
  },
};

interface Changes {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

function changesOf(teams: TeamDigests, before: TeamDigests): Changes {
  const names = Object.keys(teams);
  const kept = names.filter((name) => before[name] !== undefined);
  return {
    added: names.length - kept.length,
    changed: kept.filter((name) => before[name] !== teams[name]).length,
    removed: Object.keys(before).length - kept.length,
  };
}

interface Shown {
  readonly configuration: PushedConfiguration;
  readonly changes: Changes;
  readonly teams: number;
  readonly stored: boolean;
}

const SHOWN_FILES = 20;

function pushText({ configuration: { files, variables, sensitive, commit }, changes, teams, stored }: Shown): string {
  const rows = [...files].slice(0, SHOWN_FILES).map(([file, { length }]) => ({ file, bytes: length }));
  const more = files.size - rows.length;
  const names = Object.keys(variables);
  const of = commit === null ? "" : ` of commit ${commit}`;
  return [
    tableText(["file", "bytes"], rows),
    ...(more > 0 ? [`and ${countText(more, "more file")}\n`] : []),
    "\n",
    `${stored ? "Pushed" : "Would push"} ${countText(files.size, "file")}${of}: ${countText(teams, "team")}, ${changesText(changes)}.\n`,
    ...(names.length > 0 ? [`With the values of ${names.join(", ")}.\n`] : []),
    ...(sensitive.length > 0
      ? [`Set the sensitive variables where the controllers run: ${sensitive.map(variableOf).join(", ")}\n`]
      : []),
    stored
      ? "Controllers with --pushed apply it now. See the result: outreach controller status\n"
      : "Nothing was stored.\n",
  ].join("");
}

function changesText({ added, changed, removed }: Changes): string {
  return `${String(added)} new, ${String(changed)} changed, ${String(removed)} removed since the last push`;
}

/** The environment variable of a variable. */
function variableOf(name: string): string {
  return `${VARIABLE_PREFIXES[1]}${name}`;
}

function pushJson(
  { configuration: { files, variables, sensitive, commit, by }, changes, teams, stored }: Shown,
  version: string,
): string {
  const document = {
    format_version: "1.0",
    outreach_version: version,
    stored,
    commit,
    by,
    files: [...files].map(([path, { length }]) => ({ path, bytes: length })),
    bytes: sizeOf(files),
    variables,
    sensitive_variables: sensitive,
    teams: { total: teams, ...changes },
  };
  return `${jsonText(document, { indented: true })}\n`;
}
