import { describe, expect, test } from "vitest";
import { type Project, oneWebhook, timeless, useProjects } from "../project.ts";

/** A create that was rejected is looked for. */
const LOOKED = ["GET /hooks 200", expect.stringMatching(/^GET \/hooks\?offset=\d 200$/)];
const openProject = useProjects();

const BODY = "target_url: https://crm.example.com/hooks\ntype: emailsReplied\nsecret: { env: S }";
const FIRST = `${BODY}\nrotation: create_first`;
const REFUSED = { action: { kind: "answer", status: 400, body: "Bad team" } } as const;

async function created(body: string): Promise<Project> {
  const project = await openProject();
  project.environment["S"] = "first-secret-value";
  project.write("outreach.yaml", oneWebhook(body));
  expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
  project.environment["S"] = "second-secret-value";
  return project;
}

const secrets = (project: Project): readonly unknown[] =>
  project.sandbox.webhooks().map(({ _id, secret }) => [_id, secret]);

describe("rotation: create_first", () => {
  test("creates before it deletes, and says so", async () => {
    const project = await created(FIRST);
    const { code, out, sent } = await project.run("apply --auto-approve");
    expect([code, sent]).toEqual([
      0,
      ["GET /hooks 200", "POST /hooks 200", "DELETE /hooks/hoo_000001 200", "GET /hooks 200"],
    ]);
    expect(out).toContain(
      "+/- outreach_webhook.crm\n      ~ secret     = (sensitive value) # forces replacement\n        (the secret cannot be changed in place: both the new one and the old one deliver between the create and the delete)\n",
    );
    expect(out).toContain("Plan: 1 to add, 0 to change, 1 to destroy.\n");
    expect(secrets(project)).toEqual([["hoo_000002", "second-secret-value"]]);
  });

  test("leaves the old one current where the create is refused", async () => {
    const project = await created(FIRST);
    project.sandbox.addFault({ ...REFUSED, operation: "addWebhook" });
    const { code, out, err, sent } = await project.run("apply --auto-approve");
    expect([code, sent]).toEqual([1, ["GET /hooks 200", "POST /hooks 400", ...LOOKED]]);
    expect(out).toContain("Apply incomplete. Resources: 0 added, 0 changed, 0 destroyed.\n");
    expect(err).toContain(
      "The old one is still current. If the service refuses two of them at once, delete the old one first:\nSet rotation: delete_first in its block.\n",
    );
    expect(secrets(project)).toEqual([["hoo_000001", "first-secret-value"]]);
    expect((await project.run("apply --auto-approve")).code).toBe(0);
    expect(secrets(project)).toEqual([["hoo_000002", "second-secret-value"]]);
  });

  test("lists an old one that could not be deleted, and deletes it with the next apply", async () => {
    const project = await created(FIRST);
    project.sandbox.addFault({ ...REFUSED, operation: "deleteWebhook" });
    const { code, out, err } = await project.run("apply --auto-approve");
    expect(code).toBe(1);
    expect(out).toContain("Apply incomplete. Resources: 1 added, 0 changed, 0 destroyed.\n");
    expect(err).toContain(
      "The new webhook is current, but the old one, hoo_000001, could not be deleted: each event is delivered twice.\n",
    );
    expect((await project.run("state list")).out).toBe(
      "outreach_webhook.crm\noutreach_webhook.crm (deposed hoo_000001)\n",
    );
    const next = await project.run("apply --auto-approve");
    expect(next).toMatchObject({ code: 0, sent: ["GET /hooks 200", "DELETE /hooks/hoo_000001 200"] });
    expect(next.out).toContain("  # outreach_webhook.crm (deposed object hoo_000001) will be destroyed\n");
    expect(timeless(next.out)).toContain(
      "outreach_webhook.crm: Destroying... [id=hoo_000001]\noutreach_webhook.crm: Destruction complete after 0s\n\nApply complete! Resources: 0 added, 0 changed, 1 destroyed.\n",
    );
    expect((await project.run("state list")).out).toBe("outreach_webhook.crm\n");
    expect(secrets(project)).toEqual([["hoo_000002", "second-secret-value"]]);
  });

  test("is a change without a request when it is all that changes", async () => {
    const project = await created(BODY);
    project.environment["S"] = "first-secret-value";
    project.write("outreach.yaml", oneWebhook(FIRST));
    const plan = await project.run("plan --detailed-exitcode");
    expect([plan.code, plan.out]).toEqual([
      2,
      expect.stringContaining("Plan: 0 to add, 1 to change, 0 to destroy.") as string,
    ]);
    expect(await project.run("apply --auto-approve")).toMatchObject({
      code: 0,
      sent: ["GET /hooks 200"],
      out: expect.stringContaining("1 changed") as string,
    });
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
  });
});

