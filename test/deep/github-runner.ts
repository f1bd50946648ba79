import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Evaluator, Lexer, Parser, data } from "@actions/expressions";
import { parse } from "yaml";
import { artifactOf, place } from "../examples/ci/artifact-files.ts";
import type { Artifacts, Runner, Variables } from "../examples/ci/runner.ts";

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly with?: { readonly [name: string]: unknown };
  readonly run?: string;
  readonly shell?: string;
  readonly env?: Variables;
}

interface Job {
  readonly needs?: string;
  readonly if?: string;
  readonly permissions?: { readonly [name: string]: string };
  readonly environment?: string;
  readonly outputs?: Variables;
  readonly env?: Variables;
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly env?: Variables;
  readonly jobs: { readonly [name: string]: Job };
}

export interface JobRan {
  readonly result: "success" | "failure" | "skipped";
  readonly log: string;
  readonly summary: string;
  readonly outputs: Variables;
}

/** The repository, the event and the secrets of a run. */
export interface GithubRun {
  readonly runner: Runner;
  /** The path of the bare repository that jobs check out. */
  readonly origin: string;
  /** The workflow's file in the repository. */
  readonly workflow: string;
  readonly event: {
    readonly name: string;
    readonly payload: object;
    readonly ref: string;
    readonly sha: string;
    readonly inputs?: Variables;
  };
  /** Of the repository, and of its environments. */
  readonly secrets: Variables;
  readonly environmentSecrets: Variables;
  /** A token with these permissions, as GitHub makes one for each job. */
  readonly tokenFor: (permissions: { readonly [name: string]: string }) => string;
  readonly repository: string;
  /** What GitHub sets for each command. */
  readonly environment: Variables;
  /** What replaces the values of the workflow: the addresses of the test's servers. */
  readonly replaced: Variables;
  /** What the action for AWS credentials sets. */
  readonly credentials: Variables;
  readonly artifacts: Artifacts;
  /** The artifacts of earlier runs, by the numbers of the runs. */
  readonly earlier?: { readonly [run: string]: Artifacts };
}

/** Reads the workflow as it is in the commit of the event. */
export function workflowOf({ origin, workflow, event }: GithubRun): Workflow {
  return parse(
    execFileSync("git", ["-C", origin, "show", `${event.sha}:.github/workflows/${workflow}`], { encoding: "utf8" }),
  ) as Workflow;
}

/** Runs one job. `needs` are the jobs that ran before it. */
export async function runGithubJob(
  run: GithubRun,
  name: string,
  needs: { readonly [job: string]: JobRan } = {},
): Promise<JobRan> {
  const workflow = workflowOf(run);
  const job = workflow.jobs[name] as Job;
  const contexts: { [context: string]: unknown } = {
    github: {
      event_name: run.event.name,
      event: run.event.payload,
      ref: run.event.ref,
      sha: run.event.sha,
      repository: run.repository,
      token: run.tokenFor(job.permissions ?? {}),
    },
    inputs: run.event.inputs ?? {},
    secrets: job.environment === undefined ? run.secrets : { ...run.secrets, ...run.environmentSecrets },
    needs: Object.fromEntries(Object.entries(needs).map(([key, { outputs, result }]) => [key, { outputs, result }])),
    steps: {},
  };
  let log = "";
  let summary = "";
  let isFailed = false;
  const isBehindFailure = Object.values(needs).some(({ result }) => result !== "success");
  if (!isWanted(job.if, contexts, { isFailed: isBehindFailure }))
    return { result: "skipped", log, summary, outputs: {} };
  const folder = run.runner.newDisk();
  let exported: Variables = {};
  for (const step of job.steps) {
    if (!isWanted(step.if, contexts, { isFailed })) continue;
    const inputs = texts(step.with ?? {}, contexts);
    const ran = step.uses === undefined ? await runScript() : action(run, step.uses, { inputs, folder });
    log += ran.log;
    summary += ran.summary;
    exported = { ...exported, ...ran.exported };
    isFailed ||= ran.isFailed;
    if (step.id !== undefined) (contexts["steps"] as { [id: string]: unknown })[step.id] = { outputs: ran.outputs };

    async function runScript(): Promise<StepRan> {
      const commands = mkdirs(run.runner.newDisk());
      const own = {
        ...texts(workflow.env ?? {}, contexts),
        ...texts(job.env ?? {}, contexts),
        ...texts(step.env ?? {}, contexts),
      };
      const replaced = Object.fromEntries(
        Object.entries(run.replaced).filter(([key]) => key in own || key === "OUTREACH_SETTLE"),
      );
      writeFileSync(commands.event, JSON.stringify(run.event.payload));
      const variables = {
        ...exported,
        ...own,
        ...replaced,
        ...run.environment,
        GITHUB_EVENT_NAME: run.event.name,
        GITHUB_EVENT_PATH: commands.event,
        GITHUB_WORKSPACE: folder,
        GITHUB_OUTPUT: commands.output,
        GITHUB_ENV: commands.env,
        GITHUB_STEP_SUMMARY: commands.summary,
      };
      const { code, log: printed } = await run.runner.bash(text(step.run ?? "", contexts), {
        folder,
        variables,
        flags: step.shell === undefined ? ["-e"] : ["-eo", "pipefail"],
      });
      const [outputs, env] = [pairsIn(commands.output), pairsIn(commands.env)];
      return {
        isFailed: code !== 0,
        log: printed,
        summary: readFileSync(commands.summary, "utf8"),
        outputs,
        exported: env,
      };
    }
  }
  return { result: isFailed ? "failure" : "success", log, summary, outputs: texts(job.outputs ?? {}, contexts) };
}

