import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../docs/pages.ts";
import { REGISTRY } from "./engine.ts";
import { REQUIRED_PROVIDERS } from "./installed-provider.ts";
import { TerraformUnderTest, hasTerraform } from "./terraform-under-test.ts";

/** What later versions of Terraform print in addition; the file is as of 1.11. */
const LATER = new Set(["action_schemas", "list_resource_schemas", "resource_identity_schemas"]);

test(
  "schemas/provider-schema.json is what terraform prints for the provider, its keys in order",
  { timeout: 60_000 },
  async ({ skip }) => {
    skip(!hasTerraform, "no terraform on the PATH");
    const terraform = await TerraformUnderTest.start({});
    try {
      terraform.write("provider.tf", REQUIRED_PROVIDERS);
      const { status, output } = await terraform.run("providers", "schema", "-json");
      expect(status, output).toBe(0);
      const printed = JSON.stringify(inOrder(JSON.parse(output.replace(REGISTRY, "registry.terraform.io"))), null, 2);
      expect(`${printed}\n`).toBe(readFileSync(path.join(ROOT, "schemas/provider-schema.json"), "utf8"));
    } finally {
      await terraform.remove();
    }
  },
);

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value)
    .filter(([key]) => !LATER.has(key))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, inOrder(inner)]));
}
