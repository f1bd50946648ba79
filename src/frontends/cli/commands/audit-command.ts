import { Option } from "commander";
import { audit } from "../../../operations/audit.ts";
import { arrangedDiagnostics } from "../../../operations/messages/arrange-diagnostics.ts";
import { auditSentences } from "../../../output/content/audit-report.ts";
import { AUDIT_FORMATS, AUDIT_FORMAT_NAMES, type AuditFormatName } from "../../../output/formats/formats.ts";
import type { CommandDefinition } from "../program/command-definition.ts";
import { formatName, parseDurationMs, type StateOptions, withState } from "../program/command-options.ts";
import { documentContext } from "../plans/show-documents.ts";
import { printDiagnostics } from "../screen/print-diagnostics.ts";

interface AuditOptions extends StateOptions {
  readonly json: boolean;
  readonly format: AuditFormatName;
  readonly olderThan?: number;
  /** Prints only the part of this team: the other teams follow. */
  readonly isPart?: boolean;
}

/** Prints everything that is live, by who has it and what is wrong with it. */
export const auditCommand: CommandDefinition<AuditOptions> = {
  name: "audit",
  description: "reports every live webhook: managed or not, duplicates, overlaps, dead campaigns, leftovers of automation tools; sends no writes",
  example: { purpose: "to see what an account has gathered", lines: ["outreach audit --older-than 365d", "outreach audit --format html > audit.html"] },
  declare: (command) =>
    withState(command)
      .addOption(new Option("--older-than <duration>", "also report webhooks that were created longer ago, as in 365d").argParser(parseDurationMs))
      .option("--json", "print one JSON object, as --format json does", false)
      .addOption(new Option("--format <format>", "the output format").choices(AUDIT_FORMAT_NAMES).default("text")),
  forTeams: {
    json: "document",
    call: (_context, _invocation, { isOnly }) => Promise.resolve({ options: { isPart: !isOnly } }),
    join: async (context, { options }) => {
      const format = await AUDIT_FORMATS[options.format]();
      return (parts) => format.document(parts, documentContext(context));
    },
  },
  run: async (context, { options }) => {
    const found = await audit(context, { ...options, olderThanMs: options.olderThan ?? null });
    const name = formatName(options);
    const [format, shown] = [await AUDIT_FORMATS[name](), documentContext(context)];
    const [team = null] = options.team;
    const diagnostics = arrangedDiagnostics(context, found.diagnostics, { hidesEmails: context.hidesEmails.out });
    const text = format.part({ ...found, team, diagnostics }, shown);
    context.out(options.isPart ? text : format.document([{ team, text }], shown));
    context.summarize(auditSentences(found, context.catalog)[0] ?? "");
    if (name !== "json") printDiagnostics(context, found.diagnostics);
    return 0;
  },
};
