import { describe, expect, test } from "vitest";
import { type Project, type Ran, useProjects } from "../frontends/cli/project.ts";
import { NO_CHANGES } from "../frontends/cli/no-changes.ts";

const openProject = useProjects();

const CONFIGURATION = `version: 1
data:
  campaigns:
    live: { status: running }
lead_unsubscriptions:
  opted-out:
    campaigns: live
    emails_from: opted-out.csv
    recheck: 0s
`;
const PEOPLE = [
  "ada@example.com",
  "mary@example.net",
  "john@example.org",
  "grace@example.net",
  "linus@example.org",
  "dennis@example.net",
];
const list = (people: readonly string[]): string => `email\n${people.join("\n")}\n`;
const SEED = {
  campaigns: [
    { _id: "cam_000001", name: "Q3 launch", status: "running" },
    { _id: "cam_000002", name: "Webinar", status: "draft" },
  ],
  leads: [{ campaignId: "cam_000001", email: "ada@example.com" }],
} as const;

const deletes = ({ sent }: Ran): readonly string[] => sent.filter((line) => line.startsWith("DELETE"));
const done = (ran: Ran): readonly string[] => deletes(ran).filter((line) => line.endsWith(" 200"));

async function opened(): Promise<Project> {
  const project = await openProject({ seed: SEED });
  project.write("outreach.yaml", CONFIGURATION);
  project.write("opted-out.csv", list(PEOPLE));
  const first = await project.run("apply --auto-approve");
  expect([first.code, deletes(first).length, done(first).length]).toEqual([0, PEOPLE.length, 1]);
  return project;
}

describe("whoever is on the list is unsubscribed wherever the service has that lead", () => {
  test("a lead that somebody imports later is unsubscribed by the next scheduled run, without an approval", async () => {
    const project = await opened();
    project.sandbox.add("leads", { campaignId: "cam_000001", email: "mary@example.net" });
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, out: NO_CHANGES });
    const recheck = await project.run("recheck");
    expect([recheck.code, done(recheck)]).toEqual([0, ["DELETE /campaigns/cam_000001/leads/mary%40example.net 200"]]);
    expect(recheck.out).toBe("Recheck complete: 5 sent, 1 unsubscribed.\n");
    // What is done is not sent again.
    expect(deletes(await project.run("recheck"))).toHaveLength(4);
  });

  test("a campaign that starts later is covered by the next run, and is no change", async () => {
    const project = await opened();
    project.sandbox.change("campaigns", "cam_000002", { status: "running" });
    project.sandbox.add("leads", { campaignId: "cam_000002", email: "john@example.org" });
    const plan = await project.run("plan --detailed-exitcode");
    expect([plan.code, plan.out]).toEqual([0, NO_CHANGES]);
    expect(plan.err).toContain("11 watched unsubscriptions wait");
    const recheck = await project.run("recheck");
    expect([recheck.code, done(recheck)]).toEqual([0, ["DELETE /campaigns/cam_000002/leads/john%40example.org 200"]]);
    expect(recheck.out).toBe("Recheck complete: 11 sent, 1 unsubscribed.\n");
  });

  test("a campaign that ends and starts again needs no request for what is done", async () => {
    const project = await opened();
    project.sandbox.change("campaigns", "cam_000001", { status: "paused" });
    project.sandbox.change("campaigns", "cam_000002", { status: "running" });
    const away = await project.run("recheck");
    expect([away.code, deletes(away).every((line) => line.includes("cam_000002"))]).toEqual([0, true]);
    project.sandbox.change("campaigns", "cam_000001", { status: "running" });
    expect(
      deletes(await project.run("recheck")).filter((line) => line.includes("ada") && line.includes("cam_000001")),
    ).toEqual([]);
  });

  test("a new address is a change, which the plan shows and somebody approves", async () => {
    const project = await opened();
    project.write("opted-out.csv", list([...PEOPLE, "barbara@example.net"]));
    const plan = await project.run("plan --detailed-exitcode");
    expect([plan.code, plan.out]).toEqual([2, expect.stringContaining("Plan: 1 to add, 0 to change, 0 to destroy.\n")]);
  });
});

