import { countOf } from "../../../../core/model/words.ts";
import { DiagnosticsError } from "../../../../core/model/diagnostic.ts";
import { countSteps, hasChanges, type Plan } from "../../../../core/plan/plan.ts";
import { FORMATS } from "../../../../output/formats/formats.ts";
import {
  type ChangeRequest,
  type CiJob,
  type GithubJob,
  type JobOutputs,
  fitsSummary,
  githubOutputs,
} from "./ci-job.ts";
import { ciRequests } from "./ci-requests.ts";
import { type CommentThread, type ThreadHost, hostThread, threadRequests, MissingPermission } from "./host-thread.ts";
import { githubComments, githubHeaders } from "./github-comments.ts";
import { gitlabHeaders, gitlabNotes } from "./gitlab-notes.ts";
import { type KeptComment, keepComment } from "./keep-comment.ts";
import type { CommandContext, ExitCode } from "../../command-context.ts";
import { resolvePath } from "../../../../operations/configuration/named-file.ts";
import { lazyWeb, requestTimeoutMs } from "../../../../operations/service/lazy-web.ts";
import { assumedIn, documentContext, shownPlan } from "../../plans/show-documents.ts";
import { EVERYTHING } from "../../../../core/plan/plan-context.ts";
import { modeOf, type ShownPlan } from "../../../../output/content/output-format.ts";
import { configurationName, stageName } from "../../../../operations/configuration/configuration-name.ts";
import type { CommandOptions } from "../../program/command-options.ts";
import { arrangedDiagnostics } from "../../../../operations/messages/arrange-diagnostics.ts";
import { withView } from "../../screen/view.ts";
import { plan as planRun } from "../../../../operations/plan.ts";
import { exitCodeOf } from "../../exit-code.ts";
import { outlineOf } from "../../../../operations/saved-plan/configuration-outline.ts";
import { readPlan } from "../../plans/plan-file.ts";
import { withOpenRun } from "../../../../operations/open-run.ts";

interface Report {
  readonly plan: ReportedPlan;
  /** A name in place of the state's. */
  readonly name: string | undefined;
  readonly dryRun: boolean;
}

/** Writes the summary and the outputs of the job, and then keeps its comment. With `dryRun` it only prints what it would send. */
export async function reportToJob(
  context: CommandContext,
  job: CiJob | null,
  { plan: { plan, shown }, name, dryRun }: Report,
): Promise<void> {
  const format = await FORMATS.markdown.load();
  const run = { commit: job?.change?.commit ?? null, run: job?.run ?? null };
  const body = context.redactor.redact(
    format.plan(plan, { ...shown, stage: name ?? shown.stage, run }, documentContext(context)),
  );
  await deliver(context, job, { body, outputs: outputsOf([plan]), dryRun });
}

/** What later steps of the job read about all of these plans. */
export function outputsOf(plans: readonly Plan[]): JobOutputs {
  const counts = plans.map(({ steps }) => countSteps(steps));
  const sum = (name: "add" | "change" | "destroy"): number => counts.reduce((total, one) => total + one[name], 0);
  const isChanged = plans.some(hasChanges);
  const exitCode = plans.some(({ undecided }) => undecided.length > 0) ? 3 : isChanged ? 2 : 0;
  return {
    counts: { add: sum("add"), change: sum("change"), destroy: sum("destroy") },
    hasChanges: isChanged,
    exitCode,
  };
}

/** Writes the summary and the outputs, and keeps the comment, or prints what it would send. */
export async function deliver(
  context: CommandContext,
  job: CiJob | null,
  { body: text, outputs, dryRun }: Written & Pick<Report, "dryRun">,
): Promise<void> {
  const body = context.asCalled(text);
  if (dryRun) return printRequests(context, job, { body, outputs });
  if (job?.host === "github") await writeFiles(context, job, { body, outputs });
  if (job?.change) await comment(context, job, { change: job.change, body, isCreated: outputs.exitCode !== 0 });
  else
    context.out(
      `This job has no ${job?.host === "gitlab" ? "merge" : "pull"} request, so there is nothing to comment on.\n`,
    );
}

