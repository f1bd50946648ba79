import { describe, expect, test } from "vitest";
import { identityText, parseIdentityText } from "../../../src/core/model/identity-text.ts";
import { vouchedOtherwise } from "../../../src/core/plan/plan-imported.ts";
import { leadUnsubscription } from "../../../src/service/resources/lead-unsubscription.ts";

const ADA = { campaign_id: "cam_1", email: "ada@example.com" };

describe("the import id of an unsubscription", () => {
  test("is the campaign and the email, and is read again as both", () => {
    expect(identityText(leadUnsubscription, ADA)).toBe("cam_1/ada@example.com");
    expect(parseIdentityText(leadUnsubscription, "cam_1/ada@example.com")).toEqual(ADA);
  });

  test.each([
    ["a slash in the email", "cam_1/a/b@example.com", { campaign_id: "cam_1", email: "a/b@example.com" }],
    ["a way up", "cam_1/../ada@example.com", { campaign_id: "cam_1", email: "../ada@example.com" }],
    ["several @", "cam_1/a@b@example.com", { campaign_id: "cam_1", email: "a@b@example.com" }],
    ["spaces", " cam_1/ada@example.com ", { campaign_id: " cam_1", email: "ada@example.com " }],
    ["an empty email", "cam_1/", { campaign_id: "cam_1", email: "" }],
    ["an empty campaign", "/ada@example.com", { campaign_id: "", email: "ada@example.com" }],
    ["no slash", "ada@example.com", null],
    ["nothing", "", null],
  ])("with %s: the first slash divides it, and nothing is trimmed", (_name, text, expected) => {
    expect(parseIdentityText(leadUnsubscription, text)).toEqual(expected);
    expect(expected && identityText(leadUnsubscription, expected)).toBe(expected && text);
  });

  test.each([
    ["the same", "cam_1/ada@example.com", true],
    ["the email in upper case", "cam_1/Ada@EXAMPLE.com", true],
    ["the campaign in upper case, which is another one", "CAM_1/ada@example.com", false],
    ["a space at the end", "cam_1/ada@example.com ", false],
    ["the masked form, which several may share", "cam_1/a***@example.com#5099e22a", false],
    ["another lead", "cam_1/bob@example.com", false],
    ["no campaign", "ada@example.com", false],
    ["nothing", "", false],
  ])("has to name what is declared: %s", (_name, id, isSame) => {
    const to = 'outreach_lead_unsubscription.gdpr["ada@example.com"]';
    const declaration = {
      address: to,
      type: leadUnsubscription.type,
      provider: "outreach",
      attributes: ADA,
      secrets: {},
      masked: [],
      locate: () => undefined,
    };
    const found = vouchedOtherwise(
      leadUnsubscription,
      [declaration],
      new Map([[to, { to, id, locate: () => undefined }]]),
    );
    expect(found.map(({ code }) => code)).toEqual(isSame ? [] : ["import_differs"]);
  });
});
