import { describe, expect, test } from "vitest";
import { type Project, useProjects } from "../project.ts";
import { NO_CHANGES } from "../no-changes.ts";

const openProject = useProjects();

const CRM = "target_url: https://crm.example.com/hooks, type: emailsReplied";
const writes = (sent: readonly string[]): readonly string[] => sent.filter((line) => !line.startsWith("GET"));

/** A project to which this configuration was applied. */
async function applied(text: string): Promise<Project> {
  const project = await openProject();
  project.write("outreach.yaml", `version: 1\n${text}`);
  expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
  return project;
}

async function addresses(project: Project): Promise<string> {
  return (await project.run("state list")).out;
}

describe("what has moved", () => {
  test("goes on at its new address: nothing is sent, and the statement may stay", async () => {
    const project = await applied(`webhooks:\n  crm: { ${CRM} }\n`);
    project.write(
      "outreach.yaml",
      `version: 1\nmoved:\n  - { from: outreach_webhook.crm, to: outreach_webhook.replies }\nwebhooks:\n  replies: { ${CRM} }\n`,
    );
    const plan = await project.run("plan --detailed-exitcode");
    expect(plan).toMatchObject({ code: 2, err: "" });
    expect(plan.out).toContain("  # outreach_webhook.crm has moved to outreach_webhook.replies\n");
    const { code, err, sent } = await project.run("apply --auto-approve");
    expect({ code, err, writes: writes(sent) }).toEqual({ code: 0, err: "", writes: [] });
    expect(await addresses(project)).toBe("outreach_webhook.replies\n");
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, out: NO_CHANGES, err: "" });
  });

  test("goes into a fan-out, as one of its instances", async () => {
    const project = await applied(`webhooks:\n  sent: { target_url: https://audit.example.com, type: emailsSent }\n`);
    project.write(
      "outreach.yaml",
      `version: 1
moved:
  - { from: outreach_webhook.sent, to: 'outreach_webhook.audit["emailsSent"]' }
webhooks:
  audit: { target_url: https://audit.example.com, types: [emailsSent, emailsBounced] }
`,
    );
    const { out, sent } = await project.run("apply --auto-approve");
    expect(out).toContain(`  # outreach_webhook.sent has moved to outreach_webhook.audit["emailsSent"]\n`);
    expect(writes(sent)).toEqual(["POST /hooks 200"]);
    expect(await addresses(project)).toBe(
      'outreach_webhook.audit["emailsBounced"]\noutreach_webhook.audit["emailsSent"]\n',
    );
  });

  test("moves with its block, also where the block takes another shape at once", async () => {
    const project = await applied(`webhooks:\n  old: { target_url: https://audit.example.com, type: emailsSent }\n`);
    project.write(
      "outreach.yaml",
      `version: 1
moved:
  - { from: outreach_webhook.old, to: outreach_webhook.audit }
webhooks:
  audit: { target_url: https://audit.example.com, types: [emailsSent] }
`,
    );
    const { out, sent } = await project.run("apply --auto-approve");
    expect(out).toContain(`  # outreach_webhook.old has moved to outreach_webhook.audit["emailsSent"]\n`);
    expect(writes(sent)).toEqual([]);
    expect(await addresses(project)).toBe('outreach_webhook.audit["emailsSent"]\n');
  });

  test("and has changed is replaced at its new address", async () => {
    const project = await applied(`webhooks:\n  crm: { ${CRM} }\n`);
    const moved = "moved:\n  - { from: outreach_webhook.crm, to: outreach_webhook.replies }\n";
    project.write(
      "outreach.yaml",
      `version: 1\n${moved}webhooks:\n  replies: { target_url: https://new.example.com, type: emailsReplied }\n`,
    );
    const { out, sent } = await project.run("apply --auto-approve");
    expect(out).toContain("  # outreach_webhook.replies must be replaced\n  # (moved from outreach_webhook.crm)\n");
    expect(writes(sent)).toEqual(["DELETE /hooks/hoo_000001 200", "POST /hooks 200"]);
    expect(await addresses(project)).toBe("outreach_webhook.replies\n");
  });

  test("and is gone is created again at its new address, and nothing is left of the old one", async () => {
    const project = await applied(`webhooks:\n  crm: { ${CRM} }\n`);
    project.sandbox.remove("webhooks", "hoo_000001");
    const moved = "moved:\n  - { from: outreach_webhook.crm, to: outreach_webhook.replies }\n";
    project.write("outreach.yaml", `version: 1\n${moved}webhooks:\n  replies: { ${CRM} }\n`);
    const { code, sent } = await project.run("apply --auto-approve");
    expect([code, writes(sent)]).toEqual([0, ["POST /hooks 200"]]);
    expect(await addresses(project)).toBe("outreach_webhook.replies\n");
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, err: "" });
  });

  test("to what is not declared is destroyed, and JSON tells why", async () => {
    const project = await applied(`webhooks:\n  crm: { ${CRM} }\n`);
    project.write(
      "outreach.yaml",
      "version: 1\nmoved:\n  - { from: outreach_webhook.crm, to: outreach_webhook.replies }\n",
    );
    const { out } = await project.run("plan --json");
    expect(out).toContain('"previous_resource":{"addr":"outreach_webhook.crm"');
    expect(out).toContain('"action":"delete","reason":"delete_because_no_move_target"');
    const { sent } = await project.run("apply --auto-approve");
    expect(writes(sent)).toEqual(["DELETE /hooks/hoo_000001 200"]);
    expect(await addresses(project)).toBe("");
  });

  test("is protected by the block that declares it now", async () => {
    const project = await applied(`webhooks:\n  crm: { ${CRM} }\n`);
    const moved = "moved:\n  - { from: outreach_webhook.crm, to: outreach_webhook.replies }\n";
    project.write("outreach.yaml", `version: 1\n${moved}webhooks:\n  replies: { ${CRM}, protect: true }\n`);
    const { code, err, sent } = await project.run("destroy --auto-approve");
    expect([code, writes(sent)]).toEqual([1, []]);
    expect(err).toContain("outreach_webhook.replies is protected, but would be deleted.");
  });

  test("does not move to where something is recorded: a warning says so, and it is destroyed", async () => {
    const project = await applied(
      `webhooks:\n  crm: { ${CRM} }\n  replies: { target_url: https://other.example.com }\n`,
    );
    const moved = "moved:\n  - { from: outreach_webhook.crm, to: outreach_webhook.replies }\n";
    project.write(
      "outreach.yaml",
      `version: 1\n${moved}webhooks:\n  replies: { target_url: https://other.example.com }\n`,
    );
    const { out, err } = await project.run("plan");
    expect(err).toContain("Warning: Unresolved resource instance address changes [moves_unresolved]\n");
    expect(err).toContain("  - outreach_webhook.crm could not move to outreach_webhook.replies\n");
    expect(out).toContain("  # outreach_webhook.crm will be destroyed\n");
  });

  test("is kept by a filter at its new address too", async () => {
    const campaigns = "data:\n  campaigns: { live: { status: running } }\n";
    const project = await applied(
      `${campaigns}webhooks:\n  old: { target_url: https://audit.example.com, campaigns: live }\n`,
    );
    const before = (await addresses(project)).trim().split("\n");
    project.sandbox.change("campaigns", "cam_000001", { status: "paused" });
    const moved = "moved:\n  - { from: outreach_webhook.old, to: outreach_webhook.audit }\n";
    project.write(
      "outreach.yaml",
      `version: 1\n${moved}${campaigns}webhooks:\n  audit: { target_url: https://audit.example.com, campaigns: live }\n`,
    );
    const { sent } = await project.run("apply --auto-approve");
    expect(writes(sent)).toEqual([]);
    expect((await addresses(project)).trim().split("\n")).toEqual(
      before.map((address) => address.replace(".old[", ".audit[")),
    );
  });

  test("makes a saved plan stale once it is not said any more", async () => {
    const project = await applied(`webhooks:\n  crm: { ${CRM} }\n`);
    const replies = `webhooks:\n  replies: { ${CRM} }\n`;
    project.write(
      "outreach.yaml",
      `version: 1\nmoved:\n  - { from: outreach_webhook.crm, to: outreach_webhook.replies }\n${replies}`,
    );
    await project.run("plan --out saved");
    project.write("outreach.yaml", `version: 1\n${replies}`);
    const { code, err, sent } = await project.run("apply saved");
    expect([code, writes(sent)]).toEqual([1, []]);
    expect(err).toContain("the configuration has other imports, moves or removals");
  });

  test("is managed at its new address for outreach import too", async () => {
    const project = await applied(`webhooks:\n  crm: { ${CRM} }\n`);
    project.sandbox.add("webhooks", {
      _id: "hoo_other",
      targetUrl: "https://crm.example.com/hooks",
      type: "emailsReplied",
    });
    project.write(
      "outreach.yaml",
      `version: 1\nmoved:\n  - { from: outreach_webhook.crm, to: outreach_webhook.replies }\nwebhooks:\n  replies: { ${CRM} }\n`,
    );
    const { code, err } = await project.run("import outreach_webhook.replies hoo_other");
    expect(code).toBe(1);
    expect(err).toContain("Error: Resource already managed [import_managed]\n");
    expect(err).toMatch(/outreach_webhook\.replies is already managed, with the id hoo_\d+\./);
    expect(await addresses(project)).toBe("outreach_webhook.crm\n");
  });

  test("and is carried out from a saved plan, which tells it as terraform does", async () => {
    const project = await applied(`webhooks:\n  crm: { ${CRM} }\n`);
    project.write(
      "outreach.yaml",
      `version: 1\nmoved:\n  - { from: outreach_webhook.crm, to: outreach_webhook.replies }\nwebhooks:\n  replies: { ${CRM} }\n`,
    );
    await project.run("plan --out saved");
    const shown = JSON.parse((await project.run("show --json saved")).out) as {
      readonly resource_changes: readonly object[];
    };
    expect(shown.resource_changes).toMatchObject([
      { address: "outreach_webhook.replies", previous_address: "outreach_webhook.crm", change: { actions: ["no-op"] } },
    ]);
    expect(await project.run("apply saved")).toMatchObject({ code: 0 });
    expect(await addresses(project)).toBe("outreach_webhook.replies\n");
  });
});

