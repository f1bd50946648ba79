import { describe, expect } from "vitest";
import { story, webhook, writes } from "./story.ts";

const URL = "https://crm.example.com/hook";
const CREATE_BEFORE_DESTROY = "lifecycle {\n    create_before_destroy = true\n  }";
const RULE = "The service allows one webhook per target_url.";

describe.concurrent("a service that allows one webhook per target URL", { timeout: 300_000 }, () => {
  story(
    "create_before_destroy is an error that taints nothing; without it, or with another URL, the rotation works",
    async ({ sandbox, terraform }) => {
      sandbox.configure({ choices: { uniqueTargetUrl: true } });
      const declare = (secret: string, lines: readonly string[], url = URL): void =>
        terraform.write("main.tf", webhook("crm", [`secret = "${secret}"`, ...lines], url));
      declare("first", [CREATE_BEFORE_DESTROY]);
      expect((await terraform.apply()).status).toBe(0);
      const [old] = sandbox.webhooks();
      sandbox.clearRequests();
      declare("second", [CREATE_BEFORE_DESTROY]);
      for (const unique of [false, true]) {
        terraform.write("settings.tf", `provider "outreach" {\n  unique_target_url = ${String(unique)}\n}\n`);
        sandbox.clearRequests();
        const { status, words } = await terraform.apply();
        expect([status, writes(sandbox), sandbox.webhooks().map(({ _id }) => _id)]).toEqual([
          1,
          unique ? [] : ["POST /hooks"],
          [old?._id],
        ]);
        expect(words).toContain(`${String(old?._id)} has this target_url`);
        expect(words).toContain(RULE);
        expect(words).toContain(
          'change target_url too, for example with a query parameter: "https://…?v=2". Or remove create_before_destroy from its lifecycle',
        );
        expect(words).not.toMatch(/neither answer|may or may not|tainted/);
      }
      expect((await terraform.attributes("outreach_webhook.crm"))["id"]).toBe(old?._id);
      sandbox.clearRequests();
      declare("second", []);
      expect((await terraform.apply()).status).toBe(0);
      expect(writes(sandbox)).toEqual(["DELETE /hooks/ID", "POST /hooks"]);
      expect((await terraform.plan()).status).toBe(0);
      sandbox.clearRequests();
      declare("third", [CREATE_BEFORE_DESTROY], `${URL}?v=3`);
      expect((await terraform.apply()).status).toBe(0);
      expect(writes(sandbox)).toEqual(["POST /hooks", "DELETE /hooks/ID"]);
    },
  );

  story(
    "a fan-out on one URL creates one, and each apply names it to the others; unique_target_url refuses them at once",
    async ({ sandbox, terraform }) => {
      sandbox.configure({ choices: { uniqueTargetUrl: true } });
      const fanOut = (url: string) =>
        `resource "outreach_webhook" "audit" {\n  for_each   = toset(["emailsSent", "emailsOpened", "emailsReplied"])\n  target_url = "${url}"\n  type       = each.key\n}\n`;
      terraform.write("main.tf", fanOut(URL));
      terraform.write("settings.tf", 'provider "outreach" {\n  unique_target_url = true\n}\n');
      const refused = await terraform.apply();
      expect([refused.status, writes(sandbox)]).toEqual([1, []]);
      expect(refused.words).toContain("Several webhooks with one target_url");
      terraform.write("settings.tf", "");
      const { status, words } = await terraform.apply();
      expect([status, sandbox.webhooks().length]).toEqual([1, 1]);
      expect(words).toContain("409 A webhook with this target URL already exists");
      expect(words).toContain("set unique_target_url = true in the provider");
      sandbox.clearRequests();
      expect((await terraform.apply()).status).toBe(1);
      expect([writes(sandbox), sandbox.webhooks().length]).toEqual([["POST /hooks", "POST /hooks"], 1]);
      terraform.write("main.tf", fanOut(`${URL}?event=$\{each.key}`));
      expect((await terraform.apply()).status).toBe(0);
      expect(sandbox.webhooks()).toHaveLength(3);
    },
  );
});
