import { describe, expect, test } from "vitest";
import type { ListProfileChange } from "../../../../src/sandbox/list-profile.ts";
import { type Project, oneWebhook, useProjects } from "../project.ts";
import { NO_CHANGES } from "../no-changes.ts";

const openProject = useProjects();

const URL_OF = { crm: "https://crm.example.com/hooks", other: "https://other.example.com/hooks" };
const BODY = `target_url: ${URL_OF.crm}\ntype: emailsReplied`;
const LIVE = { targetUrl: URL_OF.crm, type: "emailsReplied" } as const;
const NO_FURTHER_CHANGES = { code: 0, out: NO_CHANGES, err: "" };

/** A service whose list shows `isFirst` and `automationId` where they are set, as one other webhook has them. */
async function shown(body = BODY, fields: NonNullable<ListProfileChange["fields"]> = {}): Promise<Project> {
  const project = await openProject();
  project.sandbox.configure({ profile: { fields: { isFirst: "where-set", automationId: "where-set", ...fields } } });
  project.sandbox.add("webhooks", {
    _id: "hoo_other",
    targetUrl: URL_OF.other,
    type: "emailsSent",
    campaignId: "cam_000001",
    isFirst: true,
    automationId: "1",
  });
  project.write("outreach.yaml", oneWebhook(body));
  return project;
}

const crm = ({ sandbox }: Project) => sandbox.webhooks().filter(({ targetUrl }) => targetUrl === URL_OF.crm);