describe("what is imported", () => {
  async function withLive(text: string): Promise<Project> {
    const project = await openProject();
    project.sandbox.add("webhooks", {
      _id: "hoo_there",
      targetUrl: "https://crm.example.com/hooks",
      type: "emailsReplied",
    });
    project.write("outreach.yaml", `version: 1\nimports:\n  - { to: outreach_webhook.crm, id: hoo_there }\n${text}`);
    return project;
  }

  test("is recorded without a request, and once only", async () => {
    const project = await withLive(`webhooks:\n  crm: { ${CRM}, secret: { env: S } }\n`);
    project.environment["S"] = "secret-of-the-crm";
    const plan = await project.run("plan --detailed-exitcode");
    expect(plan.code).toBe(2);
    expect(plan.out).toContain("  # outreach_webhook.crm will be imported\n");
    expect(plan.out).toContain("Plan: 1 to import, 0 to add, 0 to change, 0 to destroy.\n");
    expect(plan.err).toContain("Note: Secret assumed, not verified [secret_assumed]\n");
    const { code, out, sent } = await project.run("apply --auto-approve");
    expect([code, writes(sent)]).toEqual([0, []]);
    expect(out).toContain("Apply complete! Resources: 1 imported, 0 added, 0 changed, 0 destroyed.\n");
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, out: NO_CHANGES });
    project.sandbox.remove("webhooks", "hoo_there");
    expect((await project.run("plan")).out).toContain("  # outreach_webhook.crm will be created\n");
  });

  test("and is otherwise than it is declared is replaced, by its id", async () => {
    const project = await withLive(
      "webhooks:\n  crm: { target_url: https://crm.example.com/new, type: emailsReplied }\n",
    );
    const { out, code, sent } = await project.run("apply --auto-approve");
    expect(out).toContain(
      '  # outreach_webhook.crm must be replaced\n  # (imported from "hoo_there")\n  # (warning: this destroys the imported webhook)\n',
    );
    expect(out).toContain("Plan: 1 to import, 1 to add, 0 to change, 1 to destroy.\n");
    expect(out).toContain("Apply complete! Resources: 1 imported, 1 added, 0 changed, 1 destroyed.\n");
    expect([code, writes(sent)]).toEqual([0, ["DELETE /hooks/hoo_there 200", "POST /hooks 200"]]);
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, out: NO_CHANGES });
  });

  test("is in the state before it is replaced: an apply that fails on the way leaves it managed", async () => {
    const project = await withLive(
      "webhooks:\n  crm: { target_url: https://crm.example.com/new, type: emailsReplied }\n",
    );
    project.sandbox.addFault({
      action: { kind: "answer", status: 400, body: "Bad team" },
      method: "DELETE",
      times: null,
    });
    expect((await project.run("apply --auto-approve")).code).toBe(1);
    expect((await project.run("state show outreach_webhook.crm")).out).toContain('"hoo_there"');
    project.sandbox.clearFaults();
    const { code, sent } = await project.run("apply --auto-approve");
    expect([code, writes(sent)]).toEqual([0, ["DELETE /hooks/hoo_there 200", "POST /hooks 200"]]);
  });

  test("is created by the next apply where it was deleted and the create was refused", async () => {
    const project = await withLive(
      "webhooks:\n  crm: { target_url: https://crm.example.com/new, type: emailsReplied }\n",
    );
    project.sandbox.addFault({
      action: { kind: "answer", status: 400, body: "Bad team" },
      method: "POST",
      times: null,
    });
    const refused = await project.run("apply --auto-approve");
    expect([refused.code, writes(refused.sent)]).toEqual([1, ["DELETE /hooks/hoo_there 200", "POST /hooks 400"]]);
    project.sandbox.clearFaults();
    const { code, err, sent } = await project.run("apply --auto-approve");
    expect([code, err, writes(sent)]).toEqual([0, "", ["POST /hooks 200"]]);
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, out: NO_CHANGES });
    expect(project.read("outreach.state.json")).not.toContain("hoo_there");
  });

  test("and protected is not replaced", async () => {
    const project = await withLive("webhooks:\n  crm: { target_url: https://crm.example.com/new, protect: true }\n");
    const { code, err, sent } = await project.run("apply --auto-approve");
    expect([code, writes(sent)]).toEqual([1, []]);
    expect(err).toContain("outreach_webhook.crm is protected, but would be replaced, because of target_url, type.");
  });

  test("may be named by an expression", async () => {
    const project = await openProject();
    project.sandbox.add("webhooks", {
      _id: "hoo_there",
      targetUrl: "https://crm.example.com/hooks",
      type: "emailsReplied",
    });
    project.write(
      "outreach.yaml",
      `version: 1
variables: { number: { default: there } }
data: { webhooks: { all: {} } }
imports:
  - to: outreach_webhook.crm
    id: '\${[for hook in data.outreach_webhooks.all.webhooks : hook.id if hook.id == "hoo_\${var.number}"][0]}'
webhooks:
  crm: { ${CRM} }
`,
    );
    const { code, sent } = await project.run("apply --auto-approve");
    expect([code, writes(sent)]).toEqual([0, []]);
    expect((await project.run("state show outreach_webhook.crm")).out).toContain('"hoo_there"');
  });

  test.each([
    [
      "that is not live",
      "  - { to: outreach_webhook.crm, id: hoo_nowhere }",
      "Cannot import what does not exist [import_not_found]",
      "3:37",
    ],
    [
      "that is managed already",
      "  - { to: outreach_webhook.crm, id: hoo_000001 }",
      "Resource already managed [import_managed]",
      "3:37",
    ],
  ])("is nothing %s", async (_, item, summary, at) => {
    const project = await applied("webhooks:\n  other: { target_url: https://other.example.com }\n");
    project.write(
      "outreach.yaml",
      `version: 1\nimports:\n${item}\nwebhooks:\n  other: { target_url: https://other.example.com }\n  crm: { ${CRM} }\n`,
    );
    const { code, err } = await project.run("plan");
    expect(code).toBe(1);
    expect(err).toContain(`Error: ${summary}\n\n  on outreach.yaml:${at}, in outreach_webhook.crm\n`);
  });

  test("is shown in JSON as terraform shows it", async () => {
    const project = await withLive(
      "webhooks:\n  crm: { target_url: https://crm.example.com/new, type: emailsReplied }\n",
    );
    const { out } = await project.run("plan --json --out saved");
    expect(out).toContain('"action":"replace","reason":"cannot_update","importing":{"id":"hoo_there"}');
    expect(out).toContain('"changes":{"add":1,"change":0,"import":1,"remove":1,"operation":"plan"}');
    const { resource_changes: changes } = JSON.parse((await project.run("show --json saved")).out) as {
      readonly resource_changes: readonly object[];
    };
    expect(changes).toMatchObject([{ change: { actions: ["delete", "create"], importing: { id: "hoo_there" } } }]);
  });

  test("as an unsubscription is recorded as carried out, and never sent", async () => {
    const project = await openProject();
    const text = (id: string): string =>
      `version: 1\nimports:\n  - { to: 'outreach_lead_unsubscription.gone["ada@example.com"]', id: ${id} }\nlead_unsubscriptions:\n  gone: { campaign_id: cam_000001, emails: [ada@example.com] }\n`;
    project.write("outreach.yaml", text("cam_000002/ada@example.com"));
    const wrong = await project.run("plan");
    expect(wrong.code).toBe(1);
    expect(wrong.err).toContain(
      "Error: The import does not match its declaration [import_differs]\n\n  on outreach.yaml:3:",
    );
    expect(wrong.err).not.toContain("ada@example.com");
    project.write("outreach.yaml", text("cam_000001/Ada@example.com"));
    const { code, out, sent } = await project.run("apply --auto-approve");
    expect([code, writes(sent)]).toEqual([0, []]);
    expect(out).toContain("Resources: 1 imported, ");
    expect(out).not.toContain("ada@example.com");
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
  });
});

