import { countOf } from "../../../core/model/words.ts";
import { DiagnosticsError } from "../../../core/model/diagnostic.ts";
import { shellWord } from "../../../core/model/shell-word.ts";
import { yamlText } from "../../convert/yaml-text.ts";
import type { Hints, WorkingFolder } from "../../../operations/context.ts";
import type { CommandContext } from "../command-context.ts";
import { assertNew, createNew, isFileOf } from "../new-file.ts";
import type { CommandDefinition } from "../program/command-definition.ts";
import { DEFAULT_CONFIG } from "../../../operations/options.ts";
import { type StateOptions, withState } from "../program/command-options.ts";
import { leftOutWarnings } from "../screen/left-out-warnings.ts";
import { printDiagnostics } from "../screen/print-diagnostics.ts";

import { type Generated, generate } from "../../../operations/generate.ts";

interface GenerateOptions extends StateOptions {
  readonly out?: string;
  readonly all: boolean;
}

const WRITER = { command: "generate", option: "--out" };

/** Writes a configuration for live webhooks. */
export const generateCommand: CommandDefinition<GenerateOptions> = {
  name: "generate",
  description: "writes YAML with imports for the live webhooks that are not in the state; sends no writes",
  example: { purpose: "to adopt webhooks that were made by hand", lines: ["outreach generate --out outreach.yaml"] },
  declare: (command) =>
    withState(command)
      .option("--out <file>", "write to a new file instead of stdout; never overwrites a file")
      .option(
        "--all",
        "also write the webhooks that are in the state, for a new configuration in place of a lost one",
        false,
      ),
  run: async (context, { options }) => {
    if (options.out !== undefined) await assertNew(context, options.out, WRITER);
    const generated = await generate(context, options);
    printDiagnostics(context, leftOutWarnings(generated.leftOut));
    const { counts, leftOut, isConfigured, isServiceEmpty } = generated;
    if (counts.declared + counts.imports > 0) {
      await write(context, yamlText(generated.configuration, context.catalog, generated.comments), {
        ...options,
        generated,
      });
      return 0;
    }
    const reason = isServiceEmpty
      ? "the service lists no webhooks"
      : "the state or the configuration has every live webhook";
    context.err(`Nothing to write${leftOut.length > 0 ? "" : `: ${reason}`}.\n`);
    if (!isServiceEmpty && !isConfigured)
      context.err(
        `To write those of the state, too: ${context.asCalled(`outreach generate --all ${context.given}`.trimEnd())}\n`,
      );
    return 0;
  },
};

interface Written extends GenerateOptions {
  readonly generated: Generated;
}

async function write(context: CommandContext, text: string, { generated, ...options }: Written): Promise<void> {
  const { out, showEmails } = options;
  const isHidden = !showEmails && (out !== undefined || context.hidesEmails.out);
  if (isHidden && context.personal.mask(text) !== text)
    throw DiagnosticsError.of("generate_emails", "The YAML would contain email addresses of leads", {
      detail:
        "A target URL or the name of a campaign contains the address of a lead, and a masked address would make the YAML useless. Nothing was written.",
      hint: "Pass --show-emails to write it, and store the result where personal data may be stored.",
    });
  if (out === undefined) {
    context.out(text);
    return;
  }
  await createNew(context, out, { ...WRITER, text });
  const { counts, isConfigured } = generated;
  context.out(
    `Wrote ${countOf(counts.declared, "webhook")} and ${countOf(counts.imports, "import")} to ${out}.\n\n${context.asCalled(await nextStep(context, out, { ...options, isConfigured }))}\n`,
  );
}

/** A second configuration with the same state would plan to delete what only the first one declares. */
async function nextStep(
  context: Hints & WorkingFolder,
  out: string,
  { config, state, isConfigured, all }: GenerateOptions & Pick<Generated, "isConfigured">,
): Promise<string> {
  const place = state === undefined ? "" : ` --state ${shellWord(state)}`;
  const option = out === DEFAULT_CONFIG ? "" : ` -c ${shellWord(out)}`;
  if (!isConfigured || all) return `Review it, then check the plan: outreach plan${option}${place}`;
  if (context.form.isStack)
    return `Review it, then convert it for your application: outreach convert${option} --to cdk`;
  const check = `check the plan: outreach plan ${context.given}`.trimEnd();
  if (await isFileOf(context, out, config)) return `Review it, then ${check}`;
  return `Review it, then copy its sections into ${config}, or keep both files in one folder and pass -c FOLDER. Then ${check}`;
}
