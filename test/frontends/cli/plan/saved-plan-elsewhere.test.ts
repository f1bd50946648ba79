import { mkdirSync, rmSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { type HttpStateServer, startHttpStateServer } from "../../../core/state/http/http-state-server.ts";
import { type Project, useProjects } from "../project.ts";

const openProject = useProjects();
const servers: HttpStateServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const PLAN = "saved.plan";
const SECRET = { S: "webhook-secret-1" };

function webhooks(...names: readonly string[]): string {
  return `version: 1\nwebhooks:\n${names.map((name) => `  ${name}: { target_url: "https://crm.example.com/${name}", secret: { env: S } }\n`).join("")}`;
}

/** A project whose runs each begin on a new disk, with a checkout and nothing else. */
async function openFleeting() {
  const server = await startHttpStateServer("gitlab");
  servers.push(server);
  const project = await openProject();
  const { TF_HTTP_ADDRESS: address, ...others } = server.environment();
  Object.assign(project.environment, others, SECRET, { OUTREACH_STATE: address, CI: "true" });
  return { project, server };
}

/** The next job gets another disk: with what is checked out, and the artifacts of earlier jobs. */
function newRunner(project: Project, files: { readonly [file: string]: string }): void {
  rmSync(project.folder, { recursive: true });
  mkdirSync(project.folder);
  for (const [file, text] of Object.entries(files)) project.write(file, text);
}

const live = ({ sandbox }: Project): readonly string[] =>
  sandbox
    .webhooks()
    .map(({ targetUrl }) => targetUrl.replace(/.*\//, ""))
    .toSorted();

async function planned(project: Project, configuration: string): Promise<string> {
  newRunner(project, { "outreach.yaml": configuration });
  expect(await project.run(`plan --out ${PLAN}`)).toMatchObject({ code: 0 });
  return project.read(PLAN);
}

test("a plan that one machine saved is applied on another one, a first plan as well as a later one", async () => {
  const { project } = await openFleeting();
  for (const names of [["a"], ["b", "c"]]) {
    const plan = await planned(project, webhooks(...names));
    newRunner(project, { "outreach.yaml": webhooks(...names), [PLAN]: plan });
    expect(await project.run(`apply ${PLAN}`)).toMatchObject({ code: 0, err: "" });
    expect(live(project)).toEqual(names);
  }
  expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
});

test("a plan that another merge has overtaken is refused with the reason, sends nothing, and can still be shown", async () => {
  const { project, server } = await openFleeting();
  await planned(project, webhooks("a"));
  expect(await project.run(`apply ${PLAN}`)).toMatchObject({ code: 0 });
  const overtaken = await planned(project, webhooks("a", "b"));
  const other = await planned(project, webhooks("a", "c"));
  newRunner(project, { "outreach.yaml": webhooks("a", "c"), [PLAN]: other });
  expect(await project.run(`apply ${PLAN}`)).toMatchObject({ code: 0 });

  newRunner(project, { "outreach.yaml": webhooks("a", "b"), [PLAN]: overtaken });
  const before = server.state()?.toString();
  const { code, err, sent } = await project.run(`apply ${PLAN}`);
  expect([code, sent.filter((request) => !request.startsWith("GET "))]).toEqual([1, []]);
  expect(err).toContain("Saved plan is stale");
  expect(err).toContain("the state has changed");
  expect(server.state()?.toString()).toBe(before);
  expect(live(project)).toEqual(["a", "c"]);
  const shown = await project.run(`show ${PLAN}`);
  expect(shown).toMatchObject({ code: 0, sent: [] });
  expect(shown.out).toContain("outreach_webhook.b will be created");
  expect(
    (JSON.parse((await project.run(`show -json ${PLAN}`)).out) as { readonly resource_changes: unknown[] })
      .resource_changes,
  ).toHaveLength(2);
});

test("a plan for another configuration or with another secret is refused on the machine that applies it", async () => {
  const { project } = await openFleeting();
  const plan = await planned(project, webhooks("a"));
  newRunner(project, { "outreach.yaml": webhooks("z"), [PLAN]: plan });
  expect(await project.run(`apply ${PLAN}`)).toMatchObject({
    code: 1,
    err: expect.stringContaining("stale") as string,
  });
  newRunner(project, { "outreach.yaml": webhooks("a"), [PLAN]: plan });
  expect(await project.run(`apply ${PLAN}`, { S: "another-secret-2" })).toMatchObject({
    code: 1,
    err: expect.stringContaining("outreach_webhook.a") as string,
  });
  expect(live(project)).toEqual([]);
});
