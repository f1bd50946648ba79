import { expect, test } from "vitest";
import { useAgents } from "../mcp/agents.ts";

const { connect, open } = useAgents();

test("audit reports everything that is live, by pages", async () => {
  const project = await open();
  await project.run("apply --auto-approve");
  for (const name of ["a", "b"])
    project.sandbox.add("webhooks", {
      _id: `hoo_${name}`,
      targetUrl: "https://hooks.zapier.com/hooks/catch/1/x/",
      type: "emailsSent",
    });
  const { ask } = await connect(project);
  const whole = await ask("audit");
  expect(whole.result).toMatchObject({
    summary: { managed: 1, unmanaged: 2, automation: 2 },
    groups: { automation: ["hoo_a", "hoo_b"] },
  });
  expect(whole.text).toContain("3 live webhooks: 1 managed, 2 unmanaged. 2 have findings.");
  const part = await ask("audit", { limit: 1, offset: 2 });
  expect([part.truncated, (part.result["live"] as readonly object[]).length]).toEqual([false, 1]);
  expect(part.text).toContain("3 live webhooks: 1 managed, 2 unmanaged.");
  expect(part.text).toContain("The groups show a part of the webhooks.");
});