test("delete first: a create that is refused after the delete says that the webhook is gone; the next apply creates it", async () => {
  const project = await created(BODY);
  project.sandbox.addFault({ ...REFUSED, operation: "addWebhook" });
  const { code, out, err, sent } = await project.run("apply --auto-approve");
  expect([code, sent]).toEqual([1, ["GET /hooks 200", "DELETE /hooks/hoo_000001 200", "POST /hooks 400", ...LOOKED]]);
  expect(out).toContain("Apply incomplete. Resources: 0 added, 0 changed, 1 destroyed.\n");
  expect(err).toMatch(/outreach_webhook\.crm.*(gone|deleted)/);
  expect(project.sandbox.webhooks()).toEqual([]);
  const next = await project.run("apply --auto-approve");
  expect(next).toMatchObject({
    code: 0,
    sent: ["GET /hooks 200", "POST /hooks 200", "GET /hooks 200"],
    out: expect.stringContaining("1 added, 0 changed, 0 destroyed") as string,
  });
});

describe("protect: true", () => {
  const PROTECTED = `${BODY}\nprotect: true`;

  test("refuses a replace, a delete and a destroy, but not a secret's rotation", async () => {
    const project = await created(PROTECTED);
    expect(await project.run("apply --auto-approve")).toMatchObject({
      code: 0,
      sent: expect.arrayContaining(["DELETE /hooks/hoo_000001 200"]) as string[],
    });
    const refuses = async (command: string, configuration: string, words: string): Promise<void> => {
      project.write("outreach.yaml", configuration);
      const { code, err, sent } = await project.run(command);
      expect([command, code, sent]).toEqual([command, 1, ["GET /hooks 200"]]);
      expect(err).toContain("Error: A protected webhook would be lost [protected]\n");
      expect(err).toContain(words);
    };
    await refuses(
      "apply --auto-approve",
      oneWebhook(PROTECTED.replace("emailsReplied", "emailsSent")),
      "would be replaced, because of type.\nUndo the change, or lift the protection:\nSet protect: false in its block.",
    );
    await refuses("apply --auto-approve --replace outreach_webhook.crm", oneWebhook(PROTECTED), "would be replaced.\n");
    await refuses(
      "destroy --auto-approve",
      oneWebhook(PROTECTED),
      "would be deleted.\nSet protect: false in its block.",
    );
    await refuses("apply --auto-approve", "version: 1\n", "would be deleted.\nPut its block back.");
    await refuses("destroy --auto-approve", "version: 1\n", "would be deleted.\n");
    expect(secrets(project)).toEqual([["hoo_000002", "second-secret-value"]]);
  });

  test("governs as soon as it is declared, and no longer when it is taken back", async () => {
    const project = await created(BODY);
    project.write("outreach.yaml", oneWebhook(PROTECTED.replace("emailsReplied", "emailsSent")));
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 1, sent: ["GET /hooks 200"] });
    project.environment["S"] = "first-secret-value";
    project.write("outreach.yaml", oneWebhook(PROTECTED));
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0, sent: ["GET /hooks 200"] });
    project.write("outreach.yaml", oneWebhook(`${BODY}\nprotect: false`.replace("emailsReplied", "emailsSent")));
    expect(await project.run("apply --auto-approve")).toMatchObject({
      code: 0,
      out: expect.stringContaining("1 added, 0 changed, 1 destroyed") as string,
    });
  });
});

describe("a block with another name", () => {
  const AUDIT = "target_url: https://audit.example.com/hooks\ntypes: [emailsSent, emailsBounced]";

  test("is a delete and a create, with a note how to keep what is there; it works as it says", async () => {
    const project = await openProject();
    project.write("conf/a.yaml", oneWebhook(AUDIT));
    await project.run("apply -c conf --auto-approve");
    project.write("conf/a.yaml", oneWebhook(AUDIT).replace("  crm:", "  audit:"));
    const plan = await project.run("plan -c conf");
    expect(plan.out).toContain("Plan: 2 to add, 0 to change, 2 to destroy.");
    expect(plan.err.match(/^Note: .*/gm)).toEqual(["Note: Perhaps only renamed [maybe_renamed]"]);
    const command = /^To keep it, move its record: outreach (.*)$/m.exec(plan.err)?.[1] ?? "";
    expect(command).toBe("state mv -c conf outreach_webhook.crm outreach_webhook.audit");
    expect(await project.run(command.replaceAll("'", ""))).toMatchObject({ code: 0, sent: [] });
    expect(await project.run("plan -c conf --detailed-exitcode")).toMatchObject({ code: 0, err: "" });
  });

  test("and another address is said of one instance alone", async () => {
    const project = await openProject();
    project.write("outreach.yaml", oneWebhook(AUDIT));
    await project.run("apply --auto-approve");
    project.write(
      "outreach.yaml",
      oneWebhook("target_url: https://audit.example.com/hooks\ntype: emailsSent").replace("  crm:", "  audit:"),
    );
    const { err } = await project.run("plan");
    expect(err).toContain("outreach state mv 'outreach_webhook.crm[\"emailsSent\"]' outreach_webhook.audit\n");
    expect(err.match(/^Note: .*/gm)).toHaveLength(1);
  });
});
