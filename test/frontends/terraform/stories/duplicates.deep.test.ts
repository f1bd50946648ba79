import { describe, expect } from "vitest";
import { live, story, webhook, writes } from "./story.ts";

describe.concurrent("an identical webhook that is not managed", { timeout: 300_000 }, () => {
  story("stops the create with an import block, which works when it is copied", async ({ sandbox, terraform }) => {
    const { _id: id } = sandbox.add("webhooks", { targetUrl: "https://crm.example.com", type: "emailsSent" });
    const declaration = webhook("crm", ['type = "emailsSent"']);
    terraform.write("main.tf", declaration);
    const stopped = await terraform.apply();
    expect(stopped.status).toBe(1);
    expect(stopped.words).toContain(id);
    expect(stopped.words).toContain("allow_duplicate");
    expect(stopped.words).toContain("not known to be managed by this configuration");
    expect(stopped.words).toContain(
      "If another resource, another workspace or the outreach command manages it, remove it there first",
    );
    expect(stopped.output).toContain("with outreach_webhook.crm");
    expect(writes(sandbox)).toEqual([]);

    const [block] = /import \{[^}]*\}/.exec(stopped.output.replaceAll(/^│ ?/gm, "")) ?? [];
    terraform.write("import.tf", String(block).replace(/to\s*=.*/, "to = outreach_webhook.crm"));
    expect((await terraform.apply()).output).toMatch(/Resources: 1 imported, 0 added, [01] changed, 0 destroyed\./);
    expect((await terraform.plan()).status).toBe(0);
    expect(writes(sandbox)).toEqual([]);
  });

  story("may be another resource's: then the plan fails already", async ({ sandbox, terraform }) => {
    terraform.write("main.tf", webhook("one", [], "https://crm.example.com/"));
    await terraform.apply();
    await terraform.plan();
    terraform.write("two.tf", webhook("two", [], "https://crm.example.com/"));
    const stopped = await terraform.apply();
    expect(stopped.status).toBe(1);
    expect(stopped.words).toContain("Error: The same webhook is declared twice");
    expect(sandbox.webhooks()).toHaveLength(1);
    expect((await terraform.plan()).words).toContain("Error: The same webhook is declared twice");
  });

  story(
    "is no error but a warning where two only overlap, and nothing with allow_duplicate",
    async ({ sandbox, terraform }) => {
      const url = "https://crm.example.com/";
      terraform.write("main.tf", webhook("all", [], url) + webhook("replies", ['type = "emailsReplied"'], url));
      const applied = await terraform.apply();
      expect([applied.status, sandbox.webhooks().length]).toEqual([0, 2]);
      expect(applied.words).toContain("Warning: Overlapping webhooks");
      expect(applied.words).toMatch(
        /has the same target_url, and overlaps with this webhook: events that match both are delivered twice/,
      );
      const kept = await terraform.plan();
      expect([kept.status, kept.words.match(/Overlapping webhooks/g)?.length]).toEqual([0, 1]);
      terraform.write(
        "main.tf",
        webhook("all", [], url) + webhook("replies", ['type = "emailsReplied"', "allow_duplicate = true"], url),
      );
      expect((await terraform.apply()).words).not.toContain("Overlapping");
    },
  );

  story("stays next to a new one with allow_duplicate", async ({ sandbox, terraform }) => {
    sandbox.add("webhooks", { targetUrl: "https://crm.example.com" });
    terraform.write("main.tf", webhook("crm", ["allow_duplicate = true"]));
    expect((await terraform.apply()).status).toBe(0);
    expect(sandbox.webhooks()).toHaveLength(2);
    expect((await terraform.plan()).status).toBe(0);
    await terraform.destroy();
    expect(sandbox.webhooks()).toHaveLength(1);
  });

  story(
    "is not doubled either where it is managed already, and changed in place by the same apply",
    async ({ sandbox, terraform }) => {
      terraform.write("main.tf", webhook("crm"));
      await terraform.apply();
      terraform.write(
        "main.tf",
        webhook("crm", ["allow_duplicate = true"]) +
          webhook("other", ["depends_on = [outreach_webhook.crm]"], "https://crm.example.com/"),
      );
      const { status, words } = await terraform.apply();
      expect([status, sandbox.webhooks().length]).toEqual([1, 1]);
      expect(words).toContain("Error: The same webhook is declared twice");
      terraform.write(
        "main.tf",
        webhook("crm", ["allow_duplicate = true"]) +
          webhook("other", ["allow_duplicate = true"], "https://crm.example.com/"),
      );
      expect((await terraform.apply()).status).toBe(0);
      expect((await terraform.plan()).status).toBe(0);
    },
  );

  story("two declarations that are identical need allow_duplicate on the second", async ({ sandbox, terraform }) => {
    const duplicates = (lines: readonly string[]) =>
      webhook("one", lines, "https://crm.example.com/") + webhook("two", lines, "https://crm.example.com/");
    terraform.write("main.tf", duplicates(["allow_duplicate = true"]));
    expect((await terraform.apply()).output).toContain("Resources: 2 added");
    expect(sandbox.webhooks()).toHaveLength(2);
    expect(live(sandbox, "crm")).toBeDefined();
    expect((await terraform.plan()).status).toBe(0);
  });

  story("each declared with two aliases of one key is created once", async ({ sandbox, terraform }) => {
    const names = ["a", "b", "c", "d"];
    const declared = names.flatMap((name) => [
      webhook(name),
      webhook(`${name}2`, ["provider = outreach.other"], `https://${name}.example.com/`),
    ]);
    terraform.write("main.tf", `provider "outreach" {\n  alias = "other"\n}\n${declared.join("")}`);
    const stopped = await terraform.apply();
    expect([stopped.status, writes(sandbox)]).toEqual([1, names.map(() => "POST /hooks")]);
    // Which error it is depends on whether the other process has ended by then.
    expect(
      stopped.words.match(/The same webhook is declared twice|An earlier run already created such a webhook/g),
    ).toHaveLength(names.length);
    expect(new Set(sandbox.webhooks().map(({ targetUrl }) => targetUrl)).size).toBe(names.length);
  });
});
