import { describe, expect, test } from "vitest";
import type { FaultAction } from "../../../../src/sandbox/faults.ts";
import { oneWebhook, useProjects } from "../project.ts";
import { type Story, stateIn, storyOf } from "../story.ts";
import { NO_STATE_YET } from "../no-changes.ts";

const openProject = useProjects();
const [FIRST, SECOND] = ["first-secret-value", "second-secret-value"];
const URL_A = "https://crm.example.com/a";

const answer = (status: number, body?: string): FaultAction => ({
  kind: "answer",
  status,
  ...(body === undefined ? {} : { body }),
});

/** Answers that reject a request, and what a user reads of them. */
const REJECTIONS: readonly (readonly [string, FaultAction, string])[] = [
  ["a plain 400", answer(400, "Invalid type"), "POST /hooks: 400 Invalid type."],
  ["422 with JSON text", answer(422, '"Not a receiver"'), "POST /hooks: 422 Not a receiver."],
  ["403", answer(403, "Plan limit reached"), "POST /hooks: 403 Plan limit reached."],
  ["a documented message", answer(400, "Bad team"), "POST /hooks: 400 Bad team."],
  ["a gateway's page", { kind: "html", status: 404 }, "POST /hooks: 404 an HTML page, as a gateway sends it."],
];

async function openStory(body = `target_url: "${URL_A}"\nsecret: { env: S }`): Promise<Story> {
  const project = await openProject();
  Object.assign(project.environment, { S: FIRST });
  project.write("outreach.yaml", oneWebhook(body));
  return storyOf(project, [FIRST, SECOND]);
}

const writes = (sent: readonly string[]): readonly string[] => sent.filter((line) => !line.startsWith("GET"));
const lostIn = (story: Story) => stateIn(story.project.folder)?.lostCreates ?? [];

