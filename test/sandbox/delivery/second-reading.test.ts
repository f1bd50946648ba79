import { expect, test } from "vitest";
import { EVENT_TYPES, type EventTypeName } from "../../../src/service/events/event-catalog.ts";
import { subjectOf } from "../../../src/service/events/payload.ts";
import { type Chance, chanceOf } from "../../core/apply/chance.ts";
import { useProjects } from "../../frontends/cli/project.ts";
import { realClock } from "../sandbox-under-test.ts";
import { startReceiver } from "./receiver.ts";

const openProject = useProjects();

const CAMPAIGNS = ["cam_000001", "cam_000002", "cam_000007"] as const;
const LEADS: { readonly [campaign: string]: readonly string[] } = {
  cam_000001: ["ada@example.com", "charles@example.com"],
  cam_000002: ["ada@example.com", "katherine@example.net"],
  cam_000007: ["edsger@example.org"],
};
/** Few enough to be chosen twice, with and without a campaign and a lead state group. */
const TYPES = [
  "emailsReplied",
  "emailsSent",
  "warmed",
  "contacted",
  "campaignComplete",
  "connectionIssue",
  "annotated",
] as const;
const URLS = 4;

interface Event {
  readonly type: EventTypeName;
  readonly campaign: string | null;
  readonly lead: string | null;
  readonly isThirdParty: boolean;
}

interface HappenedEvent extends Event {
  readonly isFirst: boolean;
}

/** The types without a campaign, in our reading of "non-campaign events" (section "Payload common fields"). */
const WITHOUT_CAMPAIGN: readonly string[] = [
  "customDomainErrors",
  "connectionIssue",
  "sendLimitReached",
  "warmupPaused",
  "enrichmentDone",
  "enrichmentError",
  "inboxLabelUpdated",
  "signalRegistered",
  "deliverabilityAlertTriggered",
];

/** The sandbox gets it from apply. */
function configurationOf(chance: Chance, url: (n: number) => string): string {
  const webhooks = Array.from({ length: 10 }, (_, index) => {
    const lines = [
      `target_url: ${url(chance.below(URLS))}`,
      "allow_duplicate: true",
      chance.oneOf([
        "",
        `type: ${chance.oneOf(TYPES)}`,
        `types: [emailsReplied, ${chance.oneOf(["annotated", "warmed", "emailsSent"])}]`,
      ]),
      chance.oneOf(["", "", `campaign_id: ${chance.oneOf(CAMPAIGNS)}`, "campaign: q3", "campaigns: live"]),
      chance.oneOf(["", "is_first: true"]),
    ];
    return `  w${String(index)}:\n${lines.map((line) => (line === "" ? "" : `    ${line}\n`)).join("")}`;
  });
  return `version: 1\ndata:\n  campaign:\n    q3: { name: Q3 launch }\n  campaigns:\n    live: { labels: [launch] }\nwebhooks:\n${webhooks.join("")}`;
}

function eventOf(chance: Chance): Event {
  const type = chance.oneOf(TYPES);
  const isThirdParty = type === "emailsReplied" && chance.percent(50);
  const campaign = !WITHOUT_CAMPAIGN.includes(type) && !isThirdParty ? chance.oneOf(CAMPAIGNS) : null;
  const lead = campaign === null || type === "campaignComplete" ? null : (chance.any(LEADS[campaign] ?? []) ?? null);
  return { type, campaign, lead, isThirdParty };
}

interface LiveWebhook {
  readonly targetUrl: string;
  readonly type: string | null;
  readonly campaignId: string | null;
  readonly isFirst: boolean;
}

/** Whether the service sends the event to a webhook (section "Events"): by type, campaign and `isFirst`. Null selects every event. */
function isSelected(webhook: LiveWebhook, { type, campaign, isFirst }: HappenedEvent): boolean {
  if (webhook.type !== null && webhook.type !== type) return false;
  if (webhook.campaignId !== null && webhook.campaignId !== campaign) return false;
  return !webhook.isFirst || isFirst;
}

/** How often each URL gets the event, in this second reading. */
function computed(webhooks: readonly LiveWebhook[], event: HappenedEvent): { readonly [url: string]: number } {
  const counts: { [url: string]: number } = {};
  for (const webhook of webhooks)
    if (isSelected(webhook, event)) counts[webhook.targetUrl] = (counts[webhook.targetUrl] ?? 0) + 1;
  return counts;
}

test.each([11, 12, 13, 14, 15, 16])("what is computed is what the sandbox delivers, seed %i", async (seed) => {
  const chance = chanceOf(seed);
  const receiver = await startReceiver();
  const project = await openProject({ clock: realClock, random: () => 0.5 });
  const url = (n: number): string => receiver.url.replace("/hook", `/r${String(n)}`);
  project.write("outreach.yaml", configurationOf(chance, url));
  const applied = await project.run("apply --auto-approve");
  expect(applied.code, applied.err).toBe(0);
  const webhooks = project.sandbox.webhooks().filter(({ teamId }) => teamId === "tea_000001");
  expect(webhooks.length).toBeGreaterThan(URLS);

  const delivered: { readonly [url: string]: number }[] = [];
  const happened: HappenedEvent[] = [];
  const happen = async (event: Event, isFirst: boolean): Promise<void> => {
    const [recorded] = project.sandbox.trigger({
      type: event.type,
      teamId: "tea_000001",
      ...(event.campaign === null ? {} : { campaignId: event.campaign }),
      ...(event.lead === null ? {} : { lead: event.lead }),
      ...(event.isThirdParty ? { thirdParty: true } : {}),
    });
    await project.sandbox.whenIdle();
    // An event of a lead state group that it causes is another event.
    const own = receiver.received.filter(({ body }) => body["_id"] === recorded?._id);
    const counts: { [target: string]: number } = {};
    for (const { url: path } of own)
      counts[receiver.url.replace("/hook", path)] = (counts[receiver.url.replace("/hook", path)] ?? 0) + 1;
    delivered.push(counts);
    happened.push({ ...event, isFirst });
  };

  // One reading of "first": the first that matches the webhook.
  project.sandbox.configure({ delivery: { firstPer: "webhook" } });
  const first: Event = { type: "annotated", campaign: "cam_000001", lead: "ada@example.com", isThirdParty: false };
  await happen(first, true);
  await happen(first, false);
  // The other: the first of its type for the lead in the campaign.
  project.sandbox.configure({ delivery: { firstPer: "lead" } });
  const known = new Set([JSON.stringify(first)]);
  // Groups count as well: a reply makes the first "warmed" of its lead.
  const groups = new Map<EventTypeName, EventTypeName>([
    ["emailsReplied", "warmed"],
    ["emailsSent", "contacted"],
  ]);
  for (let index = 0; index < 25; index++) {
    const event = eventOf(chance);
    const key = JSON.stringify(event);
    await happen(event, !known.has(key));
    known.add(key);
    const group = groups.get(event.type);
    if (group !== undefined) known.add(JSON.stringify({ ...event, type: group, isThirdParty: false }));
  }
  expect(delivered.some((counts) => Object.values(counts).some((count) => count > 1))).toBe(true);
  expect(happened.map((event) => computed(webhooks, event))).toEqual(delivered);
});

test("the event types without a campaign are those of the payloads", () => {
  const has = (name: EventTypeName): boolean => ["campaign", "campaign-lead"].includes(subjectOf(name));
  expect(EVENT_TYPES.map(({ name }) => name).filter((name) => !has(name))).toEqual(WITHOUT_CAMPAIGN);
});
