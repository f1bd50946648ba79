import { describe, expect, test } from "vitest";
import { type ListProfile, parseListProfile } from "../../../../src/sandbox/list-profile.ts";
import { type Project, useProjects } from "../project.ts";

const openProject = useProjects();

const profileOf = (words: string): ListProfile => parseListProfile(words).profile;

/** A project with so many webhooks. */
async function applied(count: number, words = ""): Promise<Project> {
  const project = await openProject({ profile: profileOf(words) });
  const blocks = Array.from(
    { length: count },
    (_, index) => `  w${String(index)}: { target_url: 'https://x.example.com/${String(index)}' }\n`,
  );
  project.write("outreach.yaml", `version: 1\nwebhooks:\n${blocks.join("")}`);
  expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
  return project;
}

/** Removes a webhook by hand: the oldest is 0. */
function removeNth(project: Project, nth: number): void {
  project.sandbox.remove("webhooks", project.sandbox.webhooks()[nth]?._id ?? "");
}

const CUT = "missing from a list that may be truncated [list_maybe_truncated]\n";
const lists = (project: Project): unknown =>
  (JSON.parse(project.read("outreach.state.json")) as { lists?: unknown }).lists;

describe.each(["no-offset", "no-offset,newest-first", "hooks,cap=20,no-offset"])(
  "a webhook deleted by hand between two others, in a list of 20 (%s)",
  (words) => {
    test("is drift in every command", async () => {
      const project = await applied(21);
      project.sandbox.configure({ profile: profileOf(words) });
      removeNth(project, 10);
      const planned = await project.run("plan --detailed-exitcode");
      expect(planned).toMatchObject({ code: 2, err: "" });
      expect(planned.out).toContain("Plan: 1 to add, 0 to change, 0 to destroy.");
      expect(await project.run("plan --refresh-only --detailed-exitcode")).toMatchObject({ code: 2, err: "" });
      expect(await project.run("apply --auto-approve")).toMatchObject({
        code: 0,
        out: expect.stringContaining("1 added") as string,
      });
      expect(project.sandbox.webhooks()).toHaveLength(21);
    });
  },
);

test.each(["no-offset", "no-offset,newest-first"])(
  "one webhook deleted and another added by hand, in a list of 40, is drift (%s)",
  async (words) => {
    const project = await applied(40, words);
    removeNth(project, 17);
    project.sandbox.add("webhooks", { targetUrl: "https://x.example.com/by-hand" });
    expect(project.sandbox.webhooks()).toHaveLength(40);
    const planned = await project.run("plan --detailed-exitcode");
    expect(planned).toMatchObject({ code: 2, err: "" });
    expect(planned.out).toMatch(/# outreach_webhook\.w\d+ has been deleted/u);
    expect(planned.out).toContain("Plan: 1 to add, 0 to change, 0 to destroy.");
    const refreshed = await project.run("plan --refresh-only --detailed-exitcode");
    expect(refreshed).toMatchObject({ code: 2, err: "" });
    expect(refreshed.out).not.toMatch(/creat/iu);
    expect(await project.run("apply --auto-approve")).toMatchObject({
      code: 0,
      out: expect.stringContaining("1 added, 0 changed, 0 destroyed") as string,
    });
  },
);

describe.each([
  "cap=10,no-offset",
  "cap=10,no-offset,newest-first",
  "cap=25,no-offset,shuffled",
  "cap=25,no-offset,no-created-at",
  "cap=10,no-offset,stale=1",
])("a list that is cut (%s)", (words) => {
  const count = words.startsWith("cap=25") ? 27 : 12;

  test("makes nothing missing: what it does not show is kept, and nothing is doubled", async () => {
    const project = await applied(count, words);
    for (const command of ["plan", "plan --refresh-only", "refresh", "apply --auto-approve"]) {
      const { code, err } = await project.run(command);
      expect([command, code]).toEqual([command, 0]);
      expect(err).toContain(CUT);
      expect(err).toContain("outreach doctor");
      expect(err).toContain("--allow-recreate");
    }
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
    expect(await project.run("drift")).toMatchObject({
      code: 1,
      out: expect.stringContaining("Drift cannot be determined") as string,
    });
    expect(project.sandbox.webhooks()).toHaveLength(count);
  });

  test("does not keep anything from being created, replaced or deleted", async () => {
    const project = await applied(count, words);
    project.write("outreach.yaml", project.read("outreach.yaml").replaceAll("x.example.com", "y.example.com"));
    expect(await project.run("apply --auto-approve --allow-replaces")).toMatchObject({ code: 0 });
    expect(project.sandbox.webhooks().map(({ targetUrl }) => new URL(targetUrl).host)).toEqual(
      Array.from({ length: count }, () => "y.example.com"),
    );
    expect(await project.run("destroy --auto-approve")).toMatchObject({ code: 0 });
    expect(project.sandbox.webhooks()).toEqual([]);
  });
});

test("a webhook that a cut list hides, and that is gone, is removed from the state by hand", async () => {
  const project = await applied(12, "cap=10,no-offset");
  const id = project.sandbox.webhooks()[11]?._id ?? "";
  const { instances } = JSON.parse(project.read("outreach.state.json")) as {
    instances: readonly { address: string; id: string }[];
  };
  const address = instances.find((instance) => instance.id === id)?.address ?? "";
  removeNth(project, 11);
  project.write(
    "outreach.yaml",
    project.read("outreach.yaml").replace(new RegExp(`^ {2}${address.split(".")[1] ?? ""}: .*\n`, "m"), ""),
  );
  expect(await project.run("plan")).toMatchObject({
    code: 0,
    err: expect.stringContaining(CUT) as string,
    out: expect.stringContaining("1 to destroy") as string,
  });
  const { code, err } = await project.run("apply --auto-approve");
  expect([code, project.sandbox.webhooks().length]).toEqual([1, 11]);
  expect(err).toContain("Webhook not found");
  expect(err).toContain(`outreach state rm ${address}`);
  expect(await project.run(`state rm ${address}`)).toMatchObject({ code: 0 });
  expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
  expect(await project.run("destroy --auto-approve")).toMatchObject({ code: 0 });
});

test("a list that is cut at an odd length doubles nothing that is recorded, and is known from then on", async () => {
  const project = await applied(29, "cap=27,no-offset,shuffled");
  expect(await project.run("apply --auto-approve")).toMatchObject({
    code: 0,
    err: expect.stringContaining(CUT) as string,
  });
  expect(lists(project)).toMatchObject([{ contradictedAtMs: expect.any(Number) as number }]);
  expect((await project.run("doctor")).out).toContain("the list has omitted existing webhooks");
  project.sandbox.configure({ profile: profileOf("no-offset") });
  expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0, err: "" });
  expect(project.sandbox.webhooks()).toHaveLength(29);
});

