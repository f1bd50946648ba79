import { firstFew, countOf } from "../../../core/model/words.ts";
import { undecidedDiagnostics } from "../../../core/apply/run/plan-run.ts";
import { type Diagnostic, DiagnosticsError } from "../../../core/model/diagnostic.ts";
import { shellWord } from "../../../core/model/shell-word.ts";
import { driftReport } from "../../../core/plan/drift-report.ts";
import { yamlText } from "../../convert/yaml-text.ts";
import { WEBHOOK } from "../../convert/adoption/live-webhook.ts";
import type { Adoption } from "../../convert/adoption/adoption.ts";
import type { ExitCode, Hints, Output, WorkingFolder } from "../command-context.ts";
import { hasConfiguration, withoutConfiguration } from "../configuration/load-configuration.ts";
import { resolvePath } from "../configuration/named-file.ts";
import type { CommandDefinition } from "../program/command-definition.ts";
import { DEFAULT_CONFIG, type StateOptions, withState } from "../program/options.ts";
import { printDiagnostics } from "../screen/print-diagnostics.ts";
import { adoptLive } from "../session/adopt-live.ts";
import { compareLive } from "../session/compare-live.ts";
import type { ServiceContext } from "../session/connection.ts";
import { withSession } from "../session/session.ts";

interface GenerateOptions extends StateOptions {
  readonly out?: string;
  readonly all: boolean;
}

export const generateCommand: CommandDefinition<GenerateOptions> = {
  name: "generate",
  description: "writes YAML with imports for the live webhooks that are not in the state; sends no writes",
  example: { purpose: "to adopt webhooks that were made by hand", lines: ["outreach generate --out outreach.yaml"] },
  declare: (command) =>
    withState(command)
      .option("--out <file>", "write to a new file instead of stdout; never overwrites a file")
      .option("--all", "also write the webhooks that are in the state, for a new configuration in place of a lost one", false),
  run: (context, { options }) => generate(context, options),
};

/** Writes a configuration for live webhooks. Sends no writes, stores nothing in the state, resolves no secret. */
async function generate(context: Output & ServiceContext, options: GenerateOptions): Promise<ExitCode> {
  if (options.out !== undefined) await assertNew(context, options.out);
  const isConfigured = await hasConfiguration(context, options);
  const needs = options.all || !isConfigured ? "settings" : "everything";
  return withSession(context, options, { operation: "generate", persists: false, needs }, async (session): Promise<ExitCode> => {
    const evaluate = needs === "settings" ? withoutConfiguration(context).evaluate : session.loaded.evaluate;
    const compared = await compareLive(session, evaluate, { confirm: true });
    const { plan, document } = compared.planned;
    const { diagnostics } = driftReport({ catalog: context.catalog, instances: document.instances, plan, listings: compared.listings });
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    if (errors.length > 0) throw new DiagnosticsError(errors);
    if (plan.undecided.length > 0) throw new DiagnosticsError(undecidedDiagnostics(compared.planned), { undecided: true });
    const adopted = await adoptLive(context, session, { ...compared, all: options.all });
    printDiagnostics(context, warningsOf(adopted));
    if (adopted.counts.declared + adopted.counts.imports === 0) {
      const isEmpty = compared.listings.get(WEBHOOK)?.objects.length === 0;
      const reason = isEmpty ? "the service lists no webhooks" : "the state or the configuration has every live webhook";
      context.err(`Nothing to write${adopted.leftOut.length > 0 ? "" : `: ${reason}`}.\n`);
      if (!isEmpty && !isConfigured)
        context.err(`To write those of the state, too: ${context.asCalled(`outreach generate --all ${context.given}`.trimEnd())}\n`);
      return 0;
    }
    await write(context, yamlText(adopted.configuration, context.catalog, adopted.comments), { ...options, adopted, isConfigured });
    return 0;
  });
}

interface Written extends GenerateOptions {
  readonly adopted: Adoption;
  readonly isConfigured: boolean;
}

