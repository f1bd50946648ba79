import { describe, expect, test } from "vitest";
import { oneWebhook, useProjects } from "../project.ts";

const project = useProjects();

describe("outreach get", () => {
  test("needs no configuration: campaigns come as a table", async () => {
    const { run } = await project();
    const { code, out, sent } = await run("get campaigns --status running");
    expect(code).toBe(0);
    expect(out.split("\n")[0]).toMatch(/^ID +NAME +STATUS +LABELS +CREATED_AT$/);
    expect(out).toContain("cam_000001  Q3 launch");
    expect(out).not.toContain("cam_000003");
    expect(sent).toEqual(["GET /campaigns?version=v2&status=running 200"]);
  });

  test("a campaign with errors on top of another status is found by either", async () => {
    const { run, sandbox } = await project();
    sandbox.add("campaigns", {
      _id: "cam_both",
      name: "Both",
      teamId: "tea_000001",
      createdBy: "usr_000001",
      status: "running",
      alsoIn: ["paused", "errors"],
    } as never);
    for (const status of ["paused", "errors"])
      expect((await run(`get campaigns --status ${status}`)).out).toContain("cam_both");
  });

  test("--json prints the attributes by their Terraform names", async () => {
    const { run } = await project();
    const { out } = await run("get schedules cam_000001 --json");
    expect(JSON.parse(out)).toMatchObject([
      { id: "skd_000001", seconds_to_wait: 120, weekdays: [1, 2, 3, 4, 5], deleted_at: null },
      {},
    ]);
  });

  test("warm-up settings come in either shape, with null for what the service does not show", async () => {
    const { run, sandbox } = await project();
    const shapes = await Promise.all(
      sandbox.records("mailboxes").map(async ({ _id }) => {
        const { code, out } = await run(`get warmup ${_id} --json`);
        return code === 0
          ? (JSON.parse(out) as {
              readonly daily_limit: number | null;
              readonly warm_email_max: number | null;
              readonly deliverability: object | null;
            })
          : null;
      }),
    );
    expect(shapes.some((shape) => typeof shape?.daily_limit === "number" && shape.warm_email_max === null)).toBe(true);
    expect(shapes.some((shape) => shape?.daily_limit === null && typeof shape.warm_email_max === "number")).toBe(true);
    for (const shape of shapes)
      if (shape?.deliverability) expect(Object.keys(shape.deliverability)).toEqual(["score", "last_at"]);
  });

  test("live webhooks are shown without their secrets", async () => {
    const { run, sandbox } = await project();
    sandbox.add("webhooks", {
      _id: "hoo_a",
      teamId: "tea_000001",
      targetUrl: "https://x.example.com/",
      type: "emailsSent",
      campaignId: "cam_000001",
      secret: "never-shown",
    });
    const { out } = await run("get webhooks");
    expect(out).toContain("hoo_a  https://x.example.com/  emailsSent  cam_000001");
    expect(out).not.toContain("never-shown");
  });

  test("live webhooks are shown with the address that manages them", async () => {
    const { run, sandbox, write } = await project();
    expect((await run("get webhooks")).out).not.toContain("MANAGED");
    write("outreach.yaml", oneWebhook("target_url: https://crm.example.com/hooks"));
    await run("apply --auto-approve");
    sandbox.add("webhooks", { _id: "hoo_other", teamId: "tea_000001", targetUrl: "https://x.example.com/" });
    // A lock does not keep it from reading.
    write("outreach.state.json.lock", "held");
    const rows = (await run("get webhooks")).out
      .trimEnd()
      .split("\n")
      .map((line) => line.split(/ {2,}/));
    expect(rows.map((row) => [row[0], row.at(-1)])).toEqual([
      ["ID", "MANAGED"],
      ["hoo_000001", "outreach_webhook.crm"],
      ["hoo_other", "-"],
    ]);
    const listed = JSON.parse((await run("get webhooks --json")).out) as readonly {
      readonly id: string;
      readonly managed: string | null;
    }[];
    expect(listed.map(({ id, managed }) => [id, managed])).toEqual([
      ["hoo_000001", "outreach_webhook.crm"],
      ["hoo_other", null],
    ]);
    write("outreach.state.json", "damaged");
    const { code, out, err } = await run("get webhooks");
    expect([code, err.split("\n")[0]]).toEqual([0, expect.stringMatching(/^Warning: /)]);
    expect(out).toContain("hoo_other");
    expect(out).not.toContain("MANAGED");
  });

  test.for([
    ["get schedules nonsense", "Invalid campaign id"],
    ["get warmup a/b", "Invalid mailbox id"],
    ["get campaigns --status started", "Value not allowed"],
    ["get campaigns --name-regex (", "Invalid regular expression"],
  ] as const)("%s is refused before anything is sent", async ([line, says]) => {
    const { run } = await project();
    const { code, err, sent } = await run(line);
    expect([code, sent]).toEqual([1, []]);
    expect(err).toContain(says);
  });

  test("another team's campaign is an error with the service's words", async () => {
    const { run, sandbox } = await project();
    const other = sandbox.records("campaigns").find(({ teamId }) => teamId !== "tea_000001");
    const { code, err } = await run(`get schedules ${String(other?._id)}`);
    expect(code).toBe(1);
    expect(err).toMatch(/GET \/campaigns\/\w+\/schedules\/: \d+ (Bad team|Campaign not found)/);
  });
});

describe("a configuration of which only the service matters", () => {
  const MISTAKEN =
    "version: 1\nwebhooks: { a: { target_ulr: x, secret: { env: OUTREACH_API_KEY } } }\nvariables: { unused: {}, port: {} }\n";

  test("may be wrong elsewhere, and lack values of variables", async () => {
    const { run, write } = await project();
    write("outreach.yaml", MISTAKEN);
    for (const command of ["get campaigns", "get webhooks"]) expect((await run(command)).code, command).toBe(0);
  });

  test("takes its base URL from a variable, and says when that has no value", async () => {
    const { run, write, sandbox, environment } = await project();
    write("outreach.yaml", `${MISTAKEN}service: { base_url: "http://127.0.0.1:\${var.port}/api" }\n`);
    environment["OUTREACH_BASE_URL"] = undefined;
    expect(await run("get webhooks")).toMatchObject({
      code: 1,
      err: expect.stringContaining("on outreach.yaml:4:22") as string,
    });
    expect((await run("get webhooks")).err).toContain("service.base_url refers to a variable that has no value.");
    expect((await run(`get webhooks --var port=${new URL(sandbox.baseUrl).port}`)).code).toBe(0);
  });

  test.each([
    ["its own section", "version: 1\nservice: { base_urk: x }\n", "Did you mean base_url?"],
    ["YAML that cannot be read", "version: 1\nservice: [\n", "Invalid YAML"],
  ])("is refused for what is wrong in %s", async (_, source, words) => {
    const { run, write } = await project();
    write("outreach.yaml", source);
    expect(await run("get webhooks")).toMatchObject({
      code: 1,
      sent: [],
      err: expect.stringContaining(words) as string,
    });
  });

  test("is refused when two files of a folder say which service", async () => {
    const { run, write } = await project();
    for (const file of ["a", "b"]) write(`conf/${file}.yaml`, "version: 1\nservice: { rate_share: 50% }\n");
    expect(await run("get webhooks -c conf")).toMatchObject({
      code: 1,
      err: expect.stringContaining("service is given in conf/a.yaml:2:1") as string,
    });
  });
});
