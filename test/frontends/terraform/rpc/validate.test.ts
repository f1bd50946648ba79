import { describe, expect, it } from "vitest";
import { CONFIGURABLE, type Json, UNKNOWN, said, value, webhook, useProvider } from "../provider-under-test.ts";

const { provider } = await useProvider();

describe("validation", () => {
  const url = "https://a.example.com/";
  const cases: readonly [string, Json, readonly string[]][] = [
    ["a whole webhook", { target_url: url, type: "emailsReplied", campaign_id: "cam_1", secret: "s" }, []],
    ["an address without https", { target_url: "http://a.example.com/" }, ["error at target_url: Invalid target URL"]],
    [
      "a placeholder in the address",
      { target_url: "https://{{host}}/x" },
      ["warning at target_url: A placeholder in the target URL"],
    ],
    [
      "a token of CDK in an address that was encoded",
      { target_url: `${url}?event=%24%7BTfToken%5BTOKEN.3%5D%7D` },
      ["error at target_url: An encoded token"],
    ],
    [
      "one in another text",
      { target_url: url, automation_id: "%24%7BTfToken%5BTOKEN.3%5D%7D" },
      ["error at automation_id: An encoded token"],
    ],
    ["a mistyped event", { target_url: url, type: "emailReplied" }, ["error at type: Unknown event type"]],
    ["a removed event", { target_url: url, type: "skipped" }, ["error at type: Removed event type"]],
    ["another kind of id", { target_url: url, campaign_id: "lea_1" }, ["error at campaign_id: Invalid campaign id"]],
    ["an empty secret", { target_url: url, secret: "" }, ["error at secret: Empty secret"]],
    [
      "a secret that was copied from a page",
      { target_url: url, secret: "s\u{200b}" },
      ["error at secret: A secret with white space"],
    ],
    ["a secret with a line break", { target_url: url, secret: "s\n" }, ["error at secret: A secret with white space"]],
    [
      "a write-only secret of white space",
      { target_url: url, secret_wo: " ", secret_wo_version: 1 },
      ["error at secret_wo: A secret with white space"],
    ],
    ["a write-only secret and its version", { target_url: url, secret_wo: "a", secret_wo_version: 1 }, []],
    [
      "a write-only secret without its version",
      { target_url: url, secret_wo: "a" },
      ["warning at secret_wo: A changed secret would not be noticed"],
    ],
    [
      "a version without any secret",
      { target_url: url, secret_wo_version: 1 },
      ["error at secret_wo: A secret's version without the secret"],
    ],
    [
      "a version next to another secret",
      { target_url: url, secret: "a", secret_wo_version: 1 },
      ["warning at secret_wo_version: A secret's version without the secret"],
    ],
    [
      "a placeholder",
      { target_url: url, secret: "unknown" },
      ["warning at secret: A placeholder instead of the secret"],
    ],
    [
      "a write-only placeholder",
      { target_url: url, secret_wo: "unknown", secret_wo_version: 1 },
      ["warning at secret_wo: A placeholder instead of the secret"],
    ],
    [
      "two secrets and an unknown version",
      { target_url: url, secret: "a", secret_wo: "b", secret_wo_version: UNKNOWN },
      ["error at secret_wo: Two secrets for one webhook"],
    ],
    [
      "an unknown address next to a mistake",
      { target_url: UNKNOWN, type: "emailReplied" },
      ["error at type: Unknown event type"],
    ],
    ["an address without a host", { target_url: "https://" }, ["error at target_url: Invalid target URL"]],
    [
      "an address with user info",
      { target_url: "https://ada:pw@a.example.com/" },
      ["error at target_url: Invalid target URL"],
    ],
    ["an address of this machine", { target_url: "http://localhost:8080/" }, []],
    [
      "an address that is too long",
      { target_url: `${url}${"x".repeat(2048)}` },
      ["error at target_url: Invalid target URL"],
    ],
    [
      "two secrets",
      { target_url: url, secret: "a", secret_wo: "b" },
      ["error at secret_wo: Two secrets for one webhook"],
    ],
    [
      "several mistakes",
      { target_url: "x", type: "x" },
      ["error at target_url: Invalid target URL", "error at type: Unknown event type"],
    ],
  ];
  it.each(cases)("of %s", async (_what, attributes, expected) => {
    expect(await provider.validate(attributes)).toEqual(expected);
  });

  it.each([
    ["emailReplied", /Did you mean emailsReplied\?/],
    ["EmailsReplied", /Did you mean emailsReplied\?/],
    ["emailsSendFailed", /no longer accepts.*Use emailsFailed/s],
    ["opportunitiesDone", /no longer accepts.*annotated/s],
    ["skipped", /no longer accepts.*no replacement/s],
    ["", /For all events, omit type\.$/],
    ["nonsense", /Write one of the event types .* or remove the webhook/],
    ["linkedinReplied", /a similar event type: emailsReplied, networkReplied/],
  ])("of the event type %j says what to write", async (type, detail) => {
    const config = value(webhook({ target_url: url, type }));
    const { diagnostics } = await provider.rpc.validateResourceConfig({
      typeName: "outreach_webhook",
      config,
      clientCapabilities: undefined,
    });
    expect(diagnostics.map((one) => one.detail)).toEqual([expect.stringMatching(detail)]);
  });

  it.each(CONFIGURABLE)("lets an unknown %s pass", async (name) => {
    expect(await provider.validate({ target_url: url, [name]: UNKNOWN })).toEqual([]);
  });

  it("keeps write-only values from a Terraform that would store them", async () => {
    expect(await provider.validate({ target_url: url, secret_wo: "s" }, { writeOnly: false })).toEqual([
      "error at secret_wo: Write-only attributes need a newer Terraform",
    ]);
  });

  it("of a data source names the rule over several attributes", async () => {
    const { diagnostics } = await provider.rpc.validateDataResourceConfig({
      typeName: "outreach_campaign",
      config: value({ id: "cam_1", name: "x" }),
    });
    expect(said(diagnostics)).toEqual(["error: A campaign with id and name"]);
  });
});