describe("what is removed", () => {
  const forgotten = "version: 1\nremoved:\n  - { from: outreach_webhook.audit, destroy: false }\n";
  const audit = "webhooks:\n  audit: { target_url: https://audit.example.com, types: [emailsSent, emailsBounced] }\n";

  test("without destroy is forgotten: it stays live, and a warning says so", async () => {
    const project = await applied(audit);
    project.write("outreach.yaml", forgotten);
    const { out, err } = await project.run("plan");
    expect(out).toContain(
      '  # outreach_webhook.audit["emailsBounced"] will no longer be managed by outreach, but will not be destroyed\n  # (destroy: false is set in the configuration)\n  . outreach_webhook.audit["emailsBounced"]\n',
    );
    expect(out).toContain("Plan: 0 to add, 0 to change, 0 to destroy, 2 to forget.\n");
    expect(err).toContain(
      'Warning: Some objects will no longer be managed [released]\n\nAn apply removes these from the state, and deletes none of them in the service:\n\n  - outreach_webhook.audit["emailsBounced"]\n',
    );
    const done = await project.run("apply --auto-approve");
    expect([done.code, writes(done.sent)]).toEqual([0, []]);
    expect(done.out).toContain("Apply complete! Resources: 0 added, 0 changed, 0 destroyed, 2 forgotten.\n");
    expect(await addresses(project)).toBe("");
    expect(project.sandbox.webhooks()).toHaveLength(2);
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, err: "" });
  });

  test("without destroy is shown in JSON as terraform shows it", async () => {
    const project = await applied(audit);
    project.write("outreach.yaml", forgotten);
    const { out } = await project.run("plan --json --out saved");
    expect(out).toContain('"action":"remove","reason":"delete_because_no_resource_config"');
    const { resource_changes: changes } = JSON.parse((await project.run("show --json saved")).out) as {
      readonly resource_changes: readonly object[];
    };
    expect(changes).toMatchObject([
      { change: { actions: ["forget"], after: null } },
      { change: { actions: ["forget"] } },
    ]);
    expect(await project.run("apply saved")).toMatchObject({ code: 0 });
    expect(project.sandbox.webhooks()).toHaveLength(2);
  });

  test("is destroyed where nothing else is said, within the limits", async () => {
    const project = await applied(audit);
    project.write("outreach.yaml", "version: 1\nremoved:\n  - { from: outreach_webhook.audit }\n");
    const { sent } = await project.run("apply --auto-approve");
    expect(writes(sent)).toHaveLength(2);
    expect(project.sandbox.webhooks()).toEqual([]);
  });

  test("and protected is not destroyed, but may be released", async () => {
    const project = await applied(`webhooks:\n  crm: { ${CRM}, protect: true }\n`);
    project.write("outreach.yaml", "version: 1\nremoved:\n  - { from: outreach_webhook.crm }\n");
    const { code, err } = await project.run("plan");
    expect(code).toBe(1);
    expect(err).toContain("outreach_webhook.crm is protected, but would be deleted.");
    project.write("outreach.yaml", "version: 1\nremoved:\n  - { from: outreach_webhook.crm, destroy: false }\n");
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
    expect(project.sandbox.webhooks()).toHaveLength(1);
  });

  test("without destroy is not ours any more: declared under another name it is an identical unmanaged one", async () => {
    const project = await applied(`webhooks:\n  crm: { ${CRM} }\n`);
    project.write(
      "outreach.yaml",
      `version: 1\nremoved:\n  - { from: outreach_webhook.crm, destroy: false }\nwebhooks:\n  replies: { ${CRM} }\n`,
    );
    const { code, err, sent } = await project.run("apply --auto-approve");
    expect([code, writes(sent)]).toEqual([1, []]);
    expect(err).toContain("Error: An identical unmanaged webhook exists [unmanaged_duplicate]\n");
  });

  test("goes with everything else when all is destroyed", async () => {
    const project = await applied(audit);
    project.write("outreach.yaml", forgotten);
    expect(await project.run("destroy --auto-approve")).toMatchObject({ code: 0 });
    expect(project.sandbox.webhooks()).toEqual([]);
  });
});
