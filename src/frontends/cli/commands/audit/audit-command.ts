import { InvalidArgumentError } from "commander";
import { durationMs } from "../../../../core/model/iso-time.ts";
import { DiagnosticsError } from "../../../../core/model/diagnostic.ts";
import { countOf } from "../../../../core/model/words.ts";
import { type Audited, audit } from "./audit.ts";
import { arrangedDiagnostics } from "../../../../operations/messages/arrange-diagnostics.ts";
import { auditSentences } from "./audit-groups.ts";
import { auditJson } from "./audit-json.ts";
import { auditText } from "./audit-text.ts";
import { removalFile } from "./removal-file.ts";
import type { CommandContext } from "../../command-context.ts";
import { assertNew, createNew, isFileOf } from "../../new-file.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import { type CommandOptions, NamedOption, withState } from "../../program/command-options.ts";
import { documentContext } from "../../plans/show-documents.ts";
import { printDiagnostics } from "../../screen/print-diagnostics.ts";

interface AuditOptions extends CommandOptions {
  readonly olderThanMs?: number;
  /** The file to write removals to. */
  readonly removal?: string;
}

const WRITER = { command: "audit", option: "--removal" };

/** Prints everything that is live, by who has it and what is wrong with it. */
export const definition: CommandDefinition<AuditOptions> = {
  description:
    "reports every live webhook: managed or not, duplicates, overlaps, dead campaigns, leftovers of automation tools; sends no writes",
  example: {
    purpose: "to see what an account has gathered",
    lines: ["outreach audit --older-than 365d", "outreach audit --removal removals.yaml"],
  },
  declare: (command) =>
    withState(command)
      .addOption(
        new NamedOption(
          "--older-than <duration>",
          "also report webhooks that were created longer ago, as in 365d",
          "olderThanMs",
        ).argParser(parseAgeMs),
      )
      .option(
        "--removal <file>",
        "write the unmanaged webhooks with a finding to a new file, as removals to cut down and to plan; never overwrites a file",
      )
      .option("--json", "print one JSON object", false),
  forTeams: { json: "document" },
  run: async (context, { options }) => {
    const { removal, json } = options;
    if (removal !== undefined && context.isPart) throw severalTeams();
    if (removal !== undefined) await assertNew(context, removal, WRITER);
    const found = await audit(context, options);
    const diagnostics = arrangedDiagnostics(context, found.diagnostics, { hidesEmails: context.hidesEmails.out });
    context.out((json ? auditJson : auditText)({ ...found, diagnostics }, documentContext(context)));
    context.summarize(auditSentences(found, context.catalog)[0] ?? "");
    if (!json) printDiagnostics(context, found.diagnostics);
    if (removal !== undefined) await writeRemovals(context, { removal, config: options.config, found });
    return 0;
  },
};

/** Without a unit, a number of days would be taken for seconds. */
function parseAgeMs(text: string): number {
  const age = /\d$/.test(text) ? null : durationMs(text);
  if (age === null) throw new InvalidArgumentError("Use a number and a unit, as in 365d.");
  return age;
}

function severalTeams(): DiagnosticsError {
  return DiagnosticsError.of("audit_removal_teams", "A list of removals is about one team", {
    detail: "Ids of webhooks belong to one team of the service, and the configuration has several. Nothing was read.",
    hint: "Name one: --team NAME",
  });
}

/** Messages go to stderr: stdout has the report. */
async function writeRemovals(
  context: CommandContext,
  { removal, config, found }: { readonly removal: string; readonly config: string; readonly found: Audited },
): Promise<void> {
  const { text, listed, kept } = removalFile(found.reports, {
    catalog: context.catalog,
    origin: found.state ?? "this folder",
  });
  if (listed + kept === 0) {
    context.err("No unmanaged webhook has a finding, so nothing was written.\n");
    return;
  }
  // What a person cuts down may be committed, and the URLs are those of others: they may have emails that no configuration has.
  const lines = text.split("\n").map((line) => context.personal.maskLine(line.replaceAll("%40", "@")));
  await createNew(context, removal, { ...WRITER, text: context.redactor.redact(lines.join("\n")) });
  const isPart = await isFileOf(context, removal, config);
  const use = isPart
    ? "It is a part of the configuration"
    : `Copy its removals into ${config}, or keep both files in one folder and pass -c FOLDER`;
  context.err(
    `Wrote ${countOf(listed, "removal")} to ${removal}.\n\nDelete the entries of webhooks that must stay. ${use}. Then check the plan: ${context.asCalled(`outreach plan ${context.given}`.trimEnd())}\n`,
  );
}
