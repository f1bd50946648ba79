import { expect, test } from "vitest";
import { EVENT_TYPES, type EventTypeName } from "../../../src/service/events/event-catalog.ts";
import { hasCampaign } from "../../../src/service/deliveries/deliveries.ts";
import { type Chance, chanceOf } from "../../core/apply/chance.ts";
import { startReceiver } from "../../sandbox/delivery/receiver.ts";
import { realClock } from "../../sandbox/sandbox-under-test.ts";
import { type Project, useProjects } from "../../frontends/cli/project.ts";

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

/** The configuration that no test file knows: the sandbox gets it from apply. */
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
  const campaign = hasCampaign(type) && !isThirdParty ? chance.oneOf(CAMPAIGNS) : null;
  const lead = campaign === null || type === "campaignComplete" ? null : (chance.any(LEADS[campaign] ?? []) ?? null);
  return { type, campaign, lead, isThirdParty };
}

/** What `outreach test` says that each URL gets. */
async function computed(project: Project, events: readonly (Event & { readonly isFirst: boolean })[]) {
  const campaigns = (
    project.sandbox.records("campaigns") as readonly {
      _id: string;
      name: string;
      labels: readonly string[];
      teamId: string;
    }[]
  )
    .filter(({ teamId }) => teamId === "tea_000001")
    .map(({ _id: id, name, labels }) => ({ id, name, labels }));
  const tests = events.map(({ type, campaign, isThirdParty, isFirst }, index) => [
    `event ${String(index)}`,
    {
      event: { type, ...(campaign === null ? {} : { campaign }), third_party: isThirdParty, first: isFirst },
      receives: [],
    },
  ]);
  project.write(
    "tests/all.yaml",
    JSON.stringify({ version: 1, campaigns, tests: Object.fromEntries(tests) as object }),
  );
  const { out, sent } = await project.run("test --json");
  expect(sent).toEqual([]);
  const { files } = JSON.parse(out) as {
    files: readonly { tests: readonly { receivers: readonly { target: string; delivered: number }[] }[] }[];
  };
  return files.flatMap(({ tests: ran }) =>
    ran.map(({ receivers }) => Object.fromEntries(receivers.map(({ target, delivered }) => [target, delivered]))),
  );
}

test.each([11, 12, 13, 14, 15, 16])("what is computed is what the sandbox delivers, seed %i", async (seed) => {
  const chance = chanceOf(seed);
  const receiver = await startReceiver();
  const project = await openProject({ clock: realClock, random: () => 0.5 });
  const url = (n: number): string => receiver.url.replace("/hook", `/r${String(n)}`);
  project.write("outreach.yaml", configurationOf(chance, url));
  const applied = await project.run("apply --auto-approve");
  expect(applied.code, applied.err).toBe(0);
  expect(project.sandbox.webhooks().filter(({ teamId }) => teamId === "tea_000001").length).toBeGreaterThan(URLS);

  const delivered: { readonly [url: string]: number }[] = [];
  const happened: (Event & { readonly isFirst: boolean })[] = [];
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
  expect(await computed(project, happened)).toEqual(delivered);
});

test("every event type is of one kind", () => {
  expect(EVENT_TYPES.filter(({ name }) => !hasCampaign(name)).map(({ name }) => name)).toMatchInlineSnapshot(`
    [
      "customDomainErrors",
      "connectionIssue",
      "sendLimitReached",
      "warmupPaused",
      "enrichmentDone",
      "enrichmentError",
      "inboxLabelUpdated",
      "signalRegistered",
      "deliverabilityAlertTriggered",
    ]
  `);
});
