import { describe, expect } from "vitest";
import { live, story, webhook, writes } from "./story.ts";

describe.concurrent("keys and addresses of the service", { timeout: 300_000 }, () => {
  story("a wrong key is an error in the service's words, and loses nothing", async ({ sandbox, terraform }) => {
    terraform.write("main.tf", webhook("crm"));
    terraform.environment = { ...terraform.environment, OUTREACH_API_KEY: "wrong-key-4711" };
    const refused = await terraform.apply();
    expect(refused.status).toBe(1);
    expect(refused.words).toContain("The authentication you supplied is incorrect");
    expect(refused.output).not.toContain("wrong-key-4711");
    expect(sandbox.webhooks()).toEqual([]);

    terraform.environment = { ...terraform.environment, OUTREACH_API_KEY: sandbox.keys.good };
    await terraform.apply();
    for (const key of ["wrong-key-4711", sandbox.keys.blocked]) {
      terraform.environment = { ...terraform.environment, OUTREACH_API_KEY: key };
      expect((await terraform.plan()).status).toBe(1);
      expect((await terraform.destroy()).status).toBe(1);
    }
    terraform.environment = { ...terraform.environment, OUTREACH_API_KEY: sandbox.keys.good };
    expect((await terraform.plan()).status).toBe(0);
  });

  story("another team's key is an error, and what it does not see is not gone", async ({ sandbox, terraform }) => {
    terraform.write("main.tf", webhook("crm"));
    await terraform.apply();
    terraform.environment = { ...terraform.environment, OUTREACH_API_KEY: sandbox.keys.otherTeam };
    sandbox.clearRequests();
    for (const { status, words } of [
      await terraform.plan(),
      await terraform.apply(),
      await terraform.destroy(),
      await terraform.destroy("-refresh=false"),
    ]) {
      expect(status).toBe(1);
      expect(words).toContain("Error: The webhook is not visible with this API key");
    }
    expect(writes(sandbox)).toEqual([]);
    expect(await terraform.addresses()).toEqual(["outreach_webhook.crm"]);
    terraform.environment = { ...terraform.environment, OUTREACH_API_KEY: sandbox.keys.sameTeam };
    expect((await terraform.plan()).status).toBe(0);
  });

  story("another address is an error too", async ({ sandbox, terraform }) => {
    terraform.write("main.tf", webhook("crm"));
    await terraform.apply();
    terraform.environment = {
      ...terraform.environment,
      OUTREACH_BASE_URL: sandbox.baseUrl.replace("127.0.0.1", "localhost"),
    };
    const plan = await terraform.plan();
    expect(plan.status).toBe(1);
    expect(plan.words).toContain("Error: The webhook belongs to another service");
    for (const url of [sandbox.baseUrl, sandbox.baseUrl.replace("127.0.0.1", "localhost")])
      expect(plan.words).toContain(url);
    expect(live(sandbox, "crm")).toBeDefined();
  });

  story("without address and key the plan says how to give them, at the provider block", async ({ terraform }) => {
    terraform.environment = {};
    terraform.write("main.tf", `provider "outreach" {}\n${webhook("crm")}`);
    const { status, words, output } = await terraform.plan();
    expect(status).toBe(1);
    expect(words).toContain("OUTREACH_BASE_URL");
    expect(words).toContain("OUTREACH_API_KEY");
    expect(output).toContain('on main.tf line 1, in provider "outreach"');
  });

  story("an address over http is refused at its attribute before anything is sent", async ({ terraform }) => {
    terraform.write(
      "main.tf",
      `provider "outreach" {\n  base_url = "http://api.example.com"\n  api_key  = "k"\n}\n${webhook("crm")}`,
    );
    const { status, output } = await terraform.run("validate", "-no-color");
    expect(status).toBe(1);
    expect(output).toMatch(/Error: Invalid address of the service[^]*on main\.tf line 2, in provider "outreach"/);
  });

  story("each of several aliased providers speaks with its own key", async ({ sandbox, terraform }) => {
    terraform.write(
      "main.tf",
      `provider "outreach" {\n  api_key = "${sandbox.keys.good}"\n}\nprovider "outreach" {\n  alias   = "south"\n  api_key = "${sandbox.keys.otherTeam}"\n}\n` +
        webhook("north") +
        webhook("south", ["provider = outreach.south"]),
    );
    terraform.environment = { OUTREACH_BASE_URL: sandbox.baseUrl };
    expect((await terraform.apply()).output).toContain("Resources: 2 added, 0 changed, 0 destroyed.");
    expect([live(sandbox, "north")?.teamId, live(sandbox, "south")?.teamId]).toEqual(["tea_000001", "tea_000002"]);
    sandbox.clearRequests();
    expect((await terraform.plan()).status).toBe(0);
    expect(
      sandbox
        .requests()
        .map(({ key, path }) => `${String(key)} ${path}`)
        .toSorted(),
    ).toEqual([`${sandbox.keys.good} /hooks`, `${sandbox.keys.otherTeam} /hooks`].toSorted());
  });

  story(
    "a provider block that is only known after the apply plans what needs no service",
    async ({ sandbox, terraform }) => {
      terraform.environment = { OUTREACH_BASE_URL: sandbox.baseUrl };
      terraform.write(
        "main.tf",
        `resource "terraform_data" "key" {\n  input = "${sandbox.keys.good}"\n}\nprovider "outreach" {\n  api_key = terraform_data.key.output\n}\n${webhook("crm")}`,
      );
      const plan = await terraform.plan();
      expect([plan.status, plan.output]).toEqual([
        2,
        expect.stringContaining("Plan: 2 to add, 0 to change, 0 to destroy."),
      ]);
      expect(sandbox.requests()).toEqual([]);
      expect((await terraform.apply()).output).toContain("Resources: 2 added");
      expect(live(sandbox, "crm")?.teamId).toBe("tea_000001");
      expect((await terraform.plan()).status).toBe(0);
    },
  );
});
