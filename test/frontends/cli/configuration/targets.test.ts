import { describe, expect, test } from "vitest";
import { useProjects } from "../project.ts";

const openProject = useProjects();

const TWO = `version: 1
webhooks:
  a: { target_url: 'https://a.example.com' }
  audit: { target_url: 'https://audit.example.com', types: [emailsSent, emailsBounced] }
`;
const TARGETING =
  "Warning: Resource targeting is in effect [targeted]\n\nThe plan includes only the targets: the result may not be everything that the configuration declares.\n";

describe("--target", () => {
  test("plans one address, or a block with all its instances, and says that it is not everything", async () => {
    const project = await openProject();
    project.write("outreach.yaml", TWO);
    const one = await project.run("plan '--target=outreach_webhook.audit[\"emailsSent\"]'");
    expect([one.code, one.out.match(/^ {2}# .*/gm)]).toEqual([0, ['  # outreach_webhook.audit["emailsSent"] will be created']]);
    expect(one.err).toContain(TARGETING);
    const block = await project.run("apply --auto-approve -target outreach_webhook.audit");
    expect([block.code, block.sent]).toEqual([0, ["GET /hooks 200", "POST /hooks 200", "POST /hooks 200", "GET /hooks 200"]]);
    const rest = await project.run("plan -target=outreach_webhook.a -target=outreach_webhook.audit");
    expect(rest.out).toContain("Plan: 1 to add, 0 to change, 0 to destroy.");
  });

  test("leaves alone what it does not name, also when that is missing or no longer declared", async () => {
    const project = await openProject();
    project.write("outreach.yaml", TWO);
    await project.run("apply --auto-approve");
    const [a] = project.sandbox.webhooks().filter(({ targetUrl }) => targetUrl === "https://a.example.com");
    project.sandbox.remove("webhooks", a?._id ?? "");
    project.write("outreach.yaml", TWO.replace(/ {2}audit.*\n/, ""));
    const { code, sent } = await project.run("apply --auto-approve '--target=outreach_webhook.audit[\"emailsSent\"]'");
    expect([code, sent.filter((line) => !line.startsWith("GET"))]).toEqual([0, [expect.stringMatching(/^DELETE \/hooks\/hoo_\d+ 200$/)]]);
    expect((await project.run("destroy --auto-approve --target outreach_webhook.a")).sent.filter((line) => !line.startsWith("GET"))).toEqual([]);
    expect(project.sandbox.webhooks().map(({ type }) => type)).toEqual(["emailsBounced"]);
  });

  test.each([
    ["--target", "The target outreach_webhook.b is neither declared nor recorded"],
    ["--replace", "outreach_webhook.b cannot be replaced: it is not in the state"],
  ])("%s of an address that does not exist is an error", async (option, words) => {
    const project = await openProject();
    project.write("outreach.yaml", TWO);
    const { code, err, sent } = await project.run(`apply --auto-approve ${option} outreach_webhook.b`);
    expect([code, sent.filter((line) => !line.startsWith("GET"))]).toEqual([1, []]);
    expect(err).toContain(`Error: No such address [address_unknown]\n\n${words}.\n`);
    expect(err).not.toContain("Warning:");
  });
});

describe("an address as people type it", () => {
  test.each([
    ["plan --target audit", "Did you mean outreach_webhook.audit?\n"],
    ["plan --target outreach_webhook.audit[emailsSent]", "Did you mean 'outreach_webhook.audit[\"emailsSent\"]'?\n"],
    ["state show outreach_webhook.audit[emailsSent]", "quote the whole address for a shell: 'outreach_webhook.audit[\"emailsSent\"]'\n"],
    ["state rm audit", "Write TYPE.NAME, as in outreach_webhook.crm-replies.\n"],
    ["import outreach_webhook.audit[emailsSent] hoo_000001", "quote the whole address for a shell"],
  ])("%s: the message shows how it is written", async (command, words) => {
    const project = await openProject();
    project.write("outreach.yaml", TWO);
    await project.run("apply --auto-approve");
    expect(await project.run(command)).toMatchObject({ code: 1, err: expect.stringContaining(words) as string });
  });
});

describe("outputs", () => {
  const OUTPUTS = `${TWO}data:
  campaign: { q3: { name: Q3 launch } }
outputs:
  campaign: \${data.outreach_campaign.q3.id}
  a_id: \${outreach_webhook.a.id}
  urls: ["\${outreach_webhook.a.target_url}", "x"]
  hidden: { value: "\${outreach_webhook.a.id}", sensitive: true }
`;

  test("are planned, known after the create, and printed by output", async () => {
    const project = await openProject();
    project.write("outreach.yaml", OUTPUTS);
    const plan = await project.run("plan");
    expect(plan.out).toContain(
      'Changes to Outputs:\n  + a_id     = (known after apply)\n  + campaign = "cam_000001"\n  + hidden   = (known after apply)\n  + urls     = ["https://a.example.com", "x"]\n',
    );
    const applied = await project.run("apply --auto-approve");
    // The creates are sent at once, so that any of them may be the first.
    const [, id = ""] = /outreach_webhook\.a: Creation complete after \S+ \[id=(hoo_\d+)\]/.exec(applied.out) ?? [];
    expect(id).not.toBe("");
    expect(applied.out).toContain(
      `\nOutputs:\n\na_id = "${id}"\ncampaign = "cam_000001"\nhidden = (sensitive value)\nurls = [\n  "https://a.example.com",\n  "x",\n]\n`,
    );
    expect((await project.run("output")).out).toContain("hidden = (sensitive value)\n");
    expect(await project.run("output -raw a_id")).toMatchObject({ code: 0, out: id, sent: [] });
    expect(await project.run("output -json hidden")).toMatchObject({ code: 0, out: `"${id}"\n` });
    expect(JSON.parse((await project.run("output -json")).out)).toMatchObject({
      a_id: { sensitive: false, type: "string", value: id },
      hidden: { sensitive: true, type: "string", value: id },
    });
    expect(await project.run("output nope")).toMatchObject({ code: 1, out: "" });
    expect((await project.run("output -c outreach.yaml nope")).err).toContain("If it was declared after the last apply: outreach apply -c outreach.yaml\n");
  });

  test("that change alone are a change without a request", async () => {
    const project = await openProject();
    project.write("outreach.yaml", OUTPUTS);
    await project.run("apply --auto-approve");
    project.write("outreach.yaml", OUTPUTS.replace('"x"]', '"y"]'));
    const plan = await project.run("plan --detailed-exitcode");
    expect(plan.code).toBe(2);
    expect(plan.out).toContain('Changes to Outputs:\n  ~ urls = ["https://a.example.com", "x"] -> ["https://a.example.com", "y"]\n');
    const applied = await project.run("apply --auto-approve");
    expect(applied.sent.filter((line) => !line.startsWith("GET"))).toEqual([]);
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
  });

  test("of what is not targeted stay as they are", async () => {
    const project = await openProject();
    project.write("outreach.yaml", OUTPUTS);
    await project.run("apply --auto-approve");
    project.write("outreach.yaml", OUTPUTS.replace("a.example.com", "new.example.com").replace("audit.example.com", "b.example.com"));
    const { out } = await project.run("plan --target outreach_webhook.audit");
    expect(out).toContain("Plan: 2 to add, 0 to change, 2 to destroy.");
    expect(out).not.toContain("Outputs");
  });
});

describe("refresh", () => {
  test("makes the state follow what is live, and sends nothing", async () => {
    const project = await openProject();
    project.write("outreach.yaml", TWO);
    await project.run("apply --auto-approve");
    const [a, sent, bounced] = ["https://a.example.com", "emailsSent", "emailsBounced"].map(
      (text) => project.sandbox.webhooks().find(({ targetUrl, type }) => targetUrl === text || type === text)?._id ?? "",
    );
    project.sandbox.change("webhooks", a ?? "", { targetUrl: "https://moved.example.com" });
    project.sandbox.remove("webhooks", sent ?? "");
    const plan = await project.run("plan --refresh-only --detailed-exitcode");
    expect(plan.code).toBe(2);
    expect(plan.out).toContain("outreach_webhook.a has changed\n");
    expect(plan.out).toContain('outreach_webhook.audit["emailsSent"] has been deleted\n');
    const refreshed = await project.run("refresh");
    expect([refreshed.code, refreshed.sent.filter((line) => !line.startsWith("GET"))]).toEqual([0, []]);
    expect((await project.run("state list")).out).toBe('outreach_webhook.a\noutreach_webhook.audit["emailsBounced"]\n');
    expect((await project.run("state show outreach_webhook.a")).out).toContain('target_url = "https://moved.example.com"');
    expect(await project.run("plan --refresh-only --detailed-exitcode")).toMatchObject({ code: 0 });
    const repaired = await project.run("apply --auto-approve");
    expect(repaired.out).toContain("Apply complete! Resources: 2 added, 0 changed, 1 destroyed.");
    expect(repaired.sent).toContain(`DELETE /hooks/${a ?? ""} 200`);
    expect(project.sandbox.webhooks().map(({ _id }) => _id)).toContain(bounced);
  });

  test.each(["--destroy", "--replace outreach_webhook.a", "--adopt", "--assume-unsubscribed"])("--refresh-only does not go with %s", async (option) => {
    const project = await openProject();
    project.write("outreach.yaml", TWO);
    expect(await project.run(`plan --refresh-only ${option}`)).toMatchObject({
      code: 1,
      sent: [],
      err: expect.stringContaining("Error: Conflicting options") as string,
    });
  });
});
