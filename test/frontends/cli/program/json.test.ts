import { describe, expect, test } from "vitest";
import { type Ran, oneWebhook, useProjects } from "../project.ts";

const openProject = useProjects();

const CONFIGURATION = `version: 1
webhooks:
  a: { target_url: 'https://a.example.com', secret: { env: S } }
  b: { target_url: 'https://b.example.com' }
lead_unsubscriptions:
  gdpr: { campaign_id: cam_000001, emails: [ada@example.com] }
outputs:
  a_id: \${outreach_webhook.a.id}
`;

interface JsonLine {
  readonly "@level": string;
  readonly "@message": string;
  readonly type: string;
  readonly change?: { readonly action: string; readonly resource: { readonly addr: string } };
  readonly hook?: {
    readonly action: string;
    readonly id_value?: string;
    readonly elapsed_seconds?: number;
    readonly resource: { readonly addr: string };
  };
  readonly changes?: object;
  readonly outputs?: object;
  readonly diagnostic?: { readonly severity: string; readonly summary: string; readonly detail: string };
}

/** Every line of what was printed, each of them an object with what every line has. */
function linesOf({ out, err }: Ran): readonly JsonLine[] {
  expect(err).toBe("");
  expect(out.endsWith("\n")).toBe(true);
  return out
    .trimEnd()
    .split("\n")
    .map((line, index) => {
      const parsed = JSON.parse(line) as JsonLine;
      expect(parsed).toMatchObject({
        "@level": expect.stringMatching(/^(info|warn|error)$/) as string,
        "@module": "outreach.ui",
        "@timestamp": expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
      });
      if (index === 0) expect(parsed).toMatchObject({ type: "version", ui: "1.2" });
      return parsed;
    });
}

const typesOf = (lines: readonly JsonLine[]): readonly string[] => lines.map(({ type }) => type);

test("plan and apply print Terraform's lines and nothing else", async () => {
  const project = await openProject();
  project.environment["S"] = "first-secret-value";
  project.write("outreach.yaml", CONFIGURATION);
  const plan = await project.run("plan --json --detailed-exitcode");
  expect(plan.code).toBe(2);
  const planned = linesOf(plan);
  expect(typesOf(planned)).toEqual([
    "version",
    "log",
    "planned_change",
    "planned_change",
    "planned_change",
    "change_summary",
    "outputs",
    "log",
  ]);
  expect(planned.flatMap(({ change }) => (change ? [change.action] : []))).toEqual(["create", "create", "create"]);
  expect(planned[5]).toMatchObject({
    "@message": "Plan: 3 to add, 0 to change, 0 to destroy.",
    changes: { add: 3, change: 0, import: 0, remove: 0, operation: "plan" },
  });
  expect(planned[6]?.outputs).toEqual({ a_id: { sensitive: false, action: "create" } });
  expect(planned[7]).toMatchObject({
    "@message": expect.stringMatching(/^Requests: \d+, at least 0 s at 20 per 2 s$/) as string,
    requests: { at_least_seconds: 0, limit: { requests: 20, seconds: 2 } },
  });

  const apply = await project.run("apply --json --auto-approve");
  expect(apply.code).toBe(0);
  const applied = linesOf(apply).slice(planned.length);
  const id = project.sandbox.webhooks().find(({ targetUrl }) => targetUrl.includes("a.ex"))?._id;
  expect(typesOf(applied).toSorted()).toEqual(
    [
      "apply_start",
      "apply_start",
      "apply_start",
      "apply_complete",
      "apply_complete",
      "apply_complete",
      "change_summary",
      "outputs",
    ].toSorted(),
  );
  expect(
    applied.find(({ type, hook }) => type === "apply_complete" && hook?.resource.addr === "outreach_webhook.a"),
  ).toMatchObject({
    hook: { action: "create", id_key: "id", id_value: id, elapsed_seconds: expect.any(Number) as number },
  });
  expect(applied.at(-2)).toMatchObject({ changes: { add: 3, change: 0, import: 0, remove: 0, operation: "apply" } });
  expect(applied.at(-1)?.outputs).toEqual({ a_id: { sensitive: false, type: "string", value: id } });
  expect(`${plan.out}${apply.out}`).not.toMatch(/first-secret-value|ada@|sandbox-key/);

  const none = linesOf(await project.run("plan --json"));
  expect(typesOf(none)).toEqual(["version", "change_summary", "outputs", "log"]);
  expect(none[1]?.changes).toEqual({ add: 0, change: 0, import: 0, remove: 0, operation: "plan" });
});

