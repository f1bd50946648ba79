import { Option } from "commander";
import { type DriftReport, type DriftStatus, driftReport, driftStatus } from "../../../core/plan/drift-report.ts";
import { type ShownDrift, driftAdvice } from "../../../output/drift/drift-format.ts";
import { DRIFT_FORMATS, DRIFT_FORMAT_NAMES, type DriftFormatName } from "../../../output/drift/drift-formats.ts";
import { driftSummary } from "../../../output/drift/drift-text.ts";
import { commitIn } from "../../ci/ci-job.ts";
import type { ExitCode, Output } from "../command-context.ts";
import { withoutConfiguration } from "../configuration/load-configuration.ts";
import type { CommandDefinition } from "../program/command-definition.ts";
import { formatName } from "../program/format-option.ts";
import { type NameOptions, type StateOptions, withName, withState } from "../program/options.ts";
import { arrangedDiagnostics, failureDiagnostics, printDiagnostics } from "../screen/print-diagnostics.ts";
import { configurationName, stageName } from "../configuration/configuration-name.ts";
import { compareLive } from "../session/compare-live.ts";
import { documentContext } from "../session/show-documents.ts";
import type { ServiceContext } from "../session/connection.ts";
import { missingState } from "../session/records.ts";
import { withSession } from "../session/session.ts";

interface DriftOptions extends NameOptions, StateOptions {
  readonly json: boolean;
  readonly format: DriftFormatName;
  readonly failOn?: "unmanaged";
}

export const driftCommand: CommandDefinition<DriftOptions> = {
  name: "drift",
  description: "reports webhooks that were changed or deleted outside of outreach, for a scheduled job; sends no writes",
  example: { purpose: "for a nightly job", lines: ["outreach drift", "outreach drift --format markdown > issue.md"] },
  declare: (command) =>
    withName(withState(command))
      .addOption(new Option("--fail-on <class>", "also exit with 2 if there are unmanaged webhooks").choices(["unmanaged"]))
      .option("--json", "print one JSON object, as --format json does", false)
      .addOption(new Option("--format <format>", "the output format").choices(DRIFT_FORMAT_NAMES).default("text")),
  forTeams: { json: "document" },
  run: (context, { options }) => drift(context, options),
};

const EXIT_CODES: { readonly [status in DriftStatus]: ExitCode } = { none: 0, drift: 2, unknown: 1, error: 1, undecided: 3 };

/** Compares the state with the service. Sends no writes, stores nothing, resolves no secret, and needs no declarations. */
async function drift(context: Output & ServiceContext, options: DriftOptions): Promise<ExitCode> {
  const name = formatName(options);
  try {
    return await withSession(context, options, { operation: "drift", persists: false, needs: "settings" }, async (session) => {
      const { planned, listings } = await compareLive(session, withoutConfiguration(context).evaluate);
      const { plan, document } = planned;
      const report = driftReport({ catalog: context.catalog, instances: document.instances, plan, listings });
      const diagnostics = [...session.diagnostics, ...missingState(context, session), ...report.diagnostics];
      const stage = options.name ?? stageName(context, session.store, session.loaded.configuration);
      return print(context, { ...report, diagnostics }, { ...options, format: name, stage });
    });
  } catch (error) {
    const known = name === "json" ? failureDiagnostics(error) : null;
    if (!known) throw error;
    await print(context, { ...NOTHING_FOUND, diagnostics: known.diagnostics }, { ...options, format: name, stage: options.name ?? null });
    return known.exit;
  }
}

const NOTHING_FOUND: Omit<DriftReport, "diagnostics"> = {
  missing: [],
  changed: [],
  unmanaged: [],
  unobservable: [],
  unchecked: [],
  undecided: [],
  truncated: [],
};

/** Prints the report on stdout, and for people its messages on stderr. */
async function print(
  context: Output & ServiceContext,
  report: DriftReport,
  { format: name, stage, config, team, failOn }: DriftOptions & Pick<ShownDrift, "stage">,
): Promise<ExitCode> {
  const format = await DRIFT_FORMATS[name]();
  const status = driftStatus(report, { failOnUnmanaged: failOn === "unmanaged" });
  const diagnostics = arrangedDiagnostics(context, report.diagnostics, "out");
  const advice = driftAdvice((command, options = "") => context.asCalled(`outreach ${command} ${context.given}${options}`.trimEnd()));
  const shown = { name: configurationName(context, config, team[0]), stage, commit: commitIn(context.environment) };
  context.out(format({ ...shown, report: { ...report, diagnostics }, status, advice }, documentContext(context)));
  context.summarize(driftSummary(report, status));
  if (name !== "json") printDiagnostics(context, report.diagnostics);
  return EXIT_CODES[status];
}
