import { expect, test } from "vitest";
import { useProjects } from "../project.ts";

const openProject = useProjects();

const CRM = "https://crm.example.com/hook";
const CHAT = "https://chat.example.com/hook";
const LOST = "No webhook of this configuration gets emailsBounced any more.";

/** A configuration with webhooks, a line each. */
function declared(...lines: readonly string[]): string {
  return `version: 1\nwebhooks:\n${lines.map((line) => `  ${line}\n`).join("")}`;
}

const BEFORE = declared(
  `crm: { target_url: "${CRM}", types: [emailsReplied, emailsBounced] }`,
  `other: { target_url: "${CHAT}", type: warmed }`,
);
const AFTER = declared(
  `crm: { target_url: "${CRM}", types: [emailsReplied] }`,
  `other: { target_url: "${CHAT}", type: warmed }`,
);

test("a plan says what receivers lose: as text, comment and page, of a plan and of a saved one", async () => {
  const project = await openProject();
  project.write("outreach.yaml", BEFORE);
  const first = await project.run("apply --auto-approve");
  expect([first.code, first.out]).toEqual([0, expect.not.stringContaining("any more")]);
  project.write("outreach.yaml", AFTER);
  expect((await project.run("plan --out saved.plan")).out).toContain(
    `Plan: 0 to add, 0 to change, 1 to destroy.\n\n${LOST}\n`,
  );
  expect((await project.run("show saved.plan")).out).toContain(`\n${LOST}\n`);
  expect((await project.run("show --format markdown saved.plan")).out).toContain(`\n\`${LOST}\`\n`);
  expect((await project.run("show --format html saved.plan")).out).toContain(`<p>${LOST}</p>`);
  for (const line of ["show --json saved.plan", "plan --json"]) {
    const { out } = await project.run(line);
    expect(out, line).toContain("emailsBounced");
    expect(out, line).not.toMatch(/consequence|any more/);
  }
  for (const options of ["--target outreach_webhook.crm", "--destroy"]) {
    const { out } = await project.run(`plan ${options}`);
    expect(out, options).toContain("\nPlan: ");
    expect(out, options).not.toContain("any more");
  }
  expect((await project.run("apply saved.plan")).code).toBe(0);
  expect((await project.run("plan")).out).not.toContain("any more");
});