async function write(context: Hints & Output & ServiceContext, text: string, { adopted, ...options }: Written): Promise<void> {
  const { out, showEmails } = options;
  const isHidden = !showEmails && (out !== undefined || context.hidesEmails.out);
  if (isHidden && context.personal.mask(text) !== text) throw new DiagnosticsError([emailsHidden()]);
  if (out === undefined) {
    context.out(text);
    return;
  }
  await create(context, out, text);
  const { declared, imports } = adopted.counts;
  context.out(
    `Wrote ${countOf(declared, "webhook")} and ${countOf(imports, "import")} to ${out}.\n\n${context.asCalled(await nextStep(context, out, options))}\n`,
  );
}

/** A second configuration with the same state would plan to delete what only the first one declares. */
async function nextStep(context: Hints & WorkingFolder, out: string, { config, state, isConfigured, all }: Omit<Written, "adopted">): Promise<string> {
  const place = state === undefined ? "" : ` --state ${shellWord(state)}`;
  const option = out === DEFAULT_CONFIG ? "" : ` -c ${shellWord(out)}`;
  if (!isConfigured || all) return `Review it, then check the plan: outreach plan${option}${place}`;
  if (context.form.isStack) return `Review it, then convert it for your application: outreach convert${option} --to cdk`;
  const check = `check the plan: outreach plan ${context.given}`.trimEnd();
  if (await isFileOf(context, out, config)) return `Review it, then ${check}`;
  return `Review it, then copy its sections into ${config}, or keep both files in one folder and pass -c FOLDER. Then ${check}`;
}

/** Whether a file belongs to a configuration that is a folder. */
async function isFileOf({ files, folder }: WorkingFolder, file: string, config: string): Promise<boolean> {
  const whole = resolvePath(folder, config).replace(/\/+$/, "");
  return (await files.kind(whole)) === "folder" && resolvePath(folder, file).replace(/\/[^/]*$/, "") === whole;
}

async function assertNew({ files, folder }: WorkingFolder, path: string): Promise<void> {
  if ((await files.kind(resolvePath(folder, path))) !== null) throw new DiagnosticsError([exists(path)]);
}

/** Throws for a file that appeared in the meantime, too. */
async function create({ files, folder }: WorkingFolder, path: string, text: string): Promise<void> {
  try {
    await files.createExclusively(resolvePath(folder, path), new TextEncoder().encode(text), { isPublic: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") throw new DiagnosticsError([exists(path)]);
    if (code === "ENOENT" || code === "ENOTDIR") throw new DiagnosticsError([noFolder(path)]);
    throw error;
  }
}

function exists(path: string): Diagnostic {
  return {
    code: "generate_exists",
    severity: "error",
    summary: "The file exists",
    detail: `${path} exists, and generate never overwrites a file. Nothing was written.`,
    hint: "Pass another path to --out, or omit --out to print the YAML.",
  };
}

function noFolder(path: string): Diagnostic {
  return {
    code: "generate_no_folder",
    severity: "error",
    summary: "No such folder",
    detail: `The folder of ${path} does not exist. Nothing was written.`,
    hint: "Create the folder, or pass another path to --out.",
  };
}

const MAX_SHOWN = 10;

function warningsOf({ leftOut }: Adoption): readonly Diagnostic[] {
  if (leftOut.length === 0) return [];
  const shown = leftOut.map(({ id, why }) => `${id}: ${why}`);
  return [
    {
      code: "generate_left_out",
      severity: "warning",
      summary: `${leftOut.length === 1 ? "A live webhook was" : `${String(leftOut.length)} live webhooks were`} left out`,
      detail: `${firstFew(shown, MAX_SHOWN, { separator: "\n", last: "\n… and " })}${leftOut.length > MAX_SHOWN ? ", at the end of the YAML." : ""}`,
    },
  ];
}

function emailsHidden(): Diagnostic {
  return {
    code: "generate_emails",
    severity: "error",
    summary: "The YAML would contain email addresses of leads",
    detail: "A target URL or the name of a campaign contains the address of a lead, and a masked address would make the YAML useless. Nothing was written.",
    hint: "Pass --show-emails to write it, and store the result where personal data may be stored.",
  };
}
