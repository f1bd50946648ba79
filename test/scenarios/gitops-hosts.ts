import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../docs/pages.ts";
import { type GithubRun, type JobRan, runGithubJob } from "../deep/github-runner.ts";
import { type GitlabFront, startGitlabFront } from "../examples/ci/gitlab-front.ts";
import { type GitlabRun, gitlabJobs, runGitlabJob } from "../examples/ci/gitlab-runner.ts";
import type { Artifacts, Runner, Variables } from "../examples/ci/runner.ts";
import { BOT, type GithubServer, PULL, startGithubServer } from "../frontends/ci/github-server.ts";
import { PROJECT_TOKEN } from "../frontends/ci/gitlab-server.ts";
import type { GithubState } from "./github-states.ts";

/** What a repository of a CI host does, with the files of an example. Each job runs on a disk of its own. */
export interface Host {
  /** The example's files for a new repository. */
  seed(folder: string): void;
  /** The variables that reach the state and the service from a workstation. */
  readonly workstation: Variables;
  /** The job of an open pull or merge request that needs no secrets, and the one that plans. */
  validate(branch: string): Promise<JobEnd>;
  review(branch: string): Promise<JobEnd>;
  /** The page that the last review has kept. */
  report(): string;
  /** The jobs after a merge, up to the one that waits for an approval. */
  merged(): Promise<Merged>;
  /** Whether the nightly job reports drift. */
  nightly(): Promise<JobEnd & { readonly isDrift: boolean }>;
  /** On the open pull or merge request; the next one has none. */
  comments(): readonly string[];
  close(): Promise<void>;
}

export interface JobEnd {
  readonly isDone: boolean;
  readonly log: string;
}

export interface Merged extends JobEnd {
  /** Runs the job that was approved; null if the plan has no changes. */
  readonly apply: (() => Promise<JobEnd>) | null;
}

export interface HostOptions {
  readonly runner: Runner;
  /** The bare repository. */
  readonly origin: string;
  readonly baseUrl: string;
  /** The secrets of the repository. */
  readonly secrets: Variables;
  /** Those for jobs of the main branch alone: may change. */
  readonly mainSecrets: { [name: string]: string };
}

const RUN = { OUTREACH_SETTLE: "0s" };

const PASSED: JobRan = { result: "success", log: "", summary: "", outputs: {} };

function commitOf(origin: string, ref: string): string {
  return execFileSync("git", ["-C", origin, "rev-parse", ref], { encoding: "utf8" }).trim();
}

function copyExample(name: string, folder: string): void {
  cpSync(path.join(ROOT, "examples/ci", name), folder, { recursive: true });
}

export interface GithubHost extends Host {
  readonly server: GithubServer;
  /** A run of the workflow that applies, on the main branch. */
  run(event: string): GithubRun;
  /** The jobs of a pull request from a fork, or of the merge queue. */
  jobsFor(from: "fork" | "queue", branch: string): Promise<{ readonly validate: JobRan; readonly plan: JobRan }>;
}

/** GitHub, with the example's workflows and a state. `openState` says where it is, and what to change in the workflows for it. */
export function githubHost(
  openState: () => Promise<GithubState>,
  start = startGithubHost,
): (options: HostOptions) => Promise<GithubHost> {
  return async (options) => start(options, await openState());
}