interface StepRan {
  readonly isFailed: boolean;
  readonly log: string;
  readonly summary: string;
  readonly outputs: Variables;
  /** Variables for the later steps. */
  readonly exported: Variables;
}

const DONE: StepRan = { isFailed: false, log: "", summary: "", outputs: {}, exported: {} };

/** The lines NAME=VALUE of a file. */
function pairsIn(file: string): Variables {
  const lines = readFileSync(file, "utf8").split("\n");
  return Object.fromEntries(
    lines.flatMap((line) => (line.includes("=") ? [line.split(/=(.*)/s, 2) as [string, string]] : [])),
  );
}

/** What the actions of the examples do. */
function action(
  run: GithubRun,
  uses: string,
  { inputs, folder }: { readonly inputs: Variables; readonly folder: string },
): StepRan {
  const [used = ""] = uses.split("@");
  switch (used) {
    case "actions/checkout": {
      const git = (...words: readonly string[]): string =>
        execFileSync("git", ["-C", folder, ...words], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
      git("clone", "-q", run.origin, ".");
      git(
        "checkout",
        "-q",
        "--detach",
        inputs["ref"] === undefined ? run.event.sha : commitOf(run.origin, inputs["ref"]),
      );
      return { ...DONE, outputs: { commit: git("rev-parse", "HEAD").trim() } };
    }
    case "actions/setup-node":
      return DONE;
    case "aws-actions/configure-aws-credentials":
      return { ...DONE, exported: run.credentials };
    case "actions/upload-artifact": {
      const files = artifactOf(folder, inputs["path"] ?? "");
      const name = inputs["archive"] === "false" ? inputs["path"] : inputs["name"];
      if (files.size > 0) run.artifacts.set(name ?? "artifact", files);
      return DONE;
    }
    case "actions/download-artifact": {
      const artifacts = inputs["run-id"] === undefined ? run.artifacts : run.earlier?.[inputs["run-id"]];
      const files = artifacts?.get(inputs["name"] ?? "");
      if (!files) return { ...DONE, isFailed: true, log: `no artifact ${inputs["name"] ?? ""}\n` };
      place(path.join(folder, inputs["path"] ?? "."), files);
      return DONE;
    }
    default:
      throw new Error(`unknown action ${uses}`);
  }
}

function commitOf(origin: string, ref: string): string {
  return execFileSync("git", ["-C", origin, "rev-parse", ref], { encoding: "utf8" }).trim();
}

function mkdirs(folder: string): { readonly [name in "event" | "output" | "summary" | "env"]: string } {
  mkdirSync(path.join(folder, "commands"));
  const at = (name: string): string => path.join(folder, "commands", name);
  const files = { event: at("event.json"), output: at("output"), summary: at("summary.md"), env: at("env") };
  for (const file of Object.values(files)) writeFileSync(file, "");
  return files;
}

interface Status {
  readonly isFailed: boolean;
}

/** A condition without one of the functions holds only behind a success. */
function isWanted(given: string | undefined, contexts: object, status: Status): boolean {
  const condition = (given ?? "success()").replace(/^\s*\$\{\{(.*)\}\}\s*$/s, "$1");
  const guarded = /\b(success|failure|always|cancelled)\(\)/.test(condition)
    ? condition
    : `success() && (${condition})`;
  return evaluated(guarded, contexts, status) !== "false";
}

function texts(values: { readonly [name: string]: unknown }, contexts: object): Variables {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, text(String(value), contexts)]));
}

function text(template: string, contexts: object): string {
  return template.replaceAll(/\$\{\{(.*?)\}\}/gs, (_, expression: string) => evaluated(expression, contexts));
}

/** The text of an expression, as GitHub's own library evaluates it. */
function evaluated(expression: string, contexts: object, { isFailed }: Status = { isFailed: false }): string {
  const functions = Object.entries({ success: !isFailed, failure: isFailed, always: true, cancelled: false }).map(
    ([name, value]) => ({
      name,
      minArgs: 0,
      maxArgs: 0,
      call: () => new data.BooleanData(value),
    }),
  );
  const tree = new Parser(new Lexer(expression.trim()).lex().tokens, Object.keys(contexts), functions).parse();
  return new Evaluator(tree, dictionary(contexts), new Map(functions.map((one) => [one.name, one])))
    .evaluate()
    .coerceString();
}

function dictionary(value: object): data.Dictionary {
  return JSON.parse(JSON.stringify(value), data.reviver) as data.Dictionary;
}
