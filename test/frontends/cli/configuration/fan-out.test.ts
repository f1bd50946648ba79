import { describe, expect, test } from "vitest";
import { type Project, useProjects } from "../project.ts";
import { NO_CHANGES, NO_STATE_YET } from "../no-changes.ts";

const openProject = useProjects();

const LIVE = "data:\n  campaigns:\n    live: { status: running }\n";

function audit(fanOut: string, rest = ""): string {
  return `version: 1\n${rest}webhooks:\n  audit:\n    target_url: https://audit.example.com/hook\n${fanOut
    .split("\n")
    .map((line) => `    ${line}\n`)
    .join("")}`;
}

const triples = (project: Project): readonly string[] =>
  project.sandbox
    .webhooks()
    .map(({ _id, type, campaignId }) => `${_id} ${String(type)} ${String(campaignId)}`)
    .toSorted();
const addresses = async (project: Project): Promise<readonly string[]> =>
  (await project.run("state list")).out.trim().split("\n");

test("one webhook is made for each event type in each campaign, under a key of the two", async () => {
  const project = await openProject();
  project.write("outreach.yaml", audit("types: [emailsSent, emailsBounced]\ncampaigns: live", LIVE));
  const { code, sent } = await project.run("apply --auto-approve");
  expect([code, sent.filter((line) => line.startsWith("GET"))]).toEqual([
    0,
    ["GET /campaigns?version=v2&status=running 200", "GET /hooks 200", "GET /hooks 200"],
  ]);
  expect(
    triples(project)
      .map((line) => line.replace(/^\S+ /, ""))
      .toSorted(),
  ).toEqual(
    ["emailsBounced", "emailsSent"].flatMap((type) =>
      ["cam_000001", "cam_000002", "cam_000007"].map((campaign) => `${type} ${campaign}`),
    ),
  );
  expect(await addresses(project)).toEqual(
    ["emailsBounced", "emailsSent"].flatMap((type) =>
      ["cam_000001", "cam_000002", "cam_000007"].map((campaign) => `outreach_webhook.audit["${type}/${campaign}"]`),
    ),
  );
  expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, err: "", out: NO_CHANGES });
});

test.each([
  ["types alone", "types: [emailsSent, emailsBounced]", "", ["emailsBounced", "emailsSent"]],
  ["campaigns alone", "type: emailsSent\ncampaigns: live", LIVE, ["cam_000001", "cam_000002", "cam_000007"]],
  [
    "a list of campaigns",
    "campaigns: [q3, fair]",
    "data:\n  campaign: { q3: { name: Q3 launch }, fair: { id: cam_000007 } }\n",
    ["cam_000001", "cam_000007"],
  ],
  [
    "types of one campaign",
    "types: [emailsSent]\ncampaign: q3",
    "data:\n  campaign: { q3: { name: Q3 launch } }\n",
    ["emailsSent"],
  ],
])("the key holds what fans out: %s", async (_name, fanOut, rest, keys) => {
  const project = await openProject();
  project.write("outreach.yaml", audit(fanOut, `ignore: [shared_target_url]\n${rest}`));
  expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0, err: NO_STATE_YET });
  expect(await addresses(project)).toEqual(keys.map((key) => `outreach_webhook.audit["${key}"]`));
  expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
});

describe("a campaign that leaves the filter", () => {
  async function left(): Promise<Project> {
    const project = await openProject();
    project.write("outreach.yaml", audit("type: emailsSent\ncampaigns: live", LIVE));
    await project.run("apply --auto-approve");
    project.sandbox.change("campaigns", "cam_000002", { status: "paused" });
    return project;
  }

  test("keeps its webhook, with a note; prune: true takes it away", async () => {
    const project = await left();
    const kept = await project.run("apply --auto-approve");
    expect(kept.sent.filter((line) => !line.startsWith("GET"))).toEqual([]);
    expect(kept.err).toContain(
      "Note: Kept after leaving the filter [left_filter]\n\n  on outreach.yaml:9:16, in outreach_webhook.audit\n",
    );
    expect(kept.err).toMatch(/cam_000002 is no longer a result of data\.outreach_campaigns\.live\..*prune: true/s);
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, out: NO_CHANGES });
    project.write("outreach.yaml", audit("type: emailsSent\ncampaigns: live\nprune: true", LIVE));
    const pruned = await project.run("apply --auto-approve");
    expect(pruned).toMatchObject({ code: 0, err: "" });
    expect(pruned.sent.filter((line) => !line.startsWith("GET"))).toEqual(["DELETE /hooks/hoo_000002 200"]);
  });

  test("and comes back finds the same webhook", async () => {
    const project = await left();
    await project.run("apply --auto-approve");
    project.sandbox.change("campaigns", "cam_000002", { status: "running" });
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, err: "", out: NO_CHANGES });
  });

  test("that finds nothing any more loses none of them; with prune: true that is an error, unless allow_empty: true says otherwise", async () => {
    const project = await left();
    for (const id of ["cam_000001", "cam_000007"]) project.sandbox.change("campaigns", id, { status: "ended" });
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, out: NO_CHANGES });
    project.write("outreach.yaml", audit("type: emailsSent\ncampaigns: live\nprune: true", LIVE));
    const { code, err, sent } = await project.run("apply --auto-approve");
    expect([code, sent.filter((line) => !line.startsWith("GET"))]).toEqual([1, []]);
    expect(err).toContain(
      "Error: Empty fan-out [fan_out_empty]\n\n  on outreach.yaml:9:16, in outreach_webhook.audit\n",
    );
    expect(err).toContain("set allow_empty: true");
    project.write("outreach.yaml", audit("type: emailsSent\ncampaigns: live\nallow_empty: true\nprune: true", LIVE));
    expect(await project.run("plan")).toMatchObject({
      code: 0,
      out: expect.stringContaining("Plan: 0 to add, 0 to change, 3 to destroy.") as string,
    });
  });
});

