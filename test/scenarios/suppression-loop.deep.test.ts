import { describe, expect, test } from "vitest";
import { usePostgres } from "../core/state/pg/shared-postgres.ts";
import { startReceiver } from "../examples/start-receiver.ts";
import { copySuppressionLoop } from "../examples/suppression-loop-project.ts";
import { useFleets } from "../frontends/cli/controller/fleet-project.ts";
import { type Project, type Ran, useProjects } from "../frontends/cli/project.ts";

const openProject = useProjects();
const openFleet = useFleets();
const postgres = usePostgres();

const DAY_MS = 24 * 3_600_000;
const SEED = {
  teams: [{ _id: "tea_1" }, { _id: "tea_2" }],
  users: [
    { _id: "usr_1", teamId: "tea_1", email: "grace@emea.example.com" },
    { _id: "usr_2", teamId: "tea_2", email: "mary@apac.example.com" },
  ],
  keys: [
    { name: "good", key: "key-emea", userId: "usr_1" },
    { name: "otherTeam", key: "key-apac", userId: "usr_2" },
  ],
  campaigns: [
    { _id: "cam_1", name: "Q3 launch", teamId: "tea_1" },
    { _id: "cam_2", name: "Webinar", teamId: "tea_1" },
    { _id: "cam_3", name: "Southern summer", teamId: "tea_2" },
    { _id: "cam_4", name: "Trade fair", teamId: "tea_2", status: "draft" },
  ],
  leads: [
    { campaignId: "cam_1", email: "Ada@example.com" },
    { campaignId: "cam_2", email: "ada@example.com" },
    { campaignId: "cam_3", email: "ada@example.com" },
    { campaignId: "cam_1", email: "bob@example.com" },
    { campaignId: "cam_3", email: "bob@example.com" },
    { campaignId: "cam_1", email: "carol@example.com" },
    { campaignId: "cam_1", email: "dan@example.com" },
  ],
} as const;

const unsubscribed = ({ sandbox }: Project): readonly string[] =>
  sandbox
    .records("leads")
    .flatMap(({ campaignId, email, unsubscribedAt }) =>
      unsubscribedAt === null ? [] : [`${campaignId} ${email.toLowerCase()}`],
    )
    .toSorted();
const deletes = ({ sent }: Ran): readonly string[] => sent.filter((line) => line.startsWith("DELETE"));

/** What a state says of a person whom it unsubscribed. */
function detailsIn(state: string, person: string): readonly unknown[] {
  interface Instance {
    readonly attributes: { readonly email?: string; readonly outcome?: string };
    readonly details?: object;
  }
  const { instances } = JSON.parse(state) as { readonly instances: readonly Instance[] };
  return instances.flatMap(({ attributes: { email, outcome }, details }) =>
    email === person && outcome === "unsubscribed" ? [details] : [],
  );
}

