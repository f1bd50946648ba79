import { describe, expect } from "vitest";
import { live, story, webhook, writes } from "./story.ts";

const LEAD = "ada@example.com";
const CHECKED = "GET /campaigns/cam_000001/schedules/";
const PATH = `DELETE /campaigns/cam_000001/leads/${encodeURIComponent(LEAD)}`;

function unsubscription(email: string, lines: readonly string[] = []): string {
  return `resource "outreach_lead_unsubscription" "gone" {\n${['campaign_id = "cam_000001"', `email = "${email}"`, ...lines].map((line) => `  ${line}\n`).join("")}}\n`;
}

describe.concurrent("destroy", { timeout: 300_000 }, () => {
  story("deletes what it made, and nothing else", async ({ sandbox, terraform }) => {
    sandbox.add("webhooks", { targetUrl: "https://others.example.com/" });
    terraform.write("main.tf", webhook("crm") + webhook("audit"));
    await terraform.apply();
    sandbox.clearRequests();
    expect((await terraform.destroy()).output).toContain("Destroy complete! Resources: 2 destroyed.");
    expect(writes(sandbox)).toEqual(["DELETE /hooks/ID", "DELETE /hooks/ID"]);
    expect(sandbox.webhooks()).toMatchObject([{ targetUrl: "https://others.example.com/" }]);
    expect(await terraform.addresses()).toEqual([]);
  });

  story("what is gone already is not deleted again", async ({ sandbox, terraform }) => {
    terraform.write("main.tf", webhook("crm") + webhook("audit"));
    await terraform.apply();
    sandbox.remove("webhooks", live(sandbox, "crm")?._id ?? "");
    sandbox.clearRequests();
    expect((await terraform.destroy()).output).toContain("Destroy complete! Resources: 1 destroyed.");
    expect(writes(sandbox)).toEqual(["DELETE /hooks/ID"]);
    await terraform.apply();
    const [first] = sandbox.webhooks();
    sandbox.remove("webhooks", first?._id ?? "");
    expect((await terraform.destroy("-refresh=false")).output).toContain("Destroy complete! Resources: 2 destroyed.");
    expect(sandbox.webhooks()).toEqual([]);
  });

  story("a page of HTML that says not found is not an answer of the service", async ({ sandbox, terraform }) => {
    terraform.write("main.tf", webhook("crm"));
    await terraform.apply();
    sandbox.addFault({ action: { kind: "html", status: 404 }, operation: "deleteWebhook", times: null });
    const refused = await terraform.destroy();
    expect(refused.status).toBe(1);
    expect(await terraform.addresses()).toEqual(["outreach_webhook.crm"]);
    sandbox.clearFaults();
    expect((await terraform.destroy()).status).toBe(0);
    expect(sandbox.webhooks()).toEqual([]);
  });
});

