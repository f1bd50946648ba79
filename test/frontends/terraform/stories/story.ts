import { test } from "vitest";
import type { Sandbox } from "../../../../src/sandbox/server.ts";
import { REQUIRED_PROVIDERS } from "../installed-provider.ts";
import { sandboxForTest } from "../provider-under-test.ts";
import { TerraformUnderTest, hasTerraform } from "../terraform-under-test.ts";

/**
 * A story told with the real terraform, in an initialised folder, against a sandbox: both of its own. The environment
 * says where the sandbox is; recovery waits half a second before it believes a list.
 */
export const story = test.extend<{ sandbox: Sandbox; terraform: TerraformUnderTest }>({
  sandbox: async ({ skip }, use) => {
    skip(!hasTerraform, "no terraform on the PATH");
    const sandbox = await sandboxForTest();
    await use(sandbox);
    await sandbox.close();
  },
  terraform: async ({ sandbox }, use) => {
    const environment = {
      OUTREACH_BASE_URL: sandbox.baseUrl,
      OUTREACH_API_KEY: sandbox.keys.good,
      OUTREACH_SETTLE: "500ms",
    };
    const terraform = await TerraformUnderTest.start(environment);
    terraform.write("provider.tf", REQUIRED_PROVIDERS);
    await use(terraform);
    await terraform.remove();
  },
});

/** A webhook in HCL; `lines` are its other attributes. */
export function webhook(
  name: string,
  lines: readonly string[] = [],
  targetUrl = `https://${name}.example.com/`,
): string {
  return `resource "outreach_webhook" "${name}" {\n${[`target_url = "${targetUrl}"`, ...lines].map((line) => `  ${line}\n`).join("")}}\n`;
}

/** The requests that change something, in order, with ID for each id: `POST /hooks`. */
export function writes(sandbox: Sandbox): readonly string[] {
  return sandbox
    .requests()
    .flatMap(({ method, path }) => (method === "GET" ? [] : [`${method} ${path.replace(/hoo_\w+/, "ID")}`]));
}

/** The paths that were read. */
export function reads(sandbox: Sandbox): readonly string[] {
  return sandbox.requests().flatMap(({ method, path }) => (method === "GET" ? [path] : []));
}

/** The live webhook of this name, where its address is that of `webhook`. */
export function live(sandbox: Sandbox, name: string) {
  return sandbox.webhooks().find(({ targetUrl }) => targetUrl.startsWith(`https://${name}.`));
}
