import type { TestContext } from "vitest";
import type { Project } from "../cli/project.ts";
import { faulty } from "../terraform/engine.ts";
import { TerraformUnderTest, hasTerraform } from "../terraform/terraform-under-test.ts";

export async function openTerraform(project: Project, context: TestContext): Promise<TerraformUnderTest> {
  if (!hasTerraform) context.skip("no terraform on the PATH");
  const terraform = await TerraformUnderTest.start({
    OUTREACH_BASE_URL: project.sandbox.baseUrl,
    OUTREACH_API_KEY: project.sandbox.keys.good,
    OUTREACH_SETTLE: "0s",
  });
  context.onTestFinished(() => terraform.remove());
  return terraform;
}

/** For a test that imports several instances of a resource. */
export function needsImports(context: TestContext): void {
  context.skip(...faulty("hashicorp/terraform#39068: only the first instance of a resource is imported"));
}

/** The writes that the sandbox received. */
export function writes(project: Project): readonly string[] {
  return project.sandbox
    .requests()
    .filter(({ method }) => method !== "GET")
    .map(({ method, target }) => `${method} ${target}`);
}

/** The statements in the steps that let the webhooks go. */
export function lettingGo(steps: string): string {
  return /^(?:removed|this\.addOverride)[^]*$/m.exec(steps)?.[0] ?? "";
}