/** GitHub without required reviewers, with the workflow whose apply is started by hand. */
export async function startGithubByHand(options: HostOptions, state: GithubState): Promise<GithubHost> {
  const host = await startGithubHost(options, state);
  return {
    ...host,
    seed: (folder) => {
      host.seed(folder);
      copyExample("github-by-hand", folder);
    },
    merged: async () => {
      const [jobs, dispatched] = [host.run("push"), host.run("workflow_dispatch")];
      const environment = { ...jobs.environment, GITHUB_RUN_ID: "16523987421" };
      if ((await runGithubJob(jobs, "apply")).result !== "skipped") throw new Error("the apply waits for nobody");
      const plan = ended(await runGithubJob({ ...jobs, environment }, "plan"));
      const [, number = ""] = /run the workflow with the number (\d+)\./.exec(plan.log) ?? [];
      const byHand = {
        ...dispatched,
        event: { ...dispatched.event, inputs: { run: number } },
        earlier: { [environment.GITHUB_RUN_ID]: jobs.artifacts },
      };
      return { ...plan, apply: number === "" ? null : async () => ended(await runGithubJob(byHand, "apply")) };
    },
  };
}

const ended = ({ result, log, summary }: JobRan): JobEnd => ({ isDone: result === "success", log: log + summary });

async function startGithubHost(
  { runner, origin, baseUrl, secrets, mainSecrets }: HostOptions,
  state: GithubState,
): Promise<GithubHost> {
  const server = await startGithubServer();
  let tokens = 0;
  let reviewed: GithubRun | null = null;
  const run = (workflow: string, event: GithubRun["event"], artifacts: Artifacts = new Map()): GithubRun => ({
    runner,
    origin,
    workflow,
    event,
    secrets: { ...secrets, ...state.secrets },
    environmentSecrets: { ...mainSecrets, ...state.environmentSecrets },
    tokenFor: (permissions) => {
      const token = `ghs_job-token-${String(++tokens)}`;
      const level = (name: string) => (permissions[name] ?? "none") as "none" | "read" | "write";
      server.tokens[token] = { login: BOT, pulls: level("pull-requests"), issues: level("issues") };
      return token;
    },
    repository: server.repository,
    environment: { ...server.environment, ...state.environment },
    replaced: { OUTREACH_BASE_URL: baseUrl, ...RUN },
    credentials: state.credentials,
    artifacts,
  });
  const onMain = (name: string): GithubRun["event"] => ({
    name,
    payload: { ref: "refs/heads/main" },
    ref: "refs/heads/main",
    sha: commitOf(origin, "main"),
  });
  const pullRequest = (branch: string, head: string): GithubRun["event"] => {
    const payload = {
      pull_request: {
        number: PULL,
        head: { repo: { full_name: head } },
        base: { repo: { full_name: server.repository } },
      },
    };
    return { name: "pull_request", payload, ref: `refs/pull/${String(PULL)}/merge`, sha: commitOf(origin, branch) };
  };
  return {
    server,
    run: (event) => run("apply.yml", onMain(event)),
    seed: (folder) => {
      copyExample("github", folder);
      const workflows = path.join(folder, ".github/workflows");
      for (const file of readdirSync(workflows).map((name) => path.join(workflows, name)))
        writeFileSync(file, state.edit(readFileSync(file, "utf8")));
    },
    workstation: { ...state.environment, ...state.credentials, ...state.secrets, ...state.environmentSecrets },
    validate: async (branch) =>
      ended(await runGithubJob(run("plan.yml", pullRequest(branch, server.repository)), "validate")),
    review: async (branch) => {
      reviewed = run("plan.yml", pullRequest(branch, server.repository));
      return ended(await runGithubJob(reviewed, "plan", { validate: PASSED }));
    },
    report: () => String(reviewed?.artifacts.get("plan.html")?.get("plan.html")),
    jobsFor: async (from, branch) => {
      const queued = {
        name: "merge_group",
        payload: {},
        ref: `refs/heads/gh-readonly-queue/main/pr-${String(PULL)}`,
        sha: commitOf(origin, branch),
      };
      const jobs = run("plan.yml", from === "fork" ? pullRequest(branch, "mallory/crm") : queued);
      const validate = await runGithubJob(jobs, "validate");
      return { validate, plan: await runGithubJob(jobs, "plan", { validate }) };
    },
    merged: async () => {
      server.comments.splice(0);
      const jobs = run("apply.yml", onMain("push"));
      const plan = await runGithubJob(jobs, "plan");
      const apply = async (): Promise<JobEnd> => ended(await runGithubJob(jobs, "apply", { plan }));
      return { ...ended(plan), apply: plan.outputs["changes"] === "true" ? apply : null };
    },
    nightly: async () => {
      const ran = await runGithubJob(run("drift.yml", onMain("schedule")), "drift");
      return { ...ended(ran), isDrift: server.issues.some(({ state }) => state === "open") };
    },
    comments: () => server.comments.map(({ body }) => body),
    close: async () => {
      await Promise.all([server.close(), state.close()]);
      if (server.violations.length > 0) throw new Error(`against the API: ${server.violations.join("; ")}`);
    },
  };
}

