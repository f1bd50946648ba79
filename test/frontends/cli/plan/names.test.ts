import { describe, expect, test } from "vitest";
import { useProjects } from "../project.ts";

const openProject = useProjects();

const WEBHOOKS = (id: string) => `webhooks:
  crm: { target_url: 'https://crm.example.com', campaign_id: '\${data.outreach_campaign.q3.id}' }
  other: { target_url: 'https://other.example.com', campaign_id: ${id} }
`;
const NAMED = (id: string, by = "name: Q3 launch") =>
  `version: 1\ndata:\n  campaign: { q3: { ${by} } }\n${WEBHOOKS(id)}`;
const Q3 = { cam_000001: "Q3 launch" };

describe("the name of a campaign", () => {
  test("is a comment next to its id wherever the plan has read it, and in JSON one key", async () => {
    const project = await openProject();
    project.sandbox.change("campaigns", "cam_000002", { name: "Winback" });
    project.write("outreach.yaml", NAMED("cam_000002"));
    const names = { ...Q3, cam_000002: "Winback" };
    const plan = await project.run("plan --out saved.plan");
    expect(plan.out).toContain('      + campaign_id = "cam_000001" # Q3 launch\n');
    expect(plan.out).toContain('      + campaign_id = "cam_000002" # Winback\n');
    const comment = (await project.run("show --format markdown saved.plan")).out;
    expect(comment).toContain('`campaign_id`: `"cam_000001"` (`Q3 launch`)');
    const page = (await project.run("show --format html saved.plan")).out;
    expect(page).toContain("cam_000001&quot; (Q3 launch)</span></summary>");
    expect(page).toContain('cam_000002&quot;</code> <span class="hint">Winback</span></dd>');
    const json = JSON.parse((await project.run("show --json saved.plan")).out) as {
      names: object;
      resource_changes: { change: { after: object } }[];
    };
    expect(json.names).toEqual(names);
    expect(json.resource_changes[0]?.change.after).toMatchObject({ campaign_id: "cam_000001" });
    expect((await project.run("explain outreach_webhook.other")).out).toContain(
      'campaign_id = "cam_000002" # Winback\n',
    );
    expect(JSON.parse((await project.run("explain --json outreach_webhook.other")).out)).toMatchObject({ names });
    expect((await project.run("apply saved.plan")).code).toBe(0);
    project.sandbox.change("campaigns", "cam_000001", { name: "Q3 old" });
    project.sandbox.change("campaigns", "cam_000002", { name: "Q3 launch" });
    expect((await project.run("plan")).out).toContain(
      '~ campaign_id = "cam_000001" -> "cam_000002" # forces replacement # Q3 old -> Q3 launch\n',
    );
  });

  test("is in drift and in the list of webhooks where a record was looked up by it, and nothing is read for it", async () => {
    const project = await openProject();
    project.sandbox.change("campaigns", "cam_000001", { name: "Q3 | zoe@example.com" });
    project.write("outreach.yaml", NAMED("cam_000002", "name: 'Q3 | zoe@example.com'"));
    await project.run("apply --auto-approve");
    const webhooks = project.sandbox.webhooks();
    const [crm, other] = ["crm", "other"].map((name) => webhooks.find(({ targetUrl }) => targetUrl.includes(name)));
    project.sandbox.add("webhooks", { targetUrl: "https://new.example.com", type: null, campaignId: "cam_000001" });
    project.sandbox.change("webhooks", other?._id ?? "", { campaignId: "cam_000001" });
    const words = /Q3 \| z\*\*\*@example\.com#[0-9a-f]{8}/.source;
    const listed = await project.run("get webhooks");
    expect(listed.out).toMatch(
      new RegExp(`^ID .* CAMPAIGN_ID .* CAMPAIGN_NAME +MANAGED\\n(?:.*cam_000001 .* ${words} +.*\\n){3}`),
    );
    const rows = JSON.parse((await project.run("get webhooks --json")).out) as readonly object[];
    expect(rows[0]).toMatchObject({ campaign_id: "cam_000001", campaign_name: expect.stringMatching(words) as string });
    const drift = await project.run("drift");
    expect(drift.out).toMatch(new RegExp(`~ campaign_id = "cam_000002" -> "cam_000001" # cam_000002 -> ${words}\\n`));
    expect(drift.out).toMatch(new RegExp(`cam_000001 \\(${words}\\)`));
    project.sandbox.remove("webhooks", crm?._id ?? "");
    const missing = await project.run("drift");
    expect(missing.out).toMatch(new RegExp(`campaign_id = "cam_000001" # ${words}\\n`));
    const issue = (await project.run("drift --format markdown")).out;
    expect(issue.match(/`"cam_000001"` \(`.*Q3 .*z\*\*\*@example\.com#/g)).toHaveLength(3);
    const json = JSON.parse((await project.run("drift --json")).out) as object;
    expect(json).toMatchObject({
      format_version: "1.1",
      names: { cam_000001: expect.stringMatching(words) as string },
    });
    for (const { sent } of [listed, drift, missing])
      expect(sent.filter((line) => !line.startsWith("GET /hooks"))).toEqual([]);
    for (const { out } of [listed, drift, missing]) expect(out).not.toContain("zoe@");
  });

  test("is not known where nothing has read it, and nothing is read for it", async () => {
    const project = await openProject();
    project.write(
      "outreach.yaml",
      `version: 1\nwebhooks:\n  other: { target_url: 'https://other.example.com', campaign_id: cam_000002 }\n`,
    );
    const plan = await project.run("plan");
    expect(plan.out).toContain('      + campaign_id = "cam_000002"\n');
    expect(plan.sent.filter((line) => line.startsWith("GET /campaigns?"))).toEqual([]);
    project.write("outreach.yaml", NAMED("cam_000002"));
    const named = await project.run("plan");
    expect(named.sent.filter((line) => line.startsWith("GET /campaigns"))).toEqual(["GET /campaigns?version=v2 200"]);
  });

  test.each([
    ["a\u001B[2J\nb\u202Ec", "# a\uFFFD[2J\uFFFDb\uFFFDc"],
    ["x".repeat(500), `# ${"x".repeat(59)}…`],
    ["|`<img src=x>`|\r\n::error::[x](https://evil.example)", "# |`<img src=x>`|"],
  ])(
    "%j is on one line, visible and short in text, and does not leave its place in Markdown and HTML",
    async (name, words) => {
      const project = await openProject();
      project.sandbox.change("campaigns", "cam_000002", { name });
      project.write("outreach.yaml", NAMED("cam_000002"));
      const { out } = await project.run("plan --out saved.plan");
      const line = out.split("\n").find((one) => one.includes('"cam_000002"')) ?? "";
      expect(line).toContain(words);
      expect(out).not.toMatch(/^::error/m);
      expect(out).not.toContain("\u202E");
      const comment = (await project.run("show --format markdown saved.plan")).out;
      const row = comment.split("\n").find((one) => one.includes("cam_000002")) ?? "";
      expect(row.replaceAll(/`+[^`]*`+/g, "").match(/\|/g)).toHaveLength(4);
      expect(row.replaceAll(/(`+)(?:(?!\1).)*\1/g, "")).not.toContain("<img");
      const page = (await project.run("show --format html saved.plan")).out;
      expect(page).not.toContain("<img src=x>");
    },
  );

  test("hides the addresses of leads that it contains, and what a sensitive argument has found", async () => {
    const project = await openProject();
    project.sandbox.change("campaigns", "cam_000002", { name: "For zoe@example.com" });
    project.write("outreach.yaml", NAMED("cam_000002"));
    await project.run("plan --out saved.plan");
    for (const command of [
      "plan",
      "show saved.plan",
      "show --format markdown saved.plan",
      "show --format html saved.plan",
      "explain outreach_webhook.other",
    ]) {
      const { out } = await project.run(command);
      expect(out, command).toMatch(/For z\*\*\*@example\.com#[0-9a-f]{8}/);
      expect(out, command).not.toContain("zoe@");
    }
    project.write(
      "outreach.yaml",
      `variables: { which: { sensitive: true } }\n${NAMED("cam_000002", "name: '${var.which}'")}`
        .replace("variables", "version: 1\nvariables")
        .replace(/\nversion: 1\ndata/, "\ndata"),
    );
    const hidden = await project.run("plan --var 'which=Q3 launch'");
    expect(hidden.code).toBe(0);
    expect(hidden.out).not.toContain("Q3 launch");
    expect(hidden.out).toContain("# For z***@example.com#");
  });

  test("of another time does not make a saved plan stale", async () => {
    const project = await openProject();
    project.write("outreach.yaml", NAMED("cam_000002"));
    await project.run("plan --out saved.plan");
    project.sandbox.change("campaigns", "cam_000002", { name: "Renamed" });
    expect(await project.run("apply saved.plan")).toMatchObject({
      code: 0,
      out: expect.stringContaining("Resources: 2 added") as string,
    });
  });
});
