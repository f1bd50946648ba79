import { describe, expect, test } from "vitest";
import { stackOf, webhooks } from "../../cdk/stack.ts";
import { useProjects } from "../project.ts";
import { NO_STATE_YET } from "../no-changes.ts";

const openProject = useProjects();

const IGNORED = "ignore: [webhook_without_secret, shared_target_url]\n";
/** What is said beside overlaps. */
const all = (text: string): string => text.replace(", shared_target_url", "");

/** Webhooks of one URL, a line each from line 3. */
function overlapping(...lines: readonly string[]): string {
  return `version: 1\nwebhooks:\n${lines.map((line, index) => `  w${String(index)}: { target_url: "https://crm.example.com/hook", ${line} }\n`).join("")}${IGNORED}`;
}

describe("webhooks that deliver the same events to one URL", () => {
  test.for<readonly [what: string, lines: readonly string[], twice: string]>([
    [
      "all events and one type",
      ["rotation: delete_first", "type: emailsReplied"],
      "each emailsReplied event is delivered twice",
    ],
    [
      "all campaigns and one",
      ["type: emailsReplied", "type: emailsReplied, campaign_id: cam_000001"],
      "each emailsReplied event of campaign cam_000001 is",
    ],
    [
      "one campaign and one type",
      ["campaign_id: cam_000001", "type: emailsReplied"],
      "each emailsReplied event of campaign cam_000001 is delivered twice",
    ],
    [
      "all events, and those of a campaign",
      ["is_first: false", "campaign_id: cam_000001"],
      "each event of campaign cam_000001 is delivered twice",
    ],
    [
      "all events, and first ones of a type",
      ["is_first: false", "type: emailsReplied, is_first: true"],
      "each first emailsReplied event is delivered twice",
    ],
    ["all events, and a lead state group", ["is_first: false", "type: warmed"], "each warmed event is delivered twice"],
  ])("%s are a warning of validate and of each plan", async ([, lines, twice]) => {
    const project = await openProject();
    project.write("outreach.yaml", all(overlapping(...lines)));
    const validated = await project.run("validate");
    expect([validated.code, validated.out, validated.sent]).toEqual([0, "Success! The configuration is valid.\n", []]);
    expect(validated.err).toContain(
      "Warning: Overlapping webhooks [overlapping_webhooks]\n\n  on outreach.yaml:4:3, in outreach_webhook.w1\n",
    );
    expect(validated.err.replaceAll("\n", " ")).toContain(
      `outreach_webhook.w1 and outreach_webhook.w0 have the same target_url, and ${twice}`,
    );
    expect(validated.err).toContain(
      "Remove one of them, or narrow what it selects.\nTo keep both, set allow_duplicate: true.\n",
    );
    const first = await project.run("apply --auto-approve");
    expect(first.err).toContain("Warning: Overlapping webhooks");
    expect(first.err).not.toContain("shared_target_url");
    const kept = await project.run("plan --detailed-exitcode");
    expect([kept.code, kept.err.match(/Overlapping webhooks/g)?.length]).toEqual([0, 1]);
    project.write("outreach.yaml", overlapping(lines[0] ?? "", `${lines[1] ?? ""}, allow_duplicate: true`));
    expect(await project.run("validate")).toMatchObject({ code: 0, err: "" });
    expect(await project.run("plan")).toMatchObject({ code: 0, err: "" });
  });

  test.for<readonly [what: string, lines: readonly string[]]>([
    ["two types", ["type: emailsReplied", "type: emailsSent"]],
    ["two campaigns", ["campaign_id: cam_000001", "campaign_id: cam_000002"]],
    ["a type, and the lead state group that it sends in addition", ["type: emailsReplied", "type: warmed"]],
    ["the types of a fan-out", ["types: [emailsReplied, emailsSent]", "type: smsReplied"]],
  ])("are not those of %s", async ([, lines]) => {
    const project = await openProject();
    project.write("outreach.yaml", overlapping(...lines));
    expect(await project.run("validate")).toMatchObject({ code: 0, err: "" });
    expect(await project.run("plan")).toMatchObject({ code: 0, err: NO_STATE_YET });
  });

  test("are one warning if they are many, and JSON has it too", async () => {
    const project = await openProject();
    project.write(
      "outreach.yaml",
      overlapping("rotation: delete_first", "types: [emailsReplied, emailsSent]", "campaign_id: cam_000001"),
    );
    const { out } = await project.run("validate --json");
    expect(JSON.parse(out)).toMatchObject({
      valid: true,
      warning_count: 1,
      diagnostics: [
        {
          severity: "warning",
          summary: "Overlapping webhooks",
          detail: expect.stringMatching(
            /^Several webhooks have the same target_url, and overlap:\n.*\n.*\noutreach_webhook\.w2 and outreach_webhook\.w0: each event of/,
          ) as string,
        },
      ],
    });
  });

  test("are a warning in a stack, until one of them allows it; unknown values are none", async () => {
    const project = await openProject();
    const write = (more: object): void => {
      const hook = { target_url: "https://crm.example.com/hook", secret: "${var.secret}" };
      project.write(
        "cdktf.out/stacks/hooks/cdk.tf.json",
        stackOf({
          variable: { secret: { sensitive: true } },
          ...webhooks({ all: hook, replies: { ...hook, type: "emailsReplied", ...more } }),
        }),
      );
    };
    write({});
    for (const command of ["validate", "plan"]) {
      const { code, err } = await project.run(`${command} -c cdktf.out/stacks/hooks`, { TF_VAR_secret: "s3cret" });
      expect([code, err.match(/Warning: Overlapping webhooks/g)?.length]).toEqual([0, 1]);
      expect(err).toContain("To keep both, set allowDuplicate: true.");
    }
    write({ allow_duplicate: true });
    expect(await project.run("validate -c cdktf.out/stacks/hooks")).toMatchObject({ code: 0, err: "" });
    write({ campaign_id: "${data.outreach_campaign.q3.id}" });
    const read = { data: { outreach_campaign: { q3: { name: "Q3 launch" } } } };
    const stack = JSON.parse(project.files()["cdktf.out/stacks/hooks/cdk.tf.json"] ?? "") as object;
    project.write("cdktf.out/stacks/hooks/cdk.tf.json", JSON.stringify({ ...stack, ...read }));
    expect(await project.run("validate -c cdktf.out/stacks/hooks")).toMatchObject({ code: 0, err: "" });
    expect((await project.run("plan -c cdktf.out/stacks/hooks", { TF_VAR_secret: "s3cret" })).err).toContain(
      "each emailsReplied event of campaign cam_000001 is delivered twice",
    );
  });
});

test("new webhooks of one URL of which some do not overlap are also said to share it", async () => {
  const project = await openProject();
  const lines = ["type: emailsSent", "type: emailsSent, campaign_id: cam_000001", "type: emailsReplied"];
  project.write("outreach.yaml", all(overlapping(...lines)));
  const { err } = await project.run("plan");
  expect([err.match(/\[overlapping_webhooks\]/g)?.length, err.match(/\[shared_target_url\]/g)?.length]).toEqual([1, 1]);
  expect(err).toContain(
    "outreach_webhook.w0, outreach_webhook.w1, outreach_webhook.w2 would have the same target_url.",
  );
});
