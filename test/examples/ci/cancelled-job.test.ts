import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { ROOT } from "../../docs/pages.ts";
import { until, useProjects } from "../../frontends/cli/project.ts";

const openProject = useProjects();
const COUNT = 60;
const APPLYING = [
  "examples/ci/github/.github/workflows/apply.yml",
  "examples/ci/github-by-hand/.github/workflows/apply.yml",
];

interface Workflow {
  readonly jobs: { readonly [job: string]: { readonly steps: readonly { readonly run?: string }[] } };
}

/** The step of an example that applies, as its file has it. */
function applyStep(file: string): string {
  const { jobs } = parse(readFileSync(path.join(ROOT, file), "utf8")) as Workflow;
  const runs = Object.values(jobs).flatMap(({ steps }) => steps.map(({ run = "" }) => run));
  const found = runs.filter((run) => run.includes("outreach apply"));
  expect(found).toHaveLength(1);
  return found[0] ?? "";
}

test("a cancelled job ends the apply: nothing more is sent, and the lock is given back", async () => {
  const project = await openProject({
    realProcess: "a signal to the step's process",
    latency: { minMs: 100, maxMs: 100 },
  });
  const webhooks = Array.from(
    { length: COUNT },
    (_, at) => `  w${String(at)}: { target_url: "https://x.example.com/${String(at)}" }\n`,
  );
  project.write("outreach.yaml", `version: 1\nwebhooks:\n${webhooks.join("")}`);
  mkdirSync(path.join(project.folder, "saved"));
  expect(await project.run("plan --out saved/plan")).toMatchObject({ code: 0 });
  // As npm links the command of a package.
  const bin = path.join(project.folder, "node_modules/.bin");
  mkdirSync(bin, { recursive: true });
  chmodSync(project.command, 0o755);
  symlinkSync(project.command, path.join(bin, "outreach"));
  const script = path.join(project.folder, "step.sh");
  const [step = "", ...others] = APPLYING.map(applyStep);
  expect(others).toEqual(others.map(() => step));
  writeFileSync(script, step);
  // A runner starts each step with a shell, and sends SIGINT to that process alone.
  const child = spawn("bash", ["-e", script], {
    cwd: project.folder,
    env: { PATH: process.env["PATH"], HOME: project.folder, ...project.environment },
    stdio: "ignore",
  });
  const ended = once(child, "close");
  await until(() => project.sandbox.webhooks().length > 0, "the apply has begun");
  child.kill("SIGINT");
  const [code] = (await ended) as [number | null];
  const created = project.sandbox.webhooks().length;
  expect(code).toBe(1);
  expect(created).toBeLessThan(COUNT);
  expect(Object.keys(project.files()).filter((name) => name.includes("lock"))).toEqual([]);
  expect(await project.run("state list")).toMatchObject({ code: 0 });
  expect((await project.run("state list")).out.trim().split("\n")).toHaveLength(created);
});