interface Written {
  readonly body: string;
  readonly outputs: JobOutputs;
}

function printRequests(context: CommandContext, job: CiJob | null, { body, outputs }: Written): void {
  const { change } = job ?? {};
  if (job?.host === "github") context.out(`Outputs of the step:\n${githubOutputs(outputs)}\n`);
  if (!job) context.out("Not in a job of GitHub Actions or GitLab CI: no request.\n\n");
  else if (!change) context.out("This job has no pull or merge request: no request.\n\n");
  else {
    const { create, update } = threadRequests(threadHost(job, change)).requests;
    context.out(`${outputs.exitCode === 0 ? "" : `${create}\nor, if the comment exists:\n`}${update}\n\n`);
  }
  context.out(`${body.trimEnd()}\n`);
}

/** Both files are there for the step alone, and GitHub reads them when it has ended. */
async function writeFiles(
  context: CommandContext,
  { summaryFile, outputFile }: GithubJob,
  { body, outputs }: Written,
): Promise<void> {
  const { files, folder } = context;
  const append = async (file: string, bytes: Uint8Array): Promise<void> => {
    const opened = await files.openAppend(resolvePath(folder, file), { isPublic: true });
    try {
      await opened.append(bytes);
    } finally {
      await opened.close();
    }
  };
  if (outputFile !== null) await append(outputFile, new TextEncoder().encode(githubOutputs(outputs)));
  if (summaryFile === null) return;
  const bytes = new TextEncoder().encode(`${body}\n`);
  const before = await files.read(resolvePath(folder, summaryFile), { followLinks: true });
  if (fitsSummary(before?.length ?? 0, bytes)) await append(summaryFile, bytes);
  else context.err("The summary of this step is full (1 MiB), so the plan was not added to it.\n");
}

interface Commented {
  readonly change: ChangeRequest;
  readonly body: string;
  readonly isCreated: boolean;
}

async function comment(context: CommandContext, job: CiJob, { change, body, isCreated }: Commented): Promise<void> {
  const { clock, stop } = context;
  if (job.token === null) {
    // A secret of the repository is empty there.
    if (change.isFork) return sayReadOnly(context, job);
    throw missingToken(job);
  }
  const thread = await openThread(context, { job, change, token: job.token });
  try {
    const kept = await keepComment(thread, { body, isCreated, sleep: (durationMs) => clock.sleep(durationMs, stop) });
    context.out(keptText(thread, kept));
  } catch (error) {
    if (!(error instanceof MissingPermission) || !change.isFork) throw error;
    sayReadOnly(context, job);
  }
}

async function openThread(
  context: CommandContext,
  { job, change, token }: { readonly job: CiJob; readonly change: ChangeRequest; readonly token: string },
): Promise<CommentThread> {
  context.redactor.add(token);
  if (!/^[\x21-\x7E]+$/.test(token)) throw brokenToken(job);
  const web = await lazyWeb(context)();
  const headers = {
    ...(job.host === "github" ? githubHeaders(token) : gitlabHeaders(token)),
    "user-agent": `outreach-as-code/${context.version}`,
  };
  const ports = { web, clock: context.clock, signal: context.stop, timeoutMs: requestTimeoutMs(context) };
  return hostThread(threadHost(job, change), ciRequests(ports, headers));
}

function threadHost(job: CiJob, change: ChangeRequest): ThreadHost {
  return job.host === "github" ? githubComments(job, change) : gitlabNotes(job, change);
}

/** The job of a fork may not write. That is no mistake of its author. */
function sayReadOnly(context: CommandContext, { host }: CiJob): void {
  const rest =
    host === "github"
      ? "The plan is in the summary of the job."
      : "The plan is in the log and the artifacts of the job.";
  context.out(`The commits are in a fork, whose jobs get no token that may comment. ${rest}\n`);
}

