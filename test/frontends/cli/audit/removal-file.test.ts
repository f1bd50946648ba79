import { describe, expect, test } from "vitest";
import { type Project, useProjects } from "../project.ts";

const openProject = useProjects();
const OURS = "webhooks:\n  crm: { target_url: https://crm.example.com/replies, type: emailsReplied }\n";

/** One managed webhook, and three that other hands have left. */
async function withLeftovers(): Promise<Project> {
  const project = await openProject();
  project.write("outreach.yaml", `version: 1\n${OURS}`);
  expect(await project.run("apply --auto-approve")).toMatchObject({ code: 0 });
  for (const name of ["old1", "old2", "theirs"])
    project.sandbox.add("webhooks", {
      _id: `hoo_${name}`,
      targetUrl: `https://${name}.example.com/hook`,
      type: "emailsSent",
      createdAt: "2021-02-16T08:02:42.000Z",
    });
  return project;
}

const idsIn = ({ sandbox }: Project): readonly string[] => sandbox.webhooks().map(({ _id }) => _id);

describe("outreach audit --removal", () => {
  test("writes what a person cuts down: unmanaged webhooks with a finding, once, as a part of the configuration", async () => {
    const project = await withLeftovers();
    // A list shows the field where one has it: then its absence means all campaigns.
    project.sandbox.add("webhooks", {
      _id: "hoo_camp",
      targetUrl: "https://camp.example.com/",
      campaignId: "cam_000001",
    });
    project.sandbox.add("webhooks", { _id: "hoo_dup1", targetUrl: "https://dup.example.com/", type: "emailsSent" });
    project.sandbox.add("webhooks", { _id: "hoo_dup2", targetUrl: "https://dup.example.com/", type: "emailsSent" });
    project.sandbox.add("webhooks", { _id: "hoo_wide", targetUrl: "https://wide.example.com/" });
    project.sandbox.add("webhooks", { _id: "hoo_part", targetUrl: "https://wide.example.com/", type: "emailsSent" });
    project.sandbox.add("webhooks", {
      _id: "hoo_twin",
      targetUrl: "https://crm.example.com/replies",
      type: "emailsReplied",
    });
    project.sandbox.add("webhooks", {
      _id: "hoo_fine",
      targetUrl: "https://fine.example.com/\u202e\n# - { id: hoo_x }",
    });
    const { code, err, out } = await project.run("audit --older-than 365d --removal removals.yaml");
    expect(code).toBe(0);
    expect(out).toContain("Old (3)");
    expect(err).toContain("Wrote 5 removals to removals.yaml.");
    const file = project.read("removals.yaml");
    const [head = "", ids = ""] = file.split("removals:\n");
    expect(head.endsWith("version: 1\n")).toBe(true);
    expect([...ids.matchAll(/^ {2}- \{ id: (\w+)/gm)].map(([, id]) => id)).toEqual([
      "hoo_old1",
      "hoo_old2",
      "hoo_theirs",
      "hoo_dup2",
      "hoo_twin",
    ]);
    // The oldest of duplicates, and what only overlaps, is a comment.
    expect([...ids.matchAll(/^ {2}# - \{ id: (\w+)/gm)].map(([, id]) => id).toSorted()).toEqual([
      "hoo_dup1",
      "hoo_part",
      "hoo_wide",
    ]);
    expect(file).toContain("  # https://old1.example.com/hook, emailsSent, all campaigns, 2021-02-16T08:02:42.000Z\n");
    expect(file).not.toContain("hoo_fine");
    expect((await project.run("audit --removal removals.yaml")).err).toContain("audit never overwrites a file");
    expect(project.read("removals.yaml")).toBe(file);
    // A person keeps theirs, and plans both files.
    project.write("conf/outreach.yaml", project.read("outreach.yaml"));
    project.write("conf/removals.yaml", file.replace(/^.*hoo_theirs.*\n/gm, ""));
    const planned = await project.run("plan -c conf --state outreach.state.json --allow-deletes --out saved.plan");
    expect(planned).toMatchObject({ code: 0, err: "" });
    expect(planned.out).toContain("4 to destroy.");
    expect((await project.run("apply -c conf --state outreach.state.json saved.plan")).code).toBe(0);
    expect(idsIn(project)).toEqual(expect.arrayContaining(["hoo_theirs", "hoo_dup1", "hoo_fine"]));
    expect(idsIn(project)).not.toContain("hoo_old1");
  });

  test("masks emails in the URLs of others", async () => {
    const project = await withLeftovers();
    for (const email of ["jane.doe@client.example", "john.roe%40client.example"])
      project.sandbox.add("webhooks", { targetUrl: `http://old.example.com/hook?email=${email}` });
    expect((await project.run("audit --removal removals.yaml")).code).toBe(0);
    const file = project.read("removals.yaml");
    expect(file).not.toMatch(/jane|john/);
    expect(file).toMatch(/http:\/\/old\.example\.com\/hook\?email=j\*\*\*@client\.example#/);
  });

  test("writes nothing without a finding, into no folder, and for several teams", async () => {
    const project = await openProject();
    project.write("outreach.yaml", `version: 1\n${OURS}`);
    await project.run("apply --auto-approve");
    expect(await project.run("audit --removal r.yaml")).toMatchObject({
      code: 0,
      err: expect.stringContaining("so nothing was written") as string,
    });
    project.sandbox.add("webhooks", { targetUrl: "http://old.example.com/" });
    expect(await project.run("audit --removal nowhere/r.yaml")).toMatchObject({
      code: 1,
      err: expect.stringContaining("No such folder") as string,
    });
    project.write("outreach.yaml", `version: 1\n${OURS}teams:\n  emea: {}\n  us: {}\n`);
    expect(await project.run("audit --removal r.yaml")).toMatchObject({
      code: 1,
      err: expect.stringContaining("[audit_removal_teams]") as string,
    });
    expect(Object.keys(project.files())).not.toContain("r.yaml");
  });
});
