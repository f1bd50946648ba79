import { FORMATS } from "../../../../output/formats/formats.ts";
import type { CiJob } from "./ci-job.ts";
import type { CommandContext } from "../../command-context.ts";
import { teamsIn } from "../../plans/plan-folder.ts";
import { documentContext } from "../../plans/show-documents.ts";
import type { CommandOptions } from "../../program/command-options.ts";
import { deliver, outputsOf } from "./report-to-job.ts";

interface TeamsReport {
  readonly options: CommandOptions;
  /** A name in place of the state's. */
  readonly name: string | undefined;
  readonly dryRun: boolean;
}

/** Reports the plans of several teams, which are in a folder, as one comment. Needs neither the service nor its keys. */
export async function reportTeams(
  context: CommandContext,
  job: CiJob | null,
  folder: string,
  { options, name, dryRun }: TeamsReport,
): Promise<void> {
  const { plans, shown } = await teamsIn(context, folder, options);
  const run = { commit: job?.change?.commit ?? null, run: job?.run ?? null };
  const { teams } = await FORMATS.markdown.load();
  const text = teams(plans, { ...shown, stage: name ?? null, run }, documentContext(context));
  await deliver(context, job, {
    body: context.redactor.redact(text),
    outputs: outputsOf(plans.map(({ plan }) => plan)),
    dryRun,
  });
}