const DONE = {
  created: "Created the comment",
  updated: "Updated the comment",
  unchanged: "The comment is up to date",
  later: "A later run has commented already. Its comment stays",
} as const;

function keptText({ name }: CommentThread, kept: KeptComment): string {
  if (kept.outcome === "none") return `No changes, and no earlier comment on ${name}: nothing to comment.\n`;
  const removed =
    kept.removed === 0 ? "" : `Removed ${countOf(kept.removed, "duplicate")} that another job had created.\n`;
  return `${DONE[kept.outcome]} on ${name}${kept.url === null ? "" : `: ${kept.url}`}\n${removed}`;
}

/** The error `ci_job_missing`. */
export function missingJob(): DiagnosticsError {
  const detail =
    "outreach comment runs in a job of GitHub Actions (GITHUB_ACTIONS=true) or GitLab CI (GITLAB_CI=true). Neither variable is set.";
  const hint = "To see the comment here, pass --dry-run.";
  return DiagnosticsError.of("ci_job_missing", "Not in a CI job", { detail, hint });
}

function missingToken({ host }: CiJob): DiagnosticsError {
  const [detail, hint] =
    host === "github"
      ? [
          "GITHUB_TOKEN is not set. GitHub does not set it for commands.",
          "Add it to the step:\n    env:\n      GITHUB_TOKEN: ${{ github.token }}",
        ]
      : [
          "GITLAB_TOKEN is not set. The job's own token, CI_JOB_TOKEN, cannot write notes.",
          "Create a project access token with the scope api and the role Reporter, and store it as the masked variable GITLAB_TOKEN.",
        ];
  return DiagnosticsError.of("ci_token_missing", "No token for the CI", { detail, hint });
}

/** HTTP cannot carry it. */
function brokenToken({ host }: CiJob): DiagnosticsError {
  const name = host === "github" ? "GITHUB_TOKEN" : "GITLAB_TOKEN";
  const detail = `${name} contains white space, or characters that tokens do not have. Nothing was sent.`;
  return DiagnosticsError.of("ci_token_invalid", "The token is not valid", {
    detail,
    hint: `Store the token alone in ${name}, without a line end.`,
  });
}

/** A plan, and what a report says about it. */
export interface ReportedPlan {
  readonly plan: Plan;
  readonly shown: ShownPlan;
}

/** The plan in a file. Needs neither the service nor its key. */
export async function savedPlan(context: CommandContext, path: string, options: CommandOptions): Promise<ReportedPlan> {
  const { saved } = await readPlan(context, path, options);
  return { plan: saved.plan, shown: shownPlan(context, { saved, path, team: options.team }) };
}

/** Plans as `outreach plan` does, shows the plan, and passes it on. A plan with errors is only shown: exit code 1. */
export function planNow(
  context: CommandContext,
  options: CommandOptions,
  report: (plan: ReportedPlan) => Promise<void>,
): Promise<ExitCode> {
  return withView(context, options, (view) =>
    withOpenRun(context, { ...options, operation: "plan", persists: false }, async (run) => {
      const planned = await planRun(run, { ...options, approval: "open" });
      view.plan(planned);
      if (planned.status === "failed") return exitCodeOf(planned.status);
      view.say("\n");
      const { messages, document } = planned;
      const diagnostics = arrangedDiagnostics(context, [...messages, ...planned.plan.diagnostics], {
        hidesEmails: context.hidesEmails.out,
      });
      const configuration = configurationName(context, options.config, run.loaded.configuration.team);
      const stage = stageName(context, run.store, run.loaded.configuration);
      const [mode, outline, assumed] = [modeOf(planned.options), outlineOf(run, planned), assumedIn(messages)];
      const shown = {
        mode,
        configuration,
        stage,
        scope: EVERYTHING,
        planFile: null,
        diagnostics,
        outline,
        withSecrets: run.loaded.withSecrets,
        assumed,
        outputs: document.outputs,
      };
      await report({ plan: planned.plan, shown });
      return 0;
    }),
  );
}
