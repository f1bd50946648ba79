import { Option } from "commander";
import { countOf, firstFew } from "../../../../core/model/words.ts";
import { type Diagnostic, DiagnosticsError, warningOf } from "../../../../core/model/diagnostic.ts";
import { shellWord } from "../../../../core/model/shell-word.ts";
import { yamlText } from "../../../generate/yaml-text.ts";
import type { OperationContext } from "../../../../operations/context.ts";
import type { CommandContext } from "../../command-context.ts";
import { assertNew, createNew, isFileOf } from "../../new-file.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import { DEFAULT_CONFIG } from "../../../../operations/options.ts";
import { type CommandOptions, withState } from "../../program/command-options.ts";
import type { LeftOut } from "../../../generate/adoption/live-webhook.ts";
import { printDiagnostics } from "../../screen/print-diagnostics.ts";

import { type Generated, generate } from "../../../../operations/generate.ts";
import { type FromStateOptions, generateFromState } from "./generate-from-state.ts";

interface GenerateOptions extends CommandOptions {
  readonly out?: string;
  /** True: the state of the configuration. */
  readonly fromState?: string | true;
  readonly to?: FromStateOptions["to"];
}

const MAX_SHOWN = 10;
const WRITER = { command: "generate", option: "--out" };

/** Writes a configuration for live webhooks. */
export const definition: CommandDefinition<GenerateOptions> = {
  description: "writes YAML with imports for the live webhooks that are not in the state; sends no writes",
  example: {
    purpose: "to adopt webhooks that were made by hand, or to continue with Terraform",
    lines: ["outreach generate --out outreach.yaml", "outreach generate --from-state --to hcl > main.tf"],
  },
  declare: (command) =>
    withState(command)
      .option("--out <file>", "write to a new file instead of stdout; never overwrites a file")
      .option(
        "--from-state [file]",
        "write the webhooks of the state instead, for another tool to take over; FILE is what terraform show -json prints",
      )
      .addOption(new Option("--to <form>", "the form of the webhooks of the state").choices(["yaml", "hcl"])),
  run: async (context, { options }) => {
    assertTogether(options);
    if (options.out !== undefined) await assertNew(context, options.out, WRITER);
    const { fromState, to } = options;
    if (fromState !== undefined && to !== undefined) {
      const file = fromState === true ? null : fromState;
      await writeFromState(context, { ...options, file, to });
      return 0;
    }
    const generated = await generate(context, options);
    printDiagnostics(context, leftOutWarnings(generated.leftOut));
    const { counts, leftOut, isConfigured, isServiceEmpty } = generated;
    if (counts.declared + counts.imports > 0) {
      const isFile = await write(
        context,
        yamlText(generated.configuration, context.catalog, generated.comments),
        options,
      );
      if (isFile) await printNext(context, options, generated);
      return 0;
    }
    const reason = isServiceEmpty
      ? "the service lists no webhooks"
      : "the state or the configuration has every live webhook";
    context.err(`Nothing to write${leftOut.length > 0 ? "" : `: ${reason}`}.\n`);
    if (!isServiceEmpty && !isConfigured)
      context.err(
        `To write those of the state: ${context.asCalled(`outreach generate ${context.given}--from-state --to yaml`)}\n`,
      );
    return 0;
  },
};

/** Throws for options of two kinds of generated configurations. */
function assertTogether({ fromState, to }: GenerateOptions): void {
  const conflict = (detail: string, hint: string): never => {
    throw DiagnosticsError.of("options_conflict", "Conflicting options", { detail, hint });
  };
  if (fromState === undefined && to !== undefined)
    conflict(`--to ${to} is the form of the webhooks of a state.`, "Pass --from-state too.");
  if (fromState !== undefined && to === undefined)
    conflict("--from-state needs the form to write.", "Pass --to yaml or --to hcl.");
}

async function writeFromState(
  context: CommandContext,
  options: GenerateOptions & Pick<FromStateOptions, "file" | "to">,
): Promise<void> {
  const { text, webhooks, imports, place, steps, notes } = await generateFromState(context, options);
  printDiagnostics(context, notes);
  if (webhooks === 0) {
    context.err(`Nothing to write: ${place} has no webhooks.\n`);
    return;
  }
  const next = context.asCalled(steps);
  if (!(await write(context, text, options))) context.err(`\n${next}`);
  else context.out(`${wroteTo(options.out ?? "", webhooks, imports)}\n\n${next}`);
}

function wroteTo(out: string, webhooks: number, imports: number): string {
  return `Wrote ${countOf(webhooks, "webhook")} and ${countOf(imports, "import")} to ${out}.`;
}

async function printNext(
  context: CommandContext,
  { out = "", ...options }: GenerateOptions,
  { counts, isConfigured }: Generated,
): Promise<void> {
  const next = await nextStep(context, out, { ...options, isConfigured });
  context.out(`${wroteTo(out, counts.declared, counts.imports)}\n\n${context.asCalled(next)}\n`);
}

/** Writes to the file or to stdout; whether it was the file. */
async function write(
  context: CommandContext,
  text: string,
  { out, showEmails }: Pick<GenerateOptions, "out" | "showEmails">,
): Promise<boolean> {
  const isHidden = !showEmails && (out !== undefined || context.hidesEmails.out);
  if (isHidden && context.personal.mask(text) !== text)
    throw DiagnosticsError.of("generate_emails", "The result would contain email addresses of leads", {
      detail:
        "A target URL or the name of a campaign contains the address of a lead, and a masked address would make the result useless. Nothing was written.",
      hint: "Pass --show-emails to write it, and store the result where personal data may be stored.",
    });
  if (out === undefined) context.out(text);
  else await createNew(context, out, { ...WRITER, text });
  return out !== undefined;
}

/** A second configuration with the same state would plan to delete what only the first one declares. */
async function nextStep(
  context: OperationContext,
  out: string,
  { config, state, isConfigured }: GenerateOptions & Pick<Generated, "isConfigured">,
): Promise<string> {
  const place = state === undefined ? "" : ` --state ${shellWord(state)}`;
  const option = out === DEFAULT_CONFIG ? "" : ` -c ${shellWord(out)}`;
  if (!isConfigured) return `Review it, then check the plan: outreach plan${option}${place}`;
  if (context.configurations.isStack)
    return "Review it, then declare the same webhooks and imports in your application.";
  const check = `check the plan: outreach plan ${context.given}`.trimEnd();
  if (await isFileOf(context, out, config)) return `Review it, then ${check}`;
  return `Review it, then copy its sections into ${config}, or keep both files in one folder and pass -c FOLDER. Then ${check}`;
}

/** The live webhooks that a generated configuration does not declare. */
function leftOutWarnings(leftOut: readonly LeftOut[]): readonly Diagnostic[] {
  if (leftOut.length === 0) return [];
  const shown = leftOut.map(({ id, why }) => `${id}: ${why}`);
  return [
    warningOf(
      "generate_left_out",
      `${leftOut.length === 1 ? "A live webhook was" : `${String(leftOut.length)} live webhooks were`} left out`,
      {
        detail: `${firstFew(shown, MAX_SHOWN, { separator: "\n", last: "\n… and " })}${leftOut.length > MAX_SHOWN ? ", at the end of the YAML." : ""}`,
      },
    ),
  ];
}
