import { ENGINE, REGISTRY, lacks } from "../frontends/terraform/engine.ts";

/** Terraform 1.14 counts actions, and OpenTofu what a plan forgets, also where there is none. */
const COUNTS = new Set(["action_invocation", "action_fail", "forget"]);

/** The version whose formats ours have. */
const VERSION = { terraform_version: "1.11.4", ui: "1.2" };

/** What an engine prints as JSON, as Terraform 1.11 prints it: without the additions of newer versions and of OpenTofu. */
export function likeTerraform(value: unknown): unknown {
  if (typeof value === "string")
    return value === "tofu.ui" ? "terraform.ui" : value.replaceAll(REGISTRY, "registry.terraform.io");
  if (Array.isArray(value)) return value.map(likeTerraform);
  if (typeof value !== "object" || value === null) return value;
  const isCounts = "add" in value && "remove" in value;
  const entries = Object.entries(value).filter(([name]) => !isCounts || !COUNTS.has(name));
  return Object.fromEntries(
    entries.map(([name, inner]) => {
      if (name === "tofu") return ["terraform", inner];
      return [name, name in VERSION ? VERSION[name as keyof typeof VERSION] : likeTerraform(inner)];
    }),
  );
}

/** Attributes that only the other side of a comparison prints. */
export const ONLY_OURS: readonly string[] = [
  // OpenTofu prints the identity of some objects only.
  ...(lacks("identities in plans") === null
    ? []
    : ["identity", "identity_schema_version", "before_identity", "after_identity"]),
  ...(ENGINE?.name === "OpenTofu" ? ["applyable", "complete"] : []),
];