describe("a create that the service rejects", () => {
  test.each(REJECTIONS)(
    "by %s has failed, in the service's words, once the list has been read",
    async (_, action, words) => {
      const story = await openStory();
      story.faults({ action, method: "POST" });
      const { code, err, sent } = await story.run("apply --auto-approve");
      expect([code, sent]).toEqual([
        1,
        ["GET /hooks 200", expect.stringContaining("POST /hooks 4"), "GET /hooks 200", "GET /hooks?offset=0 200"],
      ]);
      expect(err.replace(NO_STATE_YET, "")).toMatch(/^Error: The service refused the request \[service_\w+\]\n/);
      expect(err).toContain(words);
      expect(err).not.toMatch(/undecided|may or may not|resolve/);
      expect(lostIn(story)).toMatchObject([{ address: "outreach_webhook.crm", rejected: {} }]);
      expect(await story.run("apply --auto-approve")).toMatchObject({
        code: 0,
        sent: ["GET /hooks 200", "POST /hooks 200", "GET /hooks 200"],
        err: "",
      });
      await story.judge([URL_A]);
    },
  );

  test.each(REJECTIONS)(
    "by %s although it carries it out is created, and the run says so",
    async (_, action, words) => {
      const story = await openStory();
      story.faults({ action, when: "after", method: "POST" });
      const { code, err, sent } = await story.run("apply --auto-approve");
      expect([code, writes(sent).length]).toEqual([0, 1]);
      expect(err).toContain(
        "Warning: A webhook was created, although the answer says otherwise [created_although_rejected]\n",
      );
      expect(err).toContain(words);
      expect(err).toContain("The service's list shows hoo_000001");
      await story.judge([URL_A]);
    },
  );

  test("with 409 is never taken for carried out: the next plan reports what has appeared", async () => {
    const story = await openStory();
    story.faults({ action: answer(409, "Conflict"), when: "after", method: "POST" });
    const first = await story.run("apply --auto-approve");
    expect([first.code, first.err]).toEqual([1, expect.stringContaining("POST /hooks: 409 Conflict.")]);
    const second = await story.run("apply --auto-approve");
    expect([second.code, writes(second.sent)]).toEqual([1, []]);
    expect(second.err).toContain(
      "hoo_000001 is live and not managed, and may have come from an earlier create of outreach_webhook.crm that the service rejected.",
    );
    expect(second.err).toContain("outreach import outreach_webhook.crm hoo_000001");
    expect((await story.run("import outreach_webhook.crm hoo_000001")).code).toBe(0);
    await story.run("apply --auto-approve");
    await story.judge([URL_A]);
  });

  test("is remembered when the list cannot be read, and a later plan finds it", async () => {
    const story = await openStory();
    story.faults(
      { action: answer(400, "No"), when: "after", method: "POST" },
      { action: answer(500), method: "GET", path: "/hooks", skip: 1, times: null },
    );
    const { code, err, sent } = await story.run("apply --auto-approve");
    expect([code, writes(sent).length]).toEqual([1, 1]);
    expect(err).toContain(
      "POST /hooks: 400 No. The service's list could not be read after that. If this webhook exists, the next plan reports it.",
    );
    story.faults();
    expect(await story.run("plan")).toMatchObject({ code: 1, err: expect.stringContaining("hoo_000001") as string });
  });

  test("is looked for when the next create of the same follows soon: it waits until the list must show it", async () => {
    const story = await openStory();
    story.project.pauseMs = 1000;
    story.faults({ action: answer(400, "No"), method: "POST" });
    await story.run("apply --auto-approve");
    const { code, err, sent } = await story.run("apply --auto-approve");
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(/^Waiting \ds for the service's list to catch up with the last write\.\n$/),
    ]);
    expect(writes(sent)).toEqual(["POST /hooks 200"]);
    await story.judge([URL_A]);
  });

  test("and carries out behind a stale list is recorded by the next create, which sends nothing", async () => {
    const story = await openStory();
    story.project.pauseMs = 1000;
    story.project.sandbox.configure({ profile: { staleMs: 5000 } });
    story.faults({ action: answer(400, "No"), when: "after", method: "POST" });
    expect(await story.run("apply --auto-approve")).toMatchObject({
      code: 1,
      err: expect.stringContaining("POST /hooks: 400 No.\n") as string,
    });
    const { code, err, sent } = await story.run("apply --auto-approve");
    expect([code, writes(sent)]).toEqual([0, []]);
    expect(err).toContain("The service rejected an earlier create of this webhook, and its list shows hoo_000001 now");
    await story.judge([URL_A]);
  });

  test("and carries out behind a stale list is not recorded with another secret", async () => {
    const story = await openStory();
    story.project.pauseMs = 1000;
    story.project.sandbox.configure({ profile: { staleMs: 5000 } });
    story.faults({ action: answer(400, "No"), when: "after", method: "POST" });
    await story.run("apply --auto-approve");
    const { code, err, sent } = await story.run("apply --auto-approve", { S: SECOND });
    expect([code, writes(sent)]).toEqual([1, []]);
    expect(err).toContain("outreach import outreach_webhook.crm hoo_000001");
  });

  test("next to others is told from them, and concurrent ones share the list", async () => {
    const COUNT = 24;
    const story = await openStory();
    story.project.write(
      "outreach.yaml",
      `version: 1\nwebhooks:\n${Array.from({ length: COUNT }, (__, index) => `  w${String(index)}: { target_url: "${URL_A}/${String(index)}" }\n`).join("")}`,
    );
    story.faults({ action: answer(400, "Invalid"), method: "POST", times: COUNT - 1 });
    const { code, err, out, sent } = await story.run("apply --auto-approve");
    expect([code, err.match(/^Error: /gm)?.length, writes(sent).length]).toEqual([1, COUNT - 1, COUNT]);
    expect(out).toContain("Resources: 1 added, 0 changed, 0 destroyed.");
    // Each look is a list and its proof.
    expect(sent.filter((line) => line === "GET /hooks 200").length).toBeLessThan(COUNT);
    expect(lostIn(story)).toHaveLength(COUNT - 1);
    // Again and again, it is remembered once.
    story.faults({ action: answer(400, "Invalid"), method: "POST", times: null });
    for (let round = 0; round < 2; round++) expect((await story.run("apply --auto-approve")).code).toBe(1);
    expect(lostIn(story)).toHaveLength(COUNT - 1);
  });
});

test("a 201 with the full record is a success", async () => {
  const story = await openStory();
  story.faults({
    action: answer(
      201,
      JSON.stringify({
        _id: "hoo_000001",
        targetUrl: URL_A,
        createdAt: "2026-01-01T00:00:00.000Z",
        teamId: "tea_1",
        isFirst: false,
        automationId: 7,
      }),
    ),
    when: "after",
    method: "POST",
  });
  expect(await story.run("apply --auto-approve")).toMatchObject({ code: 0, err: NO_STATE_YET });
  await story.judge([URL_A]);
});