describe.each([
  ["receiver.mjs", "a CSV file"],
  ["receiver-hono.ts", "PostgreSQL"],
])("with %s and %s", (receiverFile, storage) => {
  test("an opt-out in one campaign of one team reaches every campaign of every team, today and later", async () => {
    const project = await openProject({ seed: SEED });
    const { sandbox, clock, environment } = project;
    copySuppressionLoop(project.folder);
    if (storage === "PostgreSQL") environment["LIST_DATABASE_URL"] = (await postgres.database()).url;
    const { LIST_DATABASE_URL = "" } = environment;
    Object.assign(environment, {
      OUTREACH_API_KEY_EMEA: "key-emea",
      OUTREACH_API_KEY_APAC: "key-apac",
      HOOK_SECRET: "a-secret",
    });
    const receiver = await startReceiver(project.folder, receiverFile, { HOOK_SECRET: "a-secret", LIST_DATABASE_URL });
    const apply = `apply --auto-approve --var receiver=${new URL(receiver.url).origin}`;
    expect(await project.run(apply)).toMatchObject({
      code: 0,
      out: expect.stringContaining("apac  Apply complete! Resources: 4 added"),
    });
    expect(unsubscribed(project)).toEqual([]);

    // Three people opt out in three ways, in campaigns of either team; others reply or are written to.
    sandbox.trigger({ type: "emailsUnsubscribed", campaignId: "cam_1", lead: "ada@example.com" });
    sandbox.trigger({ type: "emailsBounced", campaignId: "cam_3", lead: "bob@example.com" });
    sandbox.trigger({ type: "emailsNotInterested", campaignId: "cam_1", lead: "carol@example.com" });
    sandbox.trigger({ type: "emailsReplied", campaignId: "cam_1", lead: "dan@example.com" });
    sandbox.trigger({ type: "emailsSent", campaignId: "cam_1", lead: "dan@example.com" });
    await sandbox.whenIdle();
    expect(receiver.printed()).not.toContain("ALARM");

    // The next scheduled apply does the rest, in both teams.
    expect(await project.run(apply)).toMatchObject({ code: 0 });
    const everywhere = ["cam_1 ada", "cam_1 bob", "cam_1 carol", "cam_2 ada", "cam_3 ada", "cam_3 bob"].map(
      (one) => `${one}@example.com`,
    );
    expect(unsubscribed(project)).toEqual(everywhere);
    // The state of each team says why, where and when a person asked, also in the other team.
    expect(detailsIn(project.read("outreach.emea.state.json"), "bob@example.com")).toEqual([
      { reason: "emailsBounced", source: "Southern summer", requested_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) },
    ]);
    await sandbox.whenIdle();
    // Its unsubscriptions come back as events, and change nothing.
    expect((await project.run(apply)).out).toContain("2 teams: 2 without changes.");

    // A sync imports one of them into the other team, a campaign with one of them starts there, and a message goes out before the next run.
    sandbox.add("leads", { campaignId: "cam_3", email: "CAROL@example.com" });
    sandbox.add("leads", { campaignId: "cam_4", email: "ada@example.com" });
    sandbox.change("campaigns", "cam_4", { status: "running" });
    sandbox.trigger({ type: "smsSent", campaignId: "cam_4", lead: "ada@example.com" });
    await sandbox.whenIdle();
    const alarms = receiver.printed().match(/^ALARM: .*$/gm);
    expect(alarms).toEqual([
      expect.stringMatching(
        /^ALARM: contacted to lead \S+, who is on the list: Trade fair, sent by mary@apac.example.com at \d/,
      ),
    ]);
    expect(receiver.printed()).not.toMatch(/\b(?:ada|bob|carol)@/i);

    clock.pass(DAY_MS);
    const later = await project.run(apply);
    expect(later.code).toBe(0);
    expect(unsubscribed(project)).toEqual(
      [...everywhere, "cam_3 carol@example.com", "cam_4 ada@example.com"].toSorted(),
    );
    // What is done is not sent again.
    const sentTo = (one: string): string => `/campaigns/${one.replace(" ", "/leads/").replace("@", "%40")} `;
    expect(deletes(later).filter((line) => line.includes(sentTo("cam_3 carol@example.com")))).toHaveLength(1);
    expect(deletes(later).filter((line) => everywhere.some((one) => line.includes(sentTo(one))))).toEqual([]);

    // From then on, a message from before the opt-out that is delivered late is no breach.
    sandbox.trigger({
      type: "emailsSent",
      campaignId: "cam_1",
      lead: "ada@example.com",
      set: { createdAt: "2020-01-01T00:00:00.000Z" },
    });
    await sandbox.whenIdle();
    expect(receiver.printed().match(/^ALARM/gm)).toHaveLength(1);
  });
});

test("the controller does the same in each of its rounds: it runs the command of the list, and looks again for what was not found", async () => {
  const { project, declare, reconcile } = await openFleet();
  copySuppressionLoop(project.folder);
  const block =
    "campaigns: live, emails_from: { command: [node, suppression-list.mjs] }, allow_empty: true, recheck: 0s";
  await declare(
    '  opt-outs: { target_url: "https://crm.example.com/", type: emailsUnsubscribed }\n',
    `data: { campaigns: { live: { status: running } } }\nlead_unsubscriptions: { opt-outs: { ${block} } }\n`,
  );
  const round = async (): Promise<readonly string[]> => [
    (await reconcile("safe", "emea")).outcome,
    (await reconcile("safe", "apac")).outcome,
  ];
  expect(await round()).toEqual(["applied", "applied"]);
  project.write(
    "suppressions.csv",
    "email,reason,source,requested_at\nada@example.com,emailsUnsubscribed,Q3 launch,2026-11-03T10:00:00.000Z\n",
  );
  expect(await round()).toEqual(["applied", "applied"]);
  expect(unsubscribed(project)).toEqual(["cam_000001 ada@example.com", "cam_000002 ada@example.com"]);
  project.sandbox.add("leads", { campaignId: "cam_000101", email: "ada@example.com" });
  await round();
  expect(unsubscribed(project)).toContain("cam_000101 ada@example.com");
});
