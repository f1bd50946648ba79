import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, expect, test } from "vitest";
import { nodeClock } from "../../../src/platform/node-clock.ts";
import { type Sandbox, startSandbox } from "../../../src/sandbox/server.ts";
import { ROOT, read } from "../../docs/pages.ts";
import { describeWithTerraform } from "../../frontends/terraform/terraform-under-test.ts";
import { TERRAFORM_SETTINGS } from "../../frontends/terraform/terraform-settings.ts";
import { checkPipeline } from "../../deep/check-pipeline.ts";
import { type GitlabFront, startGitlabFront } from "./gitlab-front.ts";
import { type GitlabRun, gitlabJobs, runGitlabJob } from "./gitlab-runner.ts";
import { type Runner, type Variables, openRunner } from "./runner.ts";

const FOLDER = "examples/ci/gitlab-terraform";
const VERSION = (JSON.parse(read("package.json")) as { readonly version: string }).version;
const SECRET = "crm-token-4711";
const NEVER = new AbortController().signal;
const IDENTITY = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];

test("the pipeline matches GitLab's schema", () => {
  const { status, stdout } = checkPipeline(read(`${FOLDER}/.gitlab-ci.yml`));
  expect(status).toBe(0);
  const jobs = JSON.parse(stdout) as readonly { readonly name: string }[];
  expect(jobs.map(({ name }) => name).toSorted()).toEqual(["apply", "drift", "plan", "plan main", "validate"]);
}, 60_000);

test.each([
  ["Containerfile", "node:24-slim"],
  ["Containerfile.without-node", "debian:stable-slim"],
])(
  "the image of %s has terraform, the provider of this version and its CLI configuration, and does not run as root",
  (file, base) => {
    const lines = read(`${FOLDER}/${file}`).split("\n");
    const [, tag = ""] = /outreach-terraform:([\d.]+)/.exec(read(`${FOLDER}/.gitlab-ci.yml`)) ?? [];
    expect([tag, lines.join("\n")]).toEqual([VERSION, expect.stringContaining(`outreach-as-code@${VERSION} `)]);
    const last = lines.slice(lines.findLastIndex((line) => line.startsWith("FROM ")));
    expect(last[0]).toBe(`FROM ${base}`);
    for (const line of [
      "COPY --from=terraform /bin/terraform /usr/local/bin/terraform",
      "ENV TF_CLI_CONFIG_FILE=/etc/terraform.tfrc",
    ])
      expect(last).toContain(line);
    expect(last.find((line) => line.startsWith("USER "))).toMatch(/^USER (?:node|nobody)$/);
  },
);