test("the id of somebody else's webhook in the answer to a create is an error that names the import", async () => {
  const story = await openStory();
  const { _id: id } = story.project.sandbox.add("webhooks", {
    targetUrl: "https://other.example.com/",
    type: "emailsSent",
  });
  story.foreign.add(id);
  story.faults({ action: answer(200, JSON.stringify({ _id: id, targetUrl: URL_A })), method: "POST" });
  const { code, err, sent } = await story.run("apply --auto-approve");
  expect([code, writes(sent).length]).toEqual([1, 1]);
  expect(err).toContain("Error: The service answered with another webhook [id_of_another]\n");
  expect(err).toContain(`outreach import outreach_webhook.crm ${id}`);
  expect(stateIn(story.project.folder)?.instances).toEqual([]);
});

describe("a replace whose create is rejected", () => {
  test("after the delete says that the webhook is gone, and the next apply creates it", async () => {
    const story = await openStory();
    await story.run("apply --auto-approve");
    story.faults({ action: answer(422, "No more"), method: "POST" });
    story.project.environment["S"] = SECOND;
    const { code, err, out } = await story.run("apply --auto-approve");
    expect([code, story.project.sandbox.webhooks()]).toEqual([1, []]);
    expect(err).toContain("POST /hooks: 422 No more.");
    expect(err).toContain("Error: The old webhook is deleted and the new one does not exist [replace_half_done]\n");
    expect(out).toContain("Resources: 0 added, 0 changed, 1 destroyed.");
    expect(await story.run("apply --auto-approve")).toMatchObject({ code: 0, err: "" });
    await story.judge([URL_A]);
  });

  test("before the delete leaves the old one current, and names delete_first", async () => {
    const story = await openStory(`target_url: "${URL_A}"\nsecret: { env: S }\nrotation: create_first`);
    await story.run("apply --auto-approve");
    story.faults({ action: answer(409, "Conflict"), method: "POST" });
    const { code, err, sent } = await story.run("apply --auto-approve", { S: SECOND });
    expect([code, writes(sent)]).toEqual([1, ["POST /hooks 409"]]);
    expect(err).toContain("POST /hooks: 409 Conflict.");
    expect(err).toContain("The old one is still current.");
    expect(err).toContain("rotation: delete_first");
    await story.judge([URL_A]);
  });

  test.each(["delete_first", "create_first"])("and carried out anyway is complete, %s", async (rotation) => {
    const story = await openStory(`target_url: "${URL_A}"\nsecret: { env: S }\nrotation: ${rotation}`);
    await story.run("apply --auto-approve");
    story.faults({ action: answer(400, "No"), when: "after", method: "POST" });
    story.project.environment["S"] = SECOND;
    const { code, out } = await story.run("apply --auto-approve");
    expect([code, out]).toEqual([0, expect.stringContaining("Resources: 1 added, 0 changed, 1 destroyed.")]);
    expect(story.project.sandbox.webhooks().map(({ secret }) => secret)).toEqual([SECOND]);
    await story.judge([URL_A]);
  });
});

test("a delete that is rejected has failed, and its webhook stays recorded", async () => {
  const story = await openStory();
  await story.run("apply --auto-approve");
  story.faults({ action: { kind: "html", status: 404 }, method: "DELETE" });
  const { code, err, sent } = await story.run("destroy --auto-approve");
  expect([code, writes(sent).length]).toEqual([1, 1]);
  expect(err).toContain("DELETE /hooks/hoo_000001: 404 an HTML page, as a gateway sends it.");
  await story.judge([URL_A]);
});

test("an unsubscription that is rejected has failed, and is not sent again", async () => {
  const project = await openProject();
  project.write(
    "outreach.yaml",
    "version: 1\nlead_unsubscriptions:\n  gone: { campaign_id: cam_000001, emails: [ada@example.com] }\n",
  );
  project.sandbox.addFault({ action: answer(422, "Not now"), method: "DELETE" });
  const { code, err, sent } = await project.run("apply --auto-approve");
  expect([code, writes(sent).length]).toEqual([1, 1]);
  expect(err).toContain("422 Not now.");
});
