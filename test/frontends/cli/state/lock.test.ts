import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { hostname, userInfo } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { type Project, oneWebhook, until, useProjects } from "../project.ts";

const openProject = useProjects();
const CONFIGURATION = oneWebhook("target_url: https://crm.example.com/hooks");
const LOCK = "outreach.state.json.lock";

const HOUR_MS = 3_600_000;

/** An apply that holds the lock until the test lets an hour pass: then its create is answered. */
async function slowApply(project: Project) {
  project.write("outreach.yaml", CONFIGURATION);
  project.sandbox.addFault({ action: { kind: "late", delayMs: HOUR_MS }, method: "POST", when: "before" });
  const running = project.start("apply --auto-approve");
  await until(() => project.sandbox.requests().some(({ method }) => method === "POST"), "the create is sent");
  return running;
}

describe("while another process is at work", () => {
  test("plan and apply stop, name the holder and send nothing", async () => {
    const project = await openProject();
    const holder = await slowApply(project);
    for (const command of ["plan", "apply --auto-approve", "destroy --auto-approve"]) {
      const { code, out, err } = await project.run(command);
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(err).toContain("Error: ");
      expect(err).toContain(`on ${hostname()} (process ${String(holder.child.pid)}, apply, since 20`);
      expect(err).toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
    }
    expect(project.sandbox.requests().map(({ method }) => method)).toEqual(["GET", "POST"]);
    project.clock.pass(HOUR_MS);
    expect(await holder.ended).toMatchObject({ code: 0 });
    expect(Object.keys(project.files())).not.toContain(LOCK);
  });

  test("--lock-timeout waits for it", async () => {
    const project = await openProject();
    const holder = await slowApply(project);
    const waiter = project.start("plan --detailed-exitcode --lock-timeout 30s");
    let said = "";
    waiter.child.stderr?.on("data", (chunk: string) => (said += chunk));
    await until(() => said.includes("\n"), "the other one waits");
    project.clock.pass(HOUR_MS);
    const { code, err } = await waiter.ended;
    expect(code).toBe(0);
    const on = `ada on ${hostname()} (process ${String(holder.child.pid)}, apply, since TIME)`;
    expect(err.replace(/[0-9-]+T[0-9:.]+Z/, "TIME").replace(userInfo().username, "ada")).toBe(
      `Waiting up to 30s for the lock of outreach.state.json, held by ${on}.\n`,
    );
    expect(await holder.ended).toMatchObject({ code: 0 });
  });

  test("--lock=false goes past it", async () => {
    const project = await openProject();
    const holder = await slowApply(project);
    const { code, err } = await project.run("plan --lock=false");
    expect(code).toBe(0);
    expect(err).not.toContain("Error:");
    expect(err).toContain("Another run may still be at work");
    project.clock.pass(HOUR_MS);
    expect(await holder.ended).toMatchObject({ code: 0 });
  });
});

test("the lock of a process that is gone is removed", async () => {
  const project = await openProject();
  const holder = await slowApply(project);
  holder.child.kill("SIGKILL");
  await holder.ended;
  expect(Object.keys(project.files())).toContain(LOCK);
  expect((await project.run("plan")).err).not.toContain("lock");
  expect(Object.keys(project.files())).not.toContain(LOCK);
});

test("the lock of a run stays where its process cannot be seen: in another container", async ({ skip }) => {
  skip(
    spawnSync("unshare", ["-Urpf", "--mount-proc", "true"]).status !== 0,
    "this system makes no PID namespaces for this user",
  );
  const project = await openProject();
  const holder = await slowApply(project);
  const locked = project.read(LOCK);
  for (const mount of [[], ["--mount-proc"]]) {
    const env = { ...project.environment, PATH: process.env["PATH"], HOME: project.folder };
    const inside = spawn("unshare", ["-Urpf", ...mount, process.execPath, project.command, "plan"], {
      cwd: project.folder,
      env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const [err, [code]] = await Promise.all([text(inside.stderr), once(inside, "close")]);
    expect(code).toBe(1);
    expect(err).toContain(`(process ${String(holder.child.pid)}, apply, since 20`);
    expect(err).toContain("whether that run is still active cannot be checked here");
    expect(err).toMatch(/outreach force-unlock [0-9a-f-]{36}/);
    expect(project.read(LOCK)).toBe(locked);
  }
  project.clock.pass(HOUR_MS);
  expect(await holder.ended).toMatchObject({ code: 0 });
});

test("a run whose lock is lost starts nothing more, and the next run knows what it has created", async () => {
  const project = await openProject();
  const urls = Array.from({ length: 6 }, (_, index) => `https://crm.example.com/${String(index)}`);
  project.write(
    "outreach.yaml",
    `version: 1\nwebhooks:\n${urls.map((url, index) => `  w${String(index)}: { target_url: "${url}" }\n`).join("")}`,
  );
  project.sandbox.addFault({ action: { kind: "late", delayMs: HOUR_MS }, method: "POST", when: "before", times: 4 });
  const posts = () => project.sandbox.requests().filter(({ method }) => method === "POST").length;
  const running = project.start("apply --auto-approve");
  await until(() => posts() === 4, "four creates are sent");
  await rm(path.join(project.folder, LOCK));
  project.clock.pass(HOUR_MS);
  expect(await running.ended).toMatchObject({
    code: 1,
    err: expect.stringContaining("This run stopped sending") as string,
  });
  expect(posts()).toBe(4);
  expect(await project.run("apply --auto-approve")).toMatchObject({
    code: 0,
    out: expect.stringContaining("Resources: 2 added") as string,
  });
  expect(posts()).toBe(6);
});

test("the lock of another machine stays", async () => {
  const project = await openProject();
  project.write("outreach.yaml", CONFIGURATION);
  project.write(
    LOCK,
    `${JSON.stringify({ id: "11111111-2222", operation: "apply", who: "somebody", host: "elsewhere", bootId: "b", pid: 1, pidNamespace: null, startedAt: "1", since: "2026-01-01T00:00:00.000Z" })}\n`,
  );
  expect(await project.run("plan")).toMatchObject({
    code: 1,
    sent: [],
    err: expect.stringContaining("somebody on elsewhere (process 1, apply, since 2026-01-01T00:00:00.000Z)") as string,
  });
  expect(Object.keys(project.files())).toContain(LOCK);
});

test("a lock file that is no lock stays", async () => {
  const project = await openProject();
  project.write("outreach.yaml", CONFIGURATION);
  project.write(LOCK, "torn");
  expect(await project.run("plan")).toMatchObject({
    code: 1,
    sent: [],
    err: expect.stringContaining(`the unreadable lock file ${LOCK}`) as string,
  });
});

test("after an error the lock is gone", async () => {
  const project = await openProject();
  project.write("outreach.yaml", CONFIGURATION);
  await project.run("plan", { OUTREACH_API_KEY: project.sandbox.keys.wrong });
  expect(Object.keys(project.files())).toEqual(["outreach.yaml"]);
});
