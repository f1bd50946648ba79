import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { type Project, type Ran, until, useProjects } from "../project.ts";
import { REMOTE_BACKENDS, type RemoteBackend, type RemotePlace } from "../../../core/state/remote-places.ts";
import { useRemoteStates } from "./remote-states.ts";

const openProject = useProjects();
const openState = useRemoteStates();

const KEY = (byte: number): string => Buffer.alloc(32, byte).toString("base64");
const SECRETS = { ONE: KEY(1), TWO: KEY(2), S: "webhook-secret-value" };
const TARGET = "https://crm.example.com/hooks/replies";
const EMAIL = "ada@example.com";
const ONE = "{ key: { env: ONE } }";
const OTHER = `  other: { target_url: "${TARGET}/other", secret: { env: S } }\n`;
const PLAN = "saved.plan";
const HOUR_MS = 3_600_000;
/** Longer than a request may be sent after it was announced. */
const LATER_MS = 11_000;

function configuration(encryption: string, more = ""): string {
  return `version: 1
state: { encryption: ${encryption} }
webhooks:
  crm: { target_url: "${TARGET}", secret: { env: S } }
${more}lead_unsubscriptions:
  left: { campaign_id: cam_000001, emails: [${EMAIL}] }
`;
}

interface Remote {
  readonly project: Project;
  readonly state: RemotePlace;
}

async function openApplied(backend: RemoteBackend): Promise<Remote> {
  const state = await openState(backend);
  const project = await openProject(
    backend === "pg" ? { realTime: "a connection does not wait by a clock that jumps" } : {},
  );
  Object.assign(project.environment, SECRETS, state.environment, { OUTREACH_STATE: state.url });
  project.write("outreach.yaml", configuration(ONE));
  expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
  await expectHidden({ project, state });
  return { project, state };
}

/** Neither the server nor the disk has anything readable, but the configuration. */
async function expectHidden({ project, state }: Remote, ...runs: readonly Ran[]): Promise<void> {
  const stored = await state.stored();
  expect(stored).toContain("encryption");
  const files = Object.entries(project.files()).filter(([file]) => file !== "outreach.yaml");
  const texts = [stored, ...files.map(([, text]) => text)];
  for (const text of texts)
    for (const word of [TARGET, "crm.example.com", EMAIL, "cam_", "hoo_", "fingerprint"])
      expect(text).not.toContain(word);
  const all = [...texts, ...runs.flatMap(({ out, err }) => [out, err])].join("\n");
  for (const secret of Object.values(SECRETS)) expect(all).not.toContain(secret);
}

/** The next job gets another disk, some time later: with what is checked out, and the artifacts of earlier jobs. */
function newRunner({ project }: Remote, files: { readonly [file: string]: string }): void {
  project.clock.pass(LATER_MS);
  rmSync(project.folder, { recursive: true });
  mkdirSync(project.folder);
  for (const [file, text] of Object.entries(files)) project.write(file, text);
}

/** Starts an apply, and resolves while its create waits for its answer, which was carried out. */
async function heldApply({ project }: Remote) {
  project.write("outreach.yaml", configuration(ONE, OTHER));
  const before = project.sandbox.webhooks().length;
  project.sandbox.addFault({ action: { kind: "late", delayMs: HOUR_MS }, when: "after", method: "POST" });
  const running = project.start("apply --auto-approve");
  await until(() => project.sandbox.webhooks().length > before, "the create is carried out");
  return running;
}

async function unlocked({ project }: Remote): Promise<void> {
  const held = JSON.parse((await project.run("state lock --json")).out) as { readonly id: string } | null;
  if (held) expect(await project.run(`force-unlock --force ${held.id}`)).toMatchObject({ code: 0 });
}

const versionOf = (stored: string): string => /\\?"serial\\?": \d+/.exec(stored)?.[0] ?? "";

