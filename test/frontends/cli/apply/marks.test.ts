import { describe, expect, onTestFinished, test } from "vitest";
import { splitMark } from "../../../../src/service/api/url-mark.ts";
import { startReceiver } from "../listen/listening.ts";
import { type Project, useProjects } from "../project.ts";
import { stateIn } from "../story.ts";

const openProject = useProjects();
const URL_A = "https://crm.example.com/a?x=1";
const MARK = /^[0-9a-f]{16}$/;

async function marking(settings = ""): Promise<Project> {
  const project = await openProject();
  declare(project, settings);
  return project;
}

function declare(project: Project, settings = "", service = "mark: true"): void {
  project.write(
    "outreach.yaml",
    `version: 1\nservice: { ${service} }\nwebhooks: { crm: { target_url: "${URL_A}", type: emailsReplied${settings} } }\n`,
  );
}

const marks = ({ sandbox }: Project) => sandbox.webhooks().map(({ targetUrl }) => splitMark(targetUrl).mark);
const posts = ({ sandbox }: Project): readonly string[] =>
  sandbox
    .requests()
    .flatMap(({ method, body }) => (method === "POST" ? [(body as { readonly targetUrl: string }).targetUrl] : []));
const UNANSWERED = { action: { kind: "drop" }, method: "POST" } as const;
/** The list shows a create later than recovery waits. */
const STALE_MS = 3_600_000;

async function isSteady(project: Project): Promise<void> {
  const files = project.files();
  expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
  expect(project.files()).toEqual(files);
}

describe("a create with a mark", () => {
  test("sends it as a parameter of the target URL; state, plan, generate and drift leave it out, and `get webhooks` shows it", async () => {
    const project = await marking();
    const applied = await project.run("apply --auto-approve");
    expect([applied.code, applied.err.match(/carries a mark/g)?.length]).toEqual([0, 1]);
    const [mark = ""] = marks(project);
    expect([mark, project.sandbox.webhooks().map(({ targetUrl }) => targetUrl)]).toEqual([
      expect.stringMatching(MARK),
      [`${URL_A}&outreach=${mark}`],
    ]);
    const [record] = stateIn(project.folder)?.instances ?? [];
    expect([record?.attributes["target_url"], record?.returned["target_url"], record?.mark]).toEqual([
      URL_A,
      URL_A,
      mark,
    ]);
    await isSteady(project);
    expect(await project.run("drift")).toMatchObject({ code: 0 });
    expect((await project.run("get webhooks")).out).toContain(mark);
    expect(JSON.parse((await project.run("get webhooks --json")).out)).toMatchObject([{ target_url: URL_A, mark }]);
    project.write("outreach.yaml", "version: 1\n");
    await project.run("state rm outreach_webhook.crm");
    const generated = await project.run("generate --out found.yaml");
    expect([generated.code, generated.err]).toEqual([0, ""]);
    expect(project.files()["found.yaml"]).toContain(URL_A);
    expect(project.files()["found.yaml"]).not.toContain(mark);
  });

  test("is off by default, and a setting of the service: a webhook has none", async () => {
    const project = await openProject();
    project.write("outreach.yaml", "version: 1\nwebhooks: { none: { target_url: https://c.example.com/ } }\n");
    await project.run("apply --auto-approve");
    expect(marks(project)).toEqual([null]);
    declare(project, ", mark: true");
    const { code, err } = await project.run("validate");
    expect([code, err]).toEqual([1, expect.stringContaining("mark")]);
  });

  test("refuses a URL that carries the mark of another webhook", async () => {
    const project = await marking();
    project.write(
      "outreach.yaml",
      `version: 1\nwebhooks: { crm: { target_url: "https://a.example.com/?outreach=0123456789abcdef" } }\n`,
    );
    const { code, err } = await project.run("validate");
    expect([code, err]).toEqual([
      1,
      expect.stringContaining("target_url carries the mark of a webhook that already exists"),
    ]);
    expect(err).toContain("outreach.yaml:2:");
  });
});

test("a webhook of another state is named as such, and its mark is kept once it is imported", async () => {
  const other = await marking();
  await other.run("apply --auto-approve");
  const project = await marking();
  const environment = { OUTREACH_BASE_URL: other.sandbox.baseUrl };
  const planned = await project.run("plan", environment);
  expect([planned.code, planned.err]).toEqual([
    1,
    expect.stringContaining("hoo_000001 carries the mark of another state"),
  ]);
  await project.run("import outreach_webhook.crm hoo_000001", environment);
  expect((await project.run("apply --auto-approve", environment)).code).toBe(0);
  expect(stateIn(project.folder)?.instances[0]?.mark).toBe(marks(other)[0]);
  expect((await project.run("plan --detailed-exitcode", environment)).code).toBe(0);
});

test("doctor sends to the URL with the mark", async () => {
  const receiver = await startReceiver(() => 204);
  onTestFinished(receiver.close);
  const project = await openProject();
  const host = `127.0.0.1:${String(receiver.port)}`;
  project.write(
    "outreach.yaml",
    `version: 1\nservice: { mark: true }\nwebhooks: { crm: { target_url: "http://${host}/hook?a=1" } }\n`,
  );
  await project.run("apply --auto-approve");
  await project.run(`doctor --receivers --allow ${host}`);
  expect(receiver.requests.map(({ path }) => path)).toContain(`/hook?a=1&outreach=${String(marks(project)[0])}`);
});

