import type { TestContext } from "vitest";
import type { Sandbox } from "../../../src/sandbox/server.ts";
import { TerraformUnderTest, hasTerraform } from "../terraform/terraform-under-test.ts";
import type { Project } from "../cli/project.ts";
import type { Json } from "./stack.ts";

export const FOLDER = "cdktf.out/stacks/hooks";

/** The planned change of one resource or output. */
export interface PlannedChange {
  readonly actions: readonly string[];
  readonly after: Json | null;
  /** The address before a move. */
  readonly from?: string;
  readonly imported?: string;
}

export type PlannedChanges = { readonly [address: string]: PlannedChange };

interface ResourceChange {
  readonly address: string;
  readonly previous_address?: string;
  readonly mode: string;
  readonly change: { readonly actions: readonly string[]; readonly after: Json | null; readonly importing?: { readonly id: string } };
}

interface PlanJson {
  readonly resource_changes?: readonly ResourceChange[];
  readonly output_changes?: { readonly [name: string]: { readonly after?: unknown; readonly after_sensitive?: unknown } };
}

/** Both plans of a stack, or the error message. */
export interface BothPlans {
  readonly ours: PlannedChanges | string;
  readonly terraforms: PlannedChanges | string;
}

/** The same stack with the command and with the real terraform, each with its own service. */
export class Both {
  readonly project: Project;
  readonly sandboxes: readonly [ours: Sandbox, terraforms: Sandbox];
  readonly terraform: TerraformUnderTest;

  private constructor(project: Project, sandboxes: Both["sandboxes"], terraform: TerraformUnderTest) {
    this.project = project;
    this.sandboxes = sandboxes;
    this.terraform = terraform;
  }

  static async open(open: () => Promise<Project>, context: TestContext): Promise<Both> {
    if (!hasTerraform) context.skip("no terraform on the PATH");
    const [project, { sandbox }] = [await open(), await open()];
    const terraform = await TerraformUnderTest.start({ OUTREACH_BASE_URL: sandbox.baseUrl, OUTREACH_API_KEY: sandbox.keys.good, OUTREACH_SETTLE: "0s" });
    context.onTestFinished(() => terraform.remove());
    return new Both(project, [project.sandbox, sandbox], terraform);
  }

  /** Applies with both. Throws if one of them fails. */
  async apply(environment: { readonly [name: string]: string } = {}): Promise<void> {
    this.#give(environment);
    const [ours, terraforms] = [await this.project.run(`apply -c ${FOLDER} --auto-approve`), await this.terraform.apply()];
    if (ours.code !== 0) throw new Error(ours.err);
    if (terraforms.status !== 0) throw new Error(terraforms.output);
  }

  write(stack: string): void {
    this.project.write(`${FOLDER}/cdk.tf.json`, stack);
    this.terraform.write("cdk.tf.json", stack.replace(/"backend": \{[^]*?\}\s*\},/, ""));
  }

  async plan(environment: { readonly [name: string]: string } = {}): Promise<BothPlans> {
    this.#give(environment);
    const [ours, theirs] = [await this.#ours(), await this.#terraforms()];
    return { ours, terraforms: theirs };
  }

  #give(environment: { readonly [name: string]: string }): void {
    Object.assign(this.project.environment, environment);
    this.terraform.environment = { ...this.terraform.environment, ...environment };
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

/** Without unchanged resources, unknown values, and our own settings, which Terraform keeps in the lifecycle. */
function changesIn({ resource_changes: resources = [], output_changes: outputs = {} }: PlanJson): PlannedChanges {
  const isTold = ([name, value]: readonly [string, unknown]): boolean =>
    value !== null && !["rotation", "protect", "secret", "id", "created_at"].includes(name);
  return Object.fromEntries([
    ...resources
      .filter(
        ({ mode, previous_address: from, change }) =>
          mode === "managed" && (change.actions[0] !== "no-op" || from !== undefined || change.importing !== undefined),
      )
      .map(({ address, previous_address: from, change: { actions, after, importing } }): readonly [string, PlannedChange] => [
        address,
        {
          actions,
          after: after && Object.fromEntries(Object.entries(after).filter(isTold)),
          ...(from === undefined ? {} : { from }),
          ...(importing ? { imported: importing.id } : {}),
        },
      ]),
    ...Object.entries(outputs).map(([name, { after = null, after_sensitive: sensitive }]): readonly [string, PlannedChange] => [
      `output.${name}`,
      { actions: [], after: { value: after, sensitive: sensitive === true } },
    ]),
  ]);
}
