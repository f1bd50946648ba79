import { Option } from "commander";
import { type Diagnostic, warningOf } from "../../../../core/model/diagnostic.ts";
import { countOf } from "../../../../core/model/words.ts";
import { type PersonReport, personReport } from "./person-report.ts";
import { assertKnownTypes } from "../../../../core/state/known-types.ts";
import { resourceOf } from "../../../../core/model/definition.ts";
import { readRecords } from "../../../../operations/state/records.ts";
import { REPORT_FORMATS, type ReportFormatName } from "./report-formats.ts";
import type { CommandContext } from "../../command-context.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import { type CommandOptions, withStatePath } from "../../program/command-options.ts";
import { documentContext } from "../../plans/show-documents.ts";
import { printDiagnostics } from "../../screen/print-diagnostics.ts";

interface ReportOptions extends CommandOptions {
  readonly format: ReportFormatName;
}

/** Prints who asked to be unsubscribed, and what was done about it. Reads only the state. */
export const definition: CommandDefinition<ReportOptions> = {
  description:
    "prints who is unsubscribed: when they asked, why, and the outcome in each campaign; reads only the state",
  example: {
    purpose: "for a data protection officer",
    lines: [
      "outreach report unsubscriptions",
      "outreach report unsubscriptions --format csv --show-emails > report.csv",
    ],
  },
  declare: (command) =>
    withStatePath(command).addOption(
      new Option("--format <format>", "the output format").choices(Object.keys(REPORT_FORMATS)).default("text"),
    ),
  forTeams: {
    json: "document",
    join: (context, { options }) =>
      Promise.resolve((parts) => REPORT_FORMATS[options.format].document(parts, documentContext(context))),
  },
  run: async (context, { options }) => {
    const { document, pending } = (await readRecords(context, options)).open;
    assertKnownTypes(context.catalog, document);
    const report = personReport(context.catalog, document.instances);
    learnTexts(context, report);
    const undecided = pending.filter(({ intent }) => resourceOf(context.catalog, intent.type).irreversible).length;
    const format = REPORT_FORMATS[options.format];
    // A report may be passed on, so a terminal shows no more than a file.
    const hidesEmails = { ...context.hidesEmails, out: !options.showEmails };
    const shown = documentContext({ ...context, hidesEmails });
    const [team = null] = options.team;
    const text = format.part({ team, report, undecided }, shown);
    context.out(context.isPart ? text : format.document([{ team, text }], shown));
    if (undecided > 0 && options.format !== "json") printDiagnostics(context, [undecidedWarning(undecided)]);
    return 0;
  },
};

/** A reason or a source may name a person that is on no list. */
function learnTexts({ personal }: CommandContext, { people }: PersonReport): void {
  for (const { reason, source, requestedAt } of people)
    for (const text of [reason, source, requestedAt]) if (text?.includes("@")) personal.maskLine(text);
}

function undecidedWarning(count: number): Diagnostic {
  return warningOf("report_incomplete", "The report is not complete", {
    detail: `${countOf(count, "unsubscription")} of an earlier run ${count === 1 ? "has" : "have"} no recorded outcome.`,
    ways: [{ kind: "plan" }],
  });
}