test.each([
  ["types", "types: []"],
  ["campaigns", "campaigns: []"],
])("an empty list of %s is an error without the network", async (_name, fanOut) => {
  const project = await openProject();
  project.write("outreach.yaml", audit(fanOut));
  const { code, err, sent } = await project.run("plan");
  expect([code, sent]).toEqual([1, []]);
  expect(err).toContain("Error: Empty fan-out [fan_out_empty]\n\n  on outreach.yaml:");
  project.write("outreach.yaml", audit(`${fanOut}\nallow_empty: true`));
  expect(await project.run("plan")).toMatchObject({ code: 0 });
});

test("when only the shape changes, webhooks are moved and nothing is sent", async () => {
  const project = await openProject();
  const q3 = "data:\n  campaign: { q3: { name: Q3 launch } }\n";
  project.write("outreach.yaml", audit("type: emailsSent\ncampaign_id: cam_000001"));
  await project.run("apply --auto-approve");
  const before = triples(project);
  const shapes: readonly (readonly [from: string, to: string, fanOut: string, rest: string])[] = [
    ["", '["emailsSent"]', "types: [emailsSent]\ncampaign_id: cam_000001", ""],
    ['["emailsSent"]', '["emailsSent/cam_000001"]', "types: [emailsSent]\ncampaigns: [q3]", q3],
    ['["emailsSent/cam_000001"]', '["cam_000001"]', "type: emailsSent\ncampaigns: [q3]", q3],
    ['["cam_000001"]', "", "type: emailsSent\ncampaign: q3", q3],
  ];
  for (const [from, to, fanOut, rest] of shapes) {
    project.write("outreach.yaml", audit(fanOut, rest));
    const { code, out, err, sent } = await project.run("apply --auto-approve");
    expect({ code, err, writes: sent.filter((line) => !line.startsWith("GET")) }).toEqual({
      code: 0,
      err: "",
      writes: [],
    });
    expect(out).toContain(`  # outreach_webhook.audit${from} has moved to outreach_webhook.audit${to}\n`);
    expect(out).toContain("Plan: 0 to add, 0 to change, 0 to destroy.\n");
  }
  expect(await addresses(project)).toEqual(["outreach_webhook.audit"]);
  expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, out: NO_CHANGES });
  expect(triples(project)).toEqual(before);
});

test("a type that joins or leaves the list touches no other webhook", async () => {
  const project = await openProject();
  project.write("outreach.yaml", audit("types: [emailsSent, emailsBounced]"));
  await project.run("apply --auto-approve");
  project.write("outreach.yaml", audit("types: [emailsBounced, emailsReplied]"));
  const { out, sent } = await project.run("apply --auto-approve");
  expect(out).toContain("Plan: 1 to add, 0 to change, 1 to destroy.\n");
  expect(sent).toEqual([
    "GET /hooks 200",
    expect.stringMatching(/^DELETE \/hooks\/hoo_\d+ 200$/),
    "POST /hooks 200",
    "GET /hooks 200",
  ]);
  expect(project.sandbox.webhooks().map(({ type }) => type)).toEqual(["emailsBounced", "emailsReplied"]);
});

test("a campaign's name that now finds another one is the reason of the replace", async () => {
  const project = await openProject();
  project.write(
    "outreach.yaml",
    audit("type: emailsSent\ncampaign: q3", "data:\n  campaign: { q3: { name: Q3 launch } }\n"),
  );
  await project.run("apply --auto-approve");
  project.sandbox.change("campaigns", "cam_000001", { name: "Old" });
  project.sandbox.change("campaigns", "cam_000002", { name: "Q3 launch" });
  const { code, out } = await project.run("plan --detailed-exitcode");
  expect(code).toBe(2);
  expect(out).toMatch(
    /\(data\.outreach_campaign\.q3 \(name "Q3 launch"\) now finds another campaign_id\)\n[^]*~ campaign_id = "cam_000001" -> "cam_000002" # forces/,
  );
});
