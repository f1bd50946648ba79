import { DiagnosticsError } from "../../../../core/model/diagnostic.ts";
import { findJob } from "./ci-job.ts";
import { resolvePath } from "../../../../operations/configuration/named-file.ts";
import type { CommandDefinition } from "../../program/command-definition.ts";
import { type CommandOptions, withName, withPlanFile, withState } from "../../program/command-options.ts";
import { isPlanFolder } from "../../plans/plan-file.ts";
import { reportTeams } from "./report-teams.ts";
import { type ReportedPlan, planNow, savedPlan, missingJob, reportToJob } from "./report-to-job.ts";

export interface CommentOptions extends CommandOptions {
  /** Absent: the place of the state tells stages apart. */
  readonly name?: string;
  readonly dryRun: boolean;
}

/** Comments on the change that the job belongs to, and writes the job's summary and outputs. */
export const definition: CommandDefinition<CommentOptions, readonly [planFile: string | undefined]> = {
  description: "writes a plan as a comment on the pull or merge request of a CI job, and keeps that comment up to date",
  example: {
    purpose: "in a job of GitHub Actions or GitLab CI, after outreach plan --out saved.plan",
    lines: ["outreach comment saved.plan"],
  },
  declare: (command) =>
    withName(withPlanFile(withState(command)))
      .argument(
        "[planfile]",
        "a plan saved by outreach plan --out; for several teams, the folder; without it, the command plans first",
      )
      .option("--dry-run", "print the requests and the comment, and send nothing to the CI", false)
      .option("--no-secrets", "resolve no secrets and run no commands, for untrusted code"),
  run: async (given, { options, operands: [planFile] }) => {
    const { files, folder, hidesEmails } = given;
    if (options.runKeyCommand && options.secrets === false)
      throw DiagnosticsError.of("options_conflict", "Conflicting options", {
        detail: "--no-secrets runs no commands, so it conflicts with --run-key-command.",
        hint: "A plan made with --no-secrets is not encrypted: omit --run-key-command.",
      });
    // A comment stays where everybody can read it, wherever the output goes.
    const context = { ...given, hidesEmails: { ...hidesEmails, out: !options.showEmails } };
    // Before the plan: a job that cannot comment fails at once.
    const job = await findJob(context.environment, async (file) => {
      const bytes = await files.read(resolvePath(folder, file), { followLinks: true });
      return bytes && new TextDecoder().decode(bytes);
    });
    if (!job && !options.dryRun) throw missingJob();
    const report = (plan: ReportedPlan): Promise<void> =>
      reportToJob(context, job, { plan, name: options.name, dryRun: options.dryRun });
    if (planFile === undefined) return planNow(context, options, report);
    if (await isPlanFolder(context, planFile)) {
      await reportTeams(context, job, planFile, { options, name: options.name, dryRun: options.dryRun });
      return 0;
    }
    await report(await savedPlan(context, planFile, options));
    return 0;
  },
};
