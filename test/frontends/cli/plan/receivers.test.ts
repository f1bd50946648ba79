import { describe, expect, test } from "vitest";
import { type Project, useProjects } from "../project.ts";

const openProject = useProjects();

const CRM = "https://crm.example.com/hook";
const CHAT = "https://chat.example.com/hook";

/** A configuration with webhooks, a line each. */
function declared(...lines: readonly string[]): string {
  return `version: 1\nvariables:\n  token: { default: t0ken-of-chat, sensitive: true }\nwebhooks:\n${lines.map((line) => `  ${line}\n`).join("")}`;
}

async function applied(...lines: readonly string[]): Promise<Project> {
  const project = await openProject();
  project.write("outreach.yaml", declared(...lines));
  const first = await project.run("apply --auto-approve");
  expect([first.code, first.out]).toEqual([0, expect.not.stringContaining("Receivers:")]);
  return project;
}

describe("a plan says in words what changes for receivers", () => {
  const BEFORE = [
    `crm: { target_url: "${CRM}", types: [emailsReplied, emailsBounced] }`,
    `other: { target_url: "${CHAT}", type: warmed }`,
  ];
  const AFTER = [
    `crm: { target_url: "${CRM}", types: [emailsReplied] }`,
    `other: { target_url: "${CHAT}", type: warmed }`,
    `chat: { target_url: "${CHAT}", type: emailsReplied, campaign_id: cam_000001 }`,
    `twice: { target_url: "${CRM}", type: emailsReplied, allow_duplicate: true, is_first: true, campaign_id: cam_000002 }`,
  ];
  const SAYS = [
    "No webhook of this configuration gets emailsBounced any more.",
    `${CRM} gets first emailsReplied of cam_000002 twice.`,
    `${CHAT} now also gets emailsReplied of cam_000001.`,
  ];

  test("as text, comment, page and JSON, of a plan and of a saved one", async () => {
    const project = await applied(...BEFORE);
    project.write("outreach.yaml", declared(...AFTER));
    const block = `\nReceivers:\n${SAYS.map((text) => `  ${text}\n`).join("")}`;
    expect((await project.run("plan --out saved.plan")).out).toContain(
      `Plan: 2 to add, 0 to change, 1 to destroy.\n${block}`,
    );
    expect((await project.run("show saved.plan")).out).toContain(block);
    const markdown = (await project.run("show --format markdown saved.plan")).out;
    expect(markdown).toContain(`**Receivers**\n${SAYS.map((text) => `- \`${text}\`\n`).join("")}`);
    const html = (await project.run("show --format html saved.plan")).out;
    for (const text of SAYS) expect(html).toContain(`<li>${text}</li>`);
    expect(JSON.parse((await project.run("show --json saved.plan")).out)).toMatchObject({
      consequences: { receivers: SAYS },
    });
    const lines = (await project.run("plan --json")).out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as object);
    expect(lines).toContainEqual(expect.objectContaining({ type: "log", consequences: { receivers: SAYS } }));
    expect((await project.run("apply saved.plan")).code).toBe(0);
    expect((await project.run("plan")).out).not.toContain("Receivers:");
  });

  test.for<readonly [what: string, before: readonly string[], after: readonly string[], options: string]>([
    [
      "a new URL",
      [`a: { target_url: "${CRM}", type: warmed }`, `b: { target_url: "${CHAT}" }`],
      [`a: { target_url: "${CRM}2", type: warmed }`, `b: { target_url: "${CHAT}" }`],
      "",
    ],
    ["another name", [`a: { target_url: "${CRM}", type: warmed }`], [`b: { target_url: "${CRM}", type: warmed }`], ""],
    ["a replace that changes nothing for receivers", BEFORE, BEFORE, "--replace outreach_webhook.other"],
    ["a part", BEFORE, BEFORE.slice(1), "--target outreach_webhook.crm"],
    ["a destroy", BEFORE, BEFORE, "--destroy"],
  ])("not of %s", async ([, before, after, options]) => {
    const project = await applied(...before);
    project.write("outreach.yaml", declared(...after));
    const { out } = await project.run(`plan ${options}`);
    expect(out).toContain("\nPlan: ");
    expect(out).not.toContain("Receivers:");
  });

  test("without a sensitive value", async () => {
    const before = [`crm: { target_url: "${CRM}", type: warmed }`];
    const project = await applied(...before);
    project.write("outreach.yaml", declared(...before, `chat: { target_url: "${CHAT}/\${var.token}", type: warmed }`));
    for (const line of [
      "plan",
      "plan --json",
      "plan --out saved.plan",
      "show --json saved.plan",
      "show --format markdown saved.plan",
    ]) {
      const { out } = await project.run(line);
      expect(out, line).not.toContain("t0ken-of-chat");
      expect(out, line).toContain("outreach_webhook.chat now also gets warmed.");
    }
  });

  test("but nothing where an imported webhook hides what it delivers", async () => {
    const project = await openProject();
    project.sandbox.add("webhooks", { _id: "hoo_000900", targetUrl: CRM, type: "warmed", isFirst: true });
    project.sandbox.add("webhooks", { _id: "hoo_000901", targetUrl: CHAT, type: "annotated" });
    project.write(
      "outreach.yaml",
      declared(`a: { target_url: "${CRM}", type: warmed }`, `b: { target_url: "${CHAT}", type: annotated }`),
    );
    for (const [name, id] of [
      ["a", "hoo_000900"],
      ["b", "hoo_000901"],
    ])
      expect((await project.run(`import outreach_webhook.${name ?? ""} ${id ?? ""}`)).code).toBe(0);
    project.write("outreach.yaml", declared(`b: { target_url: "${CHAT}", type: annotated }`));
    const { out } = await project.run("plan");
    expect(out).toContain("1 to destroy");
    expect(out).not.toContain("Receivers:");
  });
});
