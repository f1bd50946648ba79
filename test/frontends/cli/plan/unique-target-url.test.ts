import { describe, expect, test } from "vitest";
import { type Project, useProjects } from "../project.ts";
import { type Story, storyOf } from "../story.ts";
import { NO_STATE_YET } from "../no-changes.ts";

const openProject = useProjects();
const URL_A = "https://crm.example.com/a";
const RULE = "The service allows one webhook per target_url.";
const CHANGED = "To create the new one first, change target_url too, for example with a query parameter: https://…?v=2";

/** Webhooks by name, on a service that allows one webhook per target URL. */
async function openStory(webhooks: string, service = ""): Promise<Story> {
  const project = await openProject();
  project.sandbox.configure({ choices: { uniqueTargetUrl: true } });
  declare(project, webhooks, service);
  return storyOf(project);
}

function declare(project: Project, webhooks: string, service = ""): void {
  const lines = webhooks.split("\n").map((line) => `  ${line}\n`);
  project.write("outreach.yaml", `version: 1\n${service}webhooks:\n${lines.join("")}`);
}

const posts = (sent: readonly string[]): readonly string[] => sent.filter((line) => line.startsWith("POST"));
const writes = (sent: readonly string[]): readonly string[] => sent.filter((line) => !line.startsWith("GET"));
const KNOWN = "service: { unique_target_url: true }\n";

describe("a fan-out on one URL", () => {
  const FAN_OUT = `audit: { target_url: "${URL_A}", types: [emailsSent, emailsOpened, emailsReplied, emailsBounced, emailsClicked, emailsFailed, emailsInterested] }`;

  test("is a warning of the plan, creates one, and names it to the others; nothing is remembered", async () => {
    const story = await openStory(FAN_OUT);
    const planned = await story.run("plan");
    expect([planned.code, planned.err.match(/\[shared_target_url\]/g)?.length]).toEqual([0, 1]);
    expect(planned.err).toContain("Some services allow one webhook per target_url, and answer 409 to the others.");
    for (let round = 0; round < 2; round++) {
      const { code, err, sent } = await story.run("apply --auto-approve");
      expect([code, story.project.sandbox.webhooks().length]).toEqual([1, 1]);
      expect(posts(sent).length).toBe(7 - round);
      expect(err).toContain("POST /hooks: 409 A webhook with this target URL already exists");
      expect(err).toMatch(
        /hoo_000001 \(type = "\w+"\) has this target_url, and (outreach_webhook\.audit\["\w+"\] manages it|this configuration manages it)\./,
      );
      expect(err).toContain(RULE);
      expect(err).toContain("https://…?event=${each.key}");
      expect(err).toContain("set service.unique_target_url: true: plans then stop before they send.");
      expect(err).not.toMatch(/undecided|may or may not|resolve/);
    }
    declare(story.project, FAN_OUT, KNOWN);
    const refused = await story.run("apply --auto-approve");
    expect([refused.code, writes(refused.sent)]).toEqual([1, []]);
    expect(refused.err).toContain("Error: Several webhooks with one target_url [exclusive_twice]\n");
    expect(refused.err).toContain("https://…?event=${each.key}");
  });

  test.each([
    ["campaigns", "", ["cam_000001", "cam_000002"]],
    [
      "event types and campaigns",
      ", types: [emailsSent, emailsOpened]",
      ["emailsOpened/cam_000001", "emailsOpened/cam_000002", "emailsSent/cam_000001", "emailsSent/cam_000002"],
    ],
  ])("over %s works with the URL that the message suggests", async (_, types, keys) => {
    const settings = `${KNOWN}data: { campaign: { a: { id: cam_000001 }, b: { id: cam_000002 } } }\n`;
    const fanOut = (url: string) => `audit: { target_url: "${url}", campaigns: [a, b]${types} }`;
    const story = await openStory(fanOut(URL_A), settings);
    const { code, err, sent } = await story.run("apply --auto-approve");
    const suggested = /https:\/\/…(\?\S+)/.exec(err)?.[1] ?? "";
    expect([code, writes(sent)]).toEqual([1, []]);
    declare(story.project, fanOut(`${URL_A}${suggested}`), settings);
    expect(await story.run("apply --auto-approve")).toMatchObject({ code: 0, err: NO_STATE_YET });
    await story.judge(keys.map((key) => `${URL_A}?event=${key}`));
  });

  test("with a URL for each is created, and changes nothing after that", async () => {
    const story = await openStory(
      'audit: { target_url: "https://crm.example.com/a?event=${each.type}", types: [emailsSent, emailsOpened] }',
      KNOWN,
    );
    expect(await story.run("apply --auto-approve")).toMatchObject({ code: 0, err: NO_STATE_YET });
    await story.judge([`${URL_A}?event=emailsOpened`, `${URL_A}?event=emailsSent`]);
  });
});