describe("is_first and automation_id that the list shows", () => {
  test("are compared: a number by its value, and false as none", async () => {
    const project = await shown(`${BODY}\nautomation_id: "0037709957"`);
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
    expect(await project.run("apply --auto-approve")).toMatchObject({
      code: 0,
      out: expect.stringContaining("No changes.") as string,
    });
    expect(await project.run("plan --detailed-exitcode")).toMatchObject(NO_FURTHER_CHANGES);
  });

  test.each<readonly [string, object, string, string]>([
    [
      "is_first",
      { isFirst: true },
      "      ~ is_first = null -> true\n",
      "~ is_first   = true -> null # forces replacement",
    ],
    [
      "automation_id",
      { automationId: "8" },
      '      ~ automation_id = "7" -> "8"\n',
      '~ automation_id = "8" -> "7" # forces replacement',
    ],
  ])("are drift where they changed: %s", async (_, change, drifted, replaced) => {
    const project = await shown(`${BODY}\nautomation_id: "7"`);
    await project.run("apply --auto-approve");
    await project.run("apply --auto-approve");
    project.sandbox.change("webhooks", String(crm(project)[0]?._id), change);
    const drift = await project.run("drift");
    expect([drift.code, drift.out]).toEqual([2, expect.stringContaining(drifted)]);
    const plan = await project.run("plan --detailed-exitcode");
    expect([plan.code, plan.out]).toEqual([2, expect.stringContaining(replaced)]);
    expect(plan.out).toContain("Plan: 1 to add, 0 to change, 1 to destroy.");
    expect(await project.run("refresh")).toMatchObject({ code: 0 });
    expect((await project.run("state show outreach_webhook.crm")).out).toContain(
      Object.values(change)[0] === true ? "true" : '"8"',
    );
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
    expect(crm(project)).toMatchObject([{ isFirst: false, automationId: "7" }]);
  });

  test("keep a webhook from being adopted for one that differs in them, and say so", async () => {
    const project = await shown();
    project.sandbox.add("webhooks", { _id: "hoo_first", ...LIVE, isFirst: true });
    const { code, err, sent } = await project.run("apply --adopt --auto-approve");
    expect([code, sent]).toEqual([1, ["GET /hooks 200"]]);
    expect(err).toContain("Error: A similar unmanaged webhook exists [unmanaged_duplicate]\n");
    expect(err).toContain("and another is_first, and this configuration does not manage it.");
    expect(err).toContain(
      "Import it: outreach import outreach_webhook.crm hoo_first\nTo create another one, set allow_duplicate: true.\n",
    );
    project.sandbox.add("webhooks", { _id: "hoo_all", ...LIVE });
    const adopted = await project.run("apply --adopt --auto-approve");
    expect([adopted.code, adopted.out]).toEqual([0, expect.stringContaining("Resources: 1 imported, ")]);
    expect((await project.run("state show outreach_webhook.crm")).out).toContain("hoo_all");
    const plan = await project.run("plan --detailed-exitcode");
    expect([plan.code, plan.err]).toEqual([0, expect.stringContaining("A similar unmanaged webhook is live")]);
  });

  test("make an import replace what is not as declared", async () => {
    const project = await shown(`${BODY}\nautomation_id: "7"`);
    project.sandbox.add("webhooks", { _id: "hoo_tool", ...LIVE, automationId: "37709957" });
    await project.run("import outreach_webhook.crm hoo_tool");
    const plan = await project.run("plan --detailed-exitcode");
    expect([plan.code, plan.out]).toEqual([
      2,
      expect.stringContaining('~ automation_id = "37709957" -> "7" # forces replacement'),
    ]);
    project.write("outreach.yaml", oneWebhook(`${BODY}\nautomation_id: "37709957"`));
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
  });

  test("are written by generate, whose plan then only imports", async () => {
    const project = await shown();
    project.sandbox.add("webhooks", { _id: "hoo_tool", ...LIVE, automationId: "37709957" });
    project.remove("outreach.yaml");
    const generated = await project.run("generate");
    expect(generated.code).toBe(0);
    expect(generated.out).toContain('automation_id: "37709957"');
    expect(generated.out.match(/is_first: true/g)).toHaveLength(1);
    expect(generated.out).not.toMatch(/is_first: false|- is_first|- automation_id/);
    project.write("outreach.yaml", generated.out);
    expect((await project.run("plan")).out).toContain("Plan: 2 to import, 0 to add, 0 to change, 0 to destroy.\n");
  });

  test("are in the list of live webhooks, in the data source and in what doctor finds", async () => {
    const project = await shown();
    const [heading = "", row = ""] = (await project.run("get webhooks")).out.split("\n");
    expect(heading).toMatch(/CAMPAIGN_ID +IS_FIRST +AUTOMATION_ID +CREATED_AT/);
    expect(row).toMatch(/ true +1 /);
    expect(JSON.parse((await project.run("get webhooks --json")).out)).toMatchObject([
      { is_first: true, automation_id: "1" },
    ]);
    const { out } = await project.run("doctor");
    expect(out).toContain("isFirst: shown (1 of 1)");
    expect(out).toContain("automationId: shown (1 of 1)");
    project.sandbox.configure({ profile: { fields: { isFirst: "omitted", automationId: "omitted" } } });
    expect((await project.run("get webhooks")).out).not.toContain("IS_FIRST");
    expect(JSON.parse((await project.run("get webhooks --json")).out)).toMatchObject([
      { is_first: null, automation_id: null },
    ]);
    expect((await project.run("doctor")).out).toContain("automationId: shown by no webhook");
  });

  test("that differ in the first list from those sent are recorded with one warning, and are no drift", async () => {
    const project = await shown(`${BODY}\nautomation_id: crm-sync`);
    // The list after the create fails, so the next one is the first.
    project.sandbox.addFault({ action: { kind: "drop" }, operation: "listWebhooks", skip: 1, times: 4 });
    await project.run("apply --auto-approve");
    project.sandbox.change("webhooks", String(crm(project)[0]?._id), { automationId: "0" });
    const warning = "The service's list shows a different automation_id of outreach_webhook.crm than the create sent.";
    const plan = await project.run("plan --detailed-exitcode");
    expect(plan).toMatchObject({ code: 0, out: NO_CHANGES, err: expect.stringContaining(warning) as string });
    expect(await project.run("apply --auto-approve")).toMatchObject({
      code: 0,
      err: expect.stringContaining(warning) as string,
    });
    expect(await project.run("plan --detailed-exitcode")).toMatchObject(NO_FURTHER_CHANGES);
    project.sandbox.change("webhooks", String(crm(project)[0]?._id), { automationId: "9" });
    expect((await project.run("plan --detailed-exitcode")).code).toBe(2);
  });
});