describe.each(REMOTE_BACKENDS)("an encrypted state on %s", (backend) => {
  test("of a run that was killed, and whose disk is gone, is recovered with the key, and with no other one", async () => {
    const remote = await openApplied(backend);
    const { project, state } = remote;
    const { child, ended } = await heldApply(remote);
    await expectHidden(remote);
    child.kill("SIGKILL");
    await ended;
    project.sandbox.clearFaults();
    newRunner(remote, { "outreach.yaml": configuration(ONE, OTHER) });
    await unlocked(remote);
    const before = await state.stored();
    const wrong = await project.run("apply --auto-approve", { ONE: SECRETS.TWO });
    expect(wrong).toMatchObject({ code: 1, sent: [] });
    expect(wrong.err.replaceAll(/\s+/g, " ")).toMatch(
      /state\.encryption\.key \(the environment variable ONE\) is the key [0-9a-f]{12}/,
    );
    expect(versionOf(await state.stored())).toBe(versionOf(before));
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
    expect(project.sandbox.webhooks()).toHaveLength(2);
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
    await expectHidden(remote, wrong);
    expect(Object.keys(project.files())).toEqual(["outreach.yaml"]);
  });

  test("is encrypted with another key by the next apply, though that changes nothing else, and a new key alone does not open it", async () => {
    const remote = await openApplied(backend);
    const { project, state } = remote;
    const before = await state.stored();
    project.write("outreach.yaml", configuration("{ key: { env: TWO } }"));
    expect(await project.run("apply --auto-approve")).toMatchObject({
      code: 1,
      sent: [],
      err: expect.stringContaining("variable TWO") as string,
    });
    expect(versionOf(await state.stored())).toBe(versionOf(before));
    project.write("outreach.yaml", configuration("{ key: { env: TWO }, fallback: { key: { env: ONE } } }"));
    expect(await project.run("apply --auto-approve")).toMatchObject({
      code: 0,
      out: expect.stringContaining("No changes.") as string,
    });
    expect(versionOf(await state.stored())).not.toBe(versionOf(before));
    project.write("outreach.yaml", configuration(ONE));
    expect(await project.run("plan")).toMatchObject({ code: 1, sent: [] });
    project.write("outreach.yaml", configuration("{ key: { env: TWO } }"));
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, err: "" });
    await expectHidden(remote);
  });

  test("has saved plans that are shown and applied elsewhere, with the key only", async () => {
    const remote = await openApplied(backend);
    const { project } = remote;
    project.write("outreach.yaml", configuration(ONE, OTHER));
    expect(await project.run(`plan --out ${PLAN}`)).toMatchObject({ code: 0 });
    await expectHidden(remote);
    newRunner(remote, { "outreach.yaml": configuration(ONE, OTHER), [PLAN]: project.read(PLAN) });
    expect(await project.run(`show ${PLAN}`)).toMatchObject({
      code: 0,
      sent: [],
      out: expect.stringContaining("outreach_webhook.other will be created") as string,
    });
    for (const line of [`show ${PLAN}`, `apply ${PLAN}`]) {
      const wrong = await project.run(line, { ONE: SECRETS.TWO });
      expect([wrong.code, wrong.err, wrong.sent]).toEqual([1, expect.stringContaining("variable ONE"), []]);
    }
    expect(await project.run(`apply ${PLAN}`)).toMatchObject({ code: 0 });
    expect(project.sandbox.webhooks()).toHaveLength(2);
    await expectHidden(remote);
  });

  test("that a run could not store is kept encrypted, and is pushed as the run says", async () => {
    const remote = await openApplied(backend);
    const { project } = remote;
    const { ended } = await heldApply(remote);
    await unlocked(remote);
    project.clock.pass(HOUR_MS);
    project.sandbox.clearFaults();
    const { code, err } = await ended;
    expect([code, err]).toEqual([1, expect.stringContaining("errored.outreach.state.json")]);
    expect(Object.keys(project.files())).toEqual(["errored.outreach.state.json", "outreach.yaml"]);
    await expectHidden(remote);
    const [, command = ""] = /outreach (state push \S+)/.exec(err) ?? [];
    expect(await project.run(command, { ONE: SECRETS.TWO })).toMatchObject({ code: 1 });
    expect(await project.run(command)).toMatchObject({ code: 0 });
    rmSync(path.join(project.folder, "errored.outreach.state.json"));
    expect((await project.run("state list")).out).toContain("outreach_webhook.other");
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
    expect(project.sandbox.webhooks()).toHaveLength(2);
    await expectHidden(remote);
  });
});