describe("a lost answer", () => {
  test("is decided by the mark, although an identical webhook of somebody else appeared meanwhile", async () => {
    const project = await marking();
    project.sandbox.addFault({ ...UNANSWERED, when: "after" });
    project.sandbox.addFault({
      action: { kind: "answer", status: 400, body: '"no list"' },
      operation: "listWebhooks",
      times: null,
      skip: 1,
    });
    expect((await project.run("apply --auto-approve")).code).toBe(3);
    project.sandbox.clearFaults();
    const { _id: foreign } = project.sandbox.add("webhooks", { targetUrl: URL_A, type: "emailsReplied" });
    const again = await project.run("apply --auto-approve");
    expect([again.code, again.err]).toEqual([0, expect.stringContaining("hoo_000001 will be recorded")]);
    expect([posts(project).length, stateIn(project.folder)?.instances.map(({ id }) => id)]).toEqual([
      1,
      ["hoo_000001"],
    ]);
    expect(project.sandbox.webhooks().map(({ _id }) => _id)).toContain(foreign);
  });

  test("of a create that was not carried out has it sent again, with the same mark", async () => {
    const project = await marking();
    project.sandbox.addFault(UNANSWERED);
    expect((await project.run("apply --auto-approve")).code).toBe(0);
    const sent = posts(project).map((url) => splitMark(url).mark);
    expect([sent.length, new Set(sent).size, marks(project)]).toEqual([2, 1, [sent[0]]]);
    await isSteady(project);
  });

  test("behind a stale list makes a twin, which the next plan deletes, and nothing else", async () => {
    const project = await marking();
    project.sandbox.configure({ profile: { staleMs: STALE_MS } });
    project.sandbox.addFault({ ...UNANSWERED, when: "after" });
    expect((await project.run("apply --auto-approve")).code).toBe(0);
    expect([project.sandbox.webhooks().length, new Set(marks(project)).size]).toEqual([2, 1]);
    // A copy by hand has another type, so it is no twin.
    const { _id: copy } = project.sandbox.add("webhooks", { targetUrl: posts(project)[0] ?? "", type: "emailsSent" });
    project.sandbox.configure({ profile: { staleMs: 0 } });
    const planned = await project.run("plan");
    expect(planned.out).toContain("Plan: 0 to add, 0 to change, 1 to destroy.");
    expect(planned.err).toContain("carries the mark of an earlier create of outreach_webhook.crm, so it is ours.");
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
    expect(
      project.sandbox
        .webhooks()
        .map(({ _id }) => _id)
        .filter((id) => id !== copy),
    ).toEqual(stateIn(project.folder)?.instances.map(({ id }) => id));
    expect(project.sandbox.webhooks().map(({ _id }) => _id)).toContain(copy);
  });

  test("behind a stale list, and rejected when it is sent again, is recorded once the list shows it", async () => {
    const project = await marking();
    project.sandbox.configure({ profile: { staleMs: STALE_MS } });
    project.sandbox.addFault({ ...UNANSWERED, when: "after" });
    project.sandbox.addFault({ action: { kind: "answer", status: 400, body: '"no"' }, method: "POST", skip: 1 });
    expect((await project.run("apply --auto-approve")).code).toBe(1);
    project.sandbox.configure({ profile: { staleMs: 0 } });
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
    expect([marks(project).length, stateIn(project.folder)?.instances.map(({ id }) => id)]).toEqual([
      1,
      ["hoo_000001"],
    ]);
    await isSteady(project);
  });

  test("on a service with one webhook a URL is answered 409 the second time, and found once the list shows it", async () => {
    const project = await marking();
    project.sandbox.configure({ choices: { uniqueTargetUrl: true }, profile: { staleMs: STALE_MS } });
    project.sandbox.addFault({ ...UNANSWERED, when: "after" });
    expect((await project.run("apply --auto-approve")).code).toBe(3);
    const sent = posts(project);
    expect([new Set(sent).size, project.sandbox.webhooks().length]).toEqual([1, 1]);
    project.sandbox.configure({ profile: { staleMs: 0 } });
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
    expect([posts(project), stateIn(project.folder)?.instances.map(({ id }) => id)]).toEqual([sent, ["hoo_000001"]]);
    await isSteady(project);
  });
});

describe("create_first with a mark", () => {
  test("works on a service with one webhook a URL", async () => {
    const project = await marking(", rotation: create_first, is_first: false");
    project.sandbox.configure({ choices: { uniqueTargetUrl: true } });
    await project.run("apply --auto-approve");
    declare(project, ", rotation: create_first, is_first: true", "mark: true, unique_target_url: true");
    const { code, sent } = await project.run("apply --auto-approve");
    expect([code, sent.filter((line) => !line.startsWith("GET"))]).toEqual([
      0,
      ["POST /hooks?isFirst=true 200", "DELETE /hooks/hoo_000001 200"],
    ]);
    await isSteady(project);
  });
});

test("turning marks on replaces nothing", async () => {
  const project = await openProject();
  declare(project, "", "unique_target_url: true");
  project.sandbox.configure({ choices: { uniqueTargetUrl: true } });
  await project.run("apply --auto-approve");
  const before = project.sandbox.webhooks();
  declare(project, "", "unique_target_url: true, mark: true");
  await isSteady(project);
  expect(project.sandbox.webhooks()).toEqual(before);
});
