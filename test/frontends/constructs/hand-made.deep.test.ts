import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TerraformStack } from "cdktn";
import { afterAll, describe, expect, test } from "vitest";
import { EVENT_TYPES } from "../../../src/service/events/event-catalog.ts";
import { catalog } from "../../../src/service/resources/catalog.ts";
import { useProjects } from "../cli/project.ts";
import { story } from "../terraform/stories/story.ts";
import { FLAVOURS, type Flavour, loadFlavour } from "./flavours.ts";

const openProject = useProjects();
const folder = mkdtempSync(path.join(tmpdir(), "outreach-hand-made-"));
afterAll(() => rmSync(folder, { recursive: true }));

type Json = { readonly [name: string]: unknown };
interface Stack {
  readonly resource: { readonly [type: string]: { readonly [name: string]: Json } };
}

/** The JSON of a stack with the declarations of `declare`. */
function synthesise({ cdk, provider }: Flavour, declare: (stack: TerraformStack) => void): string {
  const app = new cdk.App({ outdir: path.join(folder, "cdktf.out") });
  const stack = new cdk.TerraformStack(app, "hooks");
  new provider.OutreachProvider(stack, "outreach");
  declare(stack);
  app.synth();
  return readFileSync(path.join(folder, "cdktf.out/stacks/hooks/cdk.tf.json"), "utf8");
}

function blockOf(text: string, type: string, name: string): Json | undefined {
  return (JSON.parse(text) as Stack).resource[type]?.[name];
}

function file(name: string, text: string): string {
  const full = path.join(folder, name);
  writeFileSync(full, text);
  return full;
}

const TARGET = "https://audit.example.com/hooks";

