import { describe, expect, test } from "vitest";
import { campaignBlockName, webhookName } from "../../../src/frontends/generate/adoption/webhook-name.ts";
import { uniqueName } from "../../../src/frontends/generate/unique-name.ts";

describe("the name of a webhook", () => {
  test.each([
    ["https://crm.example.com/hooks/replies", "emailsReplied", null, null, "crm-replies-emails-replied"],
    [
      "https://crm.example.com/hooks/replies",
      "emailsReplied",
      "cam_000001",
      "Q3 launch",
      "crm-replies-emails-replied-q3-launch",
    ],
    ["https://hooks.zapier.com/hooks/catch/1234567/b9xk2/", null, null, null, "zapier-all-events"],
    ["https://example.com/", undefined, undefined, null, "example"],
    ["https://www.example.com/events/XQJTPLKWZ", "contacted", null, null, "example-contacted"],
    ["https://10.0.0.7:8443/", "contacted", null, null, "host-10-0-0-7-contacted"],
    ["https://[::1]/crm.php", "contacted", null, null, "host-1-crm-contacted"],
    ["https://crm.example.com/crm", "contacted", "cam_x", "日本", "crm-contacted-cam-x"],
    ["https://crm.example.com/", "contacted", "cam_x", "Été à Zürich", "crm-contacted-ete-a-zurich"],
    ["https://9lives.example.com/", undefined, undefined, null, "webhook-9lives"],
    ["https://null/", undefined, undefined, null, "webhook-null"],
    ["not a url", undefined, undefined, null, "webhook"],
  ] as const)("%s, %s, %s (%s) is %s", (url, type, campaignId, campaign, name) => {
    const attributes = {
      target_url: url,
      ...(type === undefined ? {} : { type }),
      ...(campaignId === undefined ? {} : { campaign_id: campaignId }),
    };
    expect(webhookName(attributes, campaign)).toBe(name);
  });

  test("is cut between words, also with the longest parts", () => {
    const long = Array.from({ length: 30 }, () => "word").join("-");
    const name = webhookName(
      {
        target_url: `https://${long.slice(0, 60)}.example.com/${long.slice(0, 38)}`,
        type: "networkWithdrawInvitationFailed",
      },
      null,
    );
    expect(name).toMatch(/^[a-z](?:[a-z-]{0,78})[a-z]$/);
    expect(webhookName({ target_url: `https://${"x".repeat(63)}.example.com/` }, null)).toBe("x".repeat(40));
  });

  test("gets a number where it is taken, and the first one keeps it", () => {
    const taken = new Set(["a-3"]);
    expect(["a", "a", "a"].map((name) => uniqueName(name, taken))).toEqual(["a", "a-2", "a-4"]);
  });

  test("of a campaign's block is its own, or its id", () => {
    expect([
      campaignBlockName("Q3 launch!", "cam_1"),
      campaignBlockName("日本", "cam_1"),
      campaignBlockName("2026", "cam_1"),
    ]).toEqual(["q3-launch", "cam-1", "campaign-2026"]);
  });
});