test("a list that is paged by page alone is read to its end, and once more for what is missing", async () => {
  const project = await applied(25, "cap=10,no-offset,pages");
  removeNth(project, 3);
  expect(await project.run("plan --detailed-exitcode")).toMatchObject({
    code: 2,
    err: "",
    out: expect.stringContaining("1 to add") as string,
  });
  expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
  expect(lists(project)).toMatchObject([{ paging: "page" }]);
  const { code, sent } = await project.run("plan --detailed-exitcode");
  expect([code, sent.map((line) => line.replace(/ 200$/, ""))]).toEqual([
    0,
    ["GET /hooks", "GET /hooks?page=1", "GET /hooks?page=2", "GET /hooks?page=3", "GET /hooks?page=4"],
  ]);
  expect(await project.run("destroy --auto-approve")).toMatchObject({ code: 0 });
  expect(project.sandbox.webhooks()).toEqual([]);
});

describe("a list of 10 that tells nothing by its order", () => {
  test.each(["no-created-at,no-offset", "duplicates,no-offset"])("makes nothing missing (%s)", async (words) => {
    const project = await applied(10, words);
    removeNth(project, 5);
    project.sandbox.add("webhooks", { targetUrl: "https://x.example.com/by-hand" });
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({
      code: 0,
      err: expect.stringContaining(CUT) as string,
    });
  });

  test("shows drift where a longer list was seen", async () => {
    const project = await applied(11, "no-created-at,no-offset");
    expect(lists(project)).toMatchObject([
      { type: "outreach_webhook", baseUrl: project.sandbox.baseUrl, longest: { length: 11 } },
    ]);
    const seen = project.read("outreach.state.json");
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
    expect(project.read("outreach.state.json")).toBe(seen);
    removeNth(project, 10);
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({
      code: 2,
      err: "",
      out: expect.stringContaining("1 to add") as string,
    });
    expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
    expect(project.sandbox.webhooks()).toHaveLength(11);
  });

  test("shows no drift by what was seen with another key", async () => {
    const project = await applied(11, "no-created-at,no-offset");
    expect(
      await project.run("apply --auto-approve", { OUTREACH_API_KEY: project.sandbox.keys.sameTeam }),
    ).toMatchObject({ code: 0 });
    const state = JSON.parse(project.read("outreach.state.json")) as { lists: readonly object[] };
    expect(state.lists).toHaveLength(2);
  });
});

