import { expect, test } from "vitest";
import { startS3Server } from "../../../core/state/s3/s3-server.ts";
import { oneWebhook, useProjects } from "../project.ts";

const openProject = useProjects();
const WEBHOOK = "target_url: https://crm.example.com/hooks";
const at = (path: string): string => `${oneWebhook(WEBHOOK)}state: { path: ${path} }\n`;

async function applied() {
  const project = await openProject();
  project.write("outreach.yaml", oneWebhook(WEBHOOK));
  expect((await project.run("apply --auto-approve")).code).toBe(0);
  return project;
}

test("init --migrate-state moves the state to the configured place, and the webhooks stay managed", async () => {
  const project = await applied();
  project.write("outreach.yaml", at("states/new.state.json"));
  project.write("states/keep", "");
  const { code, out, err } = await project.run("init --migrate-state");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toBe(
    "Migrated the state with 1 record from outreach.state.json to states/new.state.json.\noutreach.state.json now only says where the state is.\n",
  );
  expect((await project.run("plan")).out).toContain("No changes.");
  expect(project.sandbox.webhooks()).toHaveLength(1);
  expect((await project.run("init --migrate-state --from outreach.state.json")).out).toContain(
    "states/new.state.json already has the state with 1 record.",
  );
});

test("a colleague whose configuration still names the old place is told where the state is, and sends nothing", async () => {
  const project = await applied();
  await project.run("init --migrate-state --from outreach.state.json --state moved.state.json");
  for (const command of ["plan", "apply --auto-approve", "destroy --auto-approve", "state list", "state pull"]) {
    const { code, err, sent } = await project.run(command);
    expect({ code, sent }).toEqual({ code: 1, sent: [] });
    expect(err).toContain("outreach.state.json no longer holds the state: it was migrated to moved.state.json.");
    expect(err).toContain("Or move it to the configured place: outreach init --migrate-state --from moved.state.json");
  }
  expect(project.sandbox.webhooks()).toHaveLength(1);
});

test("a remote place without a state is not begun while the file next to the configuration says where the state is", async () => {
  const project = await applied();
  await project.run("init --migrate-state --from outreach.state.json --state moved.state.json");
  const server = await startS3Server({ nowMs: null });
  const bucket = {
    AWS_ACCESS_KEY_ID: server.accessKeyId,
    AWS_SECRET_ACCESS_KEY: server.secretAccessKey,
    AWS_REGION: server.region,
    AWS_ENDPOINT_URL_S3: server.url,
    OUTREACH_STATE: `s3://${server.bucket}/x.json`,
  };
  const { code, err, sent } = await project.run("apply --auto-approve", bucket);
  expect({ code, sent }).toEqual({ code: 1, sent: [] });
  expect(err).toContain("has no state yet, but outreach.state.json says that it has moved to moved.state.json.");
  expect(err).toContain("outreach init --migrate-state --from moved.state.json");
  expect((await project.run("init --migrate-state --from moved.state.json", bucket)).code).toBe(0);
  expect((await project.run("plan", bucket)).out).toContain("No changes.");
  await server.close();
});

test("a state in the new place is kept, unless --force keeps a copy of it", async () => {
  const project = await applied();
  project.write("other.yaml", oneWebhook("target_url: https://other.example.com/hooks"));
  await project.run("apply --auto-approve -c other.yaml --state other.state.json");
  const line = "init --migrate-state --from outreach.state.json --state other.state.json";
  const before = project.files();
  const { code, err } = await project.run(line);
  expect(code).toBe(1);
  expect(err).toContain("other.state.json already holds a state (lineage");
  expect(err).toContain("run again with --force");
  expect(project.files()).toEqual(before);
  expect((await project.run(`${line} --force`)).out).toContain(
    "The state that was in the new place is in replaced.outreach.state.json.",
  );
  expect(JSON.parse(project.read("replaced.outreach.state.json"))).toEqual(
    JSON.parse(before["other.state.json"] ?? ""),
  );
  expect((await project.run("plan --state other.state.json")).out).toContain("No changes.");
});

test.each([
  ["init --migrate-state --from nowhere.state.json --state new.state.json", "nowhere.state.json does not exist."],
  ["init --migrate-state", "The configured state is outreach.state.json itself."],
  ["init --from other.state.json", "--from applies to --migrate-state only."],
  ["init --lock-timeout 3s", "--lock-timeout applies to --migrate-state only."],
])("%s is refused", async (line, detail) => {
  const project = await applied();
  const before = project.files();
  const { code, err } = await project.run(line);
  expect(code).toBe(1);
  expect(err).toContain(detail);
  expect(project.files()).toEqual(before);
});

test("state lock shows the holder of the lock, as text and as JSON", async () => {
  const project = await applied();
  expect(await project.run("state lock")).toMatchObject({
    code: 0,
    out: "outreach.state.json is not locked.\n",
    err: "",
  });
  expect(await project.run("state lock --json")).toMatchObject({ code: 0, out: "null\n" });
  const holder = { operation: "apply", who: "grace", since: "2026-01-01T00:00:00.000Z" };
  const lock = {
    id: "11111111-1111-1111-1111-111111111111",
    ...holder,
    host: "there",
    bootId: "b",
    pidNamespace: "pid:[1]",
    pid: 7,
    startedAt: "1",
  };
  project.write("outreach.state.json.lock", `${JSON.stringify(lock)}\n`);
  expect(await project.run("state lock")).toMatchObject({
    code: 0,
    out: `outreach.state.json is locked by grace on there (process 7, apply, since 2026-01-01T00:00:00.000Z).\nLock id: ${lock.id}\n`,
  });
  expect(JSON.parse((await project.run("state lock --json")).out)).toEqual({ id: lock.id, ...holder });
});

test.each([
  ["manages the same addresses", "crm", true],
  ["manages others", "audit", false],
])("a configuration that becomes a folder: the state next to it is named if it %s", async (_, name, isNamed) => {
  const project = await openProject();
  const hook = (block: string): string =>
    `version: 1\nwebhooks: { ${block}: { target_url: https://crm.example.com/${block} } }\n`;
  project.write("outreach.yaml", hook("crm"));
  await project.run("apply --auto-approve");
  project.remove("outreach.yaml");
  project.write("conf/team.yaml", hook(name));
  const { err } = await project.run("plan -c conf");
  const warning = `Warning: Another state has these addresses [state_next_to_folder]

conf/outreach.state.json does not exist yet, but outreach.state.json, next to the folder of the configuration, manages outreach_webhook.crm. An apply with a new state would create them a second time.
If it is the state of this configuration, move it: mv outreach.state.json conf/outreach.state.json
`;
  expect(err.includes(warning)).toBe(isNamed);
  expect(err.includes("Another state")).toBe(isNamed);
  project.write("conf/outreach.state.json", project.read("outreach.state.json"));
  expect((await project.run("plan -c conf")).err).not.toContain("Another state");
});
