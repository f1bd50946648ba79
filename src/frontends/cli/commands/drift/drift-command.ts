import { Option } from "commander";
import { DiagnosticsError } from "../../../../core/model/diagnostic.ts";
import type { Scope } from "../../../../core/plan/plan-context.ts";
import { type DriftReport, driftStatus } from "../../../../core/plan/drift-report.ts";
import { type ShownDrift, driftAdvice, driftSummary } from "../../../../output/content/drift-format.ts";
import { DRIFT_FORMATS, DRIFT_FORMAT_NAMES, type DriftFormatName } from "../../../../output/formats/formats.ts";
import { commitIn } from "../../ci-commit.ts";
import type { CommandContext, ExitCode } from "../../command-context.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import { formatName, type CommandOptions, withName, withScope, withState } from "../../program/command-options.ts";
import { drift } from "../../../../operations/drift.ts";
import { failureOf } from "../../../../operations/known-failure.ts";
import { exitCodeOf } from "../../exit-code.ts";
import { printDiagnostics } from "../../screen/print-diagnostics.ts";
import { arrangedDiagnostics } from "../../../../operations/messages/arrange-diagnostics.ts";
import { configurationName } from "../../../../operations/configuration/configuration-name.ts";
import { documentContext } from "../../plans/show-documents.ts";

interface DriftOptions extends CommandOptions, Scope {
  /** Absent: the place of the state tells stages apart. */
  readonly name?: string;
  readonly format: DriftFormatName;
  readonly failOn?: "unmanaged";
}

/** Compares the state with the service, and prints a report. */
export const definition: CommandDefinition<DriftOptions> = {
  description:
    "reports webhooks that were changed or deleted outside of outreach, for a scheduled job; sends no writes",
  example: { purpose: "for a nightly job", lines: ["outreach drift", "outreach drift --format markdown > issue.md"] },
  declare: (command) =>
    withScope(withName(withState(command)), "compare")
      .addOption(
        new Option("--fail-on <class>", "also exit with 2 if there are unmanaged webhooks").choices(["unmanaged"]),
      )
      .option("--json", "print one JSON object, as --format json does", false)
      .addOption(new Option("--format <format>", "the output format").choices(DRIFT_FORMAT_NAMES).default("text")),
  forTeams: { json: "document" },
  run: async (context, { options }) => {
    const name = formatName(options);
    try {
      if (options.failOn === "unmanaged" && options.targets.length > 0) throw onlyRecorded();
      const { stage, ...report } = await drift(context, options);
      return await print(context, report, { ...options, format: name, stage: options.name ?? stage });
    } catch (error) {
      const known = failureOf(error);
      if (!known || name !== "json") throw error;
      await print(
        context,
        { ...NOTHING_FOUND, diagnostics: known.diagnostics },
        { ...options, format: name, stage: options.name ?? null },
      );
      return exitCodeOf(known.status);
    }
  },
};

function onlyRecorded(): DiagnosticsError {
  return DiagnosticsError.of("options_conflict", "Conflicting options", {
    detail: "--target compares only recorded webhooks, so it conflicts with --fail-on unmanaged.",
    hint: "Compare everything, or omit --fail-on.",
  });
}

const NOTHING_FOUND: Omit<DriftReport, "diagnostics"> = {
  missing: [],
  changed: [],
  unmanaged: [],
  unobservable: [],
  unchecked: [],
  undecided: [],
  truncated: [],
  names: {},
};

/** Prints the report on stdout, and for people its messages on stderr. */
async function print(
  context: CommandContext,
  report: DriftReport,
  { format: name, stage, ...options }: DriftOptions & Pick<ShownDrift, "stage">,
): Promise<ExitCode> {
  const { config, team, failOn, targets, excludes } = options;
  const format = await DRIFT_FORMATS[name]();
  const status = driftStatus(report, { failOnUnmanaged: failOn === "unmanaged" });
  const diagnostics = arrangedDiagnostics(context, report.diagnostics, { hidesEmails: context.hidesEmails.out });
  const advice = driftAdvice(context);
  const shown = {
    name: configurationName(context, config, team[0]),
    stage,
    scope: { targets, excludes },
    commit: commitIn(context.environment),
  };
  const text = format({ ...shown, report: { ...report, diagnostics }, status, advice }, documentContext(context));
  context.out(name === "json" ? text : context.asCalled(text));
  context.summarize(driftSummary(report, status));
  if (name !== "json") printDiagnostics(context, report.diagnostics);
  return exitCodeOf(status);
}