describe.for(FLAVOURS)("for %s", (name) => {
  const flavour = loadFlavour(name);
  const { campaign, campaigns, cdk, eventType, suppressionList, webhookSet } = flavour;
  const { EventType } = eventType;

  const set = (config: object) => (stack: TerraformStack) =>
    new webhookSet.WebhookSet(stack, "audit", { targetUrl: TARGET, ...config });
  const list = (config: object) => (stack: TerraformStack) =>
    new suppressionList.SuppressionList(stack, "requests", config);

  test("a set of event types is one block with an instance for each", () => {
    const text = synthesise(
      flavour,
      set({ types: [EventType.emailsSent, EventType.emailsBounced], allowDuplicate: true }),
    );
    expect(blockOf(text, "outreach_webhook", "audit")).toMatchObject({
      for_each: '${toset(["emailsSent", "emailsBounced"])}',
      type: "${each.value}",
      target_url: TARGET,
      allow_duplicate: true,
    });
    expect(blockOf(text, "outreach_webhook", "audit")).not.toHaveProperty("campaign_id");
  });

  test("a set of campaigns receives all events", () => {
    const text = synthesise(flavour, set({ campaigns: ["cam_000001"] }));
    expect(blockOf(text, "outreach_webhook", "audit")).toMatchObject({
      for_each: '${toset(["cam_000001"])}',
      campaign_id: "${each.value}",
    });
    expect(blockOf(text, "outreach_webhook", "audit")).not.toHaveProperty("type");
  });

  test("a setting of one webhook applies to the set", () => {
    const text = synthesise(flavour, (stack) => {
      const secret = new cdk.TerraformVariable(stack, "hook_secret", { type: "string", sensitive: true });
      set({ types: [EventType.emailsSent], secret: secret.stringValue, lifecycle: { createBeforeDestroy: true } })(
        stack,
      );
    });
    expect(blockOf(text, "outreach_webhook", "audit")).toMatchObject({
      secret: "${var.hook_secret}",
      lifecycle: { create_before_destroy: true },
    });
  });

  test.for([
    { of: "types", config: { types: ["emailsSent"] }, url: "${each.value}/${each.value}", own: "type" as const },
    {
      of: "campaigns",
      config: { campaigns: ["cam_000001"] },
      url: "${each.value}/${each.value}",
      own: "campaignId" as const,
    },
    {
      of: "both",
      config: { types: ["emailsSent"], campaigns: ["cam_000001"] },
      url: "${each.value.campaign_id}/${each.key}",
      own: "campaignId" as const,
    },
  ])("Each gives every webhook of a set over $of values of its own", ({ config, url, own }) => {
    const { Each } = webhookSet;
    const text = synthesise(flavour, (stack) => {
      const secrets = new cdk.TerraformVariable(stack, "secrets", { type: "map(string)", sensitive: true });
      const common = { targetUrl: `${TARGET}?of=${Each[own]}/${Each.key}`, automationId: Each[own] };
      set({ ...config, ...common, secret: cdk.Fn.lookup(secrets.value, Each[own], "") })(stack);
    });
    const [value = ""] = url.split("/");
    const expression = value.slice(2, -1);
    expect(blockOf(text, "outreach_webhook", "audit")).toMatchObject({
      target_url: `${TARGET}?of=${url}`,
      automation_id: value,
      secret: `\${var.secrets[${expression}]}`,
    });
  });

  test("Each can be encoded by the function of Terraform", () => {
    const targetUrl = `${TARGET}?event=${cdk.Fn.urlencode(webhookSet.Each.type)}`;
    const text = synthesise(flavour, set({ types: ["emailsSent"], targetUrl }));
    expect(blockOf(text, "outreach_webhook", "audit")).toMatchObject({
      target_url: `${TARGET}?event=\${urlencode(each.value)}`,
    });
  });

  test("Each of a list that the set does not have, and Each outside a set, are refused", () => {
    const { Each } = webhookSet;
    const url = `${TARGET}?c=${Each.campaignId}`;
    expect(() => synthesise(flavour, set({ types: ["emailsSent"], targetUrl: url }))).toThrow(
      "hooks/audit: Each.campaignId has no value, because the set has no campaigns.",
    );
    expect(() => synthesise(flavour, (stack) => new cdk.TerraformOutput(stack, "url", { value: url }))).toThrow(
      "Each.campaignId is only available in the targetUrl, automationId and secret of a WebhookSet.",
    );
  });

  test.for([
    {
      name: "neither types nor campaigns",
      config: {},
      message: "hooks/audit: set types or campaigns. For a single webhook, use Webhook.",
    },
    { name: "no types", config: { types: [] }, message: "hooks/audit: types is empty." },
    {
      name: "no campaigns",
      config: { types: ["emailsSent"], campaigns: [] },
      message: "hooks/audit: campaigns is empty.",
    },
    {
      name: "a misspelled constant",
      config: {
        types: [EventType.emailsSent, (EventType as unknown as { readonly [name: string]: string })["emailReplied"]],
      },
      message: "hooks/audit: types[1] is undefined, not a string. Check the spelling of its name.",
    },
    {
      name: "an empty text",
      config: { campaigns: [""] },
      message: "hooks/audit: campaigns[0] is empty, not a string.",
    },
    { name: "no list", config: { types: "emailsSent" }, message: "hooks/audit: types must be a list of strings." },
    {
      name: "a type twice",
      config: { types: ["emailsSent", "emailsSent"] },
      message: "hooks/audit: types contains a duplicate: emailsSent.",
    },
  ])("a set with $name is refused", ({ config, message }) => {
    expect(() => synthesise(flavour, set(config))).toThrow(message);
  });

  test("a set with only unknown lists is refused", () => {
    const declare = (stack: TerraformStack): void => {
      const types = new cdk.TerraformVariable(stack, "types", { type: "list(string)" });
      set({ types: types.listValue, campaigns: new campaigns.DataOutreachCampaigns(stack, "live", {}).ids })(stack);
    };
    expect(() => synthesise(flavour, declare)).toThrow("hooks/audit: types or campaigns must be known at synthesis.");
  });

  test("a suppression list combines an array and a file without duplicates", () => {
    const config = {
      campaignId: "cam_000001",
      emails: ["Ada@example.com", "ada@example.com"],
      file: file("list.csv", "Email,since\nada@Example.com,2026\ngrace@example.com,2026\n"),
    };
    expect(blockOf(synthesise(flavour, list(config)), "outreach_lead_unsubscription", "requests")).toMatchObject({
      for_each: '${toset(["ada@example.com", "grace@example.com"])}',
      campaign_id: "cam_000001",
      email: "${each.value}",
    });
  });

  test.for([
    {
      name: "no campaign",
      config: { emails: ["ada@example.com"] },
      message: "hooks/requests: set campaignId or campaigns.",
    },
    {
      name: "one campaign and several",
      config: { campaignId: "cam_000001", campaigns: ["cam_000002"], emails: ["ada@example.com"] },
      message: "hooks/requests: campaignId and campaigns are both set. Remove one of them.",
    },
    {
      name: "neither addresses nor a file",
      config: { campaignId: "cam_000001" },
      message: "hooks/requests: set emails or file.",
    },
    {
      name: "no address",
      config: { campaignId: "cam_000001", emails: [] },
      message: "hooks/requests: emails contains no address.",
    },
    {
      name: "a file of a header alone",
      config: { campaignId: "cam_000001", file: file("header.csv", "email,since\n") },
      message: `hooks/requests: ${path.join(folder, "header.csv")} contains no address.`,
    },
    {
      name: "a missing file",
      config: { campaignId: "cam_000001", file: "supressions.csv" },
      message: `hooks/requests: the file ${path.resolve("supressions.csv")} does not exist. A relative path starts at the working directory of the synthesis.`,
    },
    {
      name: "a folder",
      config: { campaignId: "cam_000001", file: folder },
      message: `hooks/requests: ${folder} is a folder.`,
    },
  ])("a list of suppressions with $name is refused", ({ config, message }) => {
    expect(() => synthesise(flavour, list(config))).toThrow(message);
  });

  test("addresses can come from a variable, but not together with a file", () => {
    const given = (config: object) => (stack: TerraformStack) => {
      const emails = new cdk.TerraformVariable(stack, "emails", { type: "list(string)" }).listValue;
      list({ campaignId: "cam_000001", emails, ...config })(stack);
    };
    const text = synthesise(flavour, given({}));
    expect(blockOf(text, "outreach_lead_unsubscription", "requests")).toMatchObject({
      for_each: "${toset(var.emails)}",
      email: "${each.value}",
    });
    const withFile = { file: file("more.csv", "ada@example.com\n") };
    expect(() => synthesise(flavour, given(withFile))).toThrow("hooks/requests: emails that are unknown at synthesis");
  });

  test("errors in a file of addresses have a position, and show no address", () => {
    const config = {
      campaignId: "cam_000001",
      file: file("bad.csv", "name,email\nAda,ada@example.com\nGrace,\nAlan,alan@example.com;x\n"),
    };
    const told = [
      `hooks/requests: ${config.file} is not a list of addresses.`,
      `${config.file}:3:7: The row has no email. Add the address, or remove the row.`,
      `${config.file}:4:6: The line holds several values, separated by semicolons or tabs. Write one address a line, or begin the file with a header that has an email column.`,
    ];
    expect(() => synthesise(flavour, list(config))).toThrow(new Error(told.join("\n")));
  });

  test("an invalid address is reported by its line", () => {
    const config = { campaignId: "cam_000001", file: file("words.csv", "ada@example.com\nno address\n@example.com\n") };
    const told = [2, 3].map(
      (line) => `${config.file}:${line}:1: This is not an address. Write it as in name@example.com.`,
    );
    expect(() => synthesise(flavour, list(config))).toThrow(
      new Error([`hooks/requests: ${config.file} is not a list of addresses.`, ...told].join("\n")),
    );
  });

  test.for([
    { name: "count", config: { types: ["emailsSent"], count: 2 } },
    { name: "forEach", config: { types: ["emailsSent"], forEach: cdk.TerraformIterator.fromList(["a"]) } },
  ])("a set with $name is refused", ({ config }) => {
    expect(() => synthesise(flavour, set(config))).toThrow("hooks/audit: count and forEach do not apply");
  });

  const { Webhook } = flavour.webhook;
  const { LeadUnsubscription } = flavour.leadUnsubscription;
  const hook = (config: object) => (stack: TerraformStack) =>
    new Webhook(stack, "crm", { targetUrl: TARGET, ...config });
  test.for<{ readonly name: string; readonly declare: (stack: TerraformStack) => unknown; readonly message: string }>([
    {
      name: "an unknown event type",
      declare: hook({ type: "emailReplied" }),
      message: '[hooks/crm] type is "emailReplied", which is not an event type.',
    },
    {
      name: "a relative URL",
      declare: hook({ targetUrl: "/hooks" }),
      message: "[hooks/crm] targetUrl is not an absolute URL.",
    },
    {
      name: "a URL without https",
      declare: hook({ targetUrl: "http://crm.example.com" }),
      message: "[hooks/crm] targetUrl must use https.",
    },
    {
      name: "a campaign's name for its id",
      declare: hook({ campaignId: "Q3 launch" }),
      message: '[hooks/crm] campaignId is "Q3 launch", which is not the id',
    },
    {
      name: "an unknown event type in a set",
      declare: set({ types: ["emailsSent", "emailReplied"] }),
      message: '[hooks/audit] types[1] is "emailReplied"',
    },
    {
      name: "an invalid URL of a set",
      declare: set({ types: ["emailsSent"], targetUrl: "nowhere" }),
      message: "targetUrl is not an absolute URL.",
    },
    {
      name: "an invalid URL of a set with Each",
      declare: set({ types: ["emailsSent"], targetUrl: `http://crm.example.com/${webhookSet.Each.type}` }),
      message: "[hooks/audit] targetUrl must use https.",
    },
    ...["type" as const, "key" as const].map((own) => ({
      name: `Each.${own} in a query that a URL object has encoded`,
      declare: set({ types: ["emailsSent"], targetUrl: withParameter(TARGET, webhookSet.Each[own]) }),
      message: "targetUrl contains an encoded token. Use Fn.urlencode",
    })),
    {
      name: "a token that is encoded, next to one that is not",
      declare: hook({ targetUrl: `${withParameter(TARGET, webhookSet.Each.type)}&key=${cdk.Fn.lower("A")}` }),
      message: "targetUrl contains an encoded token. Use Fn.urlencode",
    },
    {
      name: "a number that is encoded",
      declare: hook({ targetUrl: withParameter(TARGET, String(cdk.Fn.abs(-7))) }),
      message: "targetUrl contains an encoded token. Use Fn.urlencode",
    },
    {
      name: "an invalid id in a list",
      declare: list({ campaigns: ["q3"], emails: ["ada@example.com"] }),
      message: '[hooks/requests] campaigns[0] is "q3"',
    },
    {
      name: "an invalid id of an unsubscription",
      declare: (stack) => new LeadUnsubscription(stack, "gone", { campaignId: "q3", email: "ada@example.com" }),
      message: '[hooks/gone] campaignId is "q3"',
    },
  ])("the synthesis reports $name", ({ declare, message }) => {
    expect(() => synthesise(flavour, declare)).toThrow(message);
  });

  test("values that are unknown at synthesis, and valid ones, are not reported", () => {
    const text = synthesise(flavour, (stack) => {
      const host = new cdk.TerraformVariable(stack, "host", { type: "string" });
      hook({
        targetUrl: `https://${host.stringValue}/hooks`,
        type: host.stringValue,
        campaignId: cdk.Fn.lower(host.stringValue),
      })(stack);
      new Webhook(stack, "here", {
        targetUrl: "http://127.0.0.1:8080/hooks",
        type: EventType.interested,
        campaignId: "cam_000001",
      });
      new Webhook(stack, "raw", { targetUrl: "${var.host}/hooks", type: "${var.host}" });
    });
    expect(blockOf(text, "outreach_webhook", "crm")).toMatchObject({ target_url: "https://${var.host}/hooks" });
  });

  test("the checks of the constructs accept what a plan accepts", () => {
    const urls = [
      "https://a.example.com/x?y=z",
      "http://localhost/x",
      "http://[::1]:1/x",
      "http://127.1.2.3/",
      "https://a b.example.com",
      "ftp://a.example.com",
      "https://u:p@a.example.com",
      "a.example.com",
      "",
    ];
    const ids = ["cam_1", "cam_", "cam_ü", `cam_${"a".repeat(124)}`, `cam_${"a".repeat(125)}`, "hoo_1"];
    const { schema } = catalog.resources.find(({ type }) => type === "outreach_webhook") ?? {};
    const isAccepted = (config: object): boolean => {
      try {
        return synthesise(flavour, hook(config)) !== "";
      } catch {
        return false;
      }
    };
    for (const url of urls)
      expect([url, isAccepted({ targetUrl: url })]).toEqual([url, schema?.["target_url"]?.check?.(url) === undefined]);
    for (const id of ids)
      expect([id, isAccepted({ campaignId: id })]).toEqual([id, schema?.["campaign_id"]?.check?.(id) === undefined]);
  });

  test("every event type has a constant", () => {
    expect({ ...EventType }).toEqual(Object.fromEntries(EVENT_TYPES.map(({ name: type }) => [type, type])));
  });

  const everyKind = (): string =>
    synthesise(flavour, (stack) => {
      const q3 = new campaign.DataOutreachCampaign(stack, "q3", { name: "Q3 launch" });
      const live = new campaigns.DataOutreachCampaigns(stack, "live", { status: "running" });
      set({ types: [EventType.emailsSent, EventType.emailsBounced], campaigns: live.ids })(stack);
      new webhookSet.WebhookSet(stack, "crm", {
        targetUrl: TARGET,
        types: [EventType.emailsReplied],
        campaigns: [q3.id, "cam_000002"],
      });
      list({ campaignId: q3.id, emails: ["ada@example.com"] })(stack);
      new suppressionList.SuppressionList(stack, "everywhere", {
        campaigns: live.ids,
        emails: ["Grace@example.com"],
        onNotFound: "accept",
      });
    });

  test("a stack without Terraform has the same instances as a fan-out in YAML", async () => {
    const project = await openProject();
    project.write("cdktf.out/stacks/hooks/cdk.tf.json", everyKind());
    const { out } = await project.run("plan --show-emails -c cdktf.out/stacks/hooks");
    expect(created(out), out).toEqual(INSTANCES);
  });

  story("terraform plans the same instances", { timeout: 120_000 }, async ({ terraform }) => {
    terraform.write("provider.tf", "");
    terraform.write("cdk.tf.json", everyKind());
    expect(await terraform.run("init", "-no-color", "-input=false")).toMatchObject({ status: 0 });
    const { output } = await terraform.plan();
    expect(created(output), output).toEqual(INSTANCES);
  });
});

