import { describe, expect } from "vitest";
import { attributesOf } from "../../../../src/core/model/attribute.ts";
import { webhook as definition } from "../../../../src/service/resources/webhook.ts";
import { live, story, webhook, writes } from "./story.ts";

const DELETE_FIRST = ["DELETE /hooks/ID", "POST /hooks"];
const CREATE_FIRST = ["POST /hooks", "DELETE /hooks/ID"];
const CREATE_BEFORE_DESTROY = "lifecycle {\n    create_before_destroy = true\n  }";

/** The attributes that a webhook is replaced for. */
const REPLACING = attributesOf(definition.schema, "terraform").flatMap(([name, { mode, onChange, writeOnly }]) =>
  mode === "computed" || onChange === "record" || writeOnly ? [] : [name],
);

describe.concurrent("replace", { timeout: 300_000 }, () => {
  story("every changed attribute replaces, and the plan says which", async ({ sandbox, terraform }) => {
    const before = {
      type: '"emailsSent"',
      campaign_id: '"cam_000001"',
      is_first: "false",
      automation_id: '"one"',
      secret: '"first"',
      secret_wo_version: "1",
    };
    const changes = {
      target_url: '"https://elsewhere.example.com/target-url"',
      type: '"emailsReplied"',
      campaign_id: '"cam_000002"',
      is_first: "true",
      automation_id: '"two"',
      secret: '"second"',
      secret_wo_version: "2",
    };
    expect(Object.keys(changes).toSorted()).toEqual(REPLACING.toSorted());
    const declared = (changed: boolean) =>
      Object.entries(changes).map(([name, value]) => {
        const attributes = {
          target_url: `"https://${name.replace("_", "-")}.example.com/"`,
          ...before,
          ...(changed ? { [name]: value } : {}),
        };
        return `resource "outreach_webhook" "${name}" {\n${Object.entries(attributes)
          .map(([key, text]) => `  ${key} = ${text}\n`)
          .join("")}}\n`;
      });
    terraform.write("main.tf", declared(false).join(""));
    await terraform.apply();
    sandbox.clearRequests();
    terraform.write("main.tf", declared(true).join(""));
    const { output } = await terraform.apply();
    expect(output).toContain("Resources: 7 added, 0 changed, 7 destroyed.");
    expect(
      output
        .match(/~ \w+ .*# forces replacement/g)
        ?.map((line) => line.split(" ")[1])
        .toSorted(),
    ).toEqual(Object.keys(changes).toSorted());
    const { length } = Object.keys(changes);
    expect(writes(sandbox).toSorted()).toEqual([
      ...Array<string>(length).fill("DELETE /hooks/ID"),
      ...Array<string>(length).fill("POST /hooks"),
    ]);
    expect(sandbox.webhooks()).toHaveLength(length);
    expect(live(sandbox, "elsewhere")).toBeDefined();
    expect(live(sandbox, "type")).toMatchObject({ type: "emailsReplied", campaignId: "cam_000001", secret: "first" });
    expect(live(sandbox, "campaign-id")?.campaignId).toBe("cam_000002");
    expect(live(sandbox, "is-first")?.isFirst).toBe(true);
    expect(live(sandbox, "automation-id")?.automationId).toBe("two");
    expect(live(sandbox, "secret")?.secret).toBe("second");
    expect((await terraform.plan()).status).toBe(0);
  });

  story("the delete comes first where nothing else is said", async ({ sandbox, terraform }) => {
    terraform.write("main.tf", webhook("crm", ['type = "emailsSent"']));
    await terraform.apply();
    sandbox.clearRequests();
    terraform.write("main.tf", webhook("crm", ['type = "emailsReplied"']));
    expect((await terraform.apply()).output).toContain("-/+ destroy and then create replacement");
    expect(writes(sandbox)).toEqual(DELETE_FIRST);
  });

  story(
    "create_before_destroy has the new one live before the old one goes, also where the list cannot tell them apart",
    async ({ sandbox, terraform }) => {
      terraform.write("main.tf", webhook("crm", ['secret = "first"', CREATE_BEFORE_DESTROY]));
      await terraform.apply();
      sandbox.clearRequests();
      terraform.write("main.tf", webhook("crm", ['secret = "second"', CREATE_BEFORE_DESTROY]));
      const replaced = await terraform.apply();
      expect(replaced.output).toContain("Resources: 1 added, 0 changed, 1 destroyed.");
      expect(replaced.output).toContain("+/- create replacement and then destroy");
      expect(writes(sandbox)).toEqual(CREATE_FIRST);
      expect(sandbox.webhooks()).toMatchObject([{ secret: "second" }]);
      expect((await terraform.plan()).status).toBe(0);
    },
  );

  story(
    "where the new one is refused with create_before_destroy, the old one stays",
    async ({ sandbox, terraform }) => {
      terraform.write("main.tf", webhook("crm", ['campaign_id = "cam_000001"', CREATE_BEFORE_DESTROY]));
      await terraform.apply();
      terraform.write("main.tf", webhook("crm", ['campaign_id = "cam_000101"', CREATE_BEFORE_DESTROY]));
      expect((await terraform.apply()).status).toBe(1);
      expect(live(sandbox, "crm")?.campaignId).toBe("cam_000001");
      expect(await terraform.addresses()).toEqual(["outreach_webhook.crm"]);
    },
  );
});
