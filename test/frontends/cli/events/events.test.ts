import { describe, expect, test } from "vitest";
import { EVENT_TYPES, REMOVED_EVENT_TYPES } from "../../../../src/service/events/event-catalog.ts";
import { useProjects } from "../project.ts";

const openProject = useProjects();

describe("outreach events", () => {
  test("lists every event type and those that were removed, without a configuration and without a request", async () => {
    const project = await openProject();
    const { code, out, err, sent } = await project.run("events");
    expect({ code, err, sent }).toEqual({ code: 0, err: "", sent: [] });
    const [types = "", removed = ""] = out.split("\n\n");
    expect(types).toMatch(/^TYPE {2,}CATEGORY {2,}SENT WHEN\n/);
    expect(
      types
        .split("\n")
        .slice(1)
        .map((line) => line.split(/ {2,}/)),
    ).toEqual(EVENT_TYPES.map(({ name, category, description }) => [name, category, description]));
    expect(removed.split("\n")).toEqual([
      "Removed from the service:",
      ...REMOVED_EVENT_TYPES.map(({ name, note }) => `- ${name}: ${note}`),
      "",
    ]);
  });

  test("--json prints the fields of each type, what it is about, and its group", async () => {
    const project = await openProject();
    const { code, out } = await project.run("events --json");
    const events = JSON.parse(out) as readonly { readonly type: string; readonly fields: readonly string[] }[];
    expect(code).toBe(0);
    expect(events.map(({ type }) => type)).toEqual(EVENT_TYPES.map(({ name }) => name));
    expect(events.find(({ type }) => type === "emailsSent")).toMatchObject({
      category: "Email",
      description: "An email was sent to a lead.",
      about: "campaign-lead",
      group: "contacted",
      fields: expect.arrayContaining([
        "_id",
        "campaignId",
        "leadId",
        "subject",
        "to",
        "cc",
        "bcc",
        "secret",
      ]) as unknown,
    });
    expect(events.find(({ type }) => type === "customDomainErrors")).toMatchObject({
      about: "team",
      group: null,
      fields: ["_id", "type", "teamId", "createdAt", "secret"],
    });
  });
});