/** The addresses of the planned creates. */
function created(plan: string): readonly (string | undefined)[] {
  return [...plan.matchAll(/^ {2}# (\S+) will be created$/gm)].map(([, address]) => address).toSorted();
}

const INSTANCES = [
  'outreach_lead_unsubscription.everywhere["cam_000001/grace@example.com"]',
  'outreach_lead_unsubscription.everywhere["cam_000002/grace@example.com"]',
  'outreach_lead_unsubscription.everywhere["cam_000007/grace@example.com"]',
  'outreach_lead_unsubscription.requests["ada@example.com"]',
  'outreach_webhook.audit["emailsBounced/cam_000001"]',
  'outreach_webhook.audit["emailsBounced/cam_000002"]',
  'outreach_webhook.audit["emailsBounced/cam_000007"]',
  'outreach_webhook.audit["emailsSent/cam_000001"]',
  'outreach_webhook.audit["emailsSent/cam_000002"]',
  'outreach_webhook.audit["emailsSent/cam_000007"]',
  'outreach_webhook.crm["emailsReplied/cam_000001"]',
  'outreach_webhook.crm["emailsReplied/cam_000002"]',
];

function withParameter(target: string, value: string): string {
  const url = new URL(target);
  url.searchParams.set("event", value);
  return url.href;
}