describe("a webhook of another type on our URL", () => {
  test("that nobody manages is named by the 409, with the ways on", async () => {
    const story = await openStory(`crm: { target_url: "${URL_A}", type: emailsReplied }`);
    const { _id: id } = story.project.sandbox.add("webhooks", {
      targetUrl: `${URL_A}?`.replace("?", ""),
      type: "emailsSent",
      campaignId: "cam_000001",
    });
    story.foreign.add(id);
    const { code, err, sent } = await story.run("apply --auto-approve");
    expect([code, posts(sent)]).toEqual([1, ["POST /hooks 409"]]);
    expect(err).toContain(
      `${id} (type = "emailsSent", campaign_id = "cam_000001") has this target_url, and this configuration does not manage it. ${RULE}`,
    );
    expect(err).toContain(`If nobody needs ${id}, delete it in the service.`);
    declare(story.project, `crm: { target_url: "${URL_A}", type: emailsReplied }`, KNOWN);
    const again = await story.run("plan");
    expect([again.code, again.err]).toEqual([
      1,
      expect.stringContaining("Error: Another webhook has this target_url [exclusive_taken]\n"),
    ]);
    story.project.sandbox.remove("webhooks", id);
    expect((await story.run("apply --auto-approve")).code).toBe(0);
    await story.judge([URL_A]);
  });

  test("that another address manages is named with it", async () => {
    const story = await openStory(`old: { target_url: "${URL_A}", type: emailsSent }`);
    await story.run("apply --auto-approve");
    declare(
      story.project,
      `old: { target_url: "${URL_A}", type: emailsSent }\nnew: { target_url: "HTTPS://CRM.example.com:443/a", type: emailsReplied }`,
    );
    const { code, err } = await story.run("apply --auto-approve");
    expect(code).toBe(1);
    expect(err).toContain(
      `hoo_000001 (type = "emailsSent") has this target_url, and outreach_webhook.old manages it. ${RULE}`,
    );
    expect(err).toContain("Give it a target_url of its own, for example with a query parameter: https://…?event=NAME");
    declare(
      story.project,
      `old: { target_url: "${URL_A}", type: emailsSent }\nnew: { target_url: "${URL_A}", type: emailsReplied }`,
      KNOWN,
    );
    const plan = await story.run("plan");
    expect([plan.code, plan.err]).toEqual([
      1,
      expect.stringContaining("outreach_webhook.old manages it. This plan does not delete it first."),
    ]);
  });

  test("that is identical and made at the same moment is named with its import", async () => {
    const story = await openStory(`crm: { target_url: "${URL_A}", type: emailsReplied, allow_duplicate: true }`);
    const { _id: id } = story.project.sandbox.add("webhooks", { targetUrl: URL_A, type: "emailsReplied" });
    const { code, err } = await story.run("apply --auto-approve");
    expect([code, err]).toEqual([1, expect.stringContaining(`outreach import outreach_webhook.crm ${id}`)]);
  });
});