describe("creates whose answers were lost", () => {
  const block = (name: string, more: string): string =>
    `  ${name}: { target_url: "${URL_OF.crm}", type: emailsReplied, allow_duplicate: true, automation_id: "${more}" }\n`;

  /** Two webhooks that only their automation tells apart; the service drops the connection of each create. */
  async function lost(when: readonly ("before" | "after")[]): Promise<Project> {
    const project = await shown();
    project.write("outreach.yaml", `version: 1\nwebhooks:\n${block("a", "7")}${block("b", "8")}`);
    for (const one of when) project.sandbox.addFault({ action: { kind: "drop" }, when: one, method: "POST" });
    return project;
  }

  test.each([[["after", "after"]], [["after", "before"]], [["before", "after"]]] as const)(
    "are told apart: the connections end %j",
    async (when) => {
      const project = await lost(when);
      expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
      expect(crm(project)).toHaveLength(2);
      for (const [name, automationId] of [
        ["a", "7"],
        ["b", "8"],
      ])
        expect((await project.run(`state show outreach_webhook.${String(name)}`)).out).toContain(
          String(crm(project).find((webhook) => webhook.automationId === automationId)?._id),
        );
      expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
    },
  );

  test("stay undecided next to a webhook that matches except for one value: the service may return another one", async () => {
    const project = await shown(`${BODY}\nautomation_id: "7"`);
    project.sandbox.addFault({ action: { kind: "drop" }, when: "after", method: "POST" });
    const storesOtherwise = (): boolean => {
      for (const { _id } of crm(project)) project.sandbox.change("webhooks", _id, { automationId: "70" });
      return false;
    };
    project.sandbox.addFault({
      action: { kind: "drop" },
      operation: "listWebhooks",
      where: storesOtherwise,
      times: null,
    });
    const { code, err } = await project.run("apply --auto-approve");
    expect([code, err]).toEqual([3, expect.stringContaining("matches it, but shows another automation_id")]);
    const id = String(crm(project)[0]?._id);
    expect(await project.run(`resolve outreach_webhook.crm --adopt ${id}`)).toMatchObject({ code: 0 });
    expect((await project.run("plan --detailed-exitcode")).code).toBe(0);
    expect(crm(project)).toHaveLength(1);
  });
});

describe.each(["null", "empty"] as const)("a field that is %s on every record", (form) => {
  const campaign = `${BODY}\ncampaign_id: cam_000001`;
  const hidden = { type: form, campaignId: form, isFirst: form, automationId: form };

  test("is unobserved: an applied webhook stays", async () => {
    const project = await shown(`${campaign}\nis_first: true\nautomation_id: "7"`, hidden);
    await project.run("apply --auto-approve");
    for (const command of ["plan --detailed-exitcode", "drift", "apply --auto-approve"])
      expect([command, (await project.run(command)).code]).toEqual([command, 0]);
    expect(crm(project)).toHaveLength(1);
    expect((await project.run("doctor")).out).toContain("campaignId: shown by no webhook");
  });

  test("keeps a webhook from being adopted, and from being doubled", async () => {
    const project = await shown(campaign, hidden);
    project.sandbox.add("webhooks", { _id: "hoo_crm", ...LIVE, campaignId: "cam_000001" });
    const { code, err } = await project.run("apply --adopt --auto-approve");
    expect([code, err]).toEqual([
      1,
      expect.stringContaining("The list does not show its type, campaign_id, so it may be a different one"),
    ]);
    expect(crm(project)).toHaveLength(1);
  });
});