/** Builds the mirror as the image does, in this folder. Returns the CLI configuration. */
async function buildMirror(runner: Runner, folder: string): Promise<string> {
  const [line = ""] = /outreach provider install .*/.exec(read(`${FOLDER}/Containerfile`)) ?? [];
  const script = line.replace("outreach", runner.command).replaceAll(/\/(?:opt|etc)\//g, `${folder}/`);
  expect(await runner.bash(script, { folder, variables: {}, flags: ["-e"] })).toMatchObject({ code: 0 });
  return path.join(folder, "terraform.tfrc");
}

describeWithTerraform("the pipeline with terraform", () => {
  let runner: Runner;
  let front: GitlabFront;
  let sandbox: Sandbox;
  let around: string;
  let image: Variables;
  beforeAll(async () => {
    runner = await openRunner();
    front = await startGitlabFront();
    sandbox = await startSandbox({
      clock: { ...nodeClock, sleep: (ms, signal) => nodeClock.sleep(ms, signal ?? NEVER) },
      random: () => 0.5,
      rateLimit: null,
    });
    around = mkdtempSync(path.join(tmpdir(), "outreach-gitlab-terraform-"));
    image = { ...TERRAFORM_SETTINGS, TF_CLI_ARGS: "-no-color", TF_CLI_CONFIG_FILE: await buildMirror(runner, around) };
  }, 60_000);
  afterAll(async () => {
    await Promise.all([front.close(), sandbox.close()]);
    runner.close();
    rmSync(around, { recursive: true });
  });

  /** A repository with the example, and the lock file as the guide makes it. */
  function openRepository(): string {
    const origin = path.join(around, "origin");
    cpSync(path.join(ROOT, FOLDER), origin, { recursive: true });
    const git = (...words: readonly string[]): void => void execFileSync("git", ["-C", origin, ...IDENTITY, ...words]);
    const lock = [
      "providers",
      "lock",
      "-no-color",
      `-fs-mirror=${around}/terraform-mirror`,
      "-platform=linux_amd64",
      "-platform=linux_arm64",
    ];
    execFileSync("terraform", lock, {
      cwd: origin,
      env: { PATH: process.env["PATH"], ...image },
      stdio: ["ignore", "ignore", "inherit"],
    });
    git("init", "-q", "-b", "main");
    git("add", "-A");
    git("commit", "-q", "-m", "Webhooks with Terraform");
    expect(existsSync(path.join(origin, ".terraform"))).toBe(false);
    return origin;
  }

  const pipeline = (origin: string, variables: Variables): GitlabRun => ({
    runner,
    origin,
    sha: "main",
    variables: { CI: "true", ...front.environment, ...image, OUTREACH_API_KEY: sandbox.keys.good, ...variables },
    replaced: { OUTREACH_BASE_URL: sandbox.baseUrl },
    artifacts: new Map(),
  });

  test(
    "plans a merge request, applies the plan of main after an approval, and keeps state and journal in GitLab",
    { timeout: 120_000 },
    async () => {
      const origin = openRepository();
      const change = {
        CI_MERGE_REQUEST_IID: "3",
        CI_MERGE_REQUEST_PROJECT_ID: "7",
        CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "7",
      };
      const review = pipeline(origin, { CI_PIPELINE_SOURCE: "merge_request_event", ...change });
      expect(gitlabJobs(review)).toEqual({ validate: "on_success", plan: "on_success" });
      expect(
        gitlabJobs({ ...review, variables: { ...review.variables, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "8" } }),
      ).toEqual({ validate: "on_success" });
      expect(await runGitlabJob(review, "validate")).toMatchObject({
        result: "success",
        log: expect.stringContaining("The configuration is valid.") as string,
      });
      expect(await runGitlabJob(review, "plan")).toMatchObject({
        result: "success",
        log: expect.stringContaining("Plan: 1 to add") as string,
      });
      expect([sandbox.webhooks(), front.states.state("production")]).toEqual([[], null]);

      const main = { CI_PIPELINE_SOURCE: "push", CI_COMMIT_BRANCH: "main" };
      expect(await runGitlabJob(pipeline(origin, main), "plan main")).toMatchObject({ result: "failed" });
      const merged = pipeline(origin, { ...main, TF_VAR_crm_token: SECRET });
      expect(gitlabJobs(merged)).toEqual({ "plan main": "on_success", apply: "manual" });
      expect(await runGitlabJob(merged, "plan main")).toMatchObject({ result: "success" });
      const applied = await runGitlabJob(merged, "apply");
      expect(applied).toMatchObject({
        result: "success",
        log: expect.stringContaining("Apply complete! Resources: 1 added") as string,
      });
      expect(applied.log).not.toContain("Warning");
      expect(sandbox.webhooks()).toMatchObject([
        { targetUrl: "https://crm.example.com/hooks/replies?v=1", secret: SECRET },
      ]);

      const saved = Object.values(unzipSync(merged.artifacts.get("plan main")?.get("saved.plan") ?? new Uint8Array()));
      const [state, journal] = [front.states.state("production"), front.states.state("production-journal")];
      for (const bytes of [...saved, state, journal]) {
        expect(bytes?.length).toBeGreaterThan(0);
        for (const secret of [SECRET, sandbox.keys.good, front.environment["CI_JOB_TOKEN"] ?? ""])
          expect(Buffer.from(bytes ?? []).includes(secret)).toBe(false);
      }
      expect([front.states.lock("production"), front.states.lock("production-journal")]).toEqual([null, null]);
      expect(front.states.violations).toEqual([]);

      const nightly = pipeline(origin, { CI_PIPELINE_SOURCE: "schedule", CI_COMMIT_BRANCH: "main" });
      expect(gitlabJobs(nightly)).toEqual({ drift: "on_success" });
      expect(await runGitlabJob(nightly, "drift")).toMatchObject({ code: 0 });
      for (const { _id } of sandbox.webhooks()) sandbox.remove("webhooks", _id);
      expect(await runGitlabJob(nightly, "drift")).toMatchObject({ code: 2, result: "failed" });
    },
  );
});
