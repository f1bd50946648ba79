import { describe, expect, test } from "vitest";
import { type Json, from, stackOf } from "../cdk/stack.ts";
import { type Project, useProjects } from "../cli/project.ts";
import { SECRET, plannedValues, writes } from "./handover.ts";

const openProject = useProjects();
const STACK = "cdktf.out/stacks/hooks";
const hook = (rest: Json = {}): Json => ({ ...from("hooks/hook"), target_url: "https://crm.example.com/hook", type: "emailsReplied", ...rest });

const TEAM: Json = {
  variable: {
    stage: { type: "string", default: "staging" },
    crm_secret: { type: "string", sensitive: true },
    types: { type: "list(string)", default: ["emailsSent", "emailsOpened"] },
    on: { type: "bool", default: true },
  },
  locals: { host: "${var.stage}.example.com", paths: { a: "x", "b.c": 'y"z' }, urls: '${[for key, path in local.paths : "https://${local.host}/${key}"]}' },
  data: {
    outreach_campaign: {
      q3: { ...from("hooks/q3"), name: "Q3 launch" },
      some: { ...from("hooks/some"), for_each: { one: "Q3 launch" }, name: "${each.value}" },
    },
    outreach_campaigns: { live: { ...from("hooks/live"), status: "running" } },
  },
  resource: {
    outreach_webhook: {
      plain: hook({
        target_url: "https://${local.host}/plain?a=$${b}",
        campaign_id: "${data.outreach_campaign.q3.id}",
        secret: "${var.crm_secret}",
        is_first: "${var.on}",
        lifecycle: { create_before_destroy: true, prevent_destroy: true },
      }),
      "by-type": hook({ for_each: '${toset(["emailsSent", "emailsBounced"])}', type: "${each.key}" }),
      "by-variable": hook({ for_each: "${toset(var.types)}", type: "${each.value}", target_url: "https://variable.example.com" }),
      live: hook({ for_each: "${toset(data.outreach_campaigns.live.ids)}", campaign_id: "${each.key}", target_url: "https://live.example.com" }),
      chosen: hook({ for_each: "${toset([data.outreach_campaign.q3.id])}", campaign_id: "${each.value}", target_url: "https://chosen.example.com" }),
      paths: hook({
        for_each: "${local.paths}",
        target_url: "https://${local.host}/${each.key}/${urlencode(each.value)}".replace("urlencode(each.value)", 'replace(each.value, "\\"", "-")'),
      }),
      counted: hook({ count: 2, target_url: "${local.urls[count.index]}/${count.index + 1}", campaign_id: '${data.outreach_campaign.some["one"].id}' }),
      beside: hook({
        target_url: "${outreach_webhook.plain.target_url}&beside",
        type: "${outreach_webhook.counted[1].type}",
        depends_on: ["outreach_webhook.plain"],
      }),
    },
    outreach_lead_unsubscription: {
      asked: {
        ...from("hooks/asked"),
        for_each: { "ada@example.com": "Ada@example.com" },
        campaign_id: "${data.outreach_campaign.q3.id}",
        email: "${each.value}",
      },
    },
  },
  output: {
    url: { value: "${outreach_webhook.plain.target_url}" },
    first: { value: "${outreach_webhook.counted[0].type}" },
    host: { value: "${local.host}", sensitive: true },
    all: { value: { hosts: ["${local.host}"], on: "${var.on}" } },
  },
};

async function team(): Promise<Project> {
  const project = await openProject();
  project.environment["TF_VAR_crm_secret"] = SECRET;
  project.write(`${STACK}/cdk.tf.json`, stackOf(TEAM));
  return project;
}

describe("a stack in YAML", () => {
  test("plans the same webhooks and unsubscriptions, with the same outputs", async () => {
    const project = await team();
    const converted = await project.run(`convert -c ${STACK} --to yaml --show-emails`);
    expect(converted, converted.err).toMatchObject({ code: 0, sent: [] });
    expect(`${converted.out}${converted.err}`).not.toContain(SECRET);
    project.write("outreach.yaml", converted.out);
    const [stack, yaml] = [await plannedValues(project, STACK), await plannedValues(project, "outreach.yaml")];
    expect(yaml).toEqual(stack);
  });

  test("takes over what the stack has made: nothing is made anew, and nothing ever has two owners", async () => {
    const project = await team();
    const applied = await project.run(`apply -c ${STACK} --auto-approve`);
    expect(applied, applied.err).toMatchObject({ code: 0 });
    const before = writes(project);
    const converted = await project.run(`convert -c ${STACK} --to yaml --show-emails`);
    expect(converted, converted.err).toMatchObject({ code: 0, sent: [] });
    project.write("outreach.yaml", converted.out);
    const [, override = "[]"] = /this\.addOverride\("removed", (\[[^]*?\])\);/.exec(converted.err) ?? [];
    const removed = JSON.parse(override.replaceAll(/([{,] )(\w+):/g, '$1"$2":').replaceAll(/,(\s*\])/g, "$1")) as unknown;
    project.write(`${STACK}/cdk.tf.json`, stackOf({ removed }));
    const gaveUp = await project.run(`apply -c ${STACK} --auto-approve`);
    expect(gaveUp.out, gaveUp.err).toContain("0 to destroy, 15 to forget.");
    const planned = await project.run("plan");
    expect(planned.out, planned.err).toMatch(/Plan: 0 to add, \d+ to change, 0 to destroy, 15 to import\./);
    const tookOver = await project.run("apply --auto-approve");
    expect(tookOver, tookOver.err).toMatchObject({ code: 0 });
    expect((await project.run("plan")).out).toContain("No changes.");
    expect(writes(project)).toEqual(before);
  });
});