test("a stack means the same: what its filter finds later is covered, and a new address is a change", async () => {
  const project = await openProject({ seed: SEED });
  const stack = (people: readonly string[]): void => {
    const all = `[for id in data.outreach_campaigns.live.ids : [for one in ${JSON.stringify(people)} : { id = id, email = one }]]`;
    const pairs = `{for pair in flatten(${all}) : "\${pair.id}/\${pair.email}" => pair}`;
    const gone = {
      for_each: `\${${pairs}}`,
      campaign_id: "${each.value.id}",
      email: "${each.value.email}",
      recheck: "0s",
    };
    const data = { outreach_campaigns: { live: { status: "running" } } };
    project.write(
      "stack/cdk.tf.json",
      JSON.stringify({ provider: { outreach: [{}] }, data, resource: { outreach_lead_unsubscription: { gone } } }),
    );
  };
  stack(PEOPLE);
  const first = await project.run("apply -c stack --auto-approve");
  expect([first.code, deletes(first).length]).toEqual([0, PEOPLE.length]);
  project.sandbox.change("campaigns", "cam_000002", { status: "running" });
  project.sandbox.add("leads", { campaignId: "cam_000002", email: "john@example.org" });
  expect(await project.run("plan -c stack --detailed-exitcode")).toMatchObject({ code: 0, out: NO_CHANGES });
  expect(done(await project.run("recheck -c stack"))).toEqual([
    "DELETE /campaigns/cam_000002/leads/john%40example.org 200",
  ]);
  stack([...PEOPLE, "barbara@example.net"]);
  expect((await project.run("plan -c stack --detailed-exitcode")).out).toContain(
    "Plan: 2 to add, 0 to change, 0 to destroy.\n",
  );
});

describe("a list that was cut by accident", () => {
  test("stops the plan, loses no record, and sends nothing again when it is back", async () => {
    const project = await opened();
    project.write("opted-out.csv", list(PEOPLE.slice(0, 2)));
    for (const command of ["plan", "apply --auto-approve"]) {
      const stopped = await project.run(command);
      expect([stopped.code, deletes(stopped)]).toEqual([1, []]);
      expect(stopped.err).toContain("Error: A list lost more people than allowed");
      expect(stopped.err).toContain("no longer has 4 of the 6 people");
      expect(stopped.err).toContain("--allow-shrink");
    }
    expect(await project.run("apply --auto-approve --allow-shrink")).toMatchObject({ code: 0 });
    expect((await project.run("state list")).out.trim().split("\n")).toHaveLength(6);
    // From then on it is no longer a list that shrinks.
    expect((await project.run("plan --detailed-exitcode")).code).toBe(0);
    project.write("opted-out.csv", list(PEOPLE));
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, out: NO_CHANGES });
    const back = await project.run("apply --auto-approve");
    expect([back.code, done(back), deletes(back).some((line) => line.includes("ada"))]).toEqual([0, [], false]);
  });

  test("stays known when its block is removed and comes back under another name", async () => {
    const project = await opened();
    project.write("outreach.yaml", "version: 1\n");
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0, sent: [] });
    project.write("outreach.yaml", CONFIGURATION.replace("opted-out:", "gdpr:"));
    const back = await project.run("apply --auto-approve");
    expect([back.code, deletes(back).some((line) => line.includes("ada"))]).toEqual([0, false]);
  });
});

test("a killed recheck loses nothing, and the next one goes on", async () => {
  const project = await opened();
  project.sandbox.addFault({
    action: { kind: "late", delayMs: 60_000 },
    when: "after",
    operation: "unsubscribeLead",
    times: 2,
  });
  const { child, ended } = project.start("recheck");
  for (const started = project.sandbox.requests().length; project.sandbox.requests().length < started + 3;)
    await new Promise((r) => setTimeout(r, 20));
  child.kill("SIGKILL");
  await ended;
  project.sandbox.clearFaults();
  project.sandbox.add("leads", { campaignId: "cam_000001", email: "grace@example.net" });
  const next = await project.run("recheck");
  expect([next.code, done(next)]).toEqual([0, ["DELETE /campaigns/cam_000001/leads/grace%40example.net 200"]]);
  const { instances } = JSON.parse(project.read("outreach.state.json")) as {
    readonly instances: readonly { readonly attributes: { readonly outcome: string } }[];
  };
  const outcomes = instances.map(({ attributes }) => attributes.outcome);
  // A request without an answer may have been carried out.
  expect([outcomes.length, outcomes.filter((outcome) => outcome === "unsubscribed").length]).toEqual([6, 2]);
});
