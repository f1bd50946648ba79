import { describe, expect, it } from "vitest";
import { diagnosticsOf, wireDiagnostics } from "../../../src/frontends/terraform/wire/wire-diagnostics.ts";

describe("diagnostics", () => {
  const said = { code: "c", summary: "Summary", detail: "Detail.", severity: "note" } as const;

  it("have the hint behind the detail, and notes as warnings", () => {
    expect(
      wireDiagnostics([
        { ...said, hint: "Hint." },
        { ...said, severity: "error" },
      ]),
    ).toEqual([
      { severity: 2, summary: "Summary", detail: "Detail.\n\nHint.", attribute: undefined },
      { severity: 1, summary: "Summary", detail: "Detail.", attribute: undefined },
    ]);
  });

  it("are the first of each severity, with a count of the others", () => {
    const many = Array.from({ length: 200 }, (_, index) => [
      { ...said, severity: "error" as const, summary: `Error ${String(index)}` },
      { ...said, severity: "warning" as const, summary: `Warning ${String(index)}` },
    ]).flat();
    const wired = wireDiagnostics(many);
    expect(wired).toHaveLength(102);
    expect(wired.slice(-2)).toMatchObject([
      { severity: 1, summary: "More mistakes", detail: expect.stringContaining("150 more mistakes") },
      { severity: 2, summary: "More messages", detail: expect.stringContaining("150 more warnings") },
    ]);
  });

  it("do not repeat long values", () => {
    const [wired] = wireDiagnostics([
      { ...said, detail: `${"x".repeat(1_000_000)} is no id.`, hint: "y ".repeat(1_000_000) },
    ]);
    expect(wired?.detail).toContain(" is no id.");
    expect(wired?.detail.length).toBeLessThan(5_000);
  });

  it("lead to the value, through lists too", () => {
    expect(wireDiagnostics([{ ...said, path: ["labels", 1] }])[0]?.attribute).toEqual({
      steps: [
        { selector: { $case: "attributeName", attributeName: "labels" } },
        { selector: { $case: "elementKeyInt", elementKeyInt: 1 } },
      ],
    });
  });

  it.each([
    ['"ada@example.com" is no id', '"a***@example.com" is no id'],
    ["DELETE /campaigns/cam_1/leads/ada%40example.com: 404", "DELETE /campaigns/cam_1/leads/a***%40example.com: 404"],
    [
      "DELETE /campaigns/cam_1/leads/ada%40example.com: 422 no Ada at example dot com, nor eve at example.com",
      "DELETE /campaigns/cam_1/leads/a***%40example.com: 422 no A***@example.com, nor eve at example.com",
    ],
    ["Lead Ada.L+x@mail.example.com, and b@c.org not found", "Lead A***@mail.example.com, and b***@c.org not found"],
    ["not of the form name@host: @ is missing", "not of the form name@host: @ is missing"],
  ])("do not tell addresses: %s", (detail, expected) => {
    expect(wireDiagnostics([{ ...said, detail }])[0]?.detail).toBe(expected);
  });

  it("of what is thrown are whole sentences", () => {
    expect(diagnosticsOf(new Error("it broke"))).toMatchObject([
      { severity: "error", summary: "The provider failed", detail: "it broke." },
    ]);
    expect(diagnosticsOf("it broke.")).toMatchObject([{ detail: "it broke." }]);
  });

  it.each([
    ["GET /campaigns/cam_9/schedules/: 404 Campaign not found", "campaign_not_found", "Check the id"],
    ["GET /warmup/m/settings: 400 Bad team", "bad_team", "Check the id"],
    ["GET /hooks: 401 The authentication you supplied is incorrect", "wrong_key", "Check that api_key"],
    ["GET /hooks: 403 User linked to this API key is blocked", "key_blocked", "the service blocks its user"],
    ["GET /hooks: 404 Not found", null, "has its path"],
    ["GET /hooks: 500 Oops", null, "Check base_url, api_key and the network"],
  ])("say where to look when a read fails: %s", (message, known, expected) => {
    const error = Object.assign(new Error(message), { name: "ServiceError", known });
    expect(diagnosticsOf(error)).toMatchObject([
      { summary: "The service could not be read", hint: expect.stringContaining(expected) },
    ]);
  });

  it.each([
    [{ kind: "refused", hint: null }, "is npx outreach-as-code sandbox running?"],
    [{ kind: "no-tls", hint: "Is it http://?" }, "Nothing was changed. Is it http://?"],
  ])("say where to look when there is no connection: %o", (problem, expected) => {
    const error = Object.assign(new Error("GET /hooks: no connection"), { name: "ServiceError", known: null, problem });
    expect(diagnosticsOf(error)).toMatchObject([{ hint: expect.stringContaining(expected) }]);
  });
});
