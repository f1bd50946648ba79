import { type Command, InvalidArgumentError, Option } from "commander";
import { DiagnosticsError, noteOf } from "../../../core/model/diagnostic.ts";
import { countOf } from "../../../core/model/words.ts";
import { changedSince } from "../../../core/plan/rolled-back.ts";
import { readRecords } from "../../../operations/state/records.ts";
import { readVersions, writtenText } from "../../../operations/state/state-versions.ts";
import { jsonText } from "../../../output/json/escaped-json.ts";
import { tableText } from "../../../output/text/table.ts";
import type { CommandContext, ExitCode } from "../command-context.ts";
import { planAndApply } from "../plans/plan-and-apply.ts";
import type { CommandDefinition } from "../program/command-definition.ts";
import { type ApplyOptions, DEFAULT_PLANNING, withChanges } from "../program/command-options.ts";
import { printDiagnostics } from "../screen/print-diagnostics.ts";
import { planCommand } from "./plan-command.ts";

interface RollbackOptions extends ApplyOptions {
  readonly to?: number;
  readonly out?: string;
}

/** Plans and applies what an earlier version of the state declares. Without a version, lists them. */
export const rollbackCommand: CommandDefinition<RollbackOptions> = {
  name: "rollback",
  description: "goes back to an earlier version of the state; without --to, lists the versions",
  example: { lines: ["outreach rollback", "outreach rollback --to 12"] },
  declare: (command) => withOptions(command),
  forTeams: {
    json: "lines",
    // A serial is of one state: several teams are refused as by any command for one of them.
    knowsTeam: (_, { options: { to, team } }) => Promise.resolve(to !== undefined && team.length !== 1),
  },
  run: (context, { options, ...invocation }) => {
    const { to, out, autoApprove } = options;
    if (to === undefined) return list(context, options);
    const choices = { ...DEFAULT_PLANNING, ...options, rollbackTo: to };
    if (out === undefined) return planAndApply(context, choices);
    if (autoApprove) throw savedOnly();
    return planCommand.run(context, { ...invocation, options: { ...choices, secrets: true, detailedExitcode: false } });
  },
};

function withOptions(command: Command): Command {
  return withChanges(command)
    .addOption(new Option("--to <serial>", "the version, by its serial").argParser(parseSerial))
    .option("--out <file>", "save the plan in place of applying it: outreach apply FILE applies exactly this plan")
    .option("--auto-approve", "do not ask for approval", false);
}

function parseSerial(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError("Use a serial, as in --to 12.");
  return Number(text);
}

async function list(context: CommandContext, options: RollbackOptions): Promise<ExitCode> {
  const { json, autoApprove, out } = options;
  if (autoApprove || out !== undefined) throw withoutVersion();
  const records = await readRecords(context, options);
  const { versions, unread } = await readVersions(context, records);
  const { serial: current, instances } = records.open.document;
  const rows = versions.map(({ writtenAtMs, document }) => {
    const { serial, instances: webhooks } = document;
    const listed = webhooks.filter(({ type }) =>
      context.catalog.resources.some((one) => one.type === type && one.list),
    );
    return {
      serial,
      written: writtenText(writtenAtMs),
      webhooks: listed.length,
      changed_since: changedSince(context.catalog, document, instances),
    };
  });
  printDiagnostics(
    context,
    unread.map((detail) => noteOf("version_unread", "A version of the state cannot be read", { detail })),
  );
  context.summarize(`Serial ${String(current)}, ${countOf(rows.length, "earlier version")}.`);
  if (json) context.out(`${jsonText({ current, versions: rows })}\n`);
  else {
    const table = tableText(
      ["serial", "written", "webhooks", "changed since"],
      rows.map(({ changed_since, ...row }) => ({ ...row, "changed since": changed_since })),
    );
    context.out(
      `${table}\n${context.asCalled(`The state now has serial ${String(current)}. To go back: outreach rollback ${context.given}--to SERIAL`)}\n`,
    );
  }
  return 0;
}

function withoutVersion(): DiagnosticsError {
  return DiagnosticsError.of("options_conflict", "Conflicting options", {
    detail: "--auto-approve and --out need --to, which names the version.",
    ways: [{ kind: "list-versions" }],
  });
}

function savedOnly(): DiagnosticsError {
  return DiagnosticsError.of("options_conflict", "Conflicting options", {
    detail: "--out saves the plan and applies nothing, so it conflicts with --auto-approve.",
    hint: "Pass one of them.",
  });
}
