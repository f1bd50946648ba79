import { expect, test } from "vitest";
import { checkStack } from "./check-stack.ts";
import { from, webhooks } from "./stack.ts";

const NAME = "cross-stack-reference-input-producer";

/** As the synthesis writes a reference from one stack to another. */
const CONSUMER = {
  data: {
    terraform_remote_state: {
      [NAME]: { backend: "local", config: { path: "/app/terraform.producer.tfstate" }, workspace: "default" },
    },
  },
  ...webhooks({
    copy: {
      ...from("hooks/hook"),
      target_url: "https://copy.example.com",
      automation_id: `\${data.terraform_remote_state.${NAME}.outputs.id}`,
    },
  }),
};

test("a reference to another stack requires Terraform: the first error names the construct", async () => {
  const { text } = await checkStack(CONSUMER);
  const [first = ""] = text.split("\n\nError: ");
  expect(first).toContain("only Terraform reads the outputs of another stack");
  expect(first).toContain(`construct data.terraform_remote_state.${NAME}`);
  expect(first).toContain("Run this stack with Terraform and the outreach provider");
});