test("drift, replaces, deletes, moves and what is forgotten have lines of their own", async () => {
  const project = await openProject();
  project.environment["S"] = "first-secret-value";
  project.write(
    "outreach.yaml",
    CONFIGURATION.replace("lead_unsub", "  released: { target_url: 'https://released.example.com' }\nlead_unsub"),
  );
  await project.run("apply --auto-approve");
  const idOf = (host: string): string =>
    project.sandbox.webhooks().find(({ targetUrl }) => targetUrl.includes(host))?._id ?? "";
  const id = idOf("a.ex");
  project.environment["S"] = "second-secret-value";
  project.sandbox.remove("webhooks", idOf("b.ex"));
  const removed = "removed:\n  - { from: outreach_webhook.released, destroy: false }\n";
  project.write("outreach.yaml", CONFIGURATION.replace(/lead_unsub[^]*outputs/, `${removed}outputs`));
  const lines = linesOf(await project.run("plan --json"));
  expect(lines.map(({ type, change }) => [type, change?.action, change?.resource.addr.replace(/\[.*/, "")])).toEqual([
    ["version", undefined, undefined],
    ["diagnostic", undefined, undefined],
    ["resource_drift", "delete", "outreach_webhook.b"],
    ["planned_change", "replace", "outreach_webhook.a"],
    ["planned_change", "create", "outreach_webhook.b"],
    ["planned_change", "remove", "outreach_webhook.released"],
    ["change_summary", undefined, undefined],
    ["outputs", undefined, undefined],
    ["log", undefined, undefined],
  ]);
  expect(lines[6]?.changes).toMatchObject({ add: 2, change: 0, remove: 1, forget: 1 });

  await project.run("plan --out saved.plan");
  const shown = await project.run("show -json saved.plan");
  expect([shown.code, shown.sent, shown.err]).toEqual([0, [], ""]);
  const representation = JSON.parse(shown.out) as {
    readonly format_version: string;
    readonly resource_changes: readonly {
      readonly address: string;
      readonly change: { readonly actions: readonly string[] };
    }[];
  };
  expect(representation.format_version).toMatch(/^1\./);
  expect(
    representation.resource_changes.map(({ address, change }) => [address.replace(/\[.*/, ""), change.actions]),
  ).toEqual([
    ["outreach_webhook.a", ["delete", "create"]],
    ["outreach_webhook.b", ["create"]],
    ["outreach_webhook.released", ["forget"]],
  ]);
  expect(representation.resource_changes[0]).toMatchObject({
    change: {
      before: { target_url: "https://a.example.com", id },
      after_unknown: { id: true, created_at: true },
      before_sensitive: { secret: true },
      after_sensitive: { secret: true },
      replace_paths: [["secret"]],
    },
  });
  expect(representation).toMatchObject({
    resource_drift: [{ address: "outreach_webhook.b", change: { actions: ["delete"] } }],
    output_changes: { a_id: { actions: ["update"] } },
  });
  expect(shown.out).not.toMatch(/secret-value|ada@/);
  const applied = await project.run("apply --json saved.plan");
  expect(applied.code).toBe(0);
  expect(linesOf(applied).at(-2)).toMatchObject({
    type: "change_summary",
    changes: { add: 2, remove: 1, forget: 1, operation: "apply" },
  });
});

describe("errors are lines too", () => {
  test.each([
    ["a file that is no YAML", "plan --json", {}, "webhooks: [", "Invalid YAML"],
    ["a mistake in the configuration", "plan --json", {}, oneWebhook("target_url: ftp://x"), "Invalid"],
    ["no configuration", "plan --json -c nowhere.yaml", {}, "version: 1\n", "No configuration"],
    ["no base URL", "plan --json", { OUTREACH_BASE_URL: undefined }, CONFIGURATION, "No base URL"],
    ["no key", "plan --json", { OUTREACH_API_KEY: "" }, CONFIGURATION, "No API key"],
    [
      "a wrong key",
      "plan --json",
      { OUTREACH_API_KEY: "wrong", S: "some-secret" },
      CONFIGURATION,
      "The service refused the request",
    ],
    ["no secret", "plan --json", {}, CONFIGURATION, "A secret is not available"],
    ["nobody to ask", "apply --json", {}, CONFIGURATION, "Approval required"],
    ["options that do not go together", "plan --json --refresh-only --adopt", {}, CONFIGURATION, "Conflicting options"],
    ["no plan file", "apply --json saved.plan", {}, CONFIGURATION, "Cannot read the plan"],
    [
      "an unknown address",
      "plan --json --target outreach_webhook.zz",
      { S: "some-secret" },
      CONFIGURATION,
      "No such address",
    ],
  ])("%s", async (_name, command, environment, text, summary) => {
    const project = await openProject();
    project.write("outreach.yaml", text);
    const ran = await project.run(command, environment);
    expect(ran.code).toBe(1);
    const errors = linesOf(ran).filter(({ type, "@level": level }) => type === "diagnostic" && level === "error");
    expect(errors[0]?.diagnostic).toMatchObject({
      severity: "error",
      summary: expect.stringContaining(summary) as string,
    });
    for (const { diagnostic } of errors) expect(diagnostic?.detail).toMatch(/\S.*\n\n\S/s);
  });

  test("of an apply, with the address and what is to be done", async () => {
    const project = await openProject();
    project.environment["S"] = "first-secret-value";
    project.write("outreach.yaml", CONFIGURATION);
    project.sandbox.addFault({ action: { kind: "answer", status: 400, body: "Bad team" }, operation: "addWebhook" });
    const ran = await project.run("apply --json --auto-approve");
    expect(ran.code).toBe(1);
    const lines = linesOf(ran);
    expect(lines.filter(({ type }) => type === "apply_errored")).toHaveLength(1);
    expect(lines.find(({ type }) => type === "diagnostic")).toMatchObject({
      "@level": "error",
      diagnostic: {
        address: expect.stringMatching(/^outreach_webhook\.[ab]$/) as string,
        detail: expect.stringContaining("POST /hooks: 400 Bad team.") as string,
      },
    });
    expect(lines.at(-2)).toMatchObject({ changes: { add: 2 } });
  });
});
