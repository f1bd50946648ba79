import { expect, test } from "vitest";
import { useProjects } from "../project.ts";

const openProject = useProjects();

const DOT = "https://crm\u3002example.com/hooks";
const MIXED = "https://\u0430pple.example/hooks";
const LONG_HOST = `${"crm-example-com-".repeat(3)}x.`.repeat(4) + "evil.example";
const CONFIGURATION = `version: 1
webhooks:
  dot: { target_url: ${DOT}, type: emailsSent }
  mixed: { target_url: ${MIXED}, type: emailsSent }
  long: { target_url: "https://${LONG_HOST}/${"p".repeat(400)}", type: emailsSent }
`;

test("a plan shows the host that gets the events, in every format", async () => {
  const project = await openProject();
  project.write("outreach.yaml", CONFIGURATION);
  const planned = await project.run("plan --out saved.plan");
  expect(planned, planned.err).toMatchObject({ code: 0 });
  for (const format of ["text", "markdown", "html"]) {
    const { out: document, err, code } = await project.run(`show --format ${format} saved.plan`);
    expect(code).toBe(0);
    const out = document + (format === "text" ? planned.err : err);
    for (const shown of [
      LONG_HOST,
      "(host crm.example.com)",
      "(host xn--pple-43d.example)",
      "A host with letters of several scripts",
    ]) {
      expect(out.includes(shown), `${format}: ${shown}`).toBe(true);
    }
    expect(out).not.toContain("p".repeat(300));
  }
  const lines = (await project.run("plan --json")).out.trim().split("\n");
  const parsed = lines.map(
    (line) => JSON.parse(line) as { readonly diagnostic?: { readonly summary: string; readonly detail: string } },
  );
  const details = parsed.flatMap(({ diagnostic }) => (diagnostic ? [diagnostic.detail] : []));
  expect(details).toEqual([
    expect.stringContaining("the host crm.example.com,"),
    expect.stringContaining("Events go to xn--pple-43d.example."),
  ]);
  const { resource_changes: changes } = JSON.parse((await project.run("show --json saved.plan")).out) as {
    readonly resource_changes: readonly { readonly change: { readonly after: { readonly target_url: string } } }[];
  };
  expect(changes.map(({ change }) => change.after.target_url)).toEqual(expect.arrayContaining([DOT, MIXED]));
  const explained = await project.run("explain outreach_webhook.mixed");
  expect(explained.out).toContain(`"${MIXED}" (host xn--pple-43d.example)`);
  expect(explained.out).toContain("A host with letters of several scripts");
});

test("live webhooks of others show the host that gets the events, and no invisible characters", async () => {
  const project = await openProject();
  project.write("outreach.yaml", "version: 1\n");
  project.sandbox.add("webhooks", {
    targetUrl: "https://crm.example.com@evil.example/\u034f\u3164",
    type: "emailsSent",
  });
  project.sandbox.add("campaigns", { _id: "cam_1", name: "Spring\u3164\u{e0001} \u2709\u{fe0f}" });
  for (const command of ["get webhooks", "drift", "drift --format markdown"]) {
    const { out, code, err } = await project.run(command);
    expect(code, err).toBe(0);
    expect(out, command).toContain("https://crm.example.com@evil.example/\u{fffd}\u{fffd}");
    expect(out, command).toContain("(host evil.example)");
  }
  const { out } = await project.run("get campaigns");
  expect(out).toContain("Spring\u{fffd}\u{fffd} \u2709\u{fe0f}");
  expect((await project.run("get campaigns --json")).out).toContain(
    String.raw`"Spring\u3164\udb40\udc01 ${"\u2709\u{fe0f}"}"`,
  );
});

test("names that look empty or alike are refused", async () => {
  const project = await openProject();
  for (const name of ["\u3164", "crm\uffa0", "crm\u115f", "crm\u200b"]) {
    project.write("outreach.yaml", `version: 1\nwebhooks:\n  ${name}: { target_url: https://crm.example.com/ }\n`);
    const { code, err } = await project.run("validate");
    expect({ name, code }).toEqual({ name, code: 1 });
    expect(err).toContain("Names are letters, digits, - and _");
  }
});

test("what a runner of a CI takes for commands is printed without effect", async () => {
  const project = await openProject();
  project.write("outreach.yaml", "version: 1\n");
  project.sandbox.add("webhooks", { targetUrl: "https://crm.example.com/##[group]a", type: "emailsSent" });
  project.sandbox.add("campaigns", { _id: "cam_1", name: "##[add-mask]a" });
  for (const command of ["get webhooks", "get campaigns", "drift"])
    expect((await project.run(command)).out, command).toMatch(/^(?!.*##\[)(?=.*#\ufffd\[)/s);
});