describe.concurrent("an unsubscription", { timeout: 300_000 }, () => {
  story("is sent once, kept without a read, and forgotten with a warning", async ({ sandbox, terraform }) => {
    terraform.write("main.tf", unsubscription(LEAD));
    expect((await terraform.apply()).output).toContain("1 added, 0 changed, 0 destroyed");
    expect(await terraform.attributes("outreach_lead_unsubscription.gone")).toMatchObject({
      outcome: "unsubscribed",
      id: "lea_000001",
    });
    expect((await terraform.plan()).status).toBe(0);
    terraform.write("main.tf", unsubscription(LEAD.toUpperCase()));
    expect((await terraform.plan()).status).toBe(0);
    terraform.write("main.tf", unsubscription(LEAD.toUpperCase(), ['on_not_found = "error"']));
    expect((await terraform.apply()).output).toContain("0 added, 1 changed, 0 destroyed");
    const destroyed = await terraform.destroy();
    expect(destroyed.output).toContain("Destroy complete! Resources: 1 destroyed.");
    expect(destroyed.output).toContain("Warning: ");
    expect(destroyed.words).toMatch(/undo|undone/);
    expect(sandbox.requests().map(({ method, path }) => `${method} ${path}`)).toEqual([CHECKED, CHECKED, PATH]);
  });

  story(
    "of a lead that is not there waits, is accepted, or is an error, as it is declared",
    async ({ sandbox, terraform }) => {
      terraform.write("main.tf", unsubscription("nobody@example.com"));
      const waits = await terraform.apply();
      expect([waits.status, waits.output.includes("Warning")]).toEqual([0, false]);
      expect((await terraform.plan()).status).toBe(0);
      expect(await terraform.attributes("outreach_lead_unsubscription.gone")).toMatchObject({
        outcome: "not_found",
        id: null,
      });

      terraform.write("main.tf", unsubscription("nobody-else@example.com", ['on_not_found = "error"']));
      const refused = await terraform.apply();
      expect(refused.status).toBe(1);
      expect(refused.output).toContain("Error: No such lead in the campaign");

      terraform.write("main.tf", unsubscription("late@example.com", ['recheck = "0s"']));
      expect((await terraform.apply()).status).toBe(0);
      const again = await terraform.plan();
      expect([again.status, again.output]).toEqual([2, expect.stringContaining("0 to add, 1 to change, 0 to destroy")]);
      sandbox.add("leads", { campaignId: "cam_000001", email: "late@example.com" });
      expect((await terraform.apply()).output).toContain("0 added, 1 changed, 0 destroyed");
      expect(await terraform.attributes("outreach_lead_unsubscription.gone")).toMatchObject({
        outcome: "unsubscribed",
      });
      expect((await terraform.plan()).status).toBe(0);

      terraform.write("main.tf", unsubscription("nobody@example.com", ['on_not_found = "accept"', 'recheck = "0s"']));
      expect((await terraform.apply()).status).toBe(0);
      expect((await terraform.plan()).status).toBe(0);
    },
  );

  story(
    "whose answer was lost is recorded as unconfirmed, and is sent again by the next apply where it is watched",
    async ({ sandbox, terraform }) => {
      sandbox.addFault({ action: { kind: "drop" }, operation: "unsubscribeLead", when: "before", times: null });
      terraform.write("main.tf", unsubscription(LEAD));
      expect((await terraform.apply()).status).toBe(0);
      expect(await terraform.attributes("outreach_lead_unsubscription.gone")).toMatchObject({ outcome: "unconfirmed" });
      sandbox.clearFaults();
      expect((await terraform.apply()).output).toContain("0 added, 1 changed, 0 destroyed");
      expect(await terraform.attributes("outreach_lead_unsubscription.gone")).toMatchObject({
        outcome: "unsubscribed",
      });
    },
  );

  story(
    "whose answer was lost is recorded as unconfirmed, and is not sent again by the next apply where nobody watches it",
    async ({ sandbox, terraform }) => {
      sandbox.addFault({ action: { kind: "drop" }, operation: "unsubscribeLead", when: "after", times: null });
      terraform.write("main.tf", unsubscription(LEAD, ['on_not_found = "error"']));
      const lost = await terraform.apply();
      expect(lost.words).toMatch(/unconfirmed|not known|undecided/);
      const sent = sandbox.requests().length;
      expect(writes(sandbox).length).toBeLessThanOrEqual(3);
      sandbox.clearFaults();
      expect((await terraform.plan()).status).toBe(0);
      await terraform.apply();
      expect(sandbox.requests()).toHaveLength(sent);
      expect(await terraform.attributes("outreach_lead_unsubscription.gone")).toMatchObject({ outcome: "unconfirmed" });
      expect((await terraform.apply("-replace=outreach_lead_unsubscription.gone")).status).toBe(0);
      expect(await terraform.attributes("outreach_lead_unsubscription.gone")).toMatchObject({
        outcome: "unsubscribed",
      });
    },
  );

  story(
    "is sent again in another writing if it was not found, and no address is refused with what it contains",
    async ({ sandbox, terraform }) => {
      terraform.write("main.tf", unsubscription("nobody@münchen.example"));
      await terraform.apply();
      expect(await terraform.attributes("outreach_lead_unsubscription.gone")).toMatchObject({ outcome: "not_found" });
      sandbox.clearRequests();
      terraform.write("main.tf", unsubscription("Nobody@xn--mnchen-3ya.example"));
      expect((await terraform.apply()).output).toContain("1 added, 0 changed, 1 destroyed");
      expect(writes(sandbox)).toEqual([expect.stringContaining("Nobody%40xn--mnchen-3ya.example")]);
      terraform.write("main.tf", unsubscription("mailto:ada@example.com"));
      const refused = await terraform.plan();
      expect(refused.status).toBe(1);
      expect(refused.output).toContain("Did you mean ada@example.com?");
    },
  );
});