export interface GitlabHost extends Host {
  readonly front: GitlabFront;
}

/** GitLab, which keeps the state itself. */
export async function gitlabHost({ runner, origin, baseUrl, secrets, mainSecrets }: HostOptions): Promise<GitlabHost> {
  const front = await startGitlabFront();
  let reviewed: GitlabRun | null = null;
  const run = (variables: Variables, ref: string): GitlabRun => ({
    runner,
    origin,
    sha: commitOf(origin, ref),
    variables: { ...front.environment, ...secrets, ...variables },
    replaced: { OUTREACH_BASE_URL: baseUrl, ...RUN },
    artifacts: new Map(),
  });
  const onMain = (source: string): GitlabRun =>
    run({ CI_PIPELINE_SOURCE: source, CI_COMMIT_BRANCH: "main", ...mainSecrets }, "main");
  const change = {
    CI_MERGE_REQUEST_IID: "3",
    CI_MERGE_REQUEST_PROJECT_ID: "7",
    CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "7",
  };
  const onMergeRequest = (branch: string): GitlabRun =>
    run({ CI_PIPELINE_SOURCE: "merge_request_event", GITLAB_TOKEN: PROJECT_TOKEN, ...change }, branch);
  const done = ({ result, log }: { readonly result: string; readonly log: string }): JobEnd => ({
    isDone: result === "success",
    log,
  });
  return {
    front,
    seed: (folder) => copyExample("gitlab", folder),
    workstation: {
      OUTREACH_STATE: `${front.environment["CI_API_V4_URL"] ?? ""}/projects/7/terraform/state/outreach`,
      TF_HTTP_USERNAME: "gitlab-ci-token",
      TF_HTTP_PASSWORD: front.environment["CI_JOB_TOKEN"] ?? "",
    },
    validate: async (branch) => done(await runGitlabJob(onMergeRequest(branch), "validate")),
    review: async (branch) => {
      reviewed = onMergeRequest(branch);
      return done(await runGitlabJob(reviewed, "plan"));
    },
    report: () => String(reviewed?.artifacts.get("plan")?.get("plan.html")),
    merged: async () => {
      front.api.notes.splice(0);
      const jobs = onMain("push");
      if (gitlabJobs(jobs)["apply"] !== "manual") throw new Error("the apply waits for nobody");
      const plan = done(await runGitlabJob(jobs, "plan main"));
      return {
        ...plan,
        apply: plan.log.includes("No changes.") ? null : async () => done(await runGitlabJob(jobs, "apply")),
      };
    },
    nightly: async () => {
      const jobs = onMain("schedule");
      if (Object.keys(gitlabJobs(jobs)).toSorted().join() !== "drift,recheck")
        throw new Error("a schedule runs other jobs");
      const { code, log } = await runGitlabJob(jobs, "drift");
      return { isDone: code === 0 || code === 2, isDrift: code === 2, log };
    },
    comments: () => front.api.notes.map(({ body }) => body),
    close: async () => {
      await front.close();
      const violations = [...front.api.violations, ...front.states.violations];
      if (violations.length > 0) throw new Error(`against the API: ${violations.join("; ")}`);
    },
  };
}
