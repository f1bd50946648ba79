import { execFileSync } from "node:child_process";
import { parse } from "yaml";
import { filesOf, place } from "./artifact-files.ts";
import type { Artifacts, Runner, Variables } from "./runner.ts";

interface Job {
  readonly rules: readonly { readonly if: string; readonly when?: string }[];
  readonly needs?: readonly string[];
  readonly script: readonly string[];
  readonly after_script?: readonly string[];
  readonly artifacts?: { readonly paths: readonly string[]; readonly when?: "on_failure" | "always" };
  readonly allow_failure?: { readonly exit_codes: number };
}

interface Pipeline {
  readonly variables: Variables;
  readonly default: { readonly before_script?: readonly string[] };
  readonly [job: string]: unknown;
}

const NO_JOBS: ReadonlySet<string> = new Set(["stages", "variables", "default"]);

/** One pipeline of a commit. */
export interface GitlabRun {
  readonly runner: Runner;
  readonly origin: string;
  readonly sha: string;
  /** What GitLab sets, and the variables of the project. */
  readonly variables: Variables;
  readonly replaced: Variables;
  readonly artifacts: Artifacts;
}

/** The jobs of the pipeline, by the first rule of each that matches; `manual` ones wait for somebody. */
export function gitlabJobs(run: GitlabRun): { readonly [job: string]: "on_success" | "manual" } {
  const jobs = Object.entries(pipelineOf(run)).filter(([name]) => !NO_JOBS.has(name)) as readonly [string, Job][];
  return Object.fromEntries(
    jobs.flatMap(([name, { rules }]) => {
      const rule = rules.find((one) => holds(one.if, run.variables));
      return rule ? [[name, rule.when === "manual" ? "manual" : "on_success"] as const] : [];
    }),
  );
}

interface GitlabJobRan {
  /** `warning`: a failure that lets the pipeline go on. */
  readonly result: "success" | "failed" | "warning";
  readonly code: number | null;
  readonly log: string;
}

/** Runs one job on a new disk, with the artifacts of the jobs that it needs. */
export async function runGitlabJob(run: GitlabRun, name: string): Promise<GitlabJobRan> {
  const pipeline = pipelineOf(run);
  const job = pipeline[name] as Job;
  const folder = run.runner.newDisk();
  execFileSync("git", ["-C", folder, "clone", "-q", run.origin, "."]);
  execFileSync("git", ["-C", folder, "checkout", "-q", "--detach", run.sha]);
  for (const needed of job.needs ?? []) place(folder, run.artifacts.get(needed) ?? new Map<string, Buffer>());
  const variables = {
    ...expanded({ ...run.variables, ...pipeline.variables, ...run.replaced }),
    CI_PROJECT_DIR: folder,
    CI_JOB_NAME: name,
  };
  const script = [...(pipeline.default.before_script ?? []), ...job.script].join("\n");
  const { code, log } = await run.runner.bash(script, { folder, variables, flags: ["-eo", "pipefail"] });
  const result = code === 0 ? "success" : "failed";
  const after = { ...variables, CI_JOB_STATUS: result };
  const { log: afterLog } = await run.runner.bash((job.after_script ?? []).join("\n"), {
    folder,
    variables: after,
    flags: ["-eo", "pipefail"],
  });
  const { paths = [], when } = job.artifacts ?? {};
  if (when === "always" || (when === "on_failure") === (result === "failed"))
    run.artifacts.set(name, filesOf(folder, paths));
  return {
    result: code !== 0 && job.allow_failure?.exit_codes === code ? "warning" : result,
    code,
    log: log + afterLog,
  };
}

function pipelineOf({ origin, sha }: GitlabRun): Pipeline {
  return parse(execFileSync("git", ["-C", origin, "show", `${sha}:.gitlab-ci.yml`], { encoding: "utf8" })) as Pipeline;
}

/** GitLab expands variables in the values of variables, in any order. */
export function expanded(variables: Variables): Variables {
  const value = (name: string, depth = 0): string =>
    depth > 5 ? "" : (variables[name] ?? "").replaceAll(/\$\{(\w+)\}/g, (_, other: string) => value(other, depth + 1));
  return Object.fromEntries(Object.keys(variables).map((name) => [name, value(name)]));
}

/** A condition of comparisons joined by `&&`: https://docs.gitlab.com/ci/jobs/job_rules/#cicd-variable-expressions */
function holds(condition: string, variables: Variables): boolean {
  return condition.split("&&").every((part) => {
    const [, left = "", operator, right = ""] = /^\s*(\S+)\s*(==|!=)\s*(\S+)\s*$/.exec(part) ?? [];
    if (operator === undefined) throw new Error(`cannot read the rule ${part}`);
    const valueOf = (word: string): string | null =>
      word.startsWith("$") ? (variables[word.slice(1)] ?? null) : word.replaceAll('"', "");
    return (valueOf(left) === valueOf(right)) === (operator === "==");
  });
}