describe("with unique_target_url: true", () => {
  test.each([
    ["a replace that deletes first", `crm: { target_url: "${URL_A}", type: emailsReplied }`, ["DELETE", "POST"]],
    ["a delete and a create of its URL", `other: { target_url: "${URL_A}", type: emailsReplied }`, ["DELETE", "POST"]],
  ])("%s works", async (_, webhooks, expected) => {
    const story = await openStory(`crm: { target_url: "${URL_A}", type: emailsSent }`, KNOWN);
    await story.run("apply --auto-approve");
    declare(story.project, webhooks, KNOWN);
    const { code, sent } = await story.run("apply --auto-approve --allow-deletes");
    expect([code, writes(sent).map((line) => line.split(" ")[0])]).toEqual([0, expected]);
    await story.judge([URL_A]);
  });

  test("a rotation that creates first and keeps the URL is refused by the plan; with another parameter, it has no gap", async () => {
    const rotated = (secret: string, url = URL_A) =>
      `crm: { target_url: "${url}", rotation: create_first, secret: { env: ${secret} } }`;
    const story = await openStory(rotated("S1"), KNOWN);
    Object.assign(story.project.environment, { S1: "first-secret-value", S2: "second-secret-value" });
    await story.run("apply --auto-approve");
    declare(story.project, rotated("S2"), KNOWN);
    const { code, err, sent } = await story.run("apply --auto-approve");
    expect([code, writes(sent)]).toEqual([1, []]);
    expect(err).toContain("Error: The new webhook cannot exist next to the old one [exclusive_create_first]\n");
    expect(err).toContain(`Set rotation: delete_first in its block.\n${CHANGED}`);
    declare(story.project, rotated("S2", `${URL_A}?v=2`), KNOWN);
    const changed = await story.run("apply --auto-approve");
    expect([changed.code, writes(changed.sent)]).toEqual([0, ["POST /hooks 200", "DELETE /hooks/hoo_000001 200"]]);
    await story.judge([`${URL_A}?v=2`]);
  });

  test("unique_target_url: false plans on, and the 409 still names the webhook", async () => {
    const story = await openStory(
      `a: { target_url: "${URL_A}", type: emailsSent }\nb: { target_url: "${URL_A}", type: emailsReplied }`,
      KNOWN.replace("true", "false"),
    );
    for (let round = 0; round < 2; round++) {
      const { code, err, sent } = await story.run("apply --auto-approve");
      expect([code, posts(sent).length > 0]).toEqual([1, true]);
      expect(err).toContain(RULE);
    }
  });

  test("old webhooks that share a URL are kept, and one more is refused", async () => {
    const story = await openStory(
      `a: { target_url: "${URL_A}", type: emailsSent }\nb: { target_url: "${URL_A}", type: emailsReplied }`,
      KNOWN,
    );
    story.project.sandbox.configure({ choices: { uniqueTargetUrl: false } });
    declare(
      story.project,
      `a: { target_url: "${URL_A}", type: emailsSent }\nb: { target_url: "${URL_A}", type: emailsReplied }`,
    );
    await story.run("apply --auto-approve");
    story.project.sandbox.configure({ choices: { uniqueTargetUrl: true } });
    declare(
      story.project,
      `a: { target_url: "${URL_A}", type: emailsSent }\nb: { target_url: "${URL_A}", type: emailsReplied }`,
      KNOWN,
    );
    expect(await story.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
    declare(
      story.project,
      `a: { target_url: "${URL_A}", type: emailsSent }\nb: { target_url: "${URL_A}", type: emailsReplied }\nc: { target_url: "${URL_A}", type: emailsBounced }`,
      KNOWN,
    );
    expect(await story.run("plan")).toMatchObject({
      code: 1,
      err: expect.stringContaining("Another webhook has this target_url") as string,
    });
  });
});

test("a rotation that creates first without unique_target_url leaves the old one, and names delete_first", async () => {
  const rotated = (secret: string) =>
    `crm: { target_url: "${URL_A}", rotation: create_first, secret: { env: ${secret} } }`;
  const story = await openStory(rotated("S1"));
  Object.assign(story.project.environment, { S1: "first-secret-value", S2: "second-secret-value" });
  await story.run("apply --auto-approve");
  declare(story.project, rotated("S2"));
  const { code, err, sent } = await story.run("apply --auto-approve");
  expect([code, writes(sent)]).toEqual([1, ["POST /hooks 409"]]);
  expect(err).toContain("hoo_000001");
  expect(err).toContain("The old one is still current.");
  expect(err).toContain(`Set rotation: delete_first in its block.\n${CHANGED}`);
  declare(story.project, rotated("S2").replace("create_first", "delete_first"));
  expect((await story.run("apply --auto-approve")).code).toBe(0);
  await story.judge([URL_A]);
});

test("doctor shows the setting", async () => {
  const seen = async (story: Story) => /Webhooks per target URL: (.*)\n/.exec((await story.run("doctor")).out)?.[1];
  const story = await openStory(`a: { target_url: "${URL_A}", type: emailsSent }`);
  expect(await seen(story)).toBe("several: unique_target_url is false");
  declare(story.project, `a: { target_url: "${URL_A}", type: emailsSent }`, KNOWN);
  expect(await seen(story)).toBe("one: unique_target_url is true");
});
