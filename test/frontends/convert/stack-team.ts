import type { Project } from "../cli/project.ts";
import { type Json, from, stackOf } from "../cdk/stack.ts";
import { SECRET } from "./handover.ts";

export const STACK = "cdktf.out/stacks/hooks";
export const hook = (rest: Json = {}): Json => ({
  ...from("hooks/hook"),
  target_url: "https://crm.example.com/hook",
  type: "emailsReplied",
  ...rest,
});

/** A stack with every feature that YAML supports too. */
export const STACK_TEAM: Json = {
  variable: {
    stage: { type: "string", default: "staging" },
    crm_secret: { type: "string", sensitive: true },
    types: { type: "list(string)", default: ["emailsSent", "emailsOpened"] },
    on: { type: "bool", default: true },
  },
  locals: {
    host: "${var.stage}.example.com",
    paths: { a: "x", "b.c": 'y"z' },
    urls: '${[for key, path in local.paths : "https://${local.host}/${key}"]}',
  },
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
      "by-variable": hook({
        for_each: "${toset(var.types)}",
        type: "${each.value}",
        target_url: "https://variable.example.com",
      }),
      live: hook({
        for_each: "${toset(data.outreach_campaigns.live.ids)}",
        campaign_id: "${each.key}",
        target_url: "https://live.example.com",
      }),
      chosen: hook({
        for_each: "${toset([data.outreach_campaign.q3.id])}",
        campaign_id: "${each.value}",
        target_url: "https://chosen.example.com",
      }),
      // As WebhookSet writes it.
      audit: hook({
        for_each:
          '${{ for key, val in flatten([ for key, val in data.outreach_campaigns.live.ids: [{"type" = "emailsSent", "campaign_id" = val}, {"type" = "emailsBounced", "campaign_id" = val}]]): join("/", [val.type, val.campaign_id]) => val }}',
        type: "${each.value.type}",
        campaign_id: "${each.value.campaign_id}",
        target_url: "https://audit.example.com",
      }),
      paths: hook({
        for_each: "${local.paths}",
        target_url: "https://${local.host}/${each.key}/${urlencode(each.value)}".replace(
          "urlencode(each.value)",
          'replace(each.value, "\\"", "-")',
        ),
      }),
      counted: hook({
        count: 2,
        target_url: "${local.urls[count.index]}/${count.index + 1}",
        campaign_id: '${data.outreach_campaign.some["one"].id}',
      }),
      suffixed: hook({
        target_url: "${outreach_webhook.plain.target_url}&suffixed",
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

/** Writes the stack to the folder where the command finds it. */
export function writeStack(project: Project, parts: Json): void {
  project.environment["TF_VAR_crm_secret"] = SECRET;
  project.write(`${STACK}/cdk.tf.json`, stackOf(parts));
}

/** The removed blocks that the steps of a conversion print, as parts of a stack. */
export function removedParts(steps: string): Json {
  const [, override = "[]"] = /this\.addOverride\("removed", (\[[^]*?\])\);/.exec(steps) ?? [];
  return {
    removed: JSON.parse(override.replaceAll(/([{,] )(\w+):/g, '$1"$2":').replaceAll(/,(\s*\])/g, "$1")) as unknown,
  };
}
