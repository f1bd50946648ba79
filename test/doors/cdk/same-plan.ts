import type { TestContext } from "vitest";
import { TerraformUnderTest, hasTerraform } from "../terraform/terraform-under-test.ts";
import type { Project } from "../cli/project.ts";
import type { Json } from "./stack.ts";

export const FOLDER = "cdktf.out/stacks/hooks";

/** What a plan says of one resource, or of one output. */
export interface PlannedChange {
  readonly actions: readonly string[];
  readonly after: Json | null;
}

export type PlannedChanges = { readonly [address: string]: PlannedChange };

interface PlanJson {
  readonly resource_changes?: readonly { readonly address: string; readonly mode: string; readonly change: { readonly actions: readonly string[]; readonly after: Json | null } }[];
  readonly output_changes?: { readonly [name: string]: { readonly after?: unknown; readonly after_sensitive?: unknown } };
}

/** Both plans of a stack, or the message of the one that was refused. */
export interface BothPlans {
  readonly ours: PlannedChanges | string;
  readonly terraforms: PlannedChanges | string;
}

/** Plans a stack with the command and with the real terraform, against the same sandbox. */
export class Both {
  readonly project: Project;
  readonly terraform: TerraformUnderTest;

  private constructor(project: Project, terraform: TerraformUnderTest) {
    this.project = project;
    this.terraform = terraform;
  }

  static async open(project: Project, context: TestContext): Promise<Both> {
    if (!hasTerraform) context.skip("no terraform on the PATH");
    const terraform = await TerraformUnderTest.start({ OUTREACH_BASE_URL: project.sandbox.baseUrl, OUTREACH_API_KEY: project.sandbox.keys.good, OUTREACH_SETTLE: "0s" });
    context.onTestFinished(() => terraform.remove());
    return new Both(project, terraform);
  }

  write(stack: string): void {
    this.project.write(`${FOLDER}/cdk.tf.json`, stack);
    this.terraform.write("cdk.tf.json", stack.replace(/"backend": \{[^]*?\}\s*\},/, ""));
  }

  async plan(environment: { readonly [name: string]: string } = {}): Promise<BothPlans> {
    Object.assign(this.project.environment, environment);
    this.terraform.environment = { ...this.terraform.environment, ...environment };
    const [ours, theirs] = [await this.#ours(), await this.#terraforms()];
    return { ours, terraforms: theirs };
  }

  async #ours(): Promise<PlannedChanges | string> {
    const planned = await this.project.run(`plan -c ${FOLDER} --out plan.out --show-emails`);
    if (planned.code !== 0) return planned.err;
    const { out } = await this.project.run("show -json plan.out --show-emails");
    return changesIn(JSON.parse(out) as PlanJson);
  }

  async #terraforms(): Promise<PlannedChanges | string> {
    const planned = await this.terraform.run("plan", "-no-color", "-input=false", "-out=plan.out");
    if (planned.status !== 0) return planned.words;
    const { output } = await this.terraform.run("show", "-json", "plan.out");
    return changesIn(JSON.parse(output) as PlanJson);
  }
}

/** Without what stays as it is, what is unknown, and our own settings, which Terraform keeps in the lifecycle. */
function changesIn({ resource_changes: resources = [], output_changes: outputs = {} }: PlanJson): PlannedChanges {
  const isTold = ([name, value]: readonly [string, unknown]): boolean => value !== null && !["rotation", "protect", "secret"].includes(name);
  return Object.fromEntries([
    ...resources
      .filter(({ mode, change }) => mode === "managed" && change.actions[0] !== "no-op")
      .map(({ address, change: { actions, after } }) => [address, { actions, after: after && Object.fromEntries(Object.entries(after).filter(isTold)) }]),
    ...Object.entries(outputs).map(([name, { after = null, after_sensitive: sensitive }]) => [
      `output.${name}`,
      { actions: [], after: { value: after, sensitive: sensitive === true } },
    ]),
  ]) as PlannedChanges;
}
