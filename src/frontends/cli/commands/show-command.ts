import { Option } from "commander";
import { FORMATS, FORMAT_NAMES, type FormatName } from "../../../output/formats/formats.ts";
import type { CommandDefinition } from "../program/command-definition.ts";
import { formatName, type CommandOptions, withPlanFile, withStatePath } from "../program/command-options.ts";
import { isPlanFolder, readPlan } from "../plans/plan-file.ts";
import { teamsDocument } from "../plans/plan-folder.ts";
import { assertKnownTypes } from "../../../core/state/known-types.ts";
import { readRecords } from "../../../operations/state/records.ts";
import { documentContext, savedPlanDocument } from "../plans/show-documents.ts";

interface ShowOptions extends CommandOptions {
  readonly format: FormatName;
}

/** Prints a saved plan, or the state, in the format that was asked for. Needs neither the service nor a key. */
export const definition: CommandDefinition<ShowOptions, readonly [planFile: string | undefined]> = {
  description: "prints the state, or a plan saved by outreach plan --out",
  example: { lines: ["outreach show", "outreach show --json saved.plan"] },
  declare: (command) =>
    withPlanFile(withStatePath(command))
      .argument(
        "[planfile]",
        "a plan saved by outreach plan --out; with --format html or markdown, also the folder of several teams",
      )
      .option("--json", "print Terraform's JSON, as --format json does", false)
      .addOption(new Option("--format <format>", "the output format").choices(FORMAT_NAMES).default("text")),
  run: async (context, { options: { json = false, format: named, ...options }, operands: [planFile] }) => {
    const format = await FORMATS[formatName({ json, format: named })].load();
    if (planFile === undefined) {
      const { document } = (await readRecords(context, options)).open;
      assertKnownTypes(context.catalog, document);
      context.out(format.state(document, documentContext(context)));
      return 0;
    }
    if ("teams" in format && (await isPlanFolder(context, planFile))) {
      context.out(await teamsDocument(context, format, planFile, options));
      return 0;
    }
    const { saved } = await readPlan(context, planFile, options);
    context.out(savedPlanDocument(context, format, { saved, path: planFile, team: options.team }));
    return 0;
  },
};