describe("outreach doctor", () => {
  test("finds out how the list is paged, and records it for the plan", async () => {
    const project = await applied(11, "no-created-at,no-offset,cap=10");
    project.sandbox.configure({ profile: profileOf("no-created-at,no-offset,cap=10,pages") });
    const { code, out, sent } = await project.run("doctor");
    expect(code).toBe(0);
    expect(out).toContain("page works, counted from 1, and the list has more than the 10 webhooks of its first page");
    expect(out).toMatch(/^Recorded in outreach\.state\.json: .*the list is paged by page/m);
    expect(sent.every((line) => line.startsWith("GET /hooks"))).toBe(true);
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 0, err: "" });
    expect((await project.run("doctor")).out).toContain("Nothing new to record in outreach.state.json: ");
  });

  test("finds out that the list is truncated, and forgets a longer one", async () => {
    const project = await applied(11, "no-offset");
    expect(lists(project)).toMatchObject([{ longest: { length: 11 } }]);
    const all = project.sandbox.webhooks().map(({ _id, targetUrl }) => ({ _id, targetUrl }));
    project.sandbox.configure({ profile: profileOf("no-offset,cap=10") });
    const action = { kind: "answer", status: 200, body: JSON.stringify(all) } as const;
    project.sandbox.addFault({ action, times: null, where: (request) => "limit" in request.query });
    const { out } = await project.run("doctor");
    expect(out).toContain("the list is truncated: other parameters show more");
    expect(lists(project)).toMatchObject([{ contradictedAtMs: expect.any(Number) as number }]);
    expect(await project.run("plan")).toMatchObject({ code: 0, err: expect.stringContaining(CUT) as string });
    expect(project.sandbox.webhooks()).toHaveLength(11);
  });

  test("says that it cannot be told where no request has an effect, and records the length", async () => {
    const project = await applied(20, "no-offset");
    expect(lists(project)).toMatchObject([{ longest: { length: 20 } }]);
    project.sandbox.add("webhooks", { targetUrl: "https://x.example.com/by-hand" });
    expect((await project.run("doctor")).out).toContain(
      "Recorded in outreach.state.json: the longest list so far has 21 webhooks.",
    );
    removeNth(project, 0);
    const { out } = await project.run("doctor");
    expect(out).toContain("offset and page are ignored");
    expect(out).toContain("Order: oldest first");
    expect(await project.run("plan --detailed-exitcode")).toMatchObject({ code: 2, err: "" });
  });

  test("records nothing without a state, or in that of another service", async () => {
    const project = await openProject();
    expect((await project.run("doctor")).out).toMatch(/^Nothing was recorded: /m);
    project.write("outreach.yaml", "version: 1\nwebhooks: { a: { target_url: 'https://x.example.com/' } }\n");
    expect((await project.run("doctor")).out).toContain(
      "Nothing was recorded: The state outreach.state.json does not exist",
    );
    await project.run("apply --auto-approve");
    const state = project.read("outreach.state.json");
    expect((await project.run("doctor", { OUTREACH_API_KEY: project.sandbox.keys.otherTeam })).out).toContain(
      "belongs to another service or API key",
    );
    expect(JSON.parse((await project.run("doctor --json")).out)).toMatchObject({
      extent: "whole",
      recorded: "Nothing new to record in outreach.state.json: no length of the list counts.",
    });
    expect(project.read("outreach.state.json")).toBe(state);
  });

  test("reports a damaged state as an error, after what it found out about the service", async () => {
    const project = await applied(11, "no-offset");
    project.write("outreach.state.json", project.read("outreach.state.json").slice(0, -9));
    const { code, out, err } = await project.run("doctor");
    expect([code, out]).toEqual([1, expect.stringContaining("List of webhooks: 11 webhooks")]);
    expect(err).toContain("Error: The state cannot be read [state_unreadable]\n");
    const json = await project.run("doctor --json");
    expect([json.code, JSON.parse(json.out)]).toMatchObject([
      1,
      { diagnostics: [{ severity: "error", summary: "The state cannot be read" }] },
    ]);
  });

  test("waits for nobody: a locked state is not written", async () => {
    const project = await applied(11, "no-offset");
    project.write(
      "outreach.state.json.lock",
      JSON.stringify({
        id: "1",
        holder: {
          host: "elsewhere",
          who: "somebody",
          operation: "apply",
          since: "now",
          bootId: "x",
          pid: 1,
          startedAt: "1",
        },
      }),
    );
    const { code, out } = await project.run("doctor");
    expect(code).toBe(0);
    expect(out).toMatch(/^Nothing was recorded: /m);
  });
});
