import { describe, expect, test } from "vitest";
import { useProjects } from "../project.ts";

const project = useProjects();

describe("outreach doctor", () => {
  test("reads only, and says what holds", async () => {
    const { run, sandbox } = await project();
    sandbox.add("webhooks", {
      _id: "hoo_a",
      teamId: "tea_000001",
      targetUrl: "https://x.example.com/",
      type: "emailsSent",
      campaignId: "cam_000001",
    });
    const { code, out, sent } = await run("doctor");
    expect(code).toBe(0);
    expect(out).toContain("1 webhook, as an array");
    expect(out).toContain("offset works");
    expect(out).toContain("campaignId: shown (1 of 1)");
    expect(sent).toEqual(["GET /hooks 200", "GET /hooks?offset=1 200"]);
  });

  test("leaves open what an empty list cannot tell", async () => {
    const { run } = await project();
    const { out } = await run("doctor");
    expect(out).toContain("0 webhooks, as an array");
    expect(out).toMatch(/^open {2}type: the service has no webhook$/m);
    expect(out).toMatch(/^open {2}Paging: the list is empty, so it cannot be tested$/m);
  });

  test("notes what the service does not show", async () => {
    const { run, sandbox } = await project({
      profile: { envelope: "data", offset: false, carriesCampaignId: false } as never,
    });
    sandbox.add("webhooks", { _id: "hoo_a", teamId: "tea_000001", targetUrl: "https://x.example.com/" });
    const { out } = await run("doctor");
    expect(out).toContain('an object with "data"');
    expect(out).toContain("offset and page are ignored");
    expect(out).toContain("type: shown by no webhook");
    expect(out).toContain("Rate-limit headers: none");
  });

  test("needs only the service of a configuration: the rest may be wrong", async () => {
    const { run, write } = await project();
    write("outreach.yaml", "version: 1\nwebhooks: { a: { target_ulr: x } }\nvariables: { port: {} }\n");
    expect(await run("doctor")).toMatchObject({ code: 0 });
  });
});
