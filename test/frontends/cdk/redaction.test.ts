import { expect, test } from "vitest";
import { useProjects } from "../cli/project.ts";
import { from, stackOf, webhooks } from "./stack.ts";

const openProject = useProjects();
const FOLDER = "cdktf.out/stacks/hooks";

test.each(["bool", "string", "any"])(
  "a sensitive variable of type %s with the value true does not change JSON",
  async (type) => {
    const project = await openProject();
    const crm = { ...from("app/crm"), target_url: "https://crm.example.com/hook", is_first: "${var.on}" };
    project.write(
      `${FOLDER}/cdk.tf.json`,
      stackOf({
        variable: { on: { type, sensitive: true }, none: { default: null, sensitive: true } },
        ...webhooks({ crm }),
      }),
    );
    const { out } = await project.run(`plan --json -c ${FOLDER}`, { TF_VAR_on: "true" });
    const lines = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as object);
    expect(lines).toContainEqual(expect.objectContaining({ type: "planned_change" }));
  },
);
